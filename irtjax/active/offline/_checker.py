"""Right or wrong, decided from the question's own text."""

import re
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from ..generation import AbstractScorer, Question
from ._solver import WeakSolver
from ._text import read_problem


def check(question: Question, reply: str) -> bool:
    """Return whether the last number of a reply is the right answer.

    The right answer is worked out from the question's text; what its writer claimed
    does not count, so that a wrong claim cannot pass for a failure.

    Args:
        question: of this world.
        reply: any text.

    Raises:
        ValueError: the question is not one of this world's.
    """
    problem = read_problem(question.text)
    if problem is None:
        raise ValueError(f"No word problem of the offline world: {question.text!r}.")
    numbers = re.findall(r"-?\d+", reply)
    return bool(numbers) and int(numbers[-1]) == problem.answer()


class OfflineScorer(AbstractScorer):
    """Asks a weak solver and checks what it says.

    Attributes:
        solver: the system under test.
    """

    solver: WeakSolver

    def __call__(self, questions: Sequence[Question]) -> Float[np.ndarray, " question"]:
        wrong = [not check(each, self.solver.reply(each.text)) for each in questions]
        return np.array(wrong, float)
