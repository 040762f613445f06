"""The score on the whole bank that is to be expected after some answers."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from irtjax.irt import Calibration

from ._nodes import NodeBank, log_chances

_HALVINGS = 60

Scalar = Float[Array, ""]


class FullScore(eqx.Module):
    """The mean score over all items of a bank, from 0 to 1.

    Attributes:
        mean: expected; items that were asked count with what they got.
        se: standard deviation of what is still open.
        lower: lower end of the interval.
        upper: upper end.
    """

    mean: Scalar
    se: Scalar
    lower: Scalar
    upper: Scalar


class _AtNodes(eqx.Module):
    """The full score's mean and variance at each ability, with their weights."""

    weight: Float[Array, " node"]
    mean: Float[Array, " node"]
    variance: Float[Array, " node"]


def predict_full_score(
    bank: Calibration,
    nodes: NodeBank,
    counts: Float[Array, "item outcome"],
    level: Scalar,
    item_covariance: Float[Array, "free free"] | None,
) -> FullScore:
    r"""Return the mean score over all of a bank's items. Pure.

    Given an ability, the items not asked are a sum of independent answers; over the
    abilities that makes a mixture of normal scores, whose quantiles are the interval.
    With `item_covariance` $C$ each of its parts is wider by $J C J^\top$, where $J$ is
    the derivative of the expected score by the items' parameters.

    Args:
        bank: its model and parameters.
        nodes: the same items at fixed abilities.
        counts: how often each outcome of each item was seen.
        level: coverage of the interval.
        item_covariance: of the items' first parameters, their second ones, ..., then
            the shared ones, unconstrained; None = items are known.
    """
    here = _at_nodes(nodes.log_chance, nodes.log_prior, counts)
    added = jnp.zeros((), nodes.ability.dtype)
    if item_covariance is not None:

        def expected(
            item: Float[Array, "item q"], shared: Float[Array, " s"]
        ) -> Scalar:
            moved = eqx.tree_at(lambda b: (b.item, b.shared), bank, (item, shared))
            chance = log_chances(moved, nodes.ability)
            at = _at_nodes(chance, nodes.log_prior, counts)
            return at.weight @ at.mean

        by_item, by_shared = jax.grad(expected, (0, 1))(bank.item, bank.shared)
        slope = jnp.concatenate([jnp.ravel(by_item.T), by_shared])
        added = jnp.maximum(slope @ item_covariance @ slope, 0)
    mean = here.weight @ here.mean
    within = here.weight @ here.variance + here.weight @ (here.mean - mean) ** 2
    lower, upper = _interval(here, added, counts, level)
    return FullScore(mean, jnp.sqrt(within + added), lower, upper)


def _at_nodes(
    log_chance: Float[Array, "item outcome node"],
    log_prior: Float[Array, " node"],
    counts: Float[Array, "item outcome"],
) -> _AtNodes:
    n_item, n_outcome = counts.shape
    score = jnp.arange(n_outcome, dtype=counts.dtype) / (n_outcome - 1)
    often = jnp.sum(counts, axis=1)
    asked = often > 0
    got = (counts @ score) / jnp.where(asked, often, 1)
    chance = jnp.exp(log_chance)
    mean = jnp.einsum("o,ion->in", score, chance)
    square = jnp.einsum("o,ion->in", score**2, chance) - mean**2
    total = jnp.sum(jnp.where(asked[:, None], got[:, None], mean), axis=0)
    spread = jnp.sum(jnp.where(asked[:, None], 0, square), axis=0)
    seen = jnp.einsum("io,ion->n", counts, log_chance)
    weight = jax.nn.softmax(log_prior + seen)
    return _AtNodes(weight, total / n_item, jnp.maximum(spread, 0) / n_item**2)


def _interval(
    here: _AtNodes, added: Scalar, counts: Float[Array, "item outcome"], level: Scalar
) -> tuple[Scalar, Scalar]:
    """Return the mixture's quantiles, within what the answers leave possible."""
    n_item, n_outcome = counts.shape
    often = jnp.sum(counts, axis=1)
    score = jnp.arange(n_outcome, dtype=counts.dtype) / (n_outcome - 1)
    got = jnp.sum((counts @ score) / jnp.where(often > 0, often, 1)) / n_item
    most = got + jnp.sum(often == 0, dtype=counts.dtype) / n_item
    sd = jnp.sqrt(here.variance + added)

    def below(at: Scalar) -> Scalar:
        z = (at - here.mean) / jnp.where(sd > 0, sd, 1)
        step = (at >= here.mean).astype(z.dtype)
        part = jnp.where(sd > 0, jax.scipy.stats.norm.cdf(z), step)
        return here.weight @ part

    def quantile(share: Scalar) -> Scalar:
        def halve(
            _: Int[Array, ""], ends: tuple[Scalar, Scalar]
        ) -> tuple[Scalar, Scalar]:
            middle = 0.5 * (ends[0] + ends[1])
            high = below(middle) >= share
            return (
                jnp.where(high, ends[0], middle),
                jnp.where(high, middle, ends[1]),
            )

        low, high = jax.lax.fori_loop(0, _HALVINGS, halve, (got, most))
        return 0.5 * (low + high)

    return quantile(0.5 * (1 - level)), quantile(0.5 * (1 + level))
