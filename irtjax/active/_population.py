r"""A finite population of items: what a new system shares with others, and a remainder.

Item $i$'s error is $y_i = u_i + x_i^\top w + z_i^\top g + r_i$. The sources' mean is
$u$; $x$ are their deviations from it, turned so that the first one moves the total and
the others leave it alone; $z$ lets a new system be worse or better in its own way along
the items' difficulty; $r$ is the item's own. Given answers, the total is what was seen
plus what is expected of the rest: exact once everything is answered.
"""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, ScalarLike

from ._belief import AbstractPrior
from ._low_rank import LowRankBelief
from ._low_rank_priors import score_features
from ._sources import SourceErrors

LEAST = 1e-3
"""Least variance of a remainder, in squared errors: a thousandth of the most there is."""


OWN_DIRECTIONS = 3
"""Directions that are the new system's own: a shift, and a line in the logit."""

AT_ONCE = 8
"""Sources that play the new system at the same time."""


class PopulationFeatures(NamedTuple):
    """What a prior is made of before its variances are known.

    Attributes:
        mean: the sources' mean error.
        feature: directions: one along which the total moves, the sources' others, and
            three of the new system's own (a shift, and two of a logit's line).
        doubt: U(1 - U), the variance of a right or wrong answer, U the smoothed mean.
    """

    mean: Float[Array, " item"]
    feature: Float[Array, "item direction"]
    doubt: Float[Array, " item"]


def population_features(sources: SourceErrors) -> PopulationFeatures:
    """Return the directions along which a new system's errors may differ.

    Args:
        sources: at least two.
    """
    mean, deviation = score_features(sources)
    count = sources.shape[1]
    smooth = (count * mean + 0.5) / (count + 1)
    doubt = smooth * (1 - smooth)
    slope = doubt * (jnp.log(smooth) - jnp.log1p(-smooth))
    own = jnp.stack([jnp.ones_like(mean), doubt, slope], axis=1)
    turned = deviation - _reflection(deviation)
    return PopulationFeatures(mean, jnp.concatenate([turned, own], axis=1), doubt)


def _reflection(
    deviation: Float[Array, "item source"],
) -> Float[Array, "item source"]:
    """Return what to take off so that the first direction alone moves the mean."""
    along = jnp.mean(deviation, axis=0)
    first = jnp.zeros_like(along).at[0].set(1)
    size = jnp.linalg.norm(along)
    unit = jnp.where(size > 0, along / jnp.where(size > 0, size, 1), first)
    normal = unit - first
    length = normal @ normal
    # Householder: the reflection that takes the first axis to the total's direction.
    scaled = normal * jnp.where(length > 0, 2 / jnp.where(length > 0, length, 1), 0)
    return (deviation @ normal)[:, None] * scaled[None, :]


class FinitePopulation(AbstractPrior):
    """The belief of a finite population, its variances given.

    The direction of the total keeps the sources' own variance: how much systems differ
    as a whole is then believed as it was seen.

    Attributes:
        other: variance of the coefficients of the sources' other directions; 1 = as
            the sources vary, noise included.
        own: variances of the coefficients of a shift, in squared errors, and of a line
            in the logit: its intercept, in squared logits, and its slope.
        remainder: the remainder's variance is the first of these plus the second times
            U(1 - U).
    """

    other: Float[Array, ""]
    own: Float[Array, " 3"]
    remainder: Float[Array, " 2"]

    def __init__(
        self,
        other: ScalarLike = 1.0,
        own: Float[Array, " 3"] | tuple[float, float, float] = (0.01, 0.1, 0.05),
        remainder: Float[Array, " 2"] | tuple[float, float] = (0.02, 0.6),
    ):
        """Store the variances, none of which may be negative."""
        self.other = jnp.asarray(other, float)
        self.own = jnp.asarray(own, float)
        self.remainder = jnp.asarray(remainder, float)

    def __call__(self, sources: SourceErrors) -> LowRankBelief:
        return self.of(population_features(sources))

    def scale(self, directions: int) -> Float[Array, " direction"]:
        """Return the prior variance of each of so many directions' coefficients."""
        other = jnp.broadcast_to(self.other, (directions - OWN_DIRECTIONS - 1,))
        return jnp.concatenate([jnp.ones(1, other.dtype), other, self.own])

    def of(self, features: PopulationFeatures) -> LowRankBelief:
        """Return the belief on features that are there already."""
        mean, feature, doubt = features
        dtype = feature.dtype
        remainder = self.remainder.astype(dtype)
        return LowRankBelief(
            mean,
            feature,
            self.scale(feature.shape[1]).astype(dtype),
            remainder[0] + remainder[1] * doubt,
            jnp.zeros((), dtype),
        )


class LearnedPopulation(AbstractPrior):
    """The belief of a finite population, its variances learned from the sources.

    Every source in turn plays the new system, seen by the others: see
    `learn_population`. The default, for one problem as for many.

    Attributes:
        rounds: of expectation and maximisation.
        items: the most items to learn from; of more, as many are taken evenly along
            the sources' mean error.
    """

    rounds: int = eqx.field(static=True, default=6)
    items: int = eqx.field(static=True, default=4096)

    def __call__(self, sources: SourceErrors) -> LowRankBelief:
        settings = learn_population(sources, rounds=self.rounds, items=self.items)
        return settings(sources)


def learn_population(
    sources: SourceErrors, *, rounds: int = 6, items: int = 4096
) -> FinitePopulation:
    r"""Return the variances under which the sources foresee one another.

    Expectation and maximisation, where each source in turn is the new system and the
    others its sources, every item answered: the coefficients' variances become the
    means of $m_k^2 + C_{kk}$, and the remainder's come from least squares of the
    expected squared remainders on $(1, U (1 - U))$. The variance along the total is not
    learned: from what is seen of every item it would come out too small.

    Args:
        sources: at least three.
        rounds: how many times.
        items: the most items to learn from.

    References:
        Dempster, Laird & Rubin (1977), Maximum likelihood from incomplete data via the
        EM algorithm, JRSS B 39, section 4.
    """
    filled = _thinned(sources.filled(), items)
    whole = SourceErrors(filled, jnp.ones(filled.shape, bool))
    count = whole.shape[1]

    def one(settings: FinitePopulation, source: Int[Array, ""]):
        features = population_features(whole.without(source))
        scale = settings.scale(features.feature.shape[1]).astype(filled.dtype)
        remainder = settings.remainder.astype(filled.dtype)
        precision = 1 / (remainder[0] + remainder[1] * features.doubt)
        error = filled[:, source] - features.mean
        root = jnp.sqrt(scale)
        shown = features.feature * root[None, :]
        eye = jnp.eye(shown.shape[1], dtype=shown.dtype)
        inner = jnp.linalg.cholesky(eye + shown.T @ (precision[:, None] * shown))
        inverse = jax.scipy.linalg.solve_triangular(inner, eye, lower=True)
        half = shown @ inverse.T
        mean = inverse.T @ (half.T @ (precision * error))
        left = jnp.square(error - shown @ mean) + jnp.sum(jnp.square(half), axis=1)
        second = scale * (jnp.square(mean) + jnp.sum(jnp.square(inverse), axis=0))
        doubt = features.doubt
        moments = jnp.stack(
            [
                jnp.ones_like(doubt).sum(),
                doubt.sum(),
                doubt @ doubt,
                left.sum(),
                doubt @ left,
            ]
        )
        return second, moments

    def step(settings: FinitePopulation, _):
        second, moments = jax.lax.map(
            lambda source: one(settings, source),
            jnp.arange(count),
            batch_size=AT_ONCE,
        )
        second, moments = jnp.mean(second, axis=0), jnp.sum(moments, axis=0)
        number, first, square, left, cross = moments
        spread = number * square - first**2
        slope = jnp.where(
            spread > 0,
            (number * cross - first * left) / jnp.where(spread > 0, spread, 1),
            0,
        )
        level = (left - slope * first) / number
        learned = FinitePopulation(
            jnp.mean(second[1:-OWN_DIRECTIONS]),
            second[-OWN_DIRECTIONS:],
            jnp.maximum(jnp.stack([level, slope]), LEAST),
        )
        return jax.tree.map(
            lambda new, old: new.astype(old.dtype), learned, settings
        ), 0

    return jax.lax.scan(step, FinitePopulation(), length=rounds)[0]


def _thinned(
    error: Float[Array, "item source"], most: int
) -> Float[Array, "kept source"]:
    """Return at most so many rows, evenly along their means."""
    count = error.shape[0]
    if count <= most:
        return error
    order = jnp.argsort(jnp.mean(error, axis=1))
    return error[order[(jnp.arange(most) * count) // most]]
