"""An adaptive test: a bank, how to choose from it and how to score, as pure functions."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from irtjax.irt import EAP, AbstractScorer, Calibration

from ._criterion import AbstractCriterion, PosteriorInformation
from ._full_score import FullScore, predict_full_score
from ._nodes import NodeBank, as_responses, need_outcomes, node_bank, one_answer

Scalar = Float[Array, ""]


class ExamScore(eqx.Module):
    """What some answers say of a system.

    Attributes:
        ability: in logits.
        se: its standard error, in logits; with the items' own errors if the test
            carries them.
        code: one of `irtjax.irt.SCORES`: whether there are answers at all, and whether
            all of them lie at one end.
        full: the predicted score on the whole bank.
    """

    ability: Scalar
    se: Scalar
    code: Int[Array, ""]
    full: FullScore


class Exam(eqx.Module):
    """Items asked one at a time, each where the answers so far leave most to learn.

    A system's answers are `counts`, how often it gave each outcome of each item. They
    are all the state that there is.

    Attributes:
        bank: calibrated before; one ability a system and few outcomes an item.
        nodes: the same items at fixed abilities.
        criterion: what is asked next.
        scorer: what turns answers into an ability. If it may be infinite, wrap it in
            `irtjax.irt.scoring.Fallback`.
        among: the next item is drawn from so many of the best, so that not every system
            gets the same ones; 1 = always the best.
        with_item_errors: whether errors carry the bank's own.
        level: coverage of the predicted score's interval.
    """

    bank: Calibration
    nodes: NodeBank
    criterion: AbstractCriterion
    scorer: AbstractScorer
    level: Scalar
    among: int = eqx.field(static=True)
    with_item_errors: bool = eqx.field(static=True)

    def __init__(
        self,
        bank: Calibration,
        *,
        criterion: AbstractCriterion = PosteriorInformation(),
        scorer: AbstractScorer = EAP(),
        among: int = 1,
        with_item_errors: bool = True,
        level: float | int = 0.95,
    ):
        """Take the parts and lay the bank out over abilities.

        Raises:
            ValueError: if the bank's fit failed, its model has several abilities or a
                continuum of outcomes, or a setting is out of range.
        """
        if bank.code != 0:
            raise ValueError(
                f"The bank's fit did not end well (code {bank.code}): calibrate again."
            )
        if not 1 <= among <= len(bank.item_ids):
            raise ValueError(
                f"`among` must be 1 to {len(bank.item_ids)}, the bank's items; got "
                f"{among}."
            )
        if not 0 < level < 1:
            raise ValueError(f"`level` must lie between 0 and 1, got {level}.")
        self.bank = bank
        self.nodes = eqx.filter_jit(node_bank)(bank)
        self.criterion = criterion
        self.scorer = scorer
        self.among = among
        self.with_item_errors = with_item_errors
        self.level = jnp.asarray(level, bank.item.dtype)

    def nothing(self) -> Float[Array, "item outcome"]:
        """Return the counts of a system that has answered nothing."""
        shape = len(self.bank.item_ids), need_outcomes(self.bank)
        return jnp.zeros(shape, self.bank.item.dtype)

    def ability(
        self, counts: Float[Array, "item outcome"]
    ) -> tuple[Scalar, Scalar, Int[Array, ""]]:
        """Return the ability, its standard error and the scorer's code. Pure."""
        covariance = self.bank.covariance if self.with_item_errors else None
        scores = self.scorer(
            self.bank.model,
            as_responses(self.bank, counts),
            self.bank.items,
            item_covariance=covariance,
            item_features=self.bank.item_features,
        )
        return scores.ability[0], scores.se[0], scores.code[0]

    @eqx.filter_jit
    def score(self, counts: Float[Array, "item outcome"]) -> ExamScore:
        """Return what the answers say of the system. Pure."""
        covariance = self.bank.covariance if self.with_item_errors else None
        full = predict_full_score(self.bank, self.nodes, counts, self.level, covariance)
        return ExamScore(*self.ability(counts), full)

    @eqx.filter_jit
    def pick(
        self,
        counts: Float[Array, "item outcome"],
        *,
        key: PRNGKeyArray,
        allowed: Bool[Array, " item"] | None = None,
    ) -> Int[Array, ""]:
        """Return the position of the item to ask next; -1 if none is left. Pure.

        Args:
            counts: the answers so far. What was asked once is not asked again.
            key: of the draw among the best; without effect where `among` is 1.
            allowed: which items may be asked; all if None.
        """
        estimate, _, _ = self.ability(counts)
        weight = self.nodes.weight(counts)
        estimate = jnp.where(
            jnp.isfinite(estimate), estimate, weight @ self.nodes.ability
        )
        left = jnp.sum(counts, axis=1) == 0
        if allowed is not None:
            left = left & allowed
        value = jnp.where(left, self.criterion(self.nodes, weight, estimate), -jnp.inf)
        best, place = jax.lax.top_k(value, self.among)
        number = jnp.sum(best > -jnp.inf)
        drawn = jax.random.randint(key, (), 0, jnp.maximum(number, 1))
        return jnp.where(number > 0, place[drawn], -1).astype(jnp.int32)


class ExamPath(eqx.Module):
    """A whole test, step by step.

    Attributes:
        item: the position of the item asked at each step; -1 where none was left.
        score: after each answer, with a leading step axis.
    """

    item: Int[Array, " step"]
    score: ExamScore


@eqx.filter_jit
def replay(
    test: Exam,
    outcome: Float[Array, " item"],
    steps: int,
    *,
    key: PRNGKeyArray,
) -> ExamPath:
    """Return the test of a system whose answer to every item is known. Pure.

    For simulations and for finding out on old results how long a test must be; `vmap`
    it over systems.

    Args:
        test: what is asked and how it is scored.
        outcome: of each item, from 0 to the highest; NaN = may not be asked.
        steps: how many items to ask.
        key: of the draws among the best.
    """
    known = ~jnp.isnan(outcome)

    def ask(
        counts: Float[Array, "item outcome"], step: Int[Array, ""]
    ) -> tuple[Float[Array, "item outcome"], tuple[Int[Array, ""], ExamScore]]:
        own = jax.random.fold_in(key, step)
        item = test.pick(counts, key=own, allowed=known)
        answered = one_answer(counts, item, outcome[item])
        counts = jnp.where(item >= 0, answered, counts)
        return counts, (item, test.score(counts))

    _, (item, score) = jax.lax.scan(ask, test.nothing(), jnp.arange(steps))
    return ExamPath(item, score)
