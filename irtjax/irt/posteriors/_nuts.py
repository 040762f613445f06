"""The no-U-turn sampler of numpyro, in whitened coordinates."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray
from numpyro.infer.hmc import hmc
from numpyro.infer.hmc_util import dual_averaging

from .._model import Estimate
from .._posterior import Posterior
from ._mixing import mixing_of, worst
from ._potential import potential_by_z
from ._sampler import (
    SAMPLING,
    AbstractSampler,
    Draws,
    SampleResult,
    in_default_float,
    in_dtype_of,
)
from ._whitening import Whitening, whitening_at

LARGEST_RHAT = 1.01
FEWEST_EFFECTIVE = 400.0
FIRST_STEP = 0.3  # in posterior standard deviations


class NUTSTrace(eqx.Module):
    """What the chains of one table did after the warm-up.

    Attributes:
        accept: mean acceptance probability along each trajectory.
        diverging: whether its energy went astray.
        leapfrogs: steps in it.
        step_size: after the warm-up, in posterior standard deviations.
    """

    accept: Float[Array, "chain draw"]
    diverging: Bool[Array, "chain draw"]
    leapfrogs: Int[Array, "chain draw"]
    step_size: Float[Array, ""]


class NUTS(AbstractSampler):
    """The no-U-turn sampler: exact draws, up to their number, from any posterior.

    It runs in the coordinates of `Whitening` at the joint mode, so the mass matrix is
    known before the first step and the warm-up finds a step size alone. All chains of a
    table share it. Chains start at independent draws of the normal approximation.

    A whole table's chains are one program without factorisations in its loop.

    Attributes:
        chains: independent chains; R-hat needs at least 2 and is better with 4.
        draws: kept from each chain.
        warmup: transitions before them, not kept.
        target_accept: mean acceptance that sets the step size. A posterior of many
            trials bends: at 0.8 it shows a few divergences, at 0.95 none, for the same
            number of leapfrogs.
        max_tree_depth: a trajectory has fewer than two to this power steps. In whitened
            coordinates 15 of them reach about half way round; walks of many chains
            together take as long as the deepest tree.

    References:
        Hoffman & Gelman (2014), The No-U-Turn Sampler, JMLR 15, algorithm 6 and section
        3.2. Phan, Pradhan & Jankowiak (2019), arXiv:1912.11554, for the iterative form.
        Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021), Rank-normalization,
        folding, and localization: an improved R-hat, Bayesian Analysis 16.
    """

    chains: int = eqx.field(static=True, default=4)
    draws: int = eqx.field(static=True, default=1000)
    warmup: int = eqx.field(static=True, default=200)
    target_accept: float = 0.95
    max_tree_depth: int = eqx.field(static=True, default=4)

    def __check_init__(self):
        for name in ("chains", "draws", "warmup", "max_tree_depth"):
            if getattr(self, name) < 1:
                raise ValueError(
                    f"NUTS needs `{name}` of at least 1, got {getattr(self, name)}."
                )
        if isinstance(self.target_accept, float) and not 0 < self.target_accept < 1:
            raise ValueError(
                f"`target_accept` is a probability within (0, 1), got "
                f"{self.target_accept}."
            )

    def sample(
        self, problem: Posterior, start: Estimate, *, key: PRNGKeyArray
    ) -> Draws:
        return self.walk(problem, whitening_at(problem, start), key=key)

    def walk(
        self, problem: Posterior, whitening: Whitening, *, key: PRNGKeyArray
    ) -> Draws:
        """Return draws, given the coordinates to walk in. Factorises nothing.

        Args:
            problem: the posterior.
            whitening: as `whitening_at` returns it.
            key: chain number c draws with `fold_in(key, c)`.
        """
        like = whitening.center.system
        problem, whitening = in_default_float((problem, whitening))
        # numpyro is not written for strict promotion.
        with (
            jax.numpy_dtype_promotion("standard"),
            jax.numpy_rank_promotion("allow"),
        ):
            z, trace = self._walk(
                potential_by_z(problem, whitening), whitening.size, key
            )
        value = jax.vmap(jax.vmap(whitening.forward))(z)
        return Draws(in_dtype_of(value, like), trace)

    def judge(self, draws: Draws) -> SampleResult:
        trace = draws.trace
        assert isinstance(trace, NUTSTrace)
        mixing = mixing_of(draws.value)
        finite = all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves(draws.value))
        if not finite:
            code = SAMPLING.not_finite
        elif np.any(trace.diverging):
            code = SAMPLING.diverged
        elif not worst(mixing.rhat, np.max) <= LARGEST_RHAT:
            code = SAMPLING.chains_disagree
        elif not (
            min(worst(mixing.ess_bulk, np.min), worst(mixing.ess_tail, np.min))
            >= FEWEST_EFFECTIVE
        ):
            code = SAMPLING.few_effective
        else:
            code = SAMPLING.successful
        return SampleResult(draws.value, np.asarray(code, np.int32), mixing, trace)

    def _walk(
        self,
        potential: Callable[[Float[Array, " all"]], Float[Array, ""]],
        size: int,
        key: PRNGKeyArray,
    ) -> tuple[Float[Array, "chain draw all"], NUTSTrace]:
        start, kernel = hmc(potential, algo="NUTS")

        def first(chain: Int[Array, ""]):
            at, onwards = jax.random.split(jax.random.fold_in(key, chain))
            return start(
                jax.random.normal(at, (size,), float),
                num_warmup=0,
                adapt_step_size=False,
                adapt_mass_matrix=False,
                max_tree_depth=self.max_tree_depth,
                rng_key=onwards,
            )

        begin, improve = dual_averaging()
        chains = jax.vmap(first)(jnp.arange(self.chains))
        step = begin(jnp.log(10 * jnp.asarray(FIRST_STEP, float)))  # pyright: ignore[reportArgumentType]

        def transition(carry, number):
            chains, step = carry
            warm = number < self.warmup
            # While it is sought, the latest step size; then its running mean.
            step_size = jnp.exp(jnp.where(warm, step[0], step[1]))
            adapted = chains.adapt_state._replace(
                step_size=jnp.broadcast_to(step_size, (self.chains,))
            )
            chains = jax.vmap(kernel)(chains._replace(adapt_state=adapted))
            better = improve(self.target_accept - jnp.mean(chains.accept_prob), step)
            step = jax.tree.map(
                lambda new, old: jnp.where(warm, new, old), better, step
            )
            seen = (chains.z, chains.accept_prob, chains.diverging, chains.num_steps)
            return (chains, step), seen

        (_, step), seen = jax.lax.scan(
            transition, (chains, step), jnp.arange(self.warmup + self.draws)
        )
        z, accept, diverging, leapfrogs = jax.tree.map(
            lambda leaf: jnp.swapaxes(leaf[self.warmup :], 0, 1), seen
        )
        return z, NUTSTrace(accept, diverging, leapfrogs, jnp.exp(step[1]))
