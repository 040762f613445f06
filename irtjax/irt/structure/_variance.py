"""Whether a learned spread is there at all."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


class VarianceTest(NamedTuple):
    """A likelihood-ratio test of one variance against 0.

    Attributes:
        statistic: twice the gain in log evidence, at least 0.
        p: of a gain as large where the variance is 0.
    """

    statistic: Float[Array, ""]
    p: Float[Array, ""]


def variance_test(
    with_variance: Float[Array, ""], without: Float[Array, ""]
) -> VarianceTest:
    r"""Test one variance against 0 by the evidence that it adds.

    A variance of 0 is at the edge of what is possible, so that half of the time there
    is nothing to gain: the statistic's law is half of it at 0 and half of it chi-square
    with one degree of freedom.

    Args:
        with_variance: greatest log evidence with the variance learned, in nats.
        without: the same with the variance left out and everything else learned.

    References:
        Self & Liang (1987), Asymptotic properties of maximum likelihood estimators and
        likelihood ratio tests under nonstandard conditions, J. Am. Stat. Assoc. 82,
        case 5.
    """
    statistic = jnp.maximum(2 * (with_variance - without), 0)
    tail = jax.scipy.special.erfc(jnp.sqrt(statistic / 2)) / 2
    return VarianceTest(statistic, jnp.where(statistic > 0, tail, 1))
