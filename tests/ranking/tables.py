"""Small tables that several tests of ranking use."""

import jax.numpy as jnp
import numpy as np
from scipy.special import expit

from irtjax.data import BinomialResponses, ResponseTable, ScoreResponses


def binomial(successes, trials) -> BinomialResponses:
    """Return responses from counts of any number type."""
    return BinomialResponses(
        jnp.asarray(np.asarray(successes, float)),
        jnp.asarray(np.asarray(trials, float)),
    )


def labelled(responses, *, trials_from="column 'trials'", ids=None) -> ResponseTable:
    """Return a table whose systems are s0, s1, ... and items i0, i1, ..."""
    n_system, n_item = responses.shape
    return ResponseTable(
        responses=responses,
        system_ids=tuple(ids or (f"s{k}" for k in range(n_system))),
        item_ids=tuple(f"i{k}" for k in range(n_item)),
        source="test.csv",
        score_is="success",
        systems_in="rows",
        trials_from=trials_from,
    )


def draw(
    seed, n_system=10, n_item=12, trials=10, sparsity=0.0, spread=1.0
) -> BinomialResponses:
    """Return responses from a Rasch model with evenly spaced abilities, worst first."""
    rng = np.random.default_rng(seed)
    ability = spread * np.linspace(-2, 2, n_system)
    chance = expit(ability[:, None] - rng.normal(size=n_item)[None, :])
    ran = rng.random(chance.shape) >= sparsity
    ran[:, 0] = True
    count = np.where(ran, trials, 0)
    return binomial(rng.binomial(count, chance), count)


def scores(shares, weight=None) -> ScoreResponses:
    """Return scores without trial counts; NaN = not observed."""
    shares = np.asarray(shares, float)
    seen = ~np.isnan(shares)
    return ScoreResponses(
        jnp.asarray(np.where(seen, shares, 0)),
        jnp.asarray(seen.astype(float) if weight is None else weight),
    )
