"""Evaluations that rest on chance alone, the sources at most steering it."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray
from scipy import stats

from ._ability_prior import FittedAbility
from ._design import AbstractDesign
from ._designs import Uniform
from ._evaluation import AbstractEvaluation, Estimates
from ._low_rank_priors import ScoreFeature
from ._model_evaluations import REACH, uniform_weights
from ._sources import SourceErrors, Target


class SampleMean(AbstractEvaluation):
    """The mean error of a sample, with the interval of simple random sampling.

    Half-widths are Student's with the finite population's factor; a systematic sample
    has no variance estimate of its own, and gets the same, which is too wide as a rule.

    Attributes:
        design: draws the sample, all items of the same chance.
    """

    design: AbstractDesign = Uniform()

    def __call__(
        self,
        sources: SourceErrors,
        target: Target,
        budgets: tuple[int, ...],
        *,
        key: PRNGKeyArray,
    ) -> Estimates:
        values = target.error
        return _sampled(self.design, sources, target, values, 0.0, budgets, key)


class Difference(AbstractEvaluation):
    r"""The sources' mean, corrected by what a sample shows of the difference.

    $\bar u + \overline{(y - u)}_S$: unbiased under the design whatever the sources are
    worth. Half-widths as for `SampleMean`, of the differences.

    Attributes:
        design: draws the sample, all items of the same chance.

    References:
        Särndal, Swensson & Wretman (1992), *Model Assisted Survey Sampling*, 6.3;
        Angelopoulos et al. (2023), Prediction-powered inference, Science 382.
    """

    design: AbstractDesign = Uniform()

    def __call__(
        self,
        sources: SourceErrors,
        target: Target,
        budgets: tuple[int, ...],
        *,
        key: PRNGKeyArray,
    ) -> Estimates:
        mean = sources.mean()
        values = target.error - mean
        return _sampled(
            self.design, sources, target, values, jnp.mean(mean), budgets, key
        )


class ImportanceSampling(AbstractEvaluation):
    r"""Draws with replacement, likely errors more often, weighted back.

    The proposal is 90 % proportional to the sources' smoothed mean error and 10 %
    uniform, so that no weight is above 10. $\frac1B \sum_b y_b / (N q_b)$.

    References:
        Owen (2013), *Monte Carlo theory, methods and examples*, ch. 9.
    """

    def __call__(
        self,
        sources: SourceErrors,
        target: Target,
        budgets: tuple[int, ...],
        *,
        key: PRNGKeyArray,
    ) -> Estimates:
        chance = proposal(sources)
        count = chance.shape[0]
        picks = jax.random.choice(key, count, (budgets[-1],), p=chance)
        terms = target.error[picks] / (count * chance[picks])
        means, widths = [], []
        for budget in budgets:
            mean, width = _interval(terms[:budget], 1.0)
            means.append(mean)
            widths.append(width)
        return Estimates(jnp.stack(means), jnp.stack(widths))


class LevelledUnbiased(AbstractEvaluation):
    r"""The same proposal without replacement, weighted so that the mean is unbiased.

    $\hat R = \frac1B \sum_m v_m y_{i_m}$ with $v_m = 1 + \frac{N - B}{N - m}
    \left(\frac{1}{(N - m + 1) q(i_m)} - 1\right)$, where $q$ is the proposal among the
    items left.

    References:
        Farquhar, Gal & Rainforth (2021), On statistical bias in active learning: how
        and when to fix it, ICLR, equation 5 (LURE).
    """

    def __call__(
        self,
        sources: SourceErrors,
        target: Target,
        budgets: tuple[int, ...],
        *,
        key: PRNGKeyArray,
    ) -> Estimates:
        chance = proposal(sources)
        count = chance.shape[0]
        # The largest of perturbed log-chances: draws without replacement, in order.
        order = jnp.argsort(-(jnp.log(chance) + jax.random.gumbel(key, (count,))))
        order = order[: budgets[-1]]
        left = 1 - jnp.cumsum(chance[order]) + chance[order]
        # The last item left has its chance to itself; a sum would be all rounding.
        among = jnp.clip(chance[order] / jnp.maximum(left, chance[order]), 0, 1)
        number = jnp.arange(1, budgets[-1] + 1, dtype=chance.dtype)
        excess = 1 / ((count - number + 1) * among) - 1
        outcome = target.error[order]
        means, widths = [], []
        for budget in budgets:
            rest = jnp.maximum(count - number[:budget], 1)
            weight = 1 + (count - budget) / rest * excess[:budget]
            mean, width = _interval(weight * outcome[:budget], 1 - budget / count)
            means.append(mean)
            widths.append(width)
        return Estimates(jnp.stack(means), jnp.stack(widths))


class GeneralizedAbility(AbstractEvaluation):
    r"""A sample's mean and a fitted ability's prediction, each as far as it is good.

    $\lambda \bar y_S + (1 - \lambda) \hat y$ with $\lambda = b^2 / (b^2 + s^2 / B)$,
    where $b$ is how far the prediction is off for the sources, on the same items.

    Attributes:
        prior: gives the belief about an ability.

    References:
        Polo et al. (2024), tinyBenchmarks, ICML, section 4.2 (gp-IRT).
    """

    prior: FittedAbility = FittedAbility()

    def __call__(
        self,
        sources: SourceErrors,
        target: Target,
        budgets: tuple[int, ...],
        *,
        key: PRNGKeyArray,
    ) -> Estimates:
        belief = self.prior(sources)
        weights = uniform_weights(target)
        order = jax.random.permutation(key, weights.shape[0])
        filled = sources.filled()
        means, widths = [], []
        for budget in budgets:
            picks = order[:budget]
            exact = jnp.zeros(budget, weights.dtype)

            def predicted(error: Float[Array, " item"], picks=picks, exact=exact):
                return belief.condition(picks, error[picks], exact).total(weights).mean

            off = jax.vmap(predicted, in_axes=1)(filled) - jnp.mean(filled, axis=0)
            bias = jnp.mean(jnp.square(off))
            mean, width = _interval(target.error[picks], 1 - budget / weights.shape[0])
            noise = jnp.square(width / _student(budget))
            whole = bias + noise
            share = jnp.where(whole > 0, bias / jnp.where(whole > 0, whole, 1), 0.5)
            means.append(share * mean + (1 - share) * predicted(target.error))
            # Two errors that are taken to be independent, weighted for the least.
            widths.append(REACH * jnp.sqrt(share**2 * noise + (1 - share) ** 2 * bias))
        return Estimates(jnp.stack(means), jnp.stack(widths))


def proposal(sources: SourceErrors) -> Float[Array, " item"]:
    """Return chances of being drawn: 90 % by likely error, 10 % all alike."""
    count, width = sources.shape
    likely = (width * sources.mean() + 0.5) / (width + 1)
    return 0.9 * likely / jnp.sum(likely) + 0.1 / count


def _sampled(
    design: AbstractDesign,
    sources: SourceErrors,
    target: Target,
    values: Float[Array, " item"],
    added: Float[Array, ""] | float,
    budgets: tuple[int, ...],
    key: PRNGKeyArray,
) -> Estimates:
    """Return what the mean of values over a sample, plus a constant, estimates."""
    weights = uniform_weights(target)
    belief = ScoreFeature()(sources)
    means, widths = [], []
    for number, budget in enumerate(budgets):
        at = jax.random.fold_in(key, number)
        picks = design(belief, weights, budget, key=at)
        mean, width = _interval(values[picks], 1 - budget / weights.shape[0])
        means.append(mean + added)
        widths.append(width)
    return Estimates(jnp.stack(means), jnp.stack(widths))


def _interval(
    terms: Float[Array, " pick"], factor: float
) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """Return the mean of terms, and Student's half-width of its 95 % interval."""
    count = terms.shape[0]
    variance = jnp.var(terms, ddof=1) if count > 1 else jnp.asarray(jnp.nan)
    width = _student(count) * jnp.sqrt(factor * variance / count)
    return jnp.mean(terms), width.astype(terms.dtype)


def _student(count: int) -> float:
    return float(stats.t.ppf(0.975, max(count - 1, 1)))
