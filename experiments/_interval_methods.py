"""The ways to an interval that `experiments.intervals` compares, in one table.

A way takes a block of tables and says, for every parameter of every table, where the
interval ends and, given the truth, which share of what it claims lies below it.
"""

import abc
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from irtjax.data import BinomialResponses
from irtjax.irt import (
    RESULTS,
    AbstractEstimator,
    AbstractResponseModel,
    AbstractUncertainty,
    Estimate,
    Fisher,
    JointMAP,
    MarginalFisher,
    MarginalMAP,
    MarginalMean,
    Sandwich,
    Uncertainty,
    fit_many,
    quantile_intervals,
)
from irtjax.irt.posteriors import NUTS, SAMPLING, nuts_many
from irtjax.ranking import rank_intervals, ranks_of_draws

Rows = dict[str, Float[Array | np.ndarray, "problem row"]]

RANK_DRAWS = 1024
"""Draws of the abilities behind a rank interval; at 95 % 25 lie beyond either end."""


class Claimed(NamedTuple):
    """What a way says of a block of tables; one array, tables by rows, a parameter.

    Attributes:
        lower: lower ends, each on its parameter's own scale; of ranks, the best.
        upper: upper ends.
        below: which share of the claimed distribution lies below the truth, in (0, 1);
            uniform over truths from the prior where the claim is right. None of ranks,
            which are whole numbers.
        code: how each table's fit or sampling ended, in a word.
    """

    lower: Rows
    upper: Rows
    below: Rows
    code: list[str]


class AbstractWay(eqx.Module):
    """A way to intervals for every parameter and for the systems' ranks."""

    @abc.abstractmethod
    def __call__(
        self,
        model: AbstractResponseModel,
        responses: BinomialResponses,
        truth: Estimate,
        numbers: Int[np.ndarray, " problem"],
        *,
        level: float,
        key: PRNGKeyArray,
    ) -> Claimed:
        """Return the intervals of a block of tables.

        Args:
            model: how responses arise; what `responses` were drawn from.
            responses: the tables, with a leading problem axis.
            truth: what the tables were drawn from; only `Claimed.below` looks at it.
            numbers: the tables' own, which their draws hang on.
            level: share of truths that an interval is to hold.
            key: of the draws, where there are any.
        """


class NormalWay(AbstractWay):
    r"""An estimate plus and minus so many of its standard errors.

    On the unconstrained scale, so that a discrimination's interval is symmetric in its
    logarithm. Ranks follow from draws of jointly normal abilities.

    Attributes:
        estimator: what fits.
        uncertainty: gives the standard errors.
    """

    estimator: AbstractEstimator
    uncertainty: AbstractUncertainty

    def __call__(
        self,
        model: AbstractResponseModel,
        responses: BinomialResponses,
        truth: Estimate,
        numbers: Int[np.ndarray, " problem"],
        *,
        level: float,
        key: PRNGKeyArray,
    ) -> Claimed:
        fits = fit_many(model, responses, estimator=self.estimator, block=len(numbers))
        value = jax.tree.map(jnp.asarray, fits.value)
        errors = _errors(self.uncertainty, model, responses, value)
        ends = _normal_ends(model, value, truth, errors, jnp.asarray(level))
        ranks = _normal_ranks(value, errors, jnp.asarray(numbers), level, key)
        lower, upper, below = jax.tree.map(np.asarray, ends)
        best, worst = jax.tree.map(np.asarray, ranks)
        return Claimed(
            lower | {"rank": best},
            upper | {"rank": worst},
            below,
            [RESULTS(code).name for code in fits.code.tolist()],
        )


class DrawnWay(AbstractWay):
    """Quantiles of draws from the posterior.

    Attributes:
        sampler: what draws.
    """

    sampler: NUTS

    def __call__(
        self,
        model: AbstractResponseModel,
        responses: BinomialResponses,
        truth: Estimate,
        numbers: Int[np.ndarray, " problem"],
        *,
        level: float,
        key: PRNGKeyArray,
    ) -> Claimed:
        drawn = nuts_many(
            model, responses, sampler=self.sampler, numbers=numbers, key=key
        )
        ends = _drawn_ends(model, drawn.value, truth, jnp.asarray(level))
        lower, upper, below = jax.tree.map(np.asarray, ends)
        codes = [SAMPLING(code).name for code in drawn.code.tolist()]
        return Claimed(lower, upper, below, codes)


METHODS: dict[str, AbstractWay] = {
    "joint_fisher": NormalWay(JointMAP(), Fisher()),
    "joint_sandwich": NormalWay(JointMAP(), Sandwich()),
    "marginal_fisher": NormalWay(MarginalMAP(), MarginalFisher()),
    "marginal_mean": NormalWay(MarginalMean(), MarginalFisher()),
    "nuts": DrawnWay(NUTS()),
}
"""Every way, by the name that settings take."""

CHEAP = tuple(name for name, way in METHODS.items() if isinstance(way, NormalWay))
"""Those that draw nothing."""

DEFAULT = "marginal_mean"
"""The one to take: cheap, and it holds what it says."""


@eqx.filter_jit
def _errors(
    uncertainty: AbstractUncertainty,
    model: AbstractResponseModel,
    responses: BinomialResponses,
    value: Estimate,
) -> Uncertainty:
    def one(table: BinomialResponses, estimate: Estimate) -> Uncertainty:
        return uncertainty(model, table, estimate)

    return eqx.filter_vmap(one)(responses, value)


@eqx.filter_jit
def _normal_ends(
    model: AbstractResponseModel,
    value: Estimate,
    truth: Estimate,
    errors: Uncertainty,
    level: Float[Array, ""],
) -> tuple[Rows, Rows, Rows]:
    """Return lower ends, upper ends and shares below the truth."""
    reach = jax.scipy.stats.norm.ppf((1 + level) / 2)
    lower, upper, below = {}, {}, {}
    for kinds, estimates, truths, spread in (
        (model.system_parameters, value.system, truth.system, errors.system),
        (model.item_parameters, value.item, truth.item, errors.item),
    ):
        for k, kind in enumerate(kinds):
            centre = estimates[..., k]
            forward = jnp.vectorize(kind.transform.forward)
            # Errors are on the parameter's own scale; ends are set on the other.
            slope = jnp.vectorize(jax.grad(kind.transform.forward))
            error = spread[kind.name] / slope(centre)
            lower[kind.name] = forward(centre - reach * error)
            upper[kind.name] = forward(centre + reach * error)
            below[kind.name] = jax.scipy.stats.norm.cdf(
                (truths[..., k] - centre) / error
            )
    return lower, upper, below


@eqx.filter_jit
def _normal_ranks(
    value: Estimate,
    errors: Uncertainty,
    numbers: Int[Array, " problem"],
    level: float,
    key: PRNGKeyArray,
) -> tuple[Float[Array, "problem system"], Float[Array, "problem system"]]:
    """Return the best and the worst rank within each system's own interval."""

    # One table at a time: its draws are many, and a block's would not fit a cache.
    def one(table):
        ability, covariance, number = table
        found = rank_intervals(
            ability,
            covariance,
            level=level,
            draws=RANK_DRAWS,
            key=jax.random.fold_in(key, number),
        )
        return found.lower, found.upper

    tables = value.system[..., 0], errors.ability_covariance, numbers
    return jax.lax.map(one, tables)


@eqx.filter_jit
def _drawn_ends(
    model: AbstractResponseModel,
    draws: Estimate,
    truth: Estimate,
    level: Float[Array, ""],
) -> tuple[Rows, Rows, Rows]:
    """Return lower ends, upper ends and shares below the truth."""

    def one(table: tuple[Estimate, Estimate]):
        draws, truth = table
        chains, length = draws.system.shape[:2]
        count = chains * length
        flat = jax.tree.map(lambda x: jnp.reshape(x, (count, *x.shape[2:])), draws)
        ends = quantile_intervals(model, flat, level=level)
        ranks = ranks_of_draws(flat.system[..., 0], level=level)

        def place(drawn: Array, true: Array) -> Array:
            below = jnp.sum(drawn < true[None], axis=0, dtype=true.dtype)
            return (below + 0.5) / (count + 1)

        lower = ends.lower.system | ends.lower.item | {"rank": ranks.lower}
        upper = ends.upper.system | ends.upper.item | {"rank": ranks.upper}
        return lower, upper, jax.tree.map(place, flat, truth)

    # One table at a time: sorting all draws of a block would hold them twice.
    lower, upper, place = jax.lax.map(one, (draws, truth))
    below = {
        kind.name: values[..., k]
        for kinds, values in (
            (model.system_parameters, place.system),
            (model.item_parameters, place.item),
        )
        for k, kind in enumerate(kinds)
    }
    return lower, upper, below
