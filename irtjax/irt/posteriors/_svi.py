"""Variational inference by numpyro, in whitened coordinates."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import optax
from jaxtyping import Array, Float, PRNGKeyArray
from numpyro.distributions import ImproperUniform, constraints
from numpyro.infer import Trace_ELBO, init_to_value, svi
from numpyro.infer.autoguide import AutoContinuous, AutoMultivariateNormal

from .._model import Estimate
from .._posterior import Posterior
from ._mixing import mixing_of
from ._potential import potential_by_z
from ._sampler import (
    SAMPLING,
    AbstractSampler,
    Draws,
    SampleResult,
    in_default_float,
    in_dtype_of,
)
from ._whitening import whitening_at

# Nats by which the bound may still rise from one tenth of the steps to the next.
STILL_RISING = 0.1


class SVITrace(eqx.Module):
    """How the bound rose.

    Attributes:
        elbo: evidence lower bound at each step, in nats, from few draws and so noisy;
            the posterior's normalising constant counts as 0.
    """

    elbo: Float[Array, " step"]


class SVI(AbstractSampler):
    """The closest distribution of a simple family, by stochastic optimisation.

    Cheaper than `NUTS` on large tables and never exact: the family is what it is, and
    the divergence that is minimised prefers too narrow to too wide. It works in the
    coordinates of `Whitening`, so even independent ones there are correlated parameters
    here.

    Attributes:
        guide: one of numpyro's families of continuous guides, such as
            `AutoMultivariateNormal`, `AutoLowRankMultivariateNormal` or, independent in
            whitened coordinates, `AutoDiagonalNormal`.
        optimiser: of optax; by default Adam at a rate that falls from 0.02 to 0.0002.
        steps: taken.
        particles: draws behind each step's gradient.
        draws: made from the guide in the end, as one chain.

    References:
        Kucukelbir, Tran, Ranganath, Gelman & Blei (2017), Automatic Differentiation
        Variational Inference, JMLR 18.
    """

    guide: Callable[..., AutoContinuous] = eqx.field(
        static=True, default=AutoMultivariateNormal
    )
    optimiser: optax.GradientTransformation | None = eqx.field(
        static=True, default=None
    )
    steps: int = eqx.field(static=True, default=2000)
    particles: int = eqx.field(static=True, default=8)
    draws: int = eqx.field(static=True, default=4000)

    def __check_init__(self):
        if self.steps < 20:
            raise ValueError(f"SVI needs `steps` of at least 20, got {self.steps}.")

    def sample(
        self, problem: Posterior, start: Estimate, *, key: PRNGKeyArray
    ) -> Draws:
        whitening = whitening_at(problem, start)
        problem, whitening = in_default_float((problem, whitening))
        # numpyro is not written for strict promotion.
        with (
            jax.numpy_dtype_promotion("standard"),
            jax.numpy_rank_promotion("allow"),
        ):
            potential = potential_by_z(problem, whitening)
            z, trace = self._optimise(potential, whitening.size, key)
        value = jax.vmap(whitening.forward)(z)
        value = jax.tree.map(lambda leaf: leaf[None], value)
        return Draws(in_dtype_of(value, start.system), trace)

    def judge(self, draws: Draws) -> SampleResult:
        trace = draws.trace
        assert isinstance(trace, SVITrace)
        finite = all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves(draws.value))
        if not finite:
            code = SAMPLING.not_finite
        elif _rising(np.asarray(trace.elbo)):
            code = SAMPLING.not_converged
        else:
            code = SAMPLING.successful
        mixing = mixing_of(draws.value)
        return SampleResult(draws.value, np.asarray(code, np.int32), mixing, trace)

    def _optimise(
        self,
        potential: Callable[[Float[Array, " all"]], Float[Array, ""]],
        size: int,
        key: PRNGKeyArray,
    ) -> tuple[Float[Array, "draw all"], SVITrace]:
        def model():
            z = numpyro.sample(
                "z", ImproperUniform(constraints.real_vector, (), (size,))
            )
            numpyro.factor("posterior", -potential(jnp.asarray(z)))

        guide = self.guide(
            model,
            init_loc_fn=init_to_value(values={"z": jnp.zeros(size)}),
            init_scale=1.0,  # whitened: about the scale of what is looked for
        )
        optimiser = self.optimiser
        if optimiser is None:
            rate = optax.exponential_decay(0.02, self.steps, 0.01)
            optimiser = optax.adam(rate)
        inference = svi.SVI(model, guide, optimiser, Trace_ELBO(self.particles))
        begin, onwards = jax.random.split(key)
        state, loss = jax.lax.scan(
            lambda state, _: inference.update(state),
            inference.init(begin),
            None,
            length=self.steps,
        )
        drawn = guide.sample_posterior(
            onwards, inference.get_params(state), sample_shape=(self.draws,)
        )
        return drawn["z"], SVITrace(-loss)


def _rising(elbo: Float[np.ndarray, " step"]) -> bool:
    """Return whether the last tenth is above the tenth before by more than noise."""
    tenth = len(elbo) // 10
    before, last = elbo[-2 * tenth : -tenth], elbo[-tenth:]
    noise = np.sqrt((before.var(ddof=1) + last.var(ddof=1)) / tenth)
    return bool(last.mean() - before.mean() > STILL_RISING + 4 * noise)
