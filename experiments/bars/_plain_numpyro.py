"""The same posterior written for numpyro as its documentation does, to compare."""

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from jaxtyping import Array, Float
from numpyro.infer import MCMC, NUTS


def two_pl(successes: Float[Array, "system item"], trials: Float[Array, "system item"]):
    """Declare the 2PL with the default priors."""
    n_system, n_item = trials.shape
    with numpyro.plate("system", n_system):
        ability = numpyro.sample("ability", dist.Normal(0.0, 1.0))
    with numpyro.plate("item", n_item):
        difficulty = numpyro.sample("difficulty", dist.Normal(0.0, 2.0))
        slope = jnp.exp(numpyro.sample("log_discrimination", dist.Normal(0.0, 0.5)))
    logit = slope[None, :] * (ability[:, None] - difficulty[None, :])
    numpyro.sample(
        "successes",
        dist.Binomial(total_count=trials.astype(int), logits=logit),
        obs=successes,
    )


def plain_sampler() -> MCMC:
    """Return a sampler with numpyro's own settings, compiled once for all tables."""
    return MCMC(
        NUTS(two_pl),
        num_warmup=1000,
        num_samples=1000,
        num_chains=4,
        chain_method="vectorized",
        progress_bar=False,
        jit_model_args=True,
    )


def run_plain(sampler: MCMC, successes, trials, seed: int) -> None:
    """Sample one table to the end."""
    sampler.run(jax.random.key(seed), successes, trials)
    jax.block_until_ready(sampler.get_samples())
