"""Parameters that a fit must not move: anchor items and fixed shared parameters."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from irtjax.data import AbstractResponses

from .._errors import Uncertainty
from .._estimator import AbstractEstimator, JointMAP
from .._fit import fit
from .._model import AbstractResponseModel, Estimate
from .._parameter import names
from .._results import FitResult
from ._calibration import Calibration
from ._held import HeldModel, hold_model


class Anchors(eqx.Module):
    """Which item and shared parameters are known, and what they are.

    Attributes:
        item: values, unconstrained; what stands where `item_held` is false is ignored.
        item_held: which parameters of which items are known.
        shared: values, unconstrained.
        shared_held: which shared parameters are known.
    """

    item: Float[Array, "item q"]
    item_held: Bool[Array, "item q"]
    shared: Float[Array, " s"]
    shared_held: Bool[Array, " s"]

    def __check_init__(self):
        for name in ("item", "shared"):
            values, held = getattr(self, name), getattr(self, f"{name}_held")
            if values.shape != held.shape:
                raise ValueError(
                    f"`{name}_held` must have the shape of `{name}`, {values.shape}, "
                    f"got {held.shape}."
                )


class Held(NamedTuple):
    """A model some of whose parameters stand still, for any estimator.

    Whatever takes a model and item features takes these two: fits, errors, draws. The
    parameters held keep their places among the unconstrained ones; there nothing
    depends on them, and `settle` puts their values in.

    Attributes:
        model: gives the likelihood and the priors with the values put in.
        item_features: to be passed wherever the model is.
        anchors: what is held.
    """

    model: HeldModel
    item_features: Float[Array, "item g"]
    anchors: Anchors

    def settle(self, estimate: Estimate) -> Estimate:
        """Return an estimate whose held parameters have exactly their values."""
        at = self.anchors
        return Estimate(
            estimate.system,
            jnp.where(at.item_held, at.item, estimate.item),
            jnp.where(at.shared_held, at.shared, estimate.shared),
        )

    def settle_errors(self, errors: Uncertainty) -> Uncertainty:
        """Return errors that are 0 where a parameter is held."""
        at, model = self.anchors, self.model
        item = {
            name: jnp.where(at.item_held[:, k], 0, errors.item[name])
            for k, name in enumerate(names(model.item_parameters))
        }
        shared = {
            name: jnp.where(at.shared_held[k], 0, errors.shared[name])
            for k, name in enumerate(names(model.shared_parameters))
        }
        return Uncertainty(errors.system, item, shared, errors.ability_covariance)

    def settle_covariance(
        self, covariance: Float[Array, "free free"]
    ) -> Float[Array, "free free"]:
        """Return an `item_covariance` that is 0 where a parameter is held."""
        at = self.anchors
        held = jnp.concatenate([jnp.ravel(at.item_held.T), at.shared_held])
        return jnp.where(held[:, None] | held[None, :], 0, covariance)


def hold(
    model: AbstractResponseModel,
    anchors: Anchors,
    item_features: Float[Array, "item g"] | None = None,
) -> Held:
    """Return a model in which some parameters have known values.

    They are taken out of the solve, not pulled to their values by a narrow prior: the
    likelihood reads the known values, and the priors of what is held count nothing.

    Args:
        model: the model to hold parameters of.
        anchors: which, and their values.
        item_features: what is known of each item, if the model uses it.

    Raises:
        ValueError: if the anchors are not the model's.
    """
    n_item, q = anchors.item.shape
    wanted = (len(model.item_parameters), len(model.shared_parameters))
    if (q, anchors.shared.shape[0]) != wanted:
        raise ValueError(
            f"{type(model).__name__} has {wanted[0]} item and {wanted[1]} shared "
            f"parameters, the anchors have {q} and {anchors.shared.shape[0]}."
        )
    if item_features is None:
        item_features = jnp.zeros((n_item, 0), anchors.item.dtype)
    dtype = anchors.item.dtype
    features = [item_features, anchors.item_held.astype(dtype), anchors.item]
    return Held(
        hold_model(model, anchors.shared, anchors.shared_held),
        jnp.concatenate(features, axis=1),
        anchors,
    )


def fit_anchored(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    anchors: Anchors,
    *,
    estimator: AbstractEstimator = JointMAP(),
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> FitResult:
    """Return the fit of one table with some parameters known.

    The anchors fix the scale. Give abilities a prior whose mean and spread are free, or
    flat, where the systems may be of another kind than those that the anchors come
    from.

    Args:
        model: how a response arises.
        responses: as for `fit`.
        anchors: what is known, in the order of the table's items.
        estimator: as for `fit`.
        system_features: as for `fit`.
        item_features: as for `fit`.

    Raises:
        ValueError: as `fit` and `hold`.
    """
    held = hold(model, anchors, item_features)
    result = fit(
        held.model,
        responses,
        estimator=estimator,
        system_features=system_features,
        item_features=held.item_features,
    )
    return eqx.tree_at(lambda r: r.value, result, held.settle(result.value))


def anchors_from(
    bank: Calibration,
    item_ids: Sequence[Hashable],
    *,
    shared: Sequence[str] = (),
    only: Sequence[Hashable] | None = None,
) -> Anchors:
    """Return the anchors that a bank provides for a table's items.

    Args:
        bank: calibrated before.
        item_ids: the table's items, in its order.
        shared: names of shared parameters to hold as well, such as a common slope.
        only: the items that serve as anchors; by default all that the bank has.

    Raises:
        ValueError: if no item is in the bank, an item of `only` is not in both, or
            there is no such shared parameter.
    """
    position = {each: k for k, each in enumerate(bank.item_ids)}
    if only is None:
        only = [each for each in item_ids if each in position]
    for each in only:
        if each not in position or each not in item_ids:
            raise ValueError(f"The anchor {each!r} is not in the bank and the table.")
    if not only:
        raise ValueError("No item of the table is in the bank: there is no anchor.")
    known = names(bank.model.shared_parameters)
    for name in shared:
        if name not in known:
            raise ValueError(f"There is no shared parameter {name!r}, only {known}.")
    chosen = set(only)
    held = np.array([each in chosen for each in item_ids])
    rows = np.array([position.get(each, 0) for each in item_ids], int)
    q = bank.item.shape[1]
    return Anchors(
        jnp.where(held[:, None], bank.item[rows], 0),
        jnp.broadcast_to(jnp.asarray(held)[:, None], (len(held), q)),
        bank.shared,
        jnp.asarray([name in shared for name in known], bool),
    )
