"""S-X2: do systems with the same number of right answers get an item right as often?"""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy import stats
from jaxtyping import Array, Bool, Float, Int

from irtjax.data import AbstractResponses

from .._fit import posterior
from .._model import AbstractResponseModel, Estimate
from ._outcomes import complete_rows, model_of_one_ability
from ._population import population
from ._summed_scores import summed_score_chances

LEAST_EXPECTED = 1.0


class ItemChiSquared(eqx.Module):
    """A chi-squared test of each item.

    Attributes:
        statistic: not a number where no degree of freedom is left.
        df: degrees of freedom, the groups of scores less the parameters of the curve.
        p: the chance of a larger statistic if the model holds.
        rmsea: misfit a degree of freedom, whatever the number of systems.
    """

    statistic: Float[Array, " item"]
    df: Int[Array, " item"]
    p: Float[Array, " item"]
    rmsea: Float[Array, " item"]


class _Groups(NamedTuple):
    """Groups of systems by their summed score; those joined to another are gone."""

    systems: Float[Array, " group"]
    right: Float[Array, " group"]
    expected: Float[Array, " group"]
    there: Bool[Array, " group"]


@eqx.filter_jit
def s_x2(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    item_features: Float[Array, "item g"] | None = None,
) -> ItemChiSquared:
    r"""Return Orlando and Thissen's test of each item.

    Among the $N_k$ systems with $k$ right answers a share $O_{ik}$ has item $i$ right,
    and the model expects $E_{ik} = \int T_i S_{-i}(k - 1) \phi / \int S(k) \phi$, where
    $S$ is the distribution of the summed score and $S_{-i}$ that without item $i$:

    $$S\text{-}X^2_i = \sum_k N_k \frac{(O_{ik} - E_{ik})^2}{E_{ik} (1 - E_{ik})}$$

    While a group expects fewer than one right or one wrong answer, the lowest such
    group joins the smaller of its neighbours, as in R mirt. The estimate should be that
    of a marginal fit, without strong priors.

    Args:
        model: with one ability a system, whose prior is the population.
        responses: complete, with one trial a cell; systems without data do not count.
        estimate: the fit's value; abilities are not used.
        item_features: as given to `fit`.

    Raises:
        ValueError: if the kind of responses or the model does not allow the test.
        RuntimeError: if a system lacks some items, or a cell has several trials.

    References:
        Orlando & Thissen (2000), Likelihood-based item-fit indices for dichotomous item
        response theory models, Applied Psychological Measurement 24, eq. 7 and 10.
    """
    problem = posterior(model, responses, None, item_features)
    model_of_one_ability(model, "S-X2")
    score, here = complete_rows(problem.responses, "S-X2")
    n_item = score.shape[1]
    people = population(model, estimate, problem.item_features)
    whole = people.weight @ summed_score_chances(people.success)
    total = jnp.where(here, jnp.sum(score, axis=1), -1)
    by_score = (
        total[:, None] == jnp.arange(n_item + 1, dtype=score.dtype)[None, :]
    ).astype(score.dtype)
    systems = jnp.sum(by_score, axis=0)
    right = score.T @ by_score

    def of_item(number: Int[Array, ""], right: Float[Array, " score"]):
        own = people.success[:, number]
        rest = summed_score_chances(people.success.at[:, number].set(0))
        before = (people.weight * own) @ rest
        expected = jnp.pad(before[:-1], (1, 0)) / whole
        inner = slice(1, n_item)
        groups = _Groups(
            systems[inner],
            right[inner],
            (systems * expected)[inner],
            systems[inner] > 0,
        )
        return _chi_squared(_joined(groups))

    statistic, groups = jax.lax.map(
        lambda args: of_item(*args), (jnp.arange(n_item), right)
    )
    parameters = estimate.item.shape[1] + estimate.shared.shape[0]
    df = groups - parameters
    free = jnp.maximum(df, 1).astype(score.dtype)
    statistic = jnp.where(df > 0, statistic, jnp.nan)
    number = jnp.sum(here, dtype=score.dtype)
    excess = jnp.maximum(statistic - free, 0)
    return ItemChiSquared(
        statistic,
        df,
        stats.chi2.sf(statistic, free),
        jnp.sqrt(excess / (free * (number - 1))),
    )


def _joined(groups: _Groups) -> _Groups:
    """Join groups until all expect enough of both answers, or one is left."""
    place = jnp.arange(groups.there.shape[0])

    def short(groups: _Groups) -> Bool[Array, " group"]:
        fewest = jnp.minimum(groups.expected, groups.systems - groups.expected)
        return groups.there & (fewest < LEAST_EXPECTED)

    def more(groups: _Groups) -> Bool[Array, ""]:
        return jnp.any(short(groups)) & (jnp.sum(groups.there) > 1)

    def join(groups: _Groups) -> _Groups:
        lowest = jnp.argmax(short(groups))
        below = jnp.max(jnp.where(groups.there & (place < lowest), place, -1))
        above = jnp.min(
            jnp.where(groups.there & (place > lowest), place, place.shape[0])
        )
        # One beyond either end has no systems to compare.
        size = jnp.pad(groups.systems, (1, 1), constant_values=jnp.inf)
        to = jnp.where(size[below + 1] <= size[above + 1], below, above)
        to = jnp.where(below < 0, above, to)
        systems, right, expected = (
            part.at[to].add(part[lowest])
            for part in (groups.systems, groups.right, groups.expected)
        )
        there = groups.there.at[lowest].set(False)
        return _Groups(systems, right, expected, there)

    return jax.lax.while_loop(more, join, groups)


def _chi_squared(groups: _Groups) -> tuple[Float[Array, ""], Int[Array, ""]]:
    systems = jnp.where(groups.there, groups.systems, 2)
    expected = jnp.where(groups.there, groups.expected, 1)
    gap = jnp.where(groups.there, groups.right - expected, 0)
    terms = gap**2 * (1 / expected + 1 / (systems - expected))
    return jnp.sum(terms), jnp.sum(groups.there, dtype=jnp.int32)
