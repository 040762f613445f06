"""The sandbox of the commands that run untrusted programs, opened and told about."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ._common import say

if TYPE_CHECKING:
    from irtjax.cegar.operators import Harness
    from irtjax.cegar.tasks import Bench


@contextlib.contextmanager
def told_plainly() -> Iterator[None]:
    """Turn what jails and models refuse into errors of value, which commands tell."""
    from irtjax.cegar.sandbox import WorkerError
    from irtjax.clients import ClientError

    try:
        yield
    except (WorkerError, ClientError) as error:
        raise ValueError(str(error)) from None


@contextlib.contextmanager
def jails(
    *, allow_weaker: bool, workers: int, seconds: float, electorate: int
) -> Iterator[tuple["Harness", "Bench"]]:
    """Yield where operators and where programs run, after saying how they are held.

    Args:
        allow_weaker: whether limits alone will do.
        workers: jails at work at once.
        seconds: processor time of one call of a program.
        electorate: seed of the choice of peers.

    Raises:
        WorkerError: there is no sandbox that is strong enough.
    """
    from irtjax.cegar.operators import Harness
    from irtjax.cegar.sandbox import ExecutionCache, Limits, best_sandbox
    from irtjax.cegar.tasks import Bench

    sandbox = best_sandbox(allow_weaker=allow_weaker)
    say([f"Isolation of programs and operators: {sandbox.isolation}"], ())
    limits = Limits(cpu_seconds=seconds)
    with (
        ExecutionCache() as cache,
        Harness(
            sandbox, cache, program_limits=limits, workers=workers, seed=electorate
        ) as harness,
    ):
        yield harness, Bench(sandbox, limits, cache, workers)
