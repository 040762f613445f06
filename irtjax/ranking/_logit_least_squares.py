"""Row and column effects of empirical logits: a Rasch model by least squares."""

from typing import ClassVar

import jax.numpy as jnp
import jax.scipy.linalg
from jaxtyping import Array, Bool, Float

from irtjax.data import AbstractResponses, BinomialResponses

from ._ranker import AbstractRanker, RankerScores, closed_form_scores


def empirical_logits(
    successes: Float[Array, "system item"], trials: Float[Array, "system item"]
) -> Float[Array, "system item"]:
    r"""Return $\log\frac{y + 1/2}{n - y + 1/2}$ of each cell, in logits.

    Finite for every cell; 0 where nothing was tried.

    References:
        Haldane (1956), *The Estimation and Significance of the Logarithm of a Ratio of
        Frequencies*.
    """
    return jnp.log(successes + 0.5) - jnp.log(trials - successes + 0.5)


def additive_effects(
    value: Float[Array, "row column"],
    observed: Bool[Array, "row column"],
    ridge: Float[Array, ""],
) -> Float[Array, " row"]:
    r"""Return the row effects of the additive fit with a ridge on all effects.

    Minimises $\sum_{(r, c)\ \mathrm{observed}} (v_{rc} - \alpha_r - \beta_c)^2 +
    \lambda (\|\alpha\|^2 + \|\beta\|^2)$, with no intercept. The larger side is
    eliminated, so the system solved is the smaller of the two.

    Args:
        value: ignored where not observed.
        observed: which cells count.
        ridge: the penalty, positive; it alone sets the level of a group of rows that
            shares no column with the others.

    Returns:
        The row effects, on the scale of `value`; 0 for a row with nothing observed.
    """
    weight = observed.astype(value.dtype)
    value = jnp.where(observed, value, 0)
    row_sum, column_sum = jnp.sum(value, axis=1), jnp.sum(value, axis=0)
    row_weight = jnp.sum(weight, axis=1) + ridge
    column_weight = jnp.sum(weight, axis=0) + ridge
    if value.shape[0] <= value.shape[1]:
        cross = weight / column_weight[None, :]
        return jax.scipy.linalg.solve(
            jnp.diag(row_weight) - cross @ weight.T,
            row_sum - cross @ column_sum,
            assume_a="pos",
        )
    cross = weight / row_weight[:, None]
    column_effect = jax.scipy.linalg.solve(
        jnp.diag(column_weight) - cross.T @ weight,
        column_sum - cross.T @ row_sum,
        assume_a="pos",
    )
    return (row_sum - weight @ column_effect) / row_weight


class LogitLeastSquares(AbstractRanker):
    """Each system's effect in an additive fit to the cells' empirical logits.

    The cells are not weighted by their trials: a cheap rival of the one-parameter model
    that shrinks little. Takes binomial responses; the score is in logits.

    Attributes:
        ridge: the penalty on every squared system and item effect; it keeps the fit
            unique, also where the table falls into parts.
    """

    scale: ClassVar[str] = "effect, logits"
    ridge: float | Float[Array, ""] = 1e-3

    def score(self, responses: AbstractResponses) -> Float[Array, " system"]:
        if not isinstance(responses, BinomialResponses):
            raise ValueError(
                "Logit least squares needs successes and trials, but got "
                f"{type(responses).__name__}: declare the number of trials."
            )
        observed = responses.observed()
        logit = empirical_logits(responses.successes, responses.trials)
        effect = additive_effects(logit, observed, jnp.asarray(self.ridge, logit.dtype))
        return jnp.where(jnp.any(observed, axis=1), effect, jnp.nan)

    def score_many(self, responses: AbstractResponses) -> RankerScores:
        return closed_form_scores(self, responses)
