"""What was observed, as arrays: the one input that every engine takes.

Four kinds share one interface. Whatever the kind, a (system, item) cell is a short list
of *terms*, each an outcome and how often it was seen; a response model is asked for the
log-probability of one outcome and the cell adds the weighted sum. That is all a solver,
an information matrix or a simulator needs to know about a kind of response.
"""

import abc
from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int


class Terms(NamedTuple):
    """A cell's log-likelihood as a weighted sum over outcomes.

    Attributes:
        outcome: one observation's outcome, as a response model's `log_prob` takes it;
            the leading axes broadcast against those of `weight`.
        weight: how often the outcome was seen in the cell; 0 adds exactly nothing.
    """

    outcome: Float[Array, "*#cell #term"]
    weight: Float[Array, "*cell term"]


class Totals(NamedTuple):
    """A cell's observations added up.

    Attributes:
        outcome: the sum of the outcomes, each as often as it was seen.
        count: how many there were; 0 where the system did not run the item.
    """

    outcome: Float[Array, "*cell"]
    count: Float[Array, "*cell"]


class AbstractResponses(eqx.Module):
    """Outcomes of systems on items, some cells observed and some not."""

    @property
    @abc.abstractmethod
    def shape(self) -> tuple[int, int]:
        """Return the numbers of systems and items."""

    @abc.abstractmethod
    def observed(self) -> Bool[Array, "system item"]:
        """Return where a cell holds at least one observation."""

    @abc.abstractmethod
    def mean_score(self) -> Float[Array, "system item"]:
        """Return each cell's mean outcome, higher is better; 0 where not observed."""

    @abc.abstractmethod
    def terms(self) -> Terms:
        """Return the outcomes and weights that make up each cell's log-likelihood."""

    @abc.abstractmethod
    def totals(self) -> Totals:
        """Return each cell's sum of outcomes and their number: sums over its terms."""

    @abc.abstractmethod
    def hide(self, keep: Bool[Array, "system item"]) -> "AbstractResponses":
        """Return the same responses with the cells outside `keep` not observed."""

    @abc.abstractmethod
    def take(
        self, system: Int[Array, " new_system"], item: Int[Array, " new_item"]
    ) -> "AbstractResponses":
        """Return the responses of some systems on some items, in a new order.

        Args:
            system: the present position of each new system, each at most once.
            item: the same for items.
        """


class BinomialResponses(AbstractResponses):
    """Successes out of trials: all that repeated right/wrong answers have to say.

    Attributes:
        successes: from 0 to `trials`; fractions are allowed (quasi-likelihood).
        trials: 0 where the system did not run the item.
    """

    successes: Float[Array, "system item"]
    trials: Float[Array, "system item"]

    @property
    def shape(self) -> tuple[int, int]:
        return self.trials.shape[0], self.trials.shape[1]

    def observed(self) -> Bool[Array, "system item"]:
        return self.trials > 0

    def mean_score(self) -> Float[Array, "system item"]:
        return jnp.where(
            self.trials > 0,
            self.successes / jnp.where(self.trials > 0, self.trials, 1),
            0,
        )

    def terms(self) -> Terms:
        # What stands beside 0 trials is no observation, be it not a number.
        successes = jnp.where(self.trials > 0, self.successes, 0)
        return Terms(
            outcome=jnp.arange(2, dtype=self.trials.dtype),
            weight=jnp.stack([self.trials - successes, successes], axis=-1),
        )

    def totals(self) -> Totals:
        return Totals(jnp.where(self.trials > 0, self.successes, 0), self.trials)

    def hide(self, keep: Bool[Array, "system item"]) -> "BinomialResponses":
        return BinomialResponses(
            jnp.where(keep, self.successes, 0), jnp.where(keep, self.trials, 0)
        )

    def take(
        self, system: Int[Array, " new_system"], item: Int[Array, " new_item"]
    ) -> "BinomialResponses":
        return BinomialResponses(
            self.successes[system][:, item], self.trials[system][:, item]
        )


class CategoricalResponses(AbstractResponses):
    """How often each of a few ordered categories was given.

    Attributes:
        counts: 0 in every category where the system did not run the item.
    """

    counts: Float[Array, "system item category"]

    @property
    def shape(self) -> tuple[int, int]:
        return self.counts.shape[0], self.counts.shape[1]

    def observed(self) -> Bool[Array, "system item"]:
        return jnp.sum(self.counts, axis=-1) > 0

    def mean_score(self) -> Float[Array, "system item"]:
        """Return the mean category index over the highest one, so within [0, 1]."""
        total = jnp.sum(self.counts, axis=-1)
        category = jnp.arange(self.counts.shape[-1], dtype=self.counts.dtype)
        highest = max(self.counts.shape[-1] - 1, 1)
        mean = (self.counts @ category) / (jnp.where(total > 0, total, 1) * highest)
        return jnp.where(total > 0, mean, 0)

    def terms(self) -> Terms:
        category = jnp.arange(self.counts.shape[-1], dtype=self.counts.dtype)
        return Terms(outcome=category, weight=self.counts)

    def totals(self) -> Totals:
        category = jnp.arange(self.counts.shape[-1], dtype=self.counts.dtype)
        return Totals(self.counts @ category, jnp.sum(self.counts, axis=-1))

    def hide(self, keep: Bool[Array, "system item"]) -> "CategoricalResponses":
        return CategoricalResponses(jnp.where(keep[..., None], self.counts, 0))

    def take(
        self, system: Int[Array, " new_system"], item: Int[Array, " new_item"]
    ) -> "CategoricalResponses":
        return CategoricalResponses(self.counts[system][:, item])


class ScoreResponses(AbstractResponses):
    """One score in [0, 1] a cell, with a weight.

    Attributes:
        score: within [0, 1], higher is better; ignored where the weight is 0.
        weight: how much the score counts, 1 for one ordinary score; 0 = not observed.
    """

    score: Float[Array, "system item"]
    weight: Float[Array, "system item"]

    @property
    def shape(self) -> tuple[int, int]:
        return self.weight.shape[0], self.weight.shape[1]

    def observed(self) -> Bool[Array, "system item"]:
        return self.weight > 0

    def mean_score(self) -> Float[Array, "system item"]:
        return jnp.where(self.weight > 0, self.score, 0)

    def terms(self) -> Terms:
        # Inside (0, 1), where every density is finite, in a cell that is not observed.
        score = jnp.where(self.weight > 0, self.score, 0.5)
        return Terms(outcome=score[..., None], weight=self.weight[..., None])

    def totals(self) -> Totals:
        seen = self.weight > 0
        return Totals(jnp.where(seen, self.weight * self.score, 0), self.weight)

    def hide(self, keep: Bool[Array, "system item"]) -> "ScoreResponses":
        return ScoreResponses(
            jnp.where(keep, self.score, 0), jnp.where(keep, self.weight, 0)
        )

    def take(
        self, system: Int[Array, " new_system"], item: Int[Array, " new_item"]
    ) -> "ScoreResponses":
        return ScoreResponses(self.score[system][:, item], self.weight[system][:, item])

    def as_binomial(
        self, trials: Float[Array, ""] | Float[Array, "#system #item"]
    ) -> BinomialResponses:
        """Return the scores as shares of a declared number of trials.

        Args:
            trials: behind a score of weight 1; a whole number is usual, not required. A
                score of weight w counts as w times as many.

        Returns:
            Successes score x trials, which may be fractions; no trials where no score.
        """
        total = trials * self.weight
        return BinomialResponses(self.score * total, total)


class LongResponses(AbstractResponses):
    """Successes out of trials, one row an observed cell: the large, sparse case.

    A (system, item) pair may stand in several rows; they add up.

    Attributes:
        system_index: from 0 to `n_system` - 1.
        item_index: from 0 to `n_item` - 1.
        successes: from 0 to `trials`.
        trials: at least 0; a row of 0 trials is padding.
        n_system: the number of systems.
        n_item: the number of items.
    """

    system_index: Int[Array, " observation"]
    item_index: Int[Array, " observation"]
    successes: Float[Array, " observation"]
    trials: Float[Array, " observation"]
    n_system: int = eqx.field(static=True)
    n_item: int = eqx.field(static=True)

    @property
    def shape(self) -> tuple[int, int]:
        return self.n_system, self.n_item

    def dense(self) -> BinomialResponses:
        """Return the same cells as two full tables, in O(system x item) memory."""
        empty = jnp.zeros(self.shape, self.trials.dtype)
        at = (self.system_index, self.item_index)
        successes = jnp.where(self.trials > 0, self.successes, 0)
        return BinomialResponses(
            empty.at[at].add(successes), empty.at[at].add(self.trials)
        )

    def observed(self) -> Bool[Array, "system item"]:
        return self.dense().observed()

    def mean_score(self) -> Float[Array, "system item"]:
        return self.dense().mean_score()

    def terms(self) -> Terms:
        """Return one cell an observation: the leading axis is the row."""
        successes = jnp.where(self.trials > 0, self.successes, 0)
        return Terms(
            outcome=jnp.arange(2, dtype=self.trials.dtype),
            weight=jnp.stack([self.trials - successes, successes], axis=-1),
        )

    def totals(self) -> Totals:
        """Return one cell an observation, as `terms` does."""
        return Totals(jnp.where(self.trials > 0, self.successes, 0), self.trials)

    def hide(self, keep: Bool[Array, "system item"]) -> "LongResponses":
        kept = keep[self.system_index, self.item_index]
        return LongResponses(
            self.system_index,
            self.item_index,
            jnp.where(kept, self.successes, 0),
            jnp.where(kept, self.trials, 0),
            self.n_system,
            self.n_item,
        )

    def take(
        self, system: Int[Array, " new_system"], item: Int[Array, " new_item"]
    ) -> "LongResponses":
        """Return some systems and items; rows about others stay as padding."""
        to_system = _inverse(system, self.n_system)[self.system_index]
        to_item = _inverse(item, self.n_item)[self.item_index]
        kept = (to_system >= 0) & (to_item >= 0)
        return LongResponses(
            jnp.where(kept, to_system, 0),
            jnp.where(kept, to_item, 0),
            jnp.where(kept, self.successes, 0),
            jnp.where(kept, self.trials, 0),
            system.shape[0],
            item.shape[0],
        )


def _inverse(position: Int[Array, " new"], size: int) -> Int[Array, " old"]:
    """Return where each of `size` old positions went; -1 where it was left out."""
    new = jnp.arange(position.shape[0], dtype=jnp.int32)
    return jnp.full(size, -1, jnp.int32).at[position].set(new)
