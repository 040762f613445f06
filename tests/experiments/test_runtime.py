"""Conditions run in any order, several at a time; a failure stops only itself."""

import subprocess
import threading

import jax
import jax.numpy as jnp
import pytest

from experiments import _runtime
from experiments._progress import Progress
from experiments._records import Condition
from experiments._stops import FailedConditionsError


@pytest.fixture
def conditions(tmp_path):
    settings = [
        {"mask": "mcar", "sparsity": 0.1 * k, "gap": 1.0, "seeds": 1} for k in range(6)
    ]
    return [Condition(one, 1, tmp_path) for one in settings]


@pytest.mark.parametrize("devices", [0, 1, 2])
def test_every_condition_runs_once(conditions, devices):
    ran, lock = [], threading.Lock()

    def run(condition):
        with lock:
            ran.append(condition.label)

    _runtime.each(run, conditions, devices=devices)
    assert sorted(ran) == sorted(condition.label for condition in conditions)


def test_devices_take_turns(conditions):
    used, lock = set(), threading.Lock()

    def run(condition):
        (device,) = jnp.ones(3).devices()
        with lock:
            used.add(device)

    _runtime.each(run, conditions, devices=2)
    assert used == set(jax.devices()[:2])
    used.clear()
    _runtime.each(run, conditions, devices=1)
    assert used == {jax.devices()[0]}


def test_a_failure_is_recorded_and_the_others_go_on(conditions):
    ran = []

    def run(condition):
        if condition is conditions[2]:
            raise ZeroDivisionError("no data at all")
        ran.append(condition)

    with pytest.raises(FailedConditionsError) as caught:
        _runtime.each(run, conditions, devices=1)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("1 of 6 conditions failed")
    assert "ZeroDivisionError: no data at all" in message
    assert len(ran) == 5
    assert "Traceback" in conditions[2].failure()


def test_nothing_to_do_is_no_error():
    _runtime.each(lambda condition: None, [], devices=0)


def test_progress_in_a_log_is_lines_with_rate_and_time_left(capsys, monkeypatch):
    clock = iter([0.0, 5.0, 11.0, 12.0])
    monkeypatch.setattr("experiments._progress.time.monotonic", lambda: next(clock))
    with Progress(3) as progress:
        for _ in range(3):
            progress.advance()
    lines = capsys.readouterr().err.splitlines()
    # Not before ten seconds have passed, and always at the end.
    assert lines == [
        "2/3 conditions, 0.2 a second, 6 s left",
        "3/3 conditions, 0.3 a second, 0 s left",
    ]


def test_provenance_names_commit_versions_and_device():
    facts = _runtime.provenance()
    assert set(facts) == {"commit", "versions", "device"}
    assert facts["versions"]["jax"] == jax.__version__
    assert facts["device"] == jax.devices()[0].device_kind


def test_outside_git_the_commit_is_unknown(monkeypatch):
    def absent(*_, **__):
        raise subprocess.CalledProcessError(128, "git")

    monkeypatch.setattr("experiments._runtime.subprocess.run", absent)
    assert _runtime._commit() == "unknown"


def test_a_report_is_named_after_its_grid_outside_a_command():
    assert _runtime.report_name("sd150") == "sd150"


def test_long_names_of_reports_are_cut_and_stay_apart():
    long, other = "sd150," + "x" * 300, "sd150," + "x" * 299 + "y"
    assert len(_runtime.file_name(long)) <= 150
    assert _runtime.file_name(long).startswith("sd150,xxx")
    assert _runtime.file_name(long) != _runtime.file_name(other)
    assert _runtime.file_name("sd150,mask=mcar") == "sd150,mask=mcar"
