"""2PL against 1PL: do items differ in how sharply they tell systems apart?"""

import equinox as eqx
import jax.numpy as jnp
from jax.scipy import stats
from jaxtyping import Array, Float, Int

from irtjax.data import AbstractResponses

from .._fit import fit
from .._parameter import Flat
from .._results import RESULTS
from ..marginal import AbstractQuadrature, AdaptiveQuadrature, MarginalMAP
from ..models import Rasch, SlopeIntercept


class LikelihoodRatio(eqx.Module):
    """A larger model against one that it contains.

    Attributes:
        statistic: twice the gain in marginal log-likelihood, in nats; not a number if a
            fit failed.
        df: how many more parameters the larger model has.
        p: the chance of a larger statistic if the smaller model holds.
        code: of the two fits, the smaller model's first; see `RESULTS`.
    """

    statistic: Float[Array, ""]
    df: Int[Array, ""]
    p: Float[Array, ""]
    code: Int[Array, " model"]


@eqx.filter_jit
def two_pl_against_one_pl(
    responses: AbstractResponses,
    *,
    quadrature: AbstractQuadrature = AdaptiveQuadrature(),
) -> LikelihoodRatio:
    """Return the test of a slope for each item against one slope for all.

    Both models are fitted by marginal maximum likelihood, without priors on items, so a
    constant item, or one without data, has no finite estimate and makes the fits fail:
    leave out what `flags` calls so. Missing cells and several trials are as good as
    others. With few systems the chi-squared distribution is only roughly right.

    Args:
        responses: right and wrong answers.
        quadrature: how abilities are integrated out.

    Raises:
        ValueError: if the responses are not right and wrong answers.

    References:
        Bock & Aitkin (1981), Marginal maximum likelihood estimation of item parameters,
        Psychometrika 46, section 5, for the test of nested models.
    """
    estimator = MarginalMAP(quadrature)
    small = fit(
        Rasch(difficulty=Flat(), log_ability_sd=Flat()), responses, estimator=estimator
    )
    large = fit(
        SlopeIntercept(intercept=Flat(), slope=Flat()), responses, estimator=estimator
    )
    code = jnp.stack([small.code, large.code])
    gain = 2 * (small.stats.objective - large.stats.objective)
    statistic = jnp.where(jnp.all(code == RESULTS.successful), gain, jnp.nan)
    df = responses.shape[1] - 1
    return LikelihoodRatio(
        statistic,
        jnp.asarray(df, jnp.int32),
        stats.chi2.sf(statistic, df),
        code,
    )
