"""What makes two sets of item curves agree: the line between their scales."""

import abc
from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import optimistix as optx
from jaxtyping import Array, Float

from .._model import AbstractResponseModel
from ._curves import Bend, Item, bend, chances, expected_score

Scalar = Float[Array, ""]
Pair = Float[Array, "2"]


class AbstractCriterion(eqx.Module):
    """Finds slope and intercept from common items; a module, so that it compiles once."""

    @abc.abstractmethod
    def __call__(self, model: AbstractResponseModel, kept: Item, moved: Item) -> Pair:
        """Return slope and intercept of the line, differentiable by both sets of items.

        Args:
            model: of the items.
            kept: those on the reference scale, with a leading item axis.
            moved: the same items on the other scale.
        """


class MeanMean(AbstractCriterion):
    """Mean slopes and mean locations agree."""

    def __call__(self, model: AbstractResponseModel, kept: Item, moved: Item) -> Pair:
        here, there = _bends(model, kept, moved)
        slope = jnp.mean(there.slope) / jnp.mean(here.slope)
        return _through_means(slope, here.location, there.location)


class MeanSigma(AbstractCriterion):
    """Mean and spread of locations agree."""

    def __call__(self, model: AbstractResponseModel, kept: Item, moved: Item) -> Pair:
        here, there = _bends(model, kept, moved)
        slope = jnp.std(here.location) / jnp.std(there.location)
        return _through_means(slope, here.location, there.location)


class TotalCurves(AbstractCriterion):
    """Expected total scores are nearest.

    Attributes:
        reach: the outermost abilities are this and its negative, in logits.
        n_node: how many abilities.
    """

    reach: float
    n_node: int

    def __call__(self, model: AbstractResponseModel, kept: Item, moved: Item) -> Pair:
        nodes, root_weights = _nodes(self.reach, self.n_node, kept.item.dtype)

        def gaps(here: Item, there: Item, slope: Scalar, intercept: Scalar):
            back = (nodes - intercept) / slope
            scores = _apart(expected_score, model, (here, there), (nodes, back))
            return root_weights * jnp.sum(scores, axis=0)

        return _nearest(model, kept, moved, gaps)


class ItemCurves(AbstractCriterion):
    """Every item's chances of every outcome are nearest.

    Attributes:
        reach: the outermost abilities are this and its negative, in logits.
        n_node: how many abilities.
    """

    reach: float
    n_node: int

    def __call__(self, model: AbstractResponseModel, kept: Item, moved: Item) -> Pair:
        nodes, root_weights = _nodes(self.reach, self.n_node, kept.item.dtype)

        def gaps(here: Item, there: Item, slope: Scalar, intercept: Scalar):
            back = (nodes - intercept) / slope
            apart = _apart(chances, model, (here, there), (nodes, back))
            return jnp.ravel(root_weights[None, :, None] * apart)

        return _nearest(model, kept, moved, gaps)


def _nearest(
    model: AbstractResponseModel, kept: Item, moved: Item, gaps: Callable[..., Array]
) -> Pair:
    """Return slope and intercept that minimise half the sum of squared gaps."""

    def residuals(x: Pair, args: tuple[Item, Item]) -> Array:
        return gaps(*args, jnp.exp(x[0]), x[1])

    def loss(x: Pair, args: tuple[Item, Item]) -> Scalar:
        return 0.5 * jnp.sum(residuals(x, args) ** 2)

    still = jax.tree.map(jax.lax.stop_gradient, (kept, moved))
    here, there = _bends(model, *still)
    first = jnp.mean(there.slope) / jnp.mean(here.slope)
    start = _through_means(first, here.location, there.location)
    start = jax.lax.stop_gradient(start.at[0].set(jnp.log(start[0])))
    close = float(jnp.finfo(start.dtype).eps) ** 0.5
    found = optx.least_squares(
        residuals,
        optx.LevenbergMarquardt(rtol=close, atol=close),
        start,
        args=still,
        throw=False,
    ).value
    found = jax.lax.stop_gradient(found)
    # One Newton step more, which also gives the derivative by the items.
    hessian = jax.lax.stop_gradient(jax.hessian(loss)(found, still))
    slope = jax.grad(loss)(found, (kept, moved))
    found = found - jnp.linalg.solve(hessian, slope)
    return found.at[0].set(jnp.exp(found[0]))


def _bends(model: AbstractResponseModel, kept: Item, moved: Item) -> tuple[Bend, Bend]:
    """Return where the curves of both calibrations bend; one program for the two."""
    both = jax.tree.map(lambda *leaves: jnp.concatenate(leaves), kept, moved)
    found = jax.vmap(lambda item: bend(model, item))(both)
    n_item = kept.item.shape[0]
    here, there = (
        jax.tree.map(lambda leaf, part=part: leaf[part], found)
        for part in (slice(None, n_item), slice(n_item, None))
    )
    return here, there


def _through_means(
    slope: Scalar, here: Float[Array, " item"], there: Float[Array, " item"]
) -> Pair:
    return jnp.stack([slope, jnp.mean(here) - slope * jnp.mean(there)])


def _apart(
    function: Callable[..., Array],
    model: AbstractResponseModel,
    items: tuple[Item, Item],
    abilities: tuple[Float[Array, " node"], Float[Array, " node"]],
) -> Float[Array, "item node ..."]:
    """Return how far apart the common items' curves are, each at its own abilities."""

    def gap(kept: Item, moved: Item, here: Scalar, there: Scalar) -> Array:
        return function(model, kept, here) - function(model, moved, there)

    over_nodes = jax.vmap(gap, (None, None, 0, 0))
    return jax.vmap(over_nodes, (0, 0, None, None))(*items, *abilities)


def _nodes(
    reach: float, n_node: int, dtype: jnp.dtype
) -> tuple[Float[Array, " node"], Float[Array, " node"]]:
    """Return the abilities and the square roots of their weights, which sum to 1."""
    nodes = jnp.linspace(-reach, reach, n_node, dtype=dtype)
    weights = jnp.exp(-0.5 * nodes**2)
    return nodes, jnp.sqrt(weights / jnp.sum(weights))
