"""What tests of untrusted programs share."""

import pytest

from irtjax.cegar import Candidate, Case, Check, Task
from irtjax.cegar.operators import Harness
from irtjax.cegar.sandbox import Bubblewrap, ExecutionCache, Limits, WorkerError


@pytest.fixture(scope="session")
def jail() -> Bubblewrap:
    """The sandbox of namespaces; where it does not start, tests that need it skip."""
    sandbox = Bubblewrap()
    try:
        sandbox.reach().close()
    except WorkerError as error:
        pytest.skip(f"no bubblewrap: {error} Install it (apt-get install bubblewrap).")
    return sandbox


@pytest.fixture(scope="session")
def harness(tmp_path_factory, jail):
    """Jails for operators, shared by all tests: each takes a while to start."""
    path = tmp_path_factory.mktemp("cache") / "executions.sqlite"
    quick = Limits(cpu_seconds=0.25)
    limits = {"program_limits": quick, "operator_limits": quick}
    with (
        ExecutionCache(path) as cache,
        Harness(jail, cache, **limits) as shared,
    ):
        yield shared


@pytest.fixture(scope="session")
def largest():
    """A task with right answers, wrong ones, one that never ends and one that is none."""
    texts = {
        "def largest(values):\n    return max(values)\n": 4,
        "def largest(values):\n    return sorted(values)[-1]\n": 2,
        "def largest(values):\n    return values[-1]\n": 1,
        "def largest(values):\n    while values[0] > 1:\n        pass\n    return 3\n": 1,
        "def largest(values):\n    return max(values\n": 1,
    }
    task = Task(
        "demo/largest",
        "Return the largest of some numbers.",
        "largest",
        (Check("assert largest([1, 2, 3]) == 3", ([1, 2, 3],)),),
        (([3, 2, 1],), ([2, 2],), ([1],), ([],)),
    )
    return Case(task, tuple(Candidate(text, n) for text, n in texts.items()))
