"""Simulators by name: a truth, then answers in the cells that a mask leaves.

`jax` is the 2PL that the rankers assume. The others break one assumption each: items
that can be guessed, systems that are good at single items, abilities at random, and
systems that publish only what went well.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, PRNGKeyArray

from irtjax.data import BinomialResponses, Truth, normal_truth, sd_truth
from irtjax.irt import NamedParameters, TwoPL, simulate, unnamed

GUESSED = 0.25
"""Chance of a right answer without knowing, in `guessing`."""

RESIDUAL_SD = 1.0
"""Logits that a system's log-odds at one item deviate by, in `residual`."""


@runtime_checkable
class MakesTruth(Protocol):
    """Returns a truth; `gap` is that of its difficulties, in logits."""

    def __call__(
        self, gap: Float[Array, ""], n_system: int, n_item: int, *, key: PRNGKeyArray
    ) -> Truth: ...


@runtime_checkable
class MakesResponses(Protocol):
    """Returns answers, `trials` in each observed cell and none elsewhere."""

    def __call__(
        self,
        truth: Truth,
        observed: Bool[Array, "system item"],
        trials: Float[Array, ""],
        *,
        key: PRNGKeyArray,
    ) -> BinomialResponses: ...


class Simulator(NamedTuple):
    """How one data set arises.

    Attributes:
        truth: draws what is true.
        responses: draws answers from it.
        says: what its data are like, in words.
    """

    truth: MakesTruth
    responses: MakesResponses
    says: str


def even_truth(
    gap: Float[Array, ""], n_system: int, n_item: int, *, key: PRNGKeyArray
) -> Truth:
    """Return the truth of the published grid, which takes no draw."""
    return sd_truth(gap, n_system=n_system, n_item=n_item)


def random_truth(
    gap: Float[Array, ""], n_system: int, n_item: int, *, key: PRNGKeyArray
) -> Truth:
    """Return the items of the published grid and abilities from N(0, 1)."""
    return normal_truth(gap, n_system=n_system, n_item=n_item, key=key)


def two_pl_responses(
    truth: Truth,
    observed: Bool[Array, "system item"],
    trials: Float[Array, ""],
    *,
    key: PRNGKeyArray,
) -> BinomialResponses:
    """Return answers under the 2PL."""
    named = NamedParameters(
        system={"ability": truth.ability},
        item={"difficulty": truth.difficulty, "discrimination": truth.discrimination},
        shared={},
    )
    parameters = unnamed(TwoPL(), named)
    drawn = simulate(TwoPL(), parameters, jnp.where(observed, trials, 0), key=key)
    assert isinstance(drawn, BinomialResponses)  # the kind that the model has
    return drawn


def guessed_responses(
    truth: Truth,
    observed: Bool[Array, "system item"],
    trials: Float[Array, ""],
    *,
    key: PRNGKeyArray,
) -> BinomialResponses:
    """Return answers that are right by luck where the 2PL's would be wrong."""
    knows = jax.nn.sigmoid(_logits(truth))
    return _drawn(GUESSED + (1 - GUESSED) * knows, observed, trials, key)


def residual_responses(
    truth: Truth,
    observed: Bool[Array, "system item"],
    trials: Float[Array, ""],
    *,
    key: PRNGKeyArray,
) -> BinomialResponses:
    """Return answers where each cell's log-odds have a normal deviation of their own."""
    noise_key, answer_key = jax.random.split(key)
    logits = _logits(truth)
    noise = RESIDUAL_SD * jax.random.normal(noise_key, logits.shape, logits.dtype)
    return _drawn(jax.nn.sigmoid(logits + noise), observed, trials, answer_key)


def best_responses(
    truth: Truth,
    observed: Bool[Array, "system item"],
    trials: Float[Array, ""],
    *,
    key: PRNGKeyArray,
) -> BinomialResponses:
    """Return answers of which half of the systems, drawn by lot, publish their best.

    Such a system runs every item and shows as many as the mask would have left it:
    those with the most successes. An item may be left with few systems, or none.
    """
    answer_key, lot_key, tie_key = jax.random.split(key, 3)
    whole = two_pl_responses(truth, jnp.ones_like(observed), trials, key=answer_key)
    n_system = observed.shape[0]
    biased = jax.random.permutation(lot_key, n_system) < n_system // 2
    # Counts are whole numbers, so a number below 1 decides between equal ones only.
    luck = jax.random.uniform(tie_key, observed.shape, whole.successes.dtype)
    place = jnp.argsort(jnp.argsort(-(whole.successes + luck), axis=1), axis=1)
    best = place < jnp.sum(observed, axis=1, keepdims=True)
    shown = jnp.where(biased[:, None], best, observed)
    return BinomialResponses(
        jnp.where(shown, whole.successes, 0), jnp.where(shown, whole.trials, 0)
    )


SIMULATORS: Mapping[str, Simulator] = MappingProxyType(
    {
        "jax": Simulator(even_truth, two_pl_responses, "the 2PL, as it assumes"),
        "guessing": Simulator(
            even_truth,
            guessed_responses,
            f"items that are guessed rightly with a chance of {GUESSED:g}",
        ),
        "residual": Simulator(
            even_truth,
            residual_responses,
            "systems better or worse at single items than their ability says, by a "
            f"standard deviation of {RESIDUAL_SD:g} logit",
        ),
        "publication_bias": Simulator(
            even_truth,
            best_responses,
            "half of the systems run everything and publish only their best scores, "
            "as many as the mask would have left them",
        ),
        "normal_abilities": Simulator(
            random_truth, two_pl_responses, "abilities drawn from N(0, 1)"
        ),
    }
)
"""Simulators by the name that `simulator=[...]` takes."""


def _logits(truth: Truth) -> Float[Array, "system item"]:
    distance = truth.ability[:, None] - truth.difficulty[None, :]
    return truth.discrimination[None, :] * distance


def _drawn(
    probability: Float[Array, "system item"],
    observed: Bool[Array, "system item"],
    trials: Float[Array, ""],
    key: PRNGKeyArray,
) -> BinomialResponses:
    """Return answers that are right with given chances, in the observed cells."""
    drawn = jax.random.binomial(key, trials, probability, dtype=probability.dtype)
    return BinomialResponses(
        jnp.where(observed, drawn, 0), jnp.where(observed, trials, 0)
    )
