"""One system taking an adaptive test, with item ids, from one answer to the next."""

import dataclasses
import json
import math
import os
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.irt import SCORES

from ._exam import Exam, ExamScore
from ._full_score import FullScore
from ._nodes import one_answer


@dataclasses.dataclass(frozen=True)
class Sitting:
    """A test under way: which items were asked, and what came back.

    The answers are the whole state. `save` writes them, `load` goes on from there.

    Attributes:
        test: what is asked and how it is scored.
        answers: item ids and outcomes, in order; outcomes count what the bank's input
            counted, so that where it counted failures 1 is a failure.
        seed: of the draws among the best items.
    """

    test: Exam
    answers: tuple[tuple[Hashable, float | int], ...] = ()
    seed: int = 0

    def __post_init__(self):
        known, asked = set(self.test.bank.item_ids), set()
        highest = self.test.nothing().shape[1] - 1
        for item, outcome in self.answers:
            if item not in known:
                raise ValueError(f"There is no item {item!r} in the bank.")
            if item in asked:
                raise ValueError(f"The item {item!r} was answered before.")
            asked.add(item)
            if not (math.isfinite(outcome) and 0 <= outcome <= highest):
                raise ValueError(
                    f"The answer to item {item!r} must lie between 0 and {highest}, got "
                    f"{outcome}."
                )

    def counts(self) -> Float[Array, "item outcome"]:
        """Return the answers as the test takes them, higher = better."""
        counts = self.test.nothing()
        position = {each: k for k, each in enumerate(self.test.bank.item_ids)}
        highest = counts.shape[1] - 1
        for item, outcome in self.answers:
            better = highest - outcome if self._counts_failures() else outcome
            at = jnp.asarray(position[item], jnp.int32)
            counts = one_answer(counts, at, jnp.asarray(better, counts.dtype))
        return counts

    def next_item(self) -> Hashable | None:
        """Return the id of the item to ask next; None if all were asked."""
        key = jax.random.fold_in(jax.random.key(self.seed), len(self.answers))
        item = int(self.test.pick(self.counts(), key=key))
        return None if item < 0 else self.test.bank.item_ids[item]

    def answer(self, item: Hashable, outcome: float | int) -> "Sitting":
        """Return the sitting after one more answer.

        Args:
            item: any that was not answered, be it the one that was proposed or not.
            outcome: what the bank's input counted, from 0 to the highest.

        Raises:
            ValueError: if the bank has no such item, it was answered, or the outcome is
                out of range.
        """
        answers = (*self.answers, (item, float(outcome)))
        return dataclasses.replace(self, answers=answers)

    def score(self) -> ExamScore:
        """Return what the answers so far say; the predicted score counts as they do."""
        score = self.test.score(self.counts())
        if not self._counts_failures():
            return score
        full = score.full
        turned = FullScore(1 - full.mean, full.se, 1 - full.upper, 1 - full.lower)
        return ExamScore(score.ability, score.se, score.code, turned)

    def path(self) -> tuple[ExamScore, ...]:
        """Return the scores after each answer."""
        first = range(1, len(self.answers) + 1)
        return tuple(
            dataclasses.replace(self, answers=self.answers[:k]).score() for k in first
        )

    def done(self, error: float | int, most: int | None = None) -> bool:
        """Return whether the ability is known well enough, or enough was asked.

        Args:
            error: the standard error, in logits, at which to stop. A pattern of answers
                that all lie at one end is not enough, however small its error.
            most: stop after so many items in any case.
        """
        limit = len(self.test.bank.item_ids) if most is None else most
        if len(self.answers) >= limit:
            return True
        score = self.score()
        ordinary = int(score.code) == SCORES.ordinary
        return ordinary and float(score.se) <= error

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the answers as JSON, in one move."""
        target = Path(path)
        beside = target.with_name(f".{target.name}.{os.getpid()}")
        content = {"format": "irtjax sitting", "seed": self.seed}
        content["answers"] = [list(each) for each in self.answers]
        beside.write_text(json.dumps(content) + "\n", encoding="utf-8")
        beside.replace(target)

    @staticmethod
    def load(path: str | os.PathLike[str], test: Exam) -> "Sitting":
        """Return the sitting that `save` wrote.

        Args:
            path: the file.
            test: the same as before.

        Raises:
            ValueError: if the file is no sitting, or not one of this bank.
        """
        name = Path(path).name
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
            if content["format"] != "irtjax sitting":
                raise KeyError("format")
            answers = tuple((_tuples(k), outcome) for k, outcome in content["answers"])
            seed = int(content["seed"])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{name} is no adaptive test under way: {error}."
            ) from None
        return Sitting(test, answers, seed)

    def _counts_failures(self) -> bool:
        return self.test.bank.score_is == "failure"


def _tuples(item: Any) -> Hashable:
    """Return an id as it was before JSON made lists of tuples."""
    return tuple(map(_tuples, item)) if isinstance(item, list) else item
