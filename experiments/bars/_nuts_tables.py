"""Tables whose truths are drawn from the default priors of the 2PL."""

import jax.numpy as jnp
import numpy as np

from irtjax.data import BinomialResponses

N_SYSTEM, N_ITEM, TRIALS = 20, 20, 10


def binomial_table(seed: int) -> BinomialResponses:
    """Return a complete 20 x 20 table of 10 trials a cell."""
    rng = np.random.default_rng([4, seed])
    ability = rng.normal(size=N_SYSTEM)
    difficulty = 2.0 * rng.normal(size=N_ITEM)
    slope = np.exp(0.5 * rng.normal(size=N_ITEM))
    p = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    successes = jnp.asarray(rng.binomial(TRIALS, p), float)
    return BinomialResponses(successes, jnp.full_like(successes, TRIALS))
