"""Fingerprints name results; records are whole or absent."""

import json
import subprocess
import sys

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments import _records
from experiments._records import Condition, expand, fingerprint
from experiments._schema import APPLICATIONS, SweepConf

scalars = st.one_of(
    st.integers(-1000, 1000),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.booleans(),
    st.none(),
)
settings = st.dictionaries(
    st.text(max_size=6),
    st.one_of(scalars, st.lists(scalars, max_size=3)),
    min_size=1,
    max_size=6,
)


def config(**changes):
    return SweepConf(**changes)


@given(settings, st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(values, random):
    keys = list(values)
    random.shuffle(keys)
    assert fingerprint(values, 1) == fingerprint({key: values[key] for key in keys}, 1)


@given(settings, scalars, st.data())
def test_any_changed_value_changes_the_fingerprint(values, new, data):
    key = data.draw(st.sampled_from(sorted(values)))
    changed = {**values, key: new}
    same = json.dumps(changed[key]) == json.dumps(values[key])
    assert (fingerprint(changed, 1) == fingerprint(values, 1)) == same


@given(settings)
def test_a_setting_more_or_another_recipe_changes_the_fingerprint(values):
    more = {**values, "a longer key": 0}
    prints = {fingerprint(values, 1), fingerprint(values, 2), fingerprint(more, 1)}
    assert len(prints) == 3


def test_settings_that_are_not_finite_have_no_fingerprint():
    with pytest.raises(ValueError, match="JSON"):
        fingerprint({"gap": float("nan")}, 1)


LAUNCH = {
    "name": "other",
    "out": "elsewhere",
    "block": 7,
    "devices": 0,
    "shard": 1,
    "shards": 2,
    "report": False,
}
RESULT = {
    "seeds": 16,
    "systems": 9,
    "items": 9,
    "rankers": ["average"],
    "model": {"_target_": "mylab.LapseTwoPL"},
    "estimator": {"_target_": "mylab.Other"},
    "x64": False,
}


def prints(cfg):
    return [condition.fingerprint for condition in expand("sweep", cfg, recipe=1)]


def test_every_setting_is_either_launch_or_result_or_an_axis():
    """So a new setting is in the fingerprint until somebody says that it is not."""
    application = APPLICATIONS["sweep"]
    assert set(application.launch) == set(LAUNCH)
    names = set(SweepConf.__dataclass_fields__)
    assert names == {*LAUNCH, *RESULT, *application.axes}


@pytest.mark.parametrize("name", LAUNCH)
def test_how_a_sweep_is_run_is_not_in_the_fingerprint(name):
    assert prints(config(**{name: LAUNCH[name]})) == prints(config())


@pytest.mark.parametrize("name", RESULT)
def test_what_changes_a_result_is_in_the_fingerprint(name):
    assert set(prints(config(**{name: RESULT[name]}))).isdisjoint(prints(config()))


def test_a_grid_expands_to_every_combination_once():
    cfg = config(mask=["mcar", "anti"], sparsity=[0.1, 0.2], gap=[1.0, 2.0, 1.0])
    conditions = expand("sweep", cfg, recipe=1)
    points = [(c.settings["mask"], c.settings["sparsity"]) for c in conditions]
    assert len(conditions) == 8
    assert points[:4] == [("mcar", 0.1)] * 2 + [("mcar", 0.2)] * 2
    assert len({condition.fingerprint for condition in conditions}) == 8


def test_a_condition_has_the_same_record_in_every_grid():
    alone = prints(config(mask=["mcar"], sparsity=[0.2], gap=[2.0]))
    among = prints(config(mask=["anti", "mcar"], sparsity=[0.1, 0.2], gap=[1.0, 2.0]))
    assert alone[0] in among


def test_shards_share_the_conditions_without_overlap():
    axes = {"sparsity": [0.1, 0.2, 0.3], "gap": [1.0, 2.0, 3.0]}
    whole = prints(config(**axes))
    parts = []
    for shard in range(4):
        cfg = config(**axes, shards=4, shard=shard)
        missing = expand("sweep", cfg, recipe=1).missing()
        parts += [condition.fingerprint for condition in missing]
    assert sorted(parts) == sorted(whole)


@pytest.fixture
def condition(tmp_path):
    fields = {"mask": "mcar", "sparsity": 0.5, "gap": 1.0, "seeds": 2}
    return Condition(fields, 1, tmp_path)


ROWS = pl.DataFrame({"seed": [0, 1], "spearman": [1.0, 0.25]})


def test_a_record_reads_back_what_was_written(condition):
    assert condition.record() is None
    condition.finish(ROWS, {"seconds": 1.5})
    record = condition.record()
    assert record is not None
    assert record["seeds"] == [0, 1]
    assert record["seconds"] == 1.5
    assert record["settings"] == condition.settings
    assert condition.runs().equals(ROWS)


def test_half_a_record_is_missing_and_can_be_written_again(condition):
    condition.folder.mkdir()
    (condition.folder / _records.RUNS).write_bytes(b"PAR1 and then nothing")
    assert not condition.recorded()
    condition.finish(ROWS, {})
    (condition.folder / _records.RECORD).write_bytes(b'{"settings": ')
    assert not condition.recorded()
    condition.finish(ROWS, {})
    assert condition.recorded()
    assert condition.runs().equals(ROWS)


@pytest.mark.parametrize("content", [b"\x80", b"[]", b"null"])
def test_a_record_that_is_no_record_is_missing(condition, content):
    condition.finish(ROWS, {})
    (condition.folder / _records.RECORD).write_bytes(content)
    assert not condition.recorded()


def test_damaged_rows_are_missing_and_are_computed_again(condition):
    condition.finish(ROWS, {})
    path = condition.folder / _records.RUNS
    path.write_bytes(path.read_bytes()[:-8])
    assert not condition.recorded()
    condition.finish(ROWS, {})
    assert condition.runs().equals(ROWS)


def test_the_record_is_written_after_the_rows(condition, monkeypatch):
    """Stopped at any write, nothing that counts as a record is left behind."""
    written = []

    def stop_at_second(path, data):
        written.append(path.name)
        if len(written) == 2:
            raise KeyboardInterrupt
        path.write_bytes(data)

    monkeypatch.setattr(_records, "write_whole", stop_at_second)
    with pytest.raises(KeyboardInterrupt):
        condition.finish(ROWS, {})
    assert written == [_records.RUNS, _records.RECORD]
    assert not condition.recorded()


def test_a_failure_is_kept_until_the_condition_succeeds(condition):
    condition.fail("ValueError: no luck")
    assert not condition.recorded()
    assert condition.failure() == "ValueError: no luck"
    condition.finish(ROWS, {})
    assert condition.failure() is None


WRITE = """
import sys, pathlib, polars
sys.path.insert(0, {root!r})
from experiments._records import Condition
fields = dict(mask="mcar", sparsity=0.5, gap=1.0, seeds=2)
rows = polars.DataFrame(dict(seed=[0, 1], spearman=[1.0, 0.25], ranker=["a", "b"]))
for _ in range({times}):
    Condition(fields, 1, pathlib.Path({folder!r})).finish(rows, {{}})
"""


def test_two_processes_may_write_one_record_at_once(tmp_path, root):
    script = WRITE.format(root=str(root), folder=str(tmp_path), times=30)
    writers = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(2)]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    (folder,) = tmp_path.iterdir()
    assert sorted(path.name for path in folder.iterdir()) == [
        _records.RECORD,
        _records.RUNS,
    ]


def test_the_same_rows_give_the_same_bytes_in_another_process(tmp_path, root):
    for name in ("one", "two"):
        script = WRITE.format(root=str(root), folder=str(tmp_path / name), times=1)
        subprocess.run([sys.executable, "-c", script], check=True)
    one, two = (next((tmp_path / name).iterdir()) for name in ("one", "two"))
    assert (one / _records.RUNS).read_bytes() == (two / _records.RUNS).read_bytes()


def test_a_grid_is_found_again(tmp_path):
    cfg = config(out=str(tmp_path), sparsity=[0.1, 0.2])
    conditions = expand("sweep", cfg, recipe=3)
    path = _records.save_grid(conditions, tmp_path / "grids", "mine")
    application, name, found = _records.load_grid(path, tmp_path)
    assert (application, name) == ("sweep", "mine")
    assert [c.folder for c in found] == [c.folder for c in conditions]
