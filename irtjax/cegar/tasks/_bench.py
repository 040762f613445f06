"""Where programs are labelled."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .._observation import Observation
from ..sandbox import AbstractSandbox, ExecutionCache, Job, Limits, run_programs


@dataclass(frozen=True)
class Bench:
    """Where programs run.

    Attributes:
        sandbox: that they run in.
        limits: of each.
        cache: of what was run before, or None.
        workers: processes at once.
    """

    sandbox: AbstractSandbox
    limits: Limits = field(default_factory=Limits)
    cache: ExecutionCache | None = None
    workers: int = 2

    def run(self, jobs: Sequence[tuple[str, str, tuple]]) -> list[list[Observation]]:
        """Return what programs, given as code, entry point and inputs, do."""
        wanted = [Job(*job, self.limits) for job in jobs]
        return run_programs(
            self.sandbox, wanted, cache=self.cache, workers=self.workers
        )

    def for_references(self) -> "Bench":
        """Return where references run: half the time a call, however many fail.

        So what a reference can do leaves a program that is as slow as it in no doubt,
        and one input too many for it does not hide those that follow.
        """
        half = self.limits.cpu_seconds / 2
        return replace(
            self, limits=replace(self.limits, cpu_seconds=half, failures=1_000_000)
        )
