"""Executions on disk: keyed by all that decides them, whole under kills and in company."""

import contextlib
import dataclasses
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from irtjax.cegar import Observation
from irtjax.cegar.sandbox import (
    ExecutionCache,
    Job,
    Limits,
    default_cache_path,
    execution_key,
)

SEEN = [Observation("value", "[1,2]"), Observation("error", "KeyError")]


def test_what_was_stored_is_there_in_another_opening(tmp_path):
    path = tmp_path / "deep" / "runs.sqlite"
    with ExecutionCache(path) as cache:
        cache.store("a", SEEN)
        cache.store("b", [])
        assert cache.load(["a", "b", "c", "a"]) == {"a": SEEN, "b": []}
    with ExecutionCache(path) as again:
        assert again.load(["a"]) == {"a": SEEN}
        assert len(again) == 2
        again.store("a", SEEN[:1])
        assert again.load(["a"]) == {"a": SEEN[:1]}


def test_thousands_of_keys_at_once(tmp_path):
    with ExecutionCache(tmp_path / "runs.sqlite") as cache:
        cache.store("7", SEEN)
        assert cache.load([str(n) for n in range(3000)]) == {"7": SEEN}


def test_an_entry_that_cannot_be_read_counts_as_missing(tmp_path):
    path = tmp_path / "runs.sqlite"
    with ExecutionCache(path) as cache:
        cache.store("a", SEEN)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE execution SET outcomes = '[[1,2,3,4]]'")
    file.close()
    with ExecutionCache(path) as cache:
        assert cache.load(["a"]) == {}


def test_a_file_that_is_none_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, " * 100)
    with pytest.raises(ValueError, match=r"notes\.txt cannot be used as a cache"):
        ExecutionCache(path)


def test_several_threads_and_files_at_once(tmp_path):
    path = tmp_path / "runs.sqlite"
    with ExecutionCache(path) as one, ExecutionCache(path) as two:

        def fill(cache, start):
            for n in range(start, 60, 2):
                cache.store(str(n), SEEN)

        jobs = [(one, 0), (two, 1), (one, 0), (two, 1)]
        threads = [threading.Thread(target=fill, args=job) for job in jobs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(one) == len(two) == 60


WRITER = """
import sys
from irtjax.cegar import Observation
from irtjax.cegar.sandbox import Bubblewrap, ExecutionCache, Job, run_programs
with ExecutionCache(sys.argv[1]) as cache:
    for n in range(10**9):
        cache.store(f"{sys.argv[2]}-{n}", [Observation("value", "x" * 10_000)])
        print(n, flush=True)
        if n == 20 and sys.argv[2] == "running":
            job = Job("def f(x):\\n    while True: pass\\n", "f", ((1,),) * 99)
            run_programs(Bubblewrap(), [job])
"""


def _start(path, name):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )


def _marks(parent=None):
    """The marks of all jails that run, one a process, or of those a process started."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            arguments = (entry / "cmdline").read_bytes()
            above = (entry / "stat").read_text().rpartition(")")[2].split()[1]
            if b"jail-" in arguments and parent in (None, int(above)):
                found.append(arguments.rpartition(b"jail-")[2])
    return found


def _until(condition):
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def test_a_killed_process_leaves_a_whole_file_and_no_jail(jail, tmp_path):
    path = tmp_path / "runs.sqlite"
    with _start(path, "running") as killed, _start(path, "other") as other:
        written = -1
        while written < 20:
            written = int(killed.stdout.readline())
        (mark,) = _until(lambda: _marks(killed.pid))
        for process in (killed, other):
            process.send_signal(signal.SIGKILL)
        last = int(other.stdout.read().strip().splitlines()[-1])
    assert _until(lambda: mark not in _marks())
    with ExecutionCache(path) as cache:
        wanted = {f"running-{n}" for n in range(21)}
        wanted |= {f"other-{n}" for n in range(last + 1)}
        assert set(cache.load(list(wanted))) == wanted
    with sqlite3.connect(path) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    file.close()


def test_the_key_covers_whatever_can_change_an_outcome():
    job = Job("def f(x): ...", "f", ((1,), (2,)))
    variants = [
        dataclasses.replace(job, code="def f(x): pass"),
        dataclasses.replace(job, entry_point="g"),
        dataclasses.replace(job, inputs=((1,), (2.0,))),
        dataclasses.replace(job, inputs=((1,), (True,))),
        dataclasses.replace(job, trace=True),
        *(
            dataclasses.replace(job, limits=dataclasses.replace(Limits(), **{name: 7}))
            for name in ("memory_bytes", "text_bytes", "failures")
        ),
        *(
            dataclasses.replace(
                job, limits=dataclasses.replace(Limits(), **{name: 7.5})
            )
            for name in ("cpu_seconds", "program_seconds")
        ),
    ]
    keys = [execution_key(one.plain(), "bubblewrap") for one in [job, *variants]]
    keys.append(execution_key(job.plain(), "limited"))
    assert len(set(keys)) == len(keys)
    assert all(len(key) == 64 for key in keys)
    # What the clock decides is never kept, so its limit is no part of the key.
    waiting = dataclasses.replace(job, limits=Limits(wall_seconds=3.0))
    assert execution_key(waiting.plain(), "bubblewrap") == keys[0]
    assert execution_key(job.plain(), "bubblewrap") == keys[0]


def test_the_usual_place_is_the_users_cache_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache_path() == tmp_path / "irtjax" / "executions.sqlite"
    with ExecutionCache() as cache:
        assert cache.path == default_cache_path()
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_cache_path().parts[-3:] == (".cache", "irtjax", "executions.sqlite")
