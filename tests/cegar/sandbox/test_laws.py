"""Every law of the conformance list, over every sandbox; and that a law can be broken."""

import pytest

from irtjax.cegar.sandbox import (
    LAWS,
    AbstractSandbox,
    Bubblewrap,
    Limited,
    Limits,
    Worker,
    WorkerError,
    best_sandbox,
    check_sandbox,
)
from irtjax.cegar.sandbox import _best as best

STATED = {
    "fork bomb",
    "memory bomb",
    "endless loop",
    "endless output",
    "file write",
    "socket",
    "reading the oracle",
    "killing the parent",
    "os._exit",
    "deep recursion",
    "pickling tricks",
    "catching the timeout",
}


def test_the_list_holds_all_that_was_asked_for():
    assert set(LAWS) >= STATED


@pytest.mark.parametrize("name", LAWS)
def test_bubblewrap_keeps_the_law(jail, name):
    assert LAWS[name](jail) is None


@pytest.mark.parametrize("name", LAWS)
def test_limited_keeps_the_law(name):
    assert LAWS[name](Limited()) is None


class Open(AbstractSandbox):
    """Namespaces, but nothing binds the programs inside: for breaking laws safely."""

    name: str = "open"
    isolation: str = "namespaces"
    prologue: str = "import jail._child\njail._child.confine = lambda *_: None\n"

    def start(self, script: str, limits: Limits) -> Worker:
        return Bubblewrap().start(self.prologue + script, limits)


def test_a_sandbox_that_binds_nothing_breaks_laws(jail):
    broken = {
        name: LAWS[name](Open())
        for name in ("fork bomb", "killing the parent", "socket", "leftover processes")
    }
    assert [name for name, wrong in broken.items() if wrong is None] == []
    assert "it gained" in broken["socket"]


def test_a_sandbox_that_does_not_watch_the_clock_breaks_laws(jail):
    deaf = Open(
        prologue="import jail._child\njail._child.Child._cpu = lambda self: 0.0\n"
        "jail._child.confine = lambda *_: None\n"
    )
    # Stopped by the clock on the wall instead, so that another run may differ.
    said = LAWS["endless loop"](deaf)
    assert said is not None
    assert "the clock" in said


def test_check_sandbox_names_each_law(jail, monkeypatch):
    few = {name: LAWS[name] for name in ("os._exit", "the same again")}
    monkeypatch.setattr("irtjax.cegar.sandbox._laws.LAWS", few)
    assert check_sandbox(jail) == dict.fromkeys(few)


def test_the_best_sandbox_is_bubblewrap(jail):
    assert best_sandbox() == jail
    assert "namespaces" in best_sandbox().isolation


def test_without_bubblewrap_a_weaker_one_must_be_asked_for(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(best, "_tried", best._tried.__wrapped__)
    with pytest.raises(WorkerError, match="apt-get install bubblewrap"):
        best_sandbox()
    weaker = best_sandbox(allow_weaker=True)
    assert isinstance(weaker, Limited)
    assert "weaker" in weaker.isolation


def test_a_sandbox_that_fails_a_law_is_not_used(monkeypatch):
    monkeypatch.setattr(best, "LAWS", dict.fromkeys(LAWS, lambda _: "it got out"))
    monkeypatch.setattr(best, "_tried", best._tried.__wrapped__)
    with pytest.raises(WorkerError, match="fails the law on fork bomb: it got out"):
        best_sandbox()


def test_other_systems_are_refused(monkeypatch):
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    with pytest.raises(WorkerError, match="on Linux only, not on Darwin"):
        best_sandbox(allow_weaker=True)
