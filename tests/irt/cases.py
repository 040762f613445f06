"""The models that every law is tested on, a table for each, and slow references."""

import sys
from pathlib import Path
from typing import ClassVar

import jax
import jax.numpy as jnp
import numpy as np

from irtjax.data import BinomialResponses, CategoricalResponses, ScoreResponses
from irtjax.irt import (
    AbstractResponseModel,
    Estimate,
    Exp,
    Interval,
    Normal,
    OnePL,
    Parameter,
    TwoPL,
    posterior,
    simulate,
)

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
if str(EXAMPLES) not in sys.path:
    sys.path.append(str(EXAMPLES))

import mylab  # noqa: E402

N_SYSTEM, N_ITEM = 6, 5  # one shape wherever it does not matter: each compiles anew
ABILITY = Parameter("ability", Normal())
DIFFICULTY = Parameter("difficulty", Normal(sd=2.0))
DISCRIMINATION = Parameter("discrimination", Normal(sd=0.5), Exp())


class PlainTwoPL(AbstractResponseModel):
    """The 2PL of `TwoPL`, known to the solver through its `log_prob` alone."""

    response: ClassVar = BinomialResponses
    system_parameters: tuple = (ABILITY,)
    item_parameters: tuple = (DIFFICULTY, DISCRIMINATION)
    shared_parameters: tuple = ()

    def log_prob(self, outcome, system, item, shared, system_features, item_features):
        logit = item["discrimination"] * (system["ability"] - item["difficulty"])
        return jax.nn.log_sigmoid(jnp.where(outcome > 0.5, logit, -logit))


class ToyPartialCredit(AbstractResponseModel):
    """Masters' partial credit model with three categories and equal slopes."""

    response: ClassVar = CategoricalResponses
    system_parameters: tuple = (ABILITY,)
    item_parameters: tuple = (
        Parameter("first_step", Normal(sd=2.0)),
        Parameter("second_step", Normal(sd=2.0)),
    )
    shared_parameters: tuple = ()

    def log_prob(self, outcome, system, item, shared, system_features, item_features):
        first = system["ability"] - item["first_step"]
        second = first + system["ability"] - item["second_step"]
        log_odds = jnp.stack([jnp.zeros_like(first), first, second])
        chosen = jnp.where(outcome > 1.5, second, jnp.where(outcome > 0.5, first, 0))
        return chosen - jax.nn.logsumexp(log_odds)


class ToyBetaScore(AbstractResponseModel):
    """A score with the beta density of a logistic mean and one shared precision."""

    response: ClassVar = ScoreResponses
    system_parameters: tuple = (ABILITY,)
    item_parameters: tuple = (DIFFICULTY,)
    shared_parameters: tuple = (Parameter("precision", Normal(2.0, 1.0), Exp()),)

    def log_prob(self, outcome, system, item, shared, system_features, item_features):
        mean = jax.nn.sigmoid(system["ability"] - item["difficulty"])
        a, b = shared["precision"] * mean, shared["precision"] * (1 - mean)
        inside = jnp.clip(outcome, 1e-6, 1 - 1e-6)
        density = (a - 1) * jnp.log(inside) + (b - 1) * jnp.log1p(-inside)
        gammaln = jax.scipy.special.gammaln
        return density + gammaln(a + b) - gammaln(a) - gammaln(b)


class ToyTwoDimensions(AbstractResponseModel):
    """Two abilities a system and a floor that all share: every block is there."""

    response: ClassVar = BinomialResponses
    system_parameters: tuple = (ABILITY, Parameter("second_ability", Normal()))
    item_parameters: tuple = (
        DIFFICULTY,
        Parameter("second_discrimination", Normal(0.3, 0.5)),
    )
    shared_parameters: tuple = (Parameter("lapse", Normal(-2.0), Interval(0.0, 0.5)),)

    def log_prob(self, outcome, system, item, shared, system_features, item_features):
        second = item["second_discrimination"] * system["second_ability"]
        logit = system["ability"] - item["difficulty"] + second
        deliberate = jax.nn.log_sigmoid(jnp.where(outcome > 0.5, logit, -logit))
        lapse = shared["lapse"]
        return jnp.logaddexp(deliberate + jnp.log1p(-lapse), jnp.log(lapse / 2))


MODELS = {
    "two_pl": TwoPL(),
    "one_pl": OnePL(),
    "plain_two_pl": PlainTwoPL(),
    "lapse": mylab.LapseTwoPL(),
    "partial_credit": ToyPartialCredit(),
    "beta_score": ToyBetaScore(),
    "two_dimensions": ToyTwoDimensions(),
}
# A logit, a shared parameter through log_prob, categories, scores: what the laws that
# compile a fit anew are tested on. Every model has those of the likelihood.
KINDS = ("two_pl", "lapse", "partial_credit", "beta_score")


def point(model, n_system=N_SYSTEM, n_item=N_ITEM, *, seed=0, scale=0.7):
    """A random estimate: parameters of no special value."""
    rng = np.random.default_rng(seed)

    def draw(*shape):
        return jnp.asarray(scale * rng.standard_normal(shape))

    return Estimate(
        draw(n_system, len(model.system_parameters)),
        draw(n_item, len(model.item_parameters)),
        jnp.asarray([kind.prior.mean + 0.2 for kind in model.shared_parameters]),
    )


def table(model, n_system=N_SYSTEM, n_item=N_ITEM, *, trials=20.0, share=0.75, seed=0):
    """Responses drawn from the model itself, a quarter of the cells not observed."""
    rng = np.random.default_rng(seed + 100)
    seen = rng.random((n_system, n_item)) < share
    seen[:, 0] = seen[0] = True
    n = jnp.asarray(np.where(seen, trials, 0.0))
    return simulate(
        model,
        point(model, n_system, n_item, seed=seed),
        jnp.minimum(n, 1) if model.response is ScoreResponses else n,
        n_category=3,
        key=jax.random.key(seed),
    )


def stack(tables):
    """Tables of one size as one, with a leading problem axis."""
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *tables)


def binomial(rng, n_system, n_item, trials, *, share=0.8):
    """Counts of a random 2PL, as NumPy made them."""
    ability, difficulty = rng.normal(size=n_system), rng.normal(size=n_item)
    slope = np.exp(0.5 * rng.normal(size=n_item))
    p = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    n = np.where(rng.random(p.shape) < share, trials, 0)
    return BinomialResponses(
        jnp.asarray(rng.binomial(n, p), float), jnp.asarray(n, float)
    )


def flat(estimate):
    """All parameters in the order of `joint_covariance`."""
    return jnp.concatenate(
        [estimate.system.T.ravel(), estimate.item.T.ravel(), estimate.shared]
    )


def unflat(values, like):
    """The inverse of `flat`."""
    (n_system, p), (n_item, q) = like.system.shape, like.item.shape
    system, item, shared = jnp.split(values, [n_system * p, n_system * p + n_item * q])
    return Estimate(system.reshape(p, n_system).T, item.reshape(q, n_item).T, shared)


def dense_hessian(model, responses, at):
    """The observed information by autodiff of the whole objective, no blocks."""
    problem = posterior(model, responses)
    return jax.jit(jax.hessian(lambda x: problem.value(unflat(x, at))))(flat(at))


def apart(one, other):
    """The largest difference of any parameter."""
    return float(jnp.max(jnp.abs(flat(one) - flat(other))))
