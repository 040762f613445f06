"""M2: does a model reproduce how often items, and pairs of items, are got right?"""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import scipy.special
from jax.scipy import stats
from jaxtyping import Array, Float, Int

from irtjax.data import AbstractResponses

from .._fit import posterior
from .._model import AbstractResponseModel, Estimate
from ._outcomes import complete_rows, model_of_one_ability
from ._population import Population, population


class M2(eqx.Module):
    """A test of a whole model by the first two margins of the table.

    Attributes:
        statistic: chi-squared with `df` degrees of freedom if the model holds.
        df: the margins less the parameters.
        p: the chance of a larger statistic if the model holds.
        rmsea: misfit a degree of freedom, whatever the number of systems; below .05 is
            usually called close.
        systems: how many have data.
    """

    statistic: Float[Array, ""]
    df: Int[Array, ""]
    p: Float[Array, ""]
    rmsea: Float[Array, ""]
    systems: Int[Array, ""]


@eqx.filter_jit
def m2(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    item_features: Float[Array, "item g"] | None = None,
) -> M2:
    r"""Return Maydeu-Olivares and Joe's limited-information test of a fit.

    With $e$ the observed less the expected shares of systems that have an item, or both
    items of a pair, right, $\Xi$ the covariance of those shares and $\Delta$ their
    derivative by the items' and shared parameters,

    $$M_2 = N e^\top (\Xi^{-1} - \Xi^{-1} \Delta (\Delta^\top \Xi^{-1} \Delta)^{-1}
    \Delta^\top \Xi^{-1}) e$$

    It is what it says for estimates of a marginal fit, without strong priors. Not a
    number where an item is constant. Time grows with the fourth power of the number of
    items: seconds for 32, minutes for 150.

    Args:
        model: with one ability a system, whose prior is the population.
        responses: complete, with one trial a cell; systems without data do not count.
        estimate: the fit's value; abilities are not used.
        item_features: as given to `fit`.

    Raises:
        ValueError: if the kind of responses or the model does not allow the test, or
            there are no more margins than parameters.
        RuntimeError: if a system lacks some items, or a cell has several trials.

    References:
        Maydeu-Olivares & Joe (2006), Limited information goodness-of-fit testing in
        multidimensional contingency tables, Psychometrika 71, eq. 3.1 and 3.4. RMSEA:
        Maydeu-Olivares & Joe (2014), Assessing approximate fit in categorical data
        analysis, Multivariate Behavioral Research 49.
    """
    problem = posterior(model, responses, None, item_features)
    model_of_one_ability(model, "M2")
    score, here = complete_rows(problem.responses, "M2")
    n_item = score.shape[1]
    first, second = np.triu_indices(n_item, 1)
    free = estimate.item.size + estimate.shared.size
    df = n_item + len(first) - free
    if df < 1:
        raise ValueError(
            f"M2 needs more margins than parameters: {n_item} items have "
            f"{n_item + len(first)} margins, the model {free} parameters."
        )
    # Which items a margin is about, one row a margin.
    about = np.zeros((n_item + len(first), n_item))
    about[np.arange(n_item), np.arange(n_item)] = 1
    about[n_item + np.arange(len(first)), first] = 1
    about[n_item + np.arange(len(first)), second] = 1
    about = jnp.asarray(about, score.dtype)

    def expected(item: Float[Array, "item q"], shared: Float[Array, " s"]):
        at = Estimate(estimate.system, item, shared)
        people = population(model, at, problem.item_features)
        return people.weight @ jnp.exp(jnp.log(people.success) @ about.T)

    slopes = jax.jacfwd(expected, (0, 1))(estimate.item, estimate.shared)
    slopes = jnp.concatenate(
        [jnp.reshape(slope, (about.shape[0], -1)) for slope in slopes], axis=1
    )
    number = jnp.sum(here, dtype=score.dtype)
    pairs = score[:, first] * score[:, second]
    observed = jnp.sum(jnp.concatenate([score, pairs], axis=1), axis=0) / number
    people = population(model, estimate, problem.item_features)
    gap = observed - expected(estimate.item, estimate.shared)
    statistic = number * _distance(gap, slopes, _covariance(people, about))
    return M2(
        statistic,
        jnp.asarray(df, jnp.int32),
        stats.chi2.sf(statistic, df),
        jnp.sqrt(jnp.maximum(statistic - df, 0) / (df * (number - 1))),
        jnp.sum(here, dtype=jnp.int32),
    )


def rmsea_interval(test: M2, level: float = 0.9) -> tuple[float, float]:
    """Return an interval for the RMSEA behind an `M2`, from the noncentral chi-squared.

    Args:
        test: of one table.
        level: of the interval; the 90 % interval holds the usual tests of close and of
            poor fit at 5 %.

    References:
        Browne & Cudeck (1992), Alternative ways of assessing model fit, Sociological
        Methods & Research 21, eq. 9.
    """
    statistic, df = float(test.statistic), int(test.df)
    scale = df * (int(test.systems) - 1)

    def bound(chance: float) -> float:
        if scipy.special.chdtr(df, statistic) <= chance:
            return 0.0
        noncentrality = scipy.special.chndtrinc(statistic, df, chance)
        return float(np.sqrt(noncentrality / scale))

    return bound(0.5 + level / 2), bound(0.5 - level / 2)


def _covariance(
    people: Population, about: Float[Array, "margin item"]
) -> Float[Array, "margin margin"]:
    """Return the covariance of the margins' indicators in the population.

    Two margins hold together if every item of either is right; an item in both counts
    once.
    """
    size = about.shape[0]

    def add(total, node):
        weight, log_success = node
        own = about @ log_success
        shared = (about * log_success[None, :]) @ about.T
        joint = jnp.exp(own[:, None] + own[None, :] - shared)
        return total + weight * joint, None

    nothing = jnp.zeros((size, size), about.dtype)
    joint, _ = jax.lax.scan(add, nothing, (people.weight, jnp.log(people.success)))
    share = jnp.diagonal(joint)
    return joint - share[:, None] * share[None, :]


def _distance(
    gap: Float[Array, " margin"],
    slopes: Float[Array, "margin free"],
    covariance: Float[Array, "margin margin"],
) -> Float[Array, ""]:
    """Return the squared length of what no change of parameters can explain."""
    factor = jnp.linalg.cholesky(covariance)
    whitened = jax.scipy.linalg.solve_triangular(
        factor, jnp.concatenate([gap[:, None], slopes], axis=1), lower=True
    )
    explained, _ = jnp.linalg.qr(whitened[:, 1:])
    left = whitened[:, 0] - explained @ (explained.T @ whitened[:, 0])
    return jnp.sum(left**2)
