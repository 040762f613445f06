"""Incomplete tables of a 2PL, from the default priors of the model."""

import jax.numpy as jnp
import numpy as np

from irtjax.data import BinomialResponses


def table(n_system=7, n_item=12, share=0.5, *, seed=0, trials=1.0):
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(size=n_system), 2 * rng.normal(size=n_item)
    slope = np.exp(0.5 * rng.normal(size=n_item))
    chance = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    seen = (rng.random(chance.shape) < share) * trials
    right = rng.binomial(int(trials), chance) * (seen > 0)
    return BinomialResponses(jnp.asarray(right, float), jnp.asarray(seen, float))
