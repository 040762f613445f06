"""Laws that every named ranker keeps, and what each computes."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.optimize
import scipy.stats

from irtjax.data import BinomialResponses
from irtjax.ranking import (
    RANKERS,
    AbstractRanker,
    BradleyTerry,
    ItemCentredAverage,
    LogitLeastSquares,
    SimpleAverage,
    WithinItemRank,
    bradley_terry_strengths,
    closed_form_scores,
    kendall_tau_b,
    pairwise_wins,
)

from .tables import binomial, draw, scores

NAMES = tuple(RANKERS)


def stacked(*tables):
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *tables)


def test_the_named_table_is_complete():
    assert set(NAMES) == {
        "average",
        "bradley_terry",
        "item_centred_average",
        "logit_least_squares",
        "one_pl",
        "pooled_two_pl",
        "two_pl",
        "within_item_rank",
    }
    with pytest.raises(TypeError, match="does not support item assignment"):
        RANKERS["average"] = SimpleAverage()  # pyright: ignore[reportIndexIssue]


@pytest.mark.parametrize("name", NAMES)
def test_finds_the_order_in_good_data(name):
    score = RANKERS[name].score(draw(0, trials=400, sparsity=0.1))
    assert scipy.stats.spearmanr(score, np.arange(10))[0] > 0.95


@pytest.mark.parametrize("name", NAMES)
def test_permuting_permutes(name):
    responses = draw(1, sparsity=0.3)
    rng = np.random.default_rng(0)
    system, item = rng.permutation(10), rng.permutation(12)
    moved = BinomialResponses(
        responses.successes[system][:, item], responses.trials[system][:, item]
    )
    ranker = RANKERS[name]
    np.testing.assert_allclose(
        ranker.score(moved), ranker.score(responses)[system], atol=1e-8
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_equals_its_tables_one_by_one(name):
    tables = [draw(seed, sparsity=0.3) for seed in range(3)]
    many = RANKERS[name].score_many(stacked(*tables))
    assert many.code.tolist() == [0, 0, 0]
    for k, table in enumerate(tables):
        np.testing.assert_allclose(many.score[k], RANKERS[name].score(table), atol=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_a_system_without_data_has_no_score_and_changes_none(name):
    whole = draw(2, sparsity=0.2)
    successes = np.insert(np.asarray(whole.successes), 4, 0, axis=0)
    trials = np.insert(np.asarray(whole.trials), 4, 0, axis=0)
    score = np.asarray(RANKERS[name].score(binomial(successes, trials)))
    assert np.isnan(score[4])
    np.testing.assert_allclose(
        np.delete(score, 4), RANKERS[name].score(whole), atol=1e-8
    )
    many = RANKERS[name].score_many(stacked(binomial(successes, trials)))
    np.testing.assert_array_equal(np.isnan(many.score[0]), np.arange(11) == 4)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_masked_cell_holds_changes_nothing(name):
    responses = draw(3, sparsity=0.4)
    keep = responses.observed()
    noise = jnp.where(keep, responses.successes, 0)
    hidden = BinomialResponses(noise, responses.trials).hide(keep)
    np.testing.assert_array_equal(
        RANKERS[name].score(hidden), RANKERS[name].score(responses)
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(5))
def test_perfect_and_zero_scorers_are_first_and_last(name, seed):
    """Complaint 1: 50 subjects x 12 items, one all right, one all wrong."""
    answers = np.random.default_rng(seed).integers(0, 2, (50, 12))
    answers[0], answers[49] = 1, 0
    score = np.asarray(RANKERS[name].score(binomial(answers, np.ones((50, 12)))))
    assert np.isfinite(score).all()
    assert score[0] == score.max()
    assert score[49] == score.min()


@pytest.mark.parametrize("name", NAMES)
def test_equal_rows_get_equal_scores_wherever_they_stand(name):
    """Complaint 30."""
    responses = draw(4, sparsity=0.3)
    successes, trials = np.array(responses.successes), np.array(responses.trials)
    successes[7], trials[7] = successes[2], trials[2]
    for order in (np.arange(10), np.arange(10)[::-1]):
        score = np.asarray(
            RANKERS[name].score(binomial(successes[order], trials[order]))
        )
        at = [int(np.flatnonzero(order == k)[0]) for k in (2, 7)]
        np.testing.assert_allclose(score[at[0]], score[at[1]], atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_a_constant_item_leaves_the_others_order(name):
    """Complaint 2: everybody passes one item."""
    answers = np.random.default_rng(0).binomial(
        1, np.linspace(0.2, 0.9, 30)[:, None], (30, 60)
    )
    without = RANKERS[name].score(binomial(answers, np.ones((30, 60))))
    answers = np.insert(answers, 3, 1, axis=1)
    score = RANKERS[name].score(binomial(answers, np.ones((30, 61))))
    assert np.isfinite(score).all()
    assert kendall_tau_b(score, without, resolution=1e-7) > 0.999


def test_item_centred_average_by_hand():
    score = ItemCentredAverage().score(binomial([[1, 4], [3, 0]], [[4, 4], [4, 0]]))
    np.testing.assert_allclose(score, [-0.125, 0.25])


def test_within_item_rank_shares_ties():
    outcome = scores([[0.5, 1.0], [0.5, np.nan], [0.9, 0.1]])
    score = WithinItemRank().score(outcome)
    np.testing.assert_allclose(
        score, [(1 / 3 + 3 / 4) / 2, 1 / 3, (2.5 / 3 + 1 / 4) / 2]
    )


@pytest.mark.parametrize("shape", [(6, 4), (4, 6)])
def test_logit_least_squares_equals_a_dense_solve(shape):
    rng = np.random.default_rng(0)
    trials = rng.integers(0, 5, shape)
    successes = rng.binomial(trials, 0.6)
    rows, columns = np.nonzero(trials)
    value = np.log((successes + 0.5) / (trials - successes + 0.5))[rows, columns]
    design = np.zeros((len(rows), sum(shape)))
    design[np.arange(len(rows)), rows] = 1
    design[np.arange(len(rows)), shape[0] + columns] = 1
    expected = np.linalg.solve(
        design.T @ design + 1e-3 * np.eye(sum(shape)), design.T @ value
    )
    score = LogitLeastSquares().score(binomial(successes, trials))
    np.testing.assert_allclose(score, expected[: shape[0]], atol=1e-10)


def test_logit_least_squares_asks_for_trials():
    with pytest.raises(ValueError, match="declare the number of trials"):
        LogitLeastSquares().score(scores([[0.5, 1.0], [0.2, 0.3]]))


def test_pairwise_wins_compare_shares_exactly():
    responses = binomial([[1, 3, 5], [2, 1, 0]], [[3, 10, 5], [6, 10, 0]])
    wins = pairwise_wins(responses.mean_score(), responses.observed())
    np.testing.assert_array_equal(wins, [[0, 1.5], [0.5, 0]])


def test_bradley_terry_equals_scipy():
    responses = draw(5, n_system=6, sparsity=0.3)
    wins = pairwise_wins(responses.mean_score(), responses.observed())

    def objective(strength):
        gap = strength[:, None] - strength[None, :]
        penalty = 0.5 * np.sum(strength**2) / 9
        return penalty + np.sum(np.asarray(wins) * np.logaddexp(0, -gap))

    expected = scipy.optimize.minimize(objective, np.zeros(6), tol=1e-12).x
    found = bradley_terry_strengths(wins, jnp.asarray(3.0))
    np.testing.assert_allclose(found.strength, expected, atol=1e-5)
    assert found.decrement < 1e-12
    gradient = jax.grad(
        lambda s: (
            0.5 * jnp.sum(s**2) / 9
            - jnp.sum(wins * jax.nn.log_sigmoid(s[:, None] - s[None, :]))
        )
    )(found.strength)
    np.testing.assert_allclose(gradient, np.zeros(6), atol=1e-10)


@pytest.mark.parametrize("prior_sd", [0.5, 3.0, 30.0])
def test_bradley_terry_stays_finite_on_separable_data(prior_sd):
    outcome = scores(np.repeat(np.arange(9.0)[:, None] / 9, 40, axis=1))
    many = BradleyTerry(prior_sd).score_many(stacked(outcome))
    assert many.code.tolist() == [0]
    assert np.isfinite(many.score).all()
    assert (np.diff(many.score[0]) > 0).all()


def test_bradley_terry_ends_on_every_table_of_a_batch():
    """Once a batch of these ran for ever: rounding decided at the optimum."""
    rng = np.random.default_rng(0)
    outcome = rng.integers(0, 11, (100, 8, 12)) / 10
    seen = rng.random((100, 8, 12)) < 0.7

    def solved(table):
        return bradley_terry_strengths(pairwise_wins(*table), jnp.asarray(3.0))

    tables = jnp.asarray(outcome), jnp.asarray(seen)
    together = jax.jit(jax.vmap(solved))(tables)
    shared = jax.jit(lambda some: jax.lax.map(solved, some, batch_size=50))(tables)
    np.testing.assert_allclose(together.strength, shared.strength, atol=1e-9)
    assert np.max(together.decrement) < 1e-9


def test_bradley_terry_does_not_order_what_was_never_compared():
    shares = np.full((5, 4), np.nan)
    shares[:2, :2] = [[0.9, 0.8], [0.1, 0.2]]
    shares[2:4, 2:] = [[0.3, 0.2], [0.2, 0.1]]
    shares[4, 3] = np.nan
    score = np.asarray(BradleyTerry().score(scores(shares)))
    np.testing.assert_allclose(score[0] + score[1], 0, atol=1e-9)
    np.testing.assert_allclose(score[0], score[2], atol=1e-9)
    assert np.isnan(score[4])


def test_a_ranker_of_ones_own():
    class Median(AbstractRanker):
        scale = "median outcome"

        def score(self, responses):
            seen = responses.observed()
            return jnp.nanmedian(
                jnp.where(seen, responses.mean_score(), jnp.nan), axis=1
            )

        def score_many(self, responses):
            return closed_form_scores(self, responses)

    tables = [draw(seed) for seed in range(2)]
    many = Median().score_many(stacked(*tables))
    np.testing.assert_array_equal(many.score[1], Median().score(tables[1]))
