"""What a question is, and who writes and scores questions."""

import abc
from collections.abc import Sequence
from dataclasses import dataclass

import equinox as eqx
import numpy as np
from jaxtyping import Float


@dataclass(frozen=True)
class Question:
    """A question that a system can be asked.

    Attributes:
        text: all that the system sees.
        answer: the right one, in the words that the scorer compares.
        topic: what it is about.
    """

    text: str
    answer: str
    topic: str


@dataclass(frozen=True)
class Brief:
    """What a generator is asked to write.

    Attributes:
        topic: what the new question is to be about.
        anchors: questions that the system is believed to fail, the most telling first.
        seed: of whatever the generator draws; another one for each brief.
    """

    topic: str
    anchors: tuple[Question, ...]
    seed: int


class AbstractGenerator(eqx.Module):
    """Writes new questions."""

    @abc.abstractmethod
    def __call__(self, brief: Brief) -> Question | None:
        """Return a question equally hard as the anchors or harder.

        Args:
            brief: what to write about, and from what.

        Returns:
            None where nothing usable came of it; the loop counts that and goes on.
        """


class AbstractScorer(eqx.Module):
    """Runs the system under test and says where it fails."""

    @abc.abstractmethod
    def __call__(self, questions: Sequence[Question]) -> Float[np.ndarray, " question"]:
        """Return the error on each question, from 0 (right) to 1 (wrong).

        Args:
            questions: asked one by one; no answer depends on the others.
        """
