"""What draws from a posterior, and what it hands back."""

import abc
import enum
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from .._model import Estimate
from .._posterior import Posterior


class SAMPLING(enum.IntEnum):
    """How sampling went. Read it before the draws; the worst that applies."""

    successful = 0
    few_effective = 1
    chains_disagree = 2
    diverged = 3
    not_converged = 4
    not_finite = 5


SAMPLING_MESSAGES = {
    SAMPLING.successful: "the chains agree and hold enough independent draws",
    SAMPLING.few_effective: "under 400 effective draws of a parameter; raise `draws`",
    SAMPLING.chains_disagree: "an R-hat is above 1.01; raise `warmup` and `draws`",
    SAMPLING.diverged: "trajectories diverged; raise `target_accept` towards 1",
    SAMPLING.not_converged: "the bound was still rising; raise `steps`",
    SAMPLING.not_finite: "there was no start at which the posterior is finite and "
    "peaked; give proper priors",
}


class Draws(NamedTuple):
    """Draws from a posterior and how they came about.

    Attributes:
        value: unconstrained, with leading chain and draw axes.
        trace: what the sampler recorded on its way.
    """

    value: Estimate
    trace: eqx.Module


class Mixing(NamedTuple):
    """How well chains mixed, one number a parameter.

    Attributes:
        rhat: the larger of the rank-normalised split R-hat and that of the distances
            from the median; near 1, at most 1.01.
        ess_bulk: effective draws for a mean.
        ess_tail: effective draws for the ends of a 90 % interval, the worse of both.
    """

    rhat: Estimate
    ess_bulk: Estimate
    ess_tail: Estimate


class SampleResult(eqx.Module):
    """Draws of one table, as NumPy arrays; with a leading axis, of a batch of tables.

    Attributes:
        value: unconstrained, with leading chain and draw axes.
        code: one of `SAMPLING`.
        mixing: how well the chains mixed.
        trace: what the sampler recorded on its way.
    """

    value: Estimate
    code: Int[np.ndarray, ""]
    mixing: Mixing
    trace: eqx.Module


class AbstractSampler(eqx.Module):
    """Draws from the posterior of one table."""

    @abc.abstractmethod
    def sample(
        self, problem: Posterior, start: Estimate, *, key: PRNGKeyArray
    ) -> Draws:
        """Return draws. Pure.

        Args:
            problem: the posterior.
            start: its joint mode, or near it. Where the information is not positive
                definite there, every draw is not a number.
            key: the same key gives the same draws.
        """

    @abc.abstractmethod
    def judge(self, draws: Draws) -> SampleResult:
        """Return one table's draws with their diagnostics. Runs on the host."""


def in_default_float(tree):
    """Return a tree with its floating arrays in JAX's default precision.

    Samplers make their own numbers in that precision, whatever the data's.
    """
    default = jnp.result_type(float)

    def cast(leaf):
        floating = eqx.is_inexact_array(leaf)
        return leaf.astype(default) if floating else leaf

    return jax.tree.map(cast, tree)


def in_dtype_of(value: Estimate, like: Float[Array, "..."]) -> Estimate:
    """Return draws in the precision of the data."""
    return jax.tree.map(lambda leaf: leaf.astype(like.dtype), value)
