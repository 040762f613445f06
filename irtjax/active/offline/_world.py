"""A pool of questions and what a population of solvers gets wrong on it."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from ..generation import Question
from ._checker import OfflineScorer
from ._knobs import draw_knobs
from ._problem import draw_problem
from ._solver import WeakSolver, draw_solver
from ._text import TOPICS, question_of


@dataclass(frozen=True)
class World:
    """Questions, the systems that were asked before, and a new one.

    Attributes:
        questions: the pool, no text twice.
        sources: the historical systems.
        errors: what each source got wrong, 0 or 1.
        target: the system whose failures are looked for.
    """

    questions: tuple[Question, ...]
    sources: tuple[WeakSolver, ...]
    errors: Float[np.ndarray, "item source"]
    target: WeakSolver

    def target_errors(self) -> Float[np.ndarray, " item"]:
        """Return what the target gets wrong; looked at only to judge a method."""
        return OfflineScorer(self.target)(self.questions)


def draw_world(seed: int, *, questions: int = 400, sources: int = 12) -> World:
    """Return a world of everyday questions.

    Args:
        seed: which world; the same one for the same seed.
        questions: in the pool.
        sources: historical systems; the target is one more.
    """
    rng = np.random.default_rng([seed, 10])
    found: dict[str, Question] = {}
    while len(found) < questions:
        topic = sorted(TOPICS)[int(rng.integers(len(TOPICS)))]
        question = question_of(draw_problem(topic, draw_knobs(rng), rng))
        found.setdefault(question.text, question)
    pool = tuple(found.values())
    names = rng.integers(2**31, size=sources + 1).tolist()
    *solvers, target = [draw_solver(name) for name in names]
    errors = [OfflineScorer(solver)(pool) for solver in solvers]
    return World(pool, tuple(solvers), np.stack(errors, axis=1), target)
