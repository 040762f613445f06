"""Flags that a fit raises: did it end well, and what did the data add to the priors?"""

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._errors import Uncertainty
from .._model import AbstractResponseModel, Estimate, named
from .._parameter import Identity, Parameter, constrain, transform_slopes
from .._posterior import Posterior
from .._results import MESSAGES, RESULTS, FitResult
from ._data_flags import Side
from ._flag import Flag, shown

LEAST_LEARNED = 0.05  # of the prior's variance
NEAR_MODE = 0.25  # prior standard deviations
SLOPES = ("discrimination", "slope")


def convergence_flags(result: FitResult) -> Iterator[Flag]:
    """Yield a flag if the fit did not end at an optimum."""
    code = RESULTS(int(result.code))
    if code == RESULTS.successful:
        return
    norm = float(result.stats.gradient_norm)
    yield Flag(
        "not converged",
        "table",
        (),
        norm,
        f"The fit did not converge after {int(result.stats.iterations):,} steps: "
        f"{MESSAGES[code]}. The largest derivative an observation is {norm:.1e}. Use "
        "none of its numbers.",
    )


def orientation(ability: Float[np.ndarray, " system"], systems: Side) -> float:
    """Return the correlation of abilities with the systems' raw scores.

    A raw score is the mean over a system's cells of the outcome less the item's mean,
    so that who ran which items matters little. Systems without data are left out. NaN
    where abilities or scores do not vary.
    """
    n_item = int(systems.other.max(initial=-1)) + 1
    count = np.bincount(systems.other, minlength=n_item)
    mean = np.bincount(systems.other, systems.score, n_item) / np.maximum(count, 1)
    away = systems.score - mean[systems.other]
    some = systems.count > 0
    raw = np.bincount(systems.row, away, len(systems.ids))[some] / systems.count[some]
    own = np.asarray(ability, float)[some]
    if len(own) < 2 or not (np.std(raw) > 1e-12 and np.std(own) > 1e-12):
        return float("nan")
    return float(np.corrcoef(own, raw)[0, 1])


def orientation_flags(
    model: AbstractResponseModel, at: Estimate, systems: Side
) -> Iterator[Flag]:
    """Yield a flag if higher abilities go with lower scores."""
    kind = model.system_parameters[0]
    ability = np.asarray(named(model, at).system[kind.name])
    correlation = orientation(ability, systems)
    if not correlation < 0:
        return
    yield Flag(
        "upside down",
        "table",
        (),
        correlation,
        f"The {kind.name} falls as raw scores rise (correlation {correlation:.2f}). The "
        "rule is that it rises: change the sign of abilities, difficulties and slopes "
        "together, which leaves the likelihood as it is.",
    )


def negative_slope_flags(
    model: AbstractResponseModel,
    at: Estimate,
    items: Side,
    said: set[Hashable],
) -> Iterator[Flag]:
    """Yield items whose slope, free to be negative, is; items already said are left out."""
    values = named(model, at).item
    for kind in model.item_parameters:
        if kind.name not in SLOPES or not isinstance(kind.transform, Identity):
            continue
        slope = np.asarray(values[kind.name])
        for k in np.flatnonzero((slope < 0) & (items.count > 0)).tolist():
            if items.ids[k] not in said:
                yield Flag(
                    "reversed",
                    "item",
                    (items.ids[k],),
                    float(slope[k]),
                    f"The {kind.name} of item {shown(items.ids[k])} is {slope[k]:.2f}: "
                    "better systems do worse on it. Look for a wrong key or a turned "
                    "scale.",
                )


def prior_flags(
    problem: Posterior,
    at: Estimate,
    errors: Uncertainty,
    systems: Side,
    items: Side,
    said: set[Hashable],
) -> Iterator[Flag]:
    """Yield the parameters of which the data have taught next to nothing.

    Args:
        problem: the model, and what was known of systems and items.
        at: the fit's value.
        errors: of the fit.
        systems: the cells by system.
        items: the cells by item.
        said: items that are known to be constant.
    """
    if any(
        bool(jnp.any(jnp.isnan(error)))
        for part in (errors.system, errors.item)
        for error in part.values()
    ):
        yield Flag(
            "error not known",
            "table",
            (),
            float("nan"),
            "The information at the fit is not positive definite, so there are no "
            "standard errors. Check convergence, or give the model stronger priors.",
        )
        return
    system, item = jax.tree.map(np.asarray, _standings(problem, at, errors))
    yield from _at_prior(problem.model.system_parameters, system, systems, set())
    yield from _at_prior(problem.model.item_parameters, item, items, said)


class _Standing(NamedTuple):
    """Where parameters stand against their priors, one row a system or item.

    Attributes:
        value: on its own scale.
        learned: the share of the prior's variance that is gone; 1 without a prior.
        shift: how far from the prior's mode, in its standard deviations.
    """

    value: Float[Array | np.ndarray, "row k"]
    learned: Float[Array | np.ndarray, "row k"]
    shift: Float[Array | np.ndarray, "row k"]


@eqx.filter_jit
def _standings(
    problem: Posterior, at: Estimate, errors: Uncertainty
) -> tuple[_Standing, _Standing]:
    model = problem.model
    shared = constrain(model.shared_parameters, at.shared)

    def of(kinds, values, features, errors):
        def one(row, own_features, error):
            slopes = transform_slopes(kinds, row)
            own = constrain(kinds, row)
            found = []
            for k, kind in enumerate(kinds):

                def density(value, prior=kind.prior):
                    return prior.log_prob(value, shared, own_features)

                pull = jax.grad(density)(row[k])
                precision = jnp.maximum(-jax.grad(jax.grad(density))(row[k]), 0)
                spread = jnp.abs(error[kind.name] / slopes[k])
                deviation = jnp.sqrt(jnp.where(precision > 0, precision, 1))
                found.append(
                    _Standing(
                        own[kind.name],
                        1 - precision * spread**2,
                        jnp.abs(pull) / deviation,
                    )
                )
            return jax.tree.map(lambda *parts: jnp.stack(parts), *found)

        if not kinds:
            nothing = jnp.zeros((values.shape[0], 0), values.dtype)
            return _Standing(nothing, nothing, nothing)
        return jax.vmap(one)(values, features, errors)

    return (
        of(model.system_parameters, at.system, problem.system_features, errors.system),
        of(model.item_parameters, at.item, problem.item_features, errors.item),
    )


def _at_prior(
    kinds: tuple[Parameter, ...], standing: _Standing, side: Side, said: set[Hashable]
) -> Iterator[Flag]:
    for place, kind in enumerate(kinds):
        learned = standing.learned[:, place]
        still = (learned < LEAST_LEARNED) & (standing.shift[:, place] < NEAR_MODE)
        for k in np.flatnonzero(still & (side.count > 0)).tolist():
            if side.ids[k] in said:
                continue
            yield Flag(
                "at prior",
                side.about,
                (side.ids[k],),
                float(learned[k]),
                f"The {kind.name} of {side.about} {shown(side.ids[k])} is its prior's "
                f"({standing.value[k, place]:.2f}): its {side.count[k]:,} cells took "
                f"{max(learned[k], 0):.0%} off the prior's variance. Do not read it as "
                "measured.",
            )
