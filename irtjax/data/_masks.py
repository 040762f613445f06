"""Masks: which cells are observed when not every system runs every item.

A mask is drawn in three steps, each without replacement and with probabilities in
proportion to the kind's weights: every system gets two items; every item still short of
three systems gets the missing ones; the rest of the target number is drawn from all
cells left. Drawing without replacement is done by adding Gumbel noise to log-weights
and taking the largest, which has the same law and a shape that does not depend on the
draw.
"""

import abc

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray, ScalarLike

from ._truth import Truth

ITEMS_PER_SYSTEM = 2
SYSTEMS_PER_ITEM = 3
ALWAYS = 1e30
"""A weight that no noise overcomes beside 1, in single precision too."""


class AbstractMask(eqx.Module):
    """Draws which cells are observed, more likely those of larger weight."""

    @abc.abstractmethod
    def weight(self, truth: Truth) -> Float[Array, "system item"]:
        """Return each cell's relative weight, at least 0."""

    def __call__(
        self, truth: Truth, sparsity: ScalarLike, *, key: PRNGKeyArray
    ) -> Bool[Array, "system item"]:
        """Return which cells are observed.

        Args:
            truth: at least 3 systems and 2 items.
            sparsity: the share of cells to leave out, from 0 to 1; may be traced. At 0
                all are observed. Every system keeps 2 items and every item 3 systems,
                which may take more cells than the share leaves.
            key: of the draw.

        References:
            Yellott (1977), "The relationship between Luce's choice axiom, Thurstone's
            theory of comparative judgment, and the double exponential distribution",
            Journal of Mathematical Psychology 15(2): the Gumbel noise.
        """
        n_system, n_item = truth.ability.shape[0], truth.difficulty.shape[0]
        if n_system < SYSTEMS_PER_ITEM or n_item < ITEMS_PER_SYSTEM:
            raise ValueError(
                f"A mask needs at least {SYSTEMS_PER_ITEM} systems and "
                f"{ITEMS_PER_SYSTEM} items, got {n_system} and {n_item}."
            )
        sparsity = jnp.asarray(sparsity, float)
        weight = self.weight(truth)
        # A weight that vanishes in floating point is unlikely, not forbidden.
        log_weight = jnp.log(jnp.maximum(weight, jnp.finfo(weight.dtype).tiny))
        # One step must not reuse the noise of another: what a step leaves over is low.
        noise = jax.random.gumbel(key, (3, n_system, n_item), weight.dtype)
        two = jnp.asarray(ITEMS_PER_SYSTEM)
        none = jnp.zeros((n_system, n_item), bool)
        by_system = jax.vmap(_draw, in_axes=(0, 0, None))
        mask = by_system(log_weight + noise[0], none, two)
        short = jnp.maximum(SYSTEMS_PER_ITEM - jnp.sum(mask, axis=0), 0)
        by_item = jax.vmap(_draw, in_axes=(1, 1, 0), out_axes=1)
        mask = by_item(log_weight + noise[1], mask, short)
        target = jnp.maximum(
            jnp.round(n_system * n_item * (1 - sparsity)), ITEMS_PER_SYSTEM * n_system
        )
        left = jnp.maximum(target.astype(int) - jnp.sum(mask), 0)
        value = (log_weight + noise[2]).reshape(-1)
        flat = _draw(value, mask.reshape(-1), left)
        return flat.reshape(n_system, n_item) | (sparsity <= 0)


class Assortative(AbstractMask):
    r"""Strong systems run hard items: weight $(1 - |t_j - d_i|)^2$.

    $t$ and $d$ are abilities and difficulties scaled to [0, 1].

    References:
        Kang (2026), arXiv:2605.11205, there called difficulty-biased.
    """

    def weight(self, truth: Truth) -> Float[Array, "system item"]:
        t, d = _to_unit(truth.ability), _to_unit(truth.difficulty)
        return (1 - jnp.abs(t[:, None] - d[None, :])) ** 2


class MCAR(AbstractMask):
    """Missing completely at random: all weights are equal."""

    def weight(self, truth: Truth) -> Float[Array, "system item"]:
        shape = truth.ability.shape[0], truth.difficulty.shape[0]
        return jnp.ones(shape, truth.ability.dtype)


class Anti(AbstractMask):
    r"""Strong systems run easy items: weight $(1 - |t_j - (1 - d_i)|)^2$.

    $t$ and $d$ are abilities and difficulties scaled to [0, 1].
    """

    def weight(self, truth: Truth) -> Float[Array, "system item"]:
        t, d = _to_unit(truth.ability), _to_unit(truth.difficulty)
        return (1 - jnp.abs(t[:, None] - (1 - d)[None, :])) ** 2


class EasyOnly(AbstractMask):
    r"""Every system runs easy items: weight $((1 - d_i) + 0.02)^2$.

    $d$ is the difficulty scaled to [0, 1].
    """

    def weight(self, truth: Truth) -> Float[Array, "system item"]:
        weight = ((1 - _to_unit(truth.difficulty)) + 0.02) ** 2
        shape = truth.ability.shape[0], truth.difficulty.shape[0]
        return jnp.broadcast_to(weight[None, :], shape)


class TwoBlocks(AbstractMask):
    """The first half of the systems runs the first half of the items, the rest the rest.

    Cells within a block come first, cells between the blocks (bridges) only where the
    sparsity leaves more: 10 systems by 10 items have 50 cells within, so a sparsity of
    .50 leaves two blocks that share nothing, .49 one bridge, .42 eight.
    """

    def weight(self, truth: Truth) -> Float[Array, "system item"]:
        n_system, n_item = truth.ability.shape[0], truth.difficulty.shape[0]
        system = jnp.arange(n_system) < (n_system + 1) // 2
        item = jnp.arange(n_item) < (n_item + 1) // 2
        within = system[:, None] == item[None, :]
        return within.astype(truth.ability.dtype)


class FixedWeights(AbstractMask):
    """Weights that are given, whatever the truth.

    A weight of 0 leaves a cell until no other is left, one of `ALWAYS` puts it before
    all cells of weight 1.

    Attributes:
        weights: at least 0, one a cell.
    """

    weights: Float[Array, "system item"]

    def weight(self, truth: Truth) -> Float[Array, "system item"]:
        return self.weights


def _to_unit(value: Float[Array, " n"]) -> Float[Array, " n"]:
    lowest = jnp.min(value)
    return (value - lowest) / (jnp.max(value) - lowest + 1e-10)


def _draw(
    value: Float[Array, " cell"], taken: Bool[Array, " cell"], count: Int[Array, ""]
) -> Bool[Array, " cell"]:
    """Return `taken` with the `count` other cells of the largest values."""
    order = jnp.argsort(jnp.where(taken, jnp.inf, -value))
    return taken.at[order].max(jnp.arange(value.size) < count)
