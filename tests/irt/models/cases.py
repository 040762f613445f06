"""The models of the package, one list for every law, with a table for each."""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from irtjax.data import CategoricalResponses, ScoreResponses
from irtjax.irt import (
    AbstractResponseModel,
    BetaScore,
    Estimate,
    FourPL,
    FractionalBernoulli,
    GradedResponse,
    MultidimensionalTwoPL,
    OnePL,
    PartialCredit,
    PooledTwoPL,
    Rasch,
    SlopeIntercept,
    ThreePL,
    TwoPL,
    simulate,
)
from irtjax.irt._parameter import constrain

N_SYSTEM, N_ITEM = 6, 5


class Case(NamedTuple):
    """A model and, where it reads them, what is known of items."""

    model: AbstractResponseModel
    item_features: Array | None = None


# The first item loads on the first dimension alone and the second on the second, so
# that no rotation is left open.
PATTERN = jnp.asarray([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
CASES = {
    "one_pl": Case(OnePL()),
    "two_pl": Case(TwoPL()),
    "pooled_two_pl": Case(PooledTwoPL()),
    "rasch": Case(Rasch()),
    "slope_intercept": Case(SlopeIntercept()),
    "three_pl": Case(ThreePL()),
    "four_pl": Case(FourPL()),
    "multidimensional": Case(MultidimensionalTwoPL(2), PATTERN),
    "graded": Case(GradedResponse(4)),
    "partial_credit": Case(PartialCredit(4)),
    "beta_score": Case(BetaScore()),
    "fractional": Case(FractionalBernoulli()),
}
# The spread of abilities has no mode together with the abilities themselves.
WITH_JOINT_MODE = tuple(name for name in CASES if name != "rasch")


def point(model, n_system=N_SYSTEM, n_item=N_ITEM, *, seed=0, scale=0.6):
    """Random parameters around those at which a fit begins."""
    rng = np.random.default_rng(seed)

    def draw(kinds, n_row):
        noise = scale * rng.standard_normal((n_row, len(kinds)))
        return jnp.asarray(noise + np.asarray([kind.start for kind in kinds]))

    return Estimate(
        draw(model.system_parameters, n_system),
        draw(model.item_parameters, n_item),
        jnp.asarray([kind.start + 0.2 for kind in model.shared_parameters], float),
    )


@functools.cache
def table(name, *, trials=20.0, seed=0):
    """Responses drawn from the model itself, a quarter of the cells not observed."""
    model, features = CASES[name]
    rng = np.random.default_rng(seed + 100)
    seen = rng.random((N_SYSTEM, N_ITEM)) < 0.75
    seen[:, 0] = seen[0] = True
    n = jnp.asarray(np.where(seen, trials, 0.0))
    return simulate(
        model,
        point(model, seed=seed),
        jnp.minimum(n, 1) if model.response is ScoreResponses else n,
        item_features=features,
        key=jax.random.key(seed),
    )


def outcomes(model):
    """Every outcome that has a chance of its own, and whether some have only a density."""
    if model.response is CategoricalResponses:
        return jnp.arange(model.n_category, dtype=float), False
    return jnp.arange(2.0), isinstance(model, BetaScore)


def drawn_from_prior(model, n_system, n_item, *, key):
    """Parameters that the priors themselves gave: what errors are calibrated for."""

    def rows(kinds, shared, n_row, key):
        def one(key):
            drawn = [
                kind.prior.sample(shared, jnp.zeros(0), key=jax.random.fold_in(key, k))
                for k, kind in enumerate(kinds)
            ]
            return jnp.stack(drawn) if drawn else jnp.zeros(0)

        return jax.vmap(one)(jax.random.split(key, n_row))

    for_shared, for_systems, for_items = jax.random.split(key, 3)
    common = rows(model.shared_parameters, {}, 1, for_shared)[0]
    named_shared = constrain(model.shared_parameters, common)
    return Estimate(
        rows(model.system_parameters, named_shared, n_system, for_systems),
        rows(model.item_parameters, named_shared, n_item, for_items),
        common,
    )
