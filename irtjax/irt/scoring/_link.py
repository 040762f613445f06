"""Putting two calibrations on one scale by the items that they share."""

from collections.abc import Hashable
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._model import AbstractResponseModel
from .._parameter import names
from ._calibration import Calibration
from ._criteria import (
    AbstractCriterion,
    ItemCurves,
    MeanMean,
    MeanSigma,
    Pair,
    TotalCurves,
)
from ._curves import Item

Scalar = Float[Array, ""]


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
    return _link(reference, other, MeanMean(), least=1)


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
    return _link(reference, other, MeanSigma(), least=2)


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
    return _link(reference, other, TotalCurves(reach, n_node), least=1)


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
    return _link(reference, other, ItemCurves(reach, n_node), least=1)


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
    model: AbstractResponseModel,
    free: Float[Array, " free"],
    features: Float[Array, "item g"],
) -> Item:
    """Return a bank's parameters, given in the order of its covariance, by item."""
    n_item, q = features.shape[0], len(model.item_parameters)
    item = jnp.reshape(free[: n_item * q], (q, n_item)).T
    shared = free[n_item * q :]
    wide = jnp.broadcast_to(shared[None, :], (n_item, shared.shape[0]))
    return Item(item, wide, features)


def free_parameters(bank: Calibration) -> Float[Array, " free"]:
    """Return a bank's parameters in the order of its covariance."""
    return jnp.concatenate([jnp.ravel(bank.item.T), bank.shared])


def _link(
    reference: Calibration, other: Calibration, criterion: AbstractCriterion, least: int
) -> Link:
    kept, moved = common_items(reference, other, least)
    (slope, intercept), by_kept, by_moved = _solve(
        criterion,
        kept.model,
        (free_parameters(kept), kept.item_features),
        (free_parameters(moved), moved.item_features),
    )
    covariance = (
        by_kept @ kept.covariance @ by_kept.T + by_moved @ moved.covariance @ by_moved.T
    )
    return Link(slope, intercept, covariance, by_kept, by_moved, kept.item_ids)


@eqx.filter_jit
def _solve(
    criterion: AbstractCriterion,
    model: AbstractResponseModel,
    kept: tuple[Float[Array, " free"], Float[Array, "item g"]],
    moved: tuple[Float[Array, " free"], Float[Array, "item g"]],
) -> tuple[Pair, Float[Array, "2 free"], Float[Array, "2 free"]]:
    """Return slope and intercept, and their derivatives by both sets of parameters."""

    def of(here: Float[Array, " free"], there: Float[Array, " free"]):
        line = criterion(
            model, as_items(model, here, kept[1]), as_items(model, there, moved[1])
        )
        return line, line

    slopes, line = jax.jacrev(of, (0, 1), has_aux=True)(kept[0], moved[0])
    return line, *slopes
