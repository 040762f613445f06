"""A calibrated bank in memory: what scoring, linking and a saved bank read."""

from collections.abc import Hashable, Sequence

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, ResponseTable

from .._blocks import Vector
from .._estimator import AbstractEstimator, JointMAP
from .._fit import fit, posterior
from .._model import AbstractResponseModel, Estimate, NamedParameters, named
from .._results import RESULTS
from ._scorer import AbstractScorer
from ._scores import Scores


def _plain_ids(ids: Sequence[Hashable]) -> tuple[Hashable, ...]:
    """Return identifiers with NumPy's numbers, which equal Python's, as Python's."""
    return tuple(each.item() if isinstance(each, np.generic) else each for each in ids)


class Calibration(eqx.Module):
    """Items whose parameters are known, with their errors.

    Attributes:
        model: of the items; its system parameters' priors are the abilities' priors.
        item: the items' parameters, unconstrained.
        shared: those of all cells.
        covariance: of the items' first parameters, their second ones, ..., then the
            shared ones, unconstrained.
        item_features: as given to the fit; no columns where nothing was known.
        item_ids: one an item, exactly as the input gave them.
        code: how the fit ended, one of `RESULTS`.
        score_is: what the input's numbers counted; the bank itself holds higher =
            better, always.
        trials_from: where the input's numbers of trials came from.
    """

    model: AbstractResponseModel
    item: Float[Array, "item q"]
    shared: Float[Array, " s"]
    covariance: Float[Array, "free free"]
    item_features: Float[Array, "item g"]
    item_ids: tuple[Hashable, ...] = eqx.field(static=True, converter=_plain_ids)
    code: int = eqx.field(static=True, default=int(RESULTS.successful))
    score_is: str = eqx.field(static=True, default="success")
    trials_from: str = eqx.field(static=True, default="unknown")

    def __check_init__(self):
        n_item, q = self.item.shape
        n_free = n_item * q + self.shared.shape[0]
        wanted = {
            "item": (len(self.item_ids), len(self.model.item_parameters)),
            "shared": (len(self.model.shared_parameters),),
            "covariance": (n_free, n_free),
            "item_features": (n_item, *self.item_features.shape[1:]),
        }
        for name, shape in wanted.items():
            if getattr(self, name).shape != shape:
                raise ValueError(
                    f"`{name}` must have the shape {shape}, got "
                    f"{getattr(self, name).shape}."
                )
        if len(set(self.item_ids)) < n_item:
            twice = next(k for k in self.item_ids if self.item_ids.count(k) > 1)
            raise ValueError(f"The item identifier {twice!r} stands twice.")

    @property
    def items(self) -> Estimate:
        """Return the items as an estimate without systems, as a scorer takes them."""
        p = len(self.model.system_parameters)
        return Estimate(jnp.zeros((0, p), self.item.dtype), self.item, self.shared)

    def named(self) -> NamedParameters:
        """Return the parameters by name, on their own scale."""
        return named(self.model, self.items)

    def select(self, items: Sequence[Hashable]) -> "Calibration":
        """Return the bank of some items, in this order.

        Raises:
            KeyError: if an item is not in the bank.
        """
        position = {each: k for k, each in enumerate(self.item_ids)}
        for each in items:
            if each not in position:
                raise KeyError(f"There is no item {each!r} in the bank.")
        rows = np.array([position[each] for each in items], int)
        n_item, q = self.item.shape
        n_shared = self.shared.shape[0]
        kept = [k * n_item + rows for k in range(q)]
        free = np.concatenate([*kept, q * n_item + np.arange(n_shared)]).astype(int)
        return Calibration(
            self.model,
            self.item[rows],
            self.shared,
            self.covariance[free][:, free],
            self.item_features[rows],
            tuple(self.item_ids[k] for k in rows),
            self.code,
            self.score_is,
            self.trials_from,
        )


@eqx.filter_jit
def item_covariance(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    estimator: AbstractEstimator = JointMAP(),
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> Float[Array, "free free"]:
    """Return the joint covariance of a fit's items and shared parameters.

    Their part of the inverse of the objective's exact second derivatives, so with
    allowance for the abilities, be they estimated or integrated out. Unconstrained; the
    items' first parameters, their second ones, ..., then the shared ones. Not a number
    where the second derivatives are not positive definite.

    Args:
        model: as for `fit`.
        responses: as for `fit`.
        estimate: the fit's value.
        estimator: that of the fit.
        system_features: as for `fit`.
        item_features: as for `fit`.

    Raises:
        ValueError: if the parts do not fit together, as in `fit`.
    """
    problem = posterior(model, responses, system_features, item_features)
    objective = estimator.objective(problem)
    n_item, q = estimate.item.shape
    split = n_item * q

    def column(unit: Float[Array, " free"]) -> Float[Array, " free"]:
        nothing = jnp.zeros_like(estimate.system.T)
        item = jnp.reshape(unit[:split], (q, n_item))
        solved = objective.solve(estimate, Vector(nothing, item, unit[split:]))
        return jnp.concatenate([jnp.ravel(solved.item), solved.shared])

    size = split + estimate.shared.shape[0]
    return jax.vmap(column)(jnp.eye(size, dtype=estimate.item.dtype))


def calibrate(
    model: AbstractResponseModel,
    table: ResponseTable,
    *,
    estimator: AbstractEstimator = JointMAP(),
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> Calibration:
    """Return the bank of a table's items.

    Args:
        model: how a response arises.
        table: what was observed.
        estimator: as for `fit`; where abilities shall be scored on a scale that is not
            pulled in, one that integrates them out.
        system_features: as for `fit`.
        item_features: as for `fit`.

    Returns:
        A bank whose `code` is to be read first.

    Raises:
        ValueError: as `fit`.
    """
    parts = {
        "estimator": estimator,
        "system_features": system_features,
        "item_features": item_features,
    }
    result = fit(model, table.responses, **parts)
    value = result.value
    spread = item_covariance(model, table.responses, value, **parts)
    if item_features is None:
        item_features = jnp.zeros((value.item.shape[0], 0), value.item.dtype)
    return Calibration(
        model,
        value.item,
        value.shared,
        spread,
        item_features,
        table.item_ids,
        int(result.code),
        table.score_is,
        table.trials_from,
    )


def score_table(
    bank: Calibration,
    table: ResponseTable,
    scorer: AbstractScorer,
    *,
    with_item_errors: bool = False,
    system_features: Float[Array, "system f"] | None = None,
) -> Scores:
    """Return the scores of a table's systems on a bank's items.

    The table may hold some of the bank's items, in any order.

    Args:
        bank: calibrated before, on any systems.
        table: answers of the systems to score.
        scorer: how.
        with_item_errors: whether errors carry those of the items.
        system_features: what is known of each system, if the model uses it.

    Raises:
        ValueError: if the table has items that the bank has not, or responses of
            another kind.
    """
    known = set(bank.item_ids)
    strange = [each for each in table.item_ids if each not in known]
    if strange:
        raise ValueError(
            f"{len(strange)} of the table's items are not in the bank, such as "
            f"{strange[0]!r}: leave them out with `table.select`."
        )
    part = bank.select(table.item_ids)
    return scorer(
        part.model,
        table.responses,
        part.items,
        item_covariance=part.covariance if with_item_errors else None,
        system_features=system_features,
        item_features=part.item_features,
    )
