"""Systems that are weak in ways that can be found out."""

import hashlib
from dataclasses import dataclass

import numpy as np

from ._problem import Operation, carries
from ._text import TOPICS, read_problem


@dataclass(frozen=True)
class WeakSolver:
    """Reads a problem and solves it, with the weaknesses of its limits.

    It fails for a reason: a run of carries longer than it can hold loses its last one,
    operations beyond the last that it remembers are left out, the first of too many
    distractors is added, and too large a factor is taken for a number to add. In its
    weak topics every limit is lower by one. Beside that it slips by one now and then.
    The same text always gets the same answer.

    Attributes:
        carries: the longest run of carries in one operation that it gets right.
        steps: how many operations it remembers.
        distractors: how many it can ignore.
        factor: the largest that it multiplies by.
        weak_topics: of `TOPICS`.
        slips: share of the questions on which it is off by one, from 0 to 1.
        seed: which questions those are.
    """

    carries: int
    steps: int
    distractors: int
    factor: int
    weak_topics: tuple[str, ...] = ()
    slips: float = 0.0
    seed: int = 0

    def reply(self, text: str) -> str:
        """Return what the solver says to a question.

        Args:
            text: of the question; one that it cannot read gets a shrug.
        """
        problem = read_problem(text)
        if problem is None:
            return "I do not know."
        less = int(problem.topic in self.weak_topics)
        value = problem.start
        if len(problem.distractors) > max(self.distractors - less, 0):
            value += problem.distractors[0]
        for operation in problem.operations[: max(self.steps - less, 1)]:
            value = self._apply(operation, value, less)
        if self._slips(text):
            value += 1
        return f"The answer is {value}."

    def _apply(self, operation: Operation, value: int, less: int) -> int:
        exact = operation.apply(value)
        if operation.kind == "times":
            known = operation.number <= self.factor - less
            return exact if known else value + operation.number
        held = max(self.carries - less, 0)
        if carries(operation.kind, value, operation.number) > held:
            lost = 10 ** (held + 1)
            exact += -lost if operation.kind == "add" else lost
        # After an earlier mistake there may be less than what is to be taken.
        return max(exact, 0)

    def _slips(self, text: str) -> bool:
        digest = hashlib.sha256(f"{self.seed}\n{text}".encode()).digest()
        return int.from_bytes(digest[:8], "big") < self.slips * 2**64


def draw_solver(seed: int, *, slips: float = 0.02) -> WeakSolver:
    """Return a solver with limits of its own, two weak topics among them.

    Args:
        seed: which solver.
        slips: share of the questions on which it is off by one, from 0 to 1.
    """
    rng = np.random.default_rng([seed, 20])
    weak = rng.choice(sorted(TOPICS), size=2, replace=False)
    return WeakSolver(
        carries=int(rng.integers(2, 3, endpoint=True)),
        steps=int(rng.integers(3, 5, endpoint=True)),
        distractors=int(rng.integers(1, 3, endpoint=True)),
        factor=int(rng.integers(8, 10, endpoint=True)),
        weak_topics=tuple(weak.tolist()),
        slips=slips,
        seed=seed,
    )
