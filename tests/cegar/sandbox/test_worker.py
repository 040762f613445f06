"""A jailed interpreter from outside: it answers, or it is dead and says why."""

import os
import time

import pytest

from irtjax.cegar.sandbox import AbstractSandbox, Limits, Worker, WorkerError

SCRIPT = """
import jail, os, sys, time

def handle(message):
    if message == "die":
        os._exit(1)
    if message == "sleep":
        time.sleep(1000)
    if message == "shout":
        sys.stdout.write("x" * 100_000)
        sys.stderr.write("x" * 100_000)
        sys.stdout.flush()
    if message == "noise":
        os.write(max(int(f) for f in range(3, 64) if _open(f)), b"x" * 100)
    if message == "child":
        def body(channel):
            while True:
                channel.send([channel.receive(), "from inside"])
        with jail.Child(body, limits, files) as child:
            answers = [child.ask(number, 1.0, 10.0).value for number in range(3)]
        return answers
    return [message, limits["failures"]]

def _open(file):
    try:
        os.fstat(file)
        return True
    except OSError:
        return False

jail.serve(handle)
"""


@pytest.fixture
def worker(jail):
    assert isinstance(jail, AbstractSandbox)
    with jail.start(SCRIPT, Limits(failures=7)) as started:
        assert isinstance(started, Worker)
        yield started
    _gone(started)


def _gone(worker):
    """The kernel takes a moment to clear a jail whose first process was killed."""
    end = time.monotonic() + 10
    while worker.processes() and time.monotonic() < end:
        time.sleep(0.01)
    assert worker.processes() == []


def test_it_answers_again_and_again(worker):
    for message in (1, [None, "é\0"], {"a": 2.5}, "x" * 3_000_000):
        assert worker.ask(message, 20.0) == [message, 7]
    assert len(worker.processes()) >= 2


def test_what_it_prints_is_no_answer(worker):
    assert worker.ask("shout", 20.0) == ["shout", 7]


def test_a_script_can_talk_to_its_children(worker):
    assert worker.ask("child", 20.0) == [[n, "from inside"] for n in range(3)]


@pytest.mark.parametrize("message", ["die", "noise"])
def test_one_that_breaks_off_is_closed(worker, message):
    with pytest.raises(WorkerError, match="A jailed interpreter") as caught:
        worker.ask(message, 20.0)
    assert not caught.value.late
    with pytest.raises(WorkerError, match="is closed"):
        worker.ask(1, 20.0)


def test_one_that_is_late_is_killed(worker):
    begin = time.monotonic()
    with pytest.raises(WorkerError, match=r"did not answer in 0\.2 s") as caught:
        worker.ask("sleep", 0.2)
    assert caught.value.late
    assert time.monotonic() - begin < 10
    _gone(worker)


def test_a_script_that_fails_says_how(jail):
    with pytest.raises(WorkerError, match="ZeroDivisionError: division by zero"):
        jail.start("1 / 0", Limits())


def test_it_sees_no_variable_of_ours(jail, monkeypatch):
    monkeypatch.setenv("SECRET", "word")
    script = "import jail, os\njail.serve(lambda m: [dict(os.environ), os.getuid()])"
    with jail.start(script, Limits()) as worker:
        variables, user = worker.ask(None, 20.0)
    assert "SECRET" not in variables
    assert variables["PYTHONHASHSEED"] == "0"
    assert user == 65534


def test_no_file_of_ours_is_left_open(jail):
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        jail.reach().close()
    assert len(os.listdir("/proc/self/fd")) == before
