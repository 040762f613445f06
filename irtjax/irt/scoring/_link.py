"""Putting two calibrations on one scale by the items that they share."""

from collections.abc import Callable, Hashable
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import optimistix as optx
from jaxtyping import Array, Float

from .._parameter import names
from ._calibration import Calibration
from ._curves import Bend, Item, bend, chances, expected_score

Scalar = Float[Array, ""]
Pair = Float[Array, "2"]
_Coefficients = Callable[[Item, Item], Pair]


class Link(eqx.Module):
    r"""The line from one scale to another: $\theta' = A \theta + B$.

    Attributes:
        slope: $A$, positive.
        intercept: $B$, in logits of the reference scale.
        covariance: of slope and intercept, by the delta method from both calibrations'
            covariances, which are taken to be independent.
        by_reference: derivative of slope and intercept by the reference's parameters,
            in the order of its covariance.
        by_other: by the other calibration's.
        item_ids: the common items.
    """

    slope: Scalar
    intercept: Scalar
    covariance: Float[Array, "2 2"]
    by_reference: Float[Array, "2 reference"]
    by_other: Float[Array, "2 other"]
    item_ids: tuple[Hashable, ...] = eqx.field(static=True)

    @property
    def slope_se(self) -> Scalar:
        """Return the standard error of `slope`."""
        return jnp.sqrt(self.covariance[0, 0])

    @property
    def intercept_se(self) -> Scalar:
        """Return the standard error of `intercept`."""
        return jnp.sqrt(self.covariance[1, 1])


class Common(NamedTuple):
    """Two calibrations of the same items, in the same order."""

    reference: Calibration
    other: Calibration


def mean_mean(reference: Calibration, other: Calibration) -> Link:
    r"""Return the link that equates mean slopes and mean locations of common items.

    $A = \bar a_\mathrm{other} / \bar a_\mathrm{reference}$ and $B = \bar b' - A \bar b$
    with each item's location and slope where its expected score is half way up: those
    of a 2PL, 3PL or 4PL item. The one to use where all items have one slope.

    Args:
        reference: whose scale is kept.
        other: whose scale is to be moved.

    Raises:
        ValueError: if the models differ, or no item is in both.

    References:
        Loyd & Hoover (1980), Vertical equating using the Rasch model, J. Educational
        Measurement 17.
    """

    def coefficients(kept: Item, moved: Item) -> Pair:
        here, there = _bends(reference, kept, moved)
        slope = jnp.mean(there.slope) / jnp.mean(here.slope)
        return _through_means(slope, here.location, there.location)

    return _link(reference, other, coefficients, least=1)


def mean_sigma(reference: Calibration, other: Calibration) -> Link:
    r"""Return the link that equates mean and spread of the common items' locations.

    $A$ is the ratio of the locations' standard deviations. A few items far out, whose
    locations are uncertain, may decide it.

    Args:
        reference: whose scale is kept.
        other: whose scale is to be moved.

    Raises:
        ValueError: if the models differ, or fewer than two items are in both.

    References:
        Marco (1977), Item characteristic curve solutions to three intractable testing
        problems, J. Educational Measurement 14.
    """

    def coefficients(kept: Item, moved: Item) -> Pair:
        here, there = _bends(reference, kept, moved)
        slope = jnp.std(here.location) / jnp.std(there.location)
        return _through_means(slope, here.location, there.location)

    return _link(reference, other, coefficients, least=2)


def stocking_lord(
    reference: Calibration, other: Calibration, *, reach: float = 4.0, n_node: int = 41
) -> Link:
    r"""Return the link under which the common items' test curves are nearest.

    Minimises the squared difference of the expected total scores over abilities on the
    reference scale, equally spaced and weighed by the standard normal density.

    Args:
        reference: whose scale is kept.
        other: whose scale is to be moved.
        reach: the outermost abilities are this and its negative, in logits.
        n_node: how many abilities.

    Raises:
        ValueError: if the models differ, or no item is in both.

    References:
        Stocking & Lord (1983), Developing a common metric in item response theory,
        Applied Psychological Measurement 7, eq. 12.
    """

    def gaps(kept: Item, moved: Item, slope: Scalar, intercept: Scalar):
        nodes, root_weights = _nodes(reach, n_node, slope.dtype)
        back = (nodes - intercept) / slope
        scores = _apart(expected_score, reference, (kept, moved), (nodes, back))
        return root_weights * jnp.sum(scores, axis=0)

    return _nearest(reference, other, gaps)


def haebara(
    reference: Calibration, other: Calibration, *, reach: float = 4.0, n_node: int = 41
) -> Link:
    r"""Return the link under which the common items' own curves are nearest.

    As `stocking_lord`, with the squared differences of every outcome's chance on every
    item, so that items cannot make up for each other.

    Args:
        reference: whose scale is kept.
        other: whose scale is to be moved.
        reach: the outermost abilities are this and its negative, in logits.
        n_node: how many abilities.

    Raises:
        ValueError: if the models differ, or no item is in both.

    References:
        Haebara (1980), Equating logistic ability scales by a weighted least squares
        method, Japanese Psychological Research 22.
    """

    def gaps(kept: Item, moved: Item, slope: Scalar, intercept: Scalar):
        nodes, root_weights = _nodes(reach, n_node, slope.dtype)
        back = (nodes - intercept) / slope
        apart = _apart(chances, reference, (kept, moved), (nodes, back))
        return jnp.ravel(root_weights[None, :, None] * apart)

    return _nearest(reference, other, gaps)


def common_items(reference: Calibration, other: Calibration, least: int = 1) -> Common:
    """Return both calibrations cut to the items that they share, in one order.

    Raises:
        ValueError: if the models differ, or too few items are in both.
    """
    for kind in ("system_parameters", "item_parameters", "shared_parameters"):
        here, there = (names(getattr(b.model, kind)) for b in (reference, other))
        if type(reference.model) is not type(other.model) or here != there:
            raise ValueError(
                "Only calibrations of one model can be linked, got "
                f"{type(reference.model).__name__} and {type(other.model).__name__}."
            )
    theirs = set(other.item_ids)
    both = [each for each in reference.item_ids if each in theirs]
    if len(both) < least:
        raise ValueError(
            f"The calibrations must share {least} items or more, they share "
            f"{len(both)}."
        )
    return Common(reference.select(both), other.select(both))


def as_items(
    bank: Calibration, free: Float[Array, " free"], features: Float[Array, "item g"]
) -> Item:
    """Return a bank's parameters, given in the order of its covariance, by item."""
    n_item, q = bank.item.shape
    item = jnp.reshape(free[: n_item * q], (q, n_item)).T
    shared = free[n_item * q :]
    wide = jnp.broadcast_to(shared[None, :], (n_item, shared.shape[0]))
    return Item(item, wide, features)


def free_parameters(bank: Calibration) -> Float[Array, " free"]:
    """Return a bank's parameters in the order of its covariance."""
    return jnp.concatenate([jnp.ravel(bank.item.T), bank.shared])


def _link(
    reference: Calibration, other: Calibration, coefficients: _Coefficients, least: int
) -> Link:
    kept, moved = common_items(reference, other, least)

    def of(here: Float[Array, " free"], there: Float[Array, " free"]):
        line = coefficients(
            as_items(kept, here, kept.item_features),
            as_items(moved, there, moved.item_features),
        )
        return line, line

    slopes = jax.jit(jax.jacrev(of, (0, 1), has_aux=True))
    (by_kept, by_moved), (slope, intercept) = slopes(
        free_parameters(kept), free_parameters(moved)
    )
    covariance = (
        by_kept @ kept.covariance @ by_kept.T + by_moved @ moved.covariance @ by_moved.T
    )
    return Link(slope, intercept, covariance, by_kept, by_moved, kept.item_ids)


def _nearest(
    reference: Calibration, other: Calibration, gaps: Callable[..., Array]
) -> Link:
    """Return the link that minimises half the sum of squared gaps."""

    def coefficients(kept: Item, moved: Item) -> Pair:
        def residuals(x: Pair, args: tuple[Item, Item]) -> Array:
            return gaps(*args, jnp.exp(x[0]), x[1])

        def loss(x: Pair, args: tuple[Item, Item]) -> Scalar:
            return 0.5 * jnp.sum(residuals(x, args) ** 2)

        still = jax.tree.map(jax.lax.stop_gradient, (kept, moved))
        here, there = _bends(reference, *still)
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

    return _link(reference, other, coefficients, least=1)


def _bends(bank: Calibration, kept: Item, moved: Item) -> tuple[Bend, Bend]:
    """Return where the curves of both calibrations bend; one program for the two."""
    both = jax.tree.map(lambda *leaves: jnp.concatenate(leaves), kept, moved)
    found = jax.vmap(lambda item: bend(bank.model, item))(both)
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
    bank: Calibration,
    items: tuple[Item, Item],
    abilities: tuple[Float[Array, " node"], Float[Array, " node"]],
) -> Float[Array, "item node ..."]:
    """Return how far apart the common items' curves are, each at its own abilities."""

    def gap(kept: Item, moved: Item, here: Scalar, there: Scalar) -> Array:
        return function(bank.model, kept, here) - function(bank.model, moved, there)

    over_nodes = jax.vmap(gap, (None, None, 0, 0))
    return jax.vmap(over_nodes, (0, 0, None, None))(*items, *abilities)


def _nodes(
    reach: float, n_node: int, dtype: jnp.dtype
) -> tuple[Float[Array, " node"], Float[Array, " node"]]:
    """Return the abilities and the square roots of their weights, which sum to 1."""
    nodes = jnp.linspace(-reach, reach, n_node, dtype=dtype)
    weights = jnp.exp(-0.5 * nodes**2)
    return nodes, jnp.sqrt(weights / jnp.sum(weights))
