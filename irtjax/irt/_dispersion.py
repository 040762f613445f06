"""Scores in [0, 1] whose number of trials nobody wrote down."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from irtjax.data import BinomialResponses, ScoreResponses

from ._blocks import dense
from ._estimator import AbstractEstimator, JointMAP
from ._fit import fit, posterior
from ._model import AbstractResponseModel, named

# Scores that scatter less than 10,000 trials would do not scatter enough to measure.
FEWEST, MOST = 0.25, 1e4


class EffectiveTrials(NamedTuple):
    """How much one score counts, as estimated from the scores' own scatter.

    Attributes:
        trials: independent right-or-wrong trials that would scatter as much as one
            score does about the model. 1 over the quasi-binomial dispersion.
        change: the last relative change; small once the iteration has settled.
        code: how the last fit ended, one of `RESULTS`.
    """

    trials: Float[Array, ""]
    change: Float[Array, ""]
    code: Int[Array, ""]


@eqx.filter_jit
def effective_trials(
    model: AbstractResponseModel,
    scores: ScoreResponses,
    *,
    estimator: AbstractEstimator = JointMAP(),
    rounds: int = 12,
) -> EffectiveTrials:
    r"""Estimate how many trials stand behind each score, from how the scores scatter.

    A score is taken as quasi-binomial: mean $p$, variance $p (1 - p) / n$ with one
    unknown $n$. Given a fit, $\hat n$ is the pooled ratio
    $(1 - d / N) \sum p (1 - p) / \sum w (s - p)^2$ over the $N$ observed cells,
    where $d$ is the fit's effective number of parameters, and the fit is done again
    with it. Pooling sums, rather than averaging ratios, keeps cells with $p$ near 0 or
    1 from ruling the answer. Misfit of the model counts as scatter, so the intervals
    that follow are wider where the model fits badly, as they should be.

    Args:
        model: a model for binomial responses.
        scores: within [0, 1].
        estimator: the fit's.
        rounds: fits, each with the number of trials that the one before gave; the
            estimate settles in about six.

    Returns:
        The number of trials, from 1/4 to 10,000.

    References:
        McCullagh & Nelder (1989), *Generalized Linear Models*, section 4.5 and eq. 9.5;
        Papke & Wooldridge (1996), J. Appl. Econometrics 11.
    """
    seen = scores.weight > 0
    n_cell = jnp.sum(seen, dtype=scores.weight.dtype)

    def once(_, state: EffectiveTrials) -> EffectiveTrials:
        counts = BinomialResponses(
            scores.score * scores.weight * state.trials, scores.weight * state.trials
        )
        result = fit(model, counts, estimator=estimator)
        problem = posterior(model, counts)
        share = jnp.ones((), state.trials.dtype)
        full = dense(problem.evaluate(result.value, share * 0).information)
        data = dense(problem.expected_information(result.value))
        used = jnp.trace(jnp.linalg.solve(full, data))
        parameters = named(model, result.value)

        def success(system, item):
            nothing = jnp.zeros(0, state.trials.dtype)
            return jnp.exp(
                model.log_prob(share, system, item, parameters.shared, nothing, nothing)
            )

        p = jax.vmap(jax.vmap(success, (None, 0)), (0, None))(
            parameters.system, parameters.item
        )
        scatter = jnp.sum(scores.weight * jnp.where(seen, scores.score - p, 0) ** 2)
        expected = jnp.sum(jnp.where(seen, p * (1 - p), 0))
        free = jnp.maximum(1 - used / n_cell, 1 / n_cell)
        trials = jnp.clip(
            free * expected / jnp.maximum(scatter, 1e-12 * expected), FEWEST, MOST
        )
        return EffectiveTrials(trials, jnp.abs(trials / state.trials - 1), result.code)

    start = EffectiveTrials(
        jnp.full((), 10.0, scores.score.dtype),
        jnp.ones((), scores.score.dtype),
        jnp.zeros((), jnp.int32),
    )
    return jax.lax.fori_loop(0, rounds, once, start)
