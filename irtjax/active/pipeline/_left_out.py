"""How wrong the sources' own totals would have been, each left out in turn."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import scipy.stats
from jaxtyping import Array, Float, Float64, Int

from .._belief import AbstractPrior
from .._population import LearnedPopulation, learn_population
from .._sources import SourceErrors


class Totals(eqx.Module):
    """The total error by several sets of weights, as a belief sees it.

    Attributes:
        mean: in errors.
        sd: standard deviation, in errors.
        off: of each source when it played the new system, the total it really has less
            the mean that its answers to the same items gave.
        off_sd: the standard deviation that was claimed then.
    """

    mean: Float[Array, " total"]
    sd: Float[Array, " total"]
    off: Float[Array, "source total"]
    off_sd: Float[Array, "source total"]


def settled(prior: AbstractPrior, sources: SourceErrors) -> AbstractPrior:
    """Return a prior that need not learn its settings again for each source left out."""
    if isinstance(prior, LearnedPopulation):
        return learn_population(sources, rounds=prior.rounds, items=prior.items)
    return prior


@eqx.filter_jit
def totals(
    prior: AbstractPrior,
    sources: SourceErrors,
    items: Int[Array, " pick"],
    errors: Float[Array, " pick"],
    noise: Float[Array, " pick"],
    weights: Float[Array, "total item"],
) -> Totals:
    """Return the totals that answers lead to, and what the same did for each source.

    Args:
        prior: what the sources let one believe.
        sources: of the other systems.
        items: that were answered.
        errors: the answers.
        noise: of each, in squared errors; infinite = no answer.
        weights: one row a total, each summing to 1.
    """
    prior = settled(prior, sources)

    def total(
        among: SourceErrors, error: Float[Array, " pick"], noise: Float[Array, " pick"]
    ) -> tuple[Float[Array, " total"], Float[Array, " total"]]:
        belief = prior(among).condition(items, error, noise)
        found = jax.lax.map(belief.total, weights)
        return found.mean, jnp.sqrt(jnp.maximum(found.variance, 0))

    filled = sources.filled()

    def left_out(source: Int[Array, ""]):
        error = filled[items, source]
        unseen = ~sources.observed[items, source]
        mean, sd = total(
            sources.without(source), error, jnp.where(unseen, jnp.inf, noise)
        )
        return weights @ filled[:, source] - mean, sd

    off, off_sd = jax.lax.map(left_out, jnp.arange(sources.shape[1]))
    return Totals(*total(sources, errors, noise), off, off_sd)


def reach(
    off: Float[np.ndarray, "source total"],
    off_sd: Float[np.ndarray, "source total"],
    level: float | int,
) -> Float64[np.ndarray, " total"]:
    r"""Return how many claimed standard deviations an interval must reach.

    The ratios $|e_m| / s_m$ of the sources left out are to the new system's as draws
    from one distribution are. With $M$ of them the $\lceil (M + 1) \alpha \rceil$-th
    smallest holds the new one with probability $\alpha$ (conformal prediction). Where
    $M$ is too small for that there is no such rank; then errors are taken as normal and
    the root mean square ratio times Student's quantile with $M$ degrees of freedom is
    used.

    Args:
        off: errors of the sources' totals.
        off_sd: as claimed.
        level: $\alpha$.

    References:
        Papadopoulos, Proedrou, Vovk & Gammerman (2002), Inductive confidence machines
        for regression, ECML. Student (1908), The probable error of a mean, Biometrika 6.
    """
    known = off_sd > 0
    ratio = np.where(known, np.abs(off) / np.where(known, off_sd, 1), 0.0)
    count = ratio.shape[0]
    rank = int(np.ceil((count + 1) * level - 1e-9))
    if rank <= count:
        return np.sort(ratio, axis=0)[rank - 1]
    scale = np.sqrt(np.mean(ratio**2, axis=0))
    return scale * scipy.stats.t.ppf((1 + level) / 2, count)
