"""Scores in [0, 1]: with a density of their own, or as shares of a success."""

from typing import ClassVar

import jax
import jax.numpy as jnp
import numpy as np
import polars as pl
import pytest
from scipy import stats
from scipy.special import expit

from irtjax.data import CategoricalResponses, ScoreResponses
from irtjax.irt import (
    RESULTS,
    AbstractLogitModel,
    BetaScore,
    Fisher,
    FractionalBernoulli,
    TwoPL,
    fit,
    named,
)

from ..cases import ABILITY, apart

NOTHING = jnp.zeros(0)
SHARED = {"precision": 9.0, "zero_cut": -2.0, "cut_width": 5.0}


def _density(score, ability):
    found = BetaScore().log_prob(
        jnp.asarray(score),
        {"ability": jnp.asarray(ability)},
        {"difficulty": jnp.asarray(0.3), "discrimination": jnp.asarray(1.2)},
        {name: jnp.asarray(value) for name, value in SHARED.items()},
        NOTHING,
        NOTHING,
    )
    return float(jnp.exp(found))


@pytest.mark.parametrize("ability", [-2.0, 0.1, 3.0])
def test_a_score_is_zero_one_or_beta(ability):
    z = 1.2 * (ability - 0.3)
    below, above = expit(-2.0 - z), expit(z - 3.0)
    np.testing.assert_allclose(_density(0.0, ability), below)
    np.testing.assert_allclose(_density(1.0, ability), above)
    inside = stats.beta(9 * expit(z), 9 * (1 - expit(z)))
    for score in (1e-9, 0.2, 0.999):
        expected = (1 - below - above) * inside.pdf(score)
        np.testing.assert_allclose(_density(score, ability), expected, rtol=1e-8)


def _complaint_12():
    """P with 0.7 for every 1, and one cell of a half."""
    rng = np.random.default_rng(0)
    ability, difficulty = rng.normal(size=200), rng.normal(size=12)
    p = expit(np.exp(0.5 * rng.normal(size=12)) * (ability[:, None] - difficulty))
    score = 0.7 * (rng.random(p.shape) < p)
    score[0], score[1], score[2, 2] = 0.7, 0.0, 0.5
    return ScoreResponses(jnp.asarray(score), jnp.ones((200, 12)))


def test_scores_need_a_choice_and_each_choice_works():
    """Complaint 12: an error that says what to use, or the likelihood that was chosen."""
    scores = _complaint_12()
    with pytest.raises(ValueError, match="takes BinomialResponses, got ScoreResponses"):
        fit(TwoPL(), scores)
    result = fit(FractionalBernoulli(), scores)
    assert result.code == RESULTS.successful
    as_counts = fit(TwoPL(), scores.as_binomial(jnp.asarray(1.0)))
    assert apart(result.value, as_counts.value) < 1e-9
    ability = result.value.system[:, 0]
    assert jnp.argmax(ability) == 0
    assert jnp.argmin(ability) == 1


def test_perfect_scores_are_finite():
    """Complaint 1, on scores: first and last by ability, with an error."""
    rng = np.random.default_rng(3)
    score = expit(rng.normal(size=(8, 6)) + np.linspace(-1, 1, 8)[:, None])
    score[0], score[7] = 0.0, 1.0
    scores = ScoreResponses(jnp.asarray(score), jnp.ones((8, 6)))
    result = fit(BetaScore(), scores)
    assert result.code == RESULTS.successful
    ability = named(BetaScore(), result.value).system["ability"]
    assert jnp.argmin(ability) == 0
    assert jnp.argmax(ability) == 7
    errors = Fisher()(BetaScore(), scores, result.value)
    assert jnp.all(jnp.isfinite(errors.system["ability"]))


@pytest.mark.slow
@pytest.mark.parametrize("model", [BetaScore(), FractionalBernoulli()], ids=str)
def test_a_published_leaderboard_is_fitted(shared, model):
    frame = pl.read_csv(shared / "data" / "leaderboards" / "evo_sota_vla.csv")
    score = frame.drop("model").to_numpy().astype(float)
    seen = np.isfinite(score)
    scores = ScoreResponses(
        jnp.asarray(np.where(seen, score, 0)), jnp.asarray(seen, float)
    )
    result = fit(model, scores)
    assert result.code == RESULTS.successful
    errors = Fisher()(model, scores, result.value)
    for leaf in jax.tree.leaves((result.value, errors)):
        assert jnp.all(jnp.isfinite(leaf))


class ToyCategoricalLogit(AbstractLogitModel):
    response: ClassVar = CategoricalResponses
    system_parameters: tuple = (ABILITY,)
    item_parameters: tuple = ()
    shared_parameters: tuple = ()

    def logit(self, system, item, shared, system_features, item_features):
        return system["ability"]


def test_log_odds_of_success_speak_of_right_and_wrong_only():
    with pytest.raises(ValueError, match="set its `response` to BinomialResponses"):
        ToyCategoricalLogit()
