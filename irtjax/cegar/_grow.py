"""From labelled answers to a frozen pool: the loop with everything real around it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float, Int

from ._bench import AbstractBench
from ._composition import compose
from ._gates import AbstractGate, MaximumGate
from ._loop import LoopSettings, Round, Run, evolve
from ._operator import Operator, OperatorError
from ._panel import Panel, make_panel
from ._passing import passing
from ._pool import Pool, digest
from ._request import AbstractGenerator
from ._task import Case, Label
from ._vote import decidable
from .atoms import ATOMS, TEXT_ATOMS, Atom
from .generators import GrammarGenerator
from .operators import Harness, hand_written, measure_atoms, run_operators
from .screens import screen


class JailedBench(AbstractBench):
    """Runs operators on training answers in jails, and screens them for honesty.

    Attributes:
        cases: tasks with the answers that pass the visible checks.
        labels: of these answers.
        panel: made from both.
        harness: where operators run.
    """

    cases: tuple[Case, ...]
    labels: tuple[tuple[Label, ...], ...]
    panel: Panel
    harness: Harness

    def __init__(
        self,
        cases: Sequence[Case],
        labels: Sequence[Sequence[Label]],
        harness: Harness,
    ):
        """Keep the answers that pass the visible checks; the others need no operator."""
        self.cases, self.labels = passing(cases, labels)
        self.panel = make_panel(self.cases, self.labels)
        self.harness = harness

    def verdicts(self, operator: Operator) -> Int[np.ndarray, " candidate"]:
        found = run_operators([operator], self.cases, self.harness)
        if found.refused:
            raise OperatorError(found.refused[0])
        return np.concatenate([said[0] for said in found.by_case])

    def atoms(self, names: tuple[str, ...]) -> Float[np.ndarray, "atom candidate"]:
        return np.concatenate(measure_atoms(names, self.cases, self.harness), axis=1)

    def screen(self, operator: Operator) -> str | None:
        return screen(operator, self.cases, self.labels, self.harness)


@dataclass(frozen=True)
class Grown:
    """What growing leaves.

    Attributes:
        pool: what is deployed.
        run: every round and every attempt.
        panel: of the training answers.
        chosen: places of the pool's operators among those that the run admitted.
    """

    pool: Pool
    run: Run
    panel: Panel
    chosen: tuple[int, ...] = field(default=())


def pool_verdicts(
    operators: Sequence[Operator], cases: Sequence[Case], harness: Harness
) -> Int[np.ndarray, "operator candidate"]:
    """Return what operators say of all answers of cases, in the order of a panel.

    Args:
        operators: untrusted.
        cases: with only the answers that pass the visible checks, see `passing`.
        harness: where operators run.
    """
    n_candidate = sum(len(case.candidates) for case in cases)
    if not operators:
        return np.zeros((0, n_candidate), np.int8)
    found = run_operators(operators, cases, harness)
    return np.concatenate(found.by_case, axis=1)


def preferred_atoms(atoms: Mapping[str, Atom] = ATOMS) -> dict[str, Atom]:
    """Return the atoms of programs that look at runs or at peers.

    The others read the text alone; what they find on some tasks, such as that long
    programs are often wrong, is rarely a defect.

    Args:
        atoms: by name.
    """
    return {
        name: atom
        for name, atom in atoms.items()
        if atom.behaviour or "ctx.peers" in atom.source
    }


def fitting_atoms(cases: Sequence[Case]) -> dict[str, Atom]:
    """Return `preferred_atoms` for programs, and the text atoms for answers in words.

    Args:
        cases: of one kind.
    """
    return preferred_atoms() if _programs(cases) else dict(TEXT_ATOMS)


def grow(
    cases: Sequence[Case],
    labels: Sequence[Sequence[Label]],
    harness: Harness,
    *,
    generator: Callable[[JailedBench], AbstractGenerator] | None = None,
    gate: AbstractGate = MaximumGate(),
    settings: LoopSettings = LoopSettings(),
    first: Sequence[Operator] | None = None,
    progress: Callable[[Round], None] | None = None,
) -> Grown:
    """Return a pool grown on labelled answers, frozen.

    Args:
        cases: training tasks with their answers.
        labels: for each case one label a candidate.
        harness: where operators run; its seed is that of the electorate.
        generator: made from the bench; by default the grammar over `fitting_atoms`.
        gate: admits operators.
        settings: of the loop.
        first: operators that define the first classes; by default the hand-written ones
            for programs, none for answers in words. They do not vote.
        progress: called after each round.

    Raises:
        ValueError: labels do not fit, a task comes twice, or no task is decidable, so
            that nothing could be learnt.
    """
    bench = JailedBench(cases, labels, harness)
    if not len(decidable(bench.panel).task):
        raise ValueError(
            "No task has right and wrong answers among those that pass its visible "
            "checks: there is nothing to learn from."
        )
    make = generator if generator is not None else _grammar
    written = hand_written() if _programs(cases) else ()
    known = written if first is None else first
    verdicts = pool_verdicts(known, bench.cases, harness)
    run = evolve(
        bench.panel, verdicts, make(bench), gate, bench, settings, progress=progress
    )
    admitted = np.array(run.verdicts, np.int8).reshape(-1, len(bench.panel.task))
    chosen = compose(bench.panel, admitted)
    ids = sorted(bench.panel.task_ids)
    about = {"training_tasks": len(ids), "training_tasks_hash": digest(ids)}
    pool = Pool(tuple(run.pool[place] for place in chosen), harness.seed, about)
    return Grown(pool, run, bench.panel, chosen)


def _grammar(bench: JailedBench) -> AbstractGenerator:
    return GrammarGenerator(bench, fitting_atoms(bench.cases))


def _programs(cases: Sequence[Case]) -> bool:
    return any(case.task.entry_point for case in cases)
