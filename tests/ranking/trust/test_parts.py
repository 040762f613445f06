"""The parts of trust: the selection model, truths, agreement, halves, verdicts."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats

from irtjax.data import (
    MCAR,
    Assortative,
    BinomialResponses,
    Truth,
    design_graph,
    thinnest_split,
)
from irtjax.irt import Estimate, TwoPL, named
from irtjax.irt.posteriors import draw_prior
from irtjax.ranking import RANKERS
from irtjax.ranking.trust import (
    LEVEL,
    Agreement,
    Effect,
    Expected,
    Level,
    Missingness,
    PlausibleTruths,
    SelectionTwoPL,
    SplitHalf,
    agreements,
    chance_in_words,
    expected,
    judge,
    missingness,
    plausible_truths,
    recommended,
    selection_problem,
    simulated_tables,
    split_half,
)

from ..tables import binomial, draw


@pytest.fixture(scope="module")
def sparse():
    return draw(2, n_system=8, n_item=9, trials=6, sparsity=0.4)


def test_the_selection_model_adds_two_log_likelihoods(sparse):
    problem = selection_problem(sparse)
    assert isinstance(problem.model, SelectionTwoPL)
    rng = np.random.default_rng(0)
    ability, difficulty = rng.normal(size=8), rng.normal(size=9)
    log_slope, gamma = 0.3 * rng.normal(size=9), 0.6
    value = -float(
        problem.value(
            Estimate(
                jnp.asarray(ability[:, None]),
                jnp.asarray(np.stack([difficulty, log_slope], 1)),
                jnp.asarray([gamma]),
            )
        )
    )
    logit = np.exp(log_slope) * (ability[:, None] - difficulty)
    y, n = np.asarray(sparse.successes), np.asarray(sparse.trials)
    seen = n > 0
    outcomes = np.sum(y * logit - n * np.logaddexp(0, logit))

    def odds(share):
        return np.log(share / (1 - share))

    usual = odds((seen.sum(1) + 0.5) / 10)[:, None] + odds((seen.sum(0) + 0.5) / 9)
    usual = usual - odds((seen.sum() + 0.5) / 73)
    chosen = usual + gamma * ability[:, None] * difficulty
    selection = np.sum(seen * chosen - np.logaddexp(0, chosen))
    norm = scipy.stats.norm.logpdf
    priors = (
        norm(ability).sum()
        + norm(difficulty, 0, 2).sum()
        + norm(log_slope, 0, 0.5).sum()
        + norm(gamma)
    )
    assert value == pytest.approx(outcomes + selection + priors, rel=1e-12)


def test_a_full_table_has_no_selection_to_model():
    full = selection_problem(draw(2, n_system=8, n_item=9))
    at = Estimate(jnp.ones((8, 1)), jnp.ones((9, 2)), jnp.asarray([0.5]))
    other = Estimate(at.system, at.item, jnp.asarray([-0.5]))
    assert float(full.value(at)) == pytest.approx(float(full.value(other)), rel=1e-14)


def test_separate_blocks_say_nothing_of_the_selection():
    """Strong systems on hard items would explain blocks entirely: no news either way."""
    observed = np.kron(np.eye(2), np.ones((3, 4)))
    whole = BinomialResponses(jnp.asarray(observed * 2), jnp.asarray(observed * 4))
    drawn = jax.jit(lambda: plausible_truths(whole, draws=200, key=jax.random.key(1)))()
    assert scipy.stats.kstest(np.asarray(drawn.selection), "norm").pvalue > 1e-3
    straggler = jnp.asarray(np.kron(np.eye(2), np.ones((3, 4))) * 4)
    joined = straggler.at[0, 7].set(4.0)  # one cell between the blocks
    found = jax.jit(
        lambda: plausible_truths(
            BinomialResponses(joined / 2, joined), draws=200, key=jax.random.key(1)
        )
    )()
    assert np.abs(np.asarray(found.selection)).mean() > 1.0


def test_more_draws_leave_the_first_as_they_are(sparse):
    key = jax.random.key(1)
    few, more = (plausible_truths(sparse, draws=n, key=key) for n in (5, 12))
    assert isinstance(few, PlausibleTruths)
    np.testing.assert_allclose(few.truth.system, more.truth.system[:5], rtol=1e-9)
    assert int(few.code) == 0


@pytest.mark.slow
def test_truths_are_calibrated():
    """The place of a true ability among its draws is even, with cells hidden at random.

    The abilities of a table share their scale, so one system a table is counted.
    """
    tables, draws = 150, 39
    keys = jax.random.split(jax.random.key(7), tables)

    def place(key):
        for_truth, for_mask, for_answers, for_draws = jax.random.split(key, 4)
        truth = draw_prior(TwoPL(), (6, 7), key=for_truth)
        values = named(TwoPL(), truth)
        seen = MCAR()(
            Truth(
                values.system["ability"],
                values.item["difficulty"],
                values.item["discrimination"],
            ),
            0.3,
            key=for_mask,
        )
        one = jax.tree.map(lambda leaf: leaf[None], truth)
        table = simulated_tables(one, jnp.where(seen, 2.0, 0.0), key=for_answers)
        table = jax.tree.map(lambda leaf: leaf[0], table)
        drawn = plausible_truths(table, draws=draws, key=for_draws)
        return jnp.sum(drawn.truth.system[:, 0, 0] < truth.system[0, 0])

    places = np.asarray(jax.jit(lambda keys: jax.lax.map(place, keys))(keys))
    counts = np.histogram(places, bins=np.arange(0, draws + 2, 8))[0]
    assert counts.size == 5
    assert scipy.stats.chisquare(counts).pvalue > 1e-3


def test_pairing_is_found_where_it_is():
    rng = np.random.default_rng(1)
    ability, difficulty = (
        np.linspace(-2, 2, 14),
        rng.permutation(np.linspace(-2, 2, 16)),
    )
    truth = Truth(
        jnp.asarray(ability), jnp.asarray(difficulty), jnp.ones(difficulty.shape)
    )
    chance = 1 / (1 + np.exp(difficulty - ability[:, None]))
    found = {}
    for name, mask in {"paired": Assortative(), "random": MCAR()}.items():
        seen = np.asarray(mask(truth, 0.5, key=jax.random.key(3)))
        trials = np.where(seen, 20, 0)
        table = binomial(rng.binomial(trials, chance), trials)
        truths = plausible_truths(table, draws=200, key=jax.random.key(4))
        found[name] = missingness(truths, table.observed())
    assert found["paired"].pairing.sign == 1
    assert found["paired"].pairing.lower > 0
    assert found["random"].pairing.sign == 0
    assert found["random"].pairing.lower < 0 < found["random"].pairing.upper


def test_simulated_tables_keep_cells_and_trials(sparse):
    truths = plausible_truths(sparse, draws=5, key=jax.random.key(1)).truth
    tables = simulated_tables(truths, sparse.trials, key=jax.random.key(2))
    for k in range(5):
        np.testing.assert_array_equal(tables.trials[k], sparse.trials)
    assert np.all(np.asarray(tables.successes) <= np.asarray(tables.trials))
    assert len({np.asarray(each).tobytes() for each in tables.successes}) == 5


def test_agreement_is_that_of_the_metrics(sparse):
    truths = plausible_truths(sparse, draws=6, key=jax.random.key(1)).truth
    tables = simulated_tables(truths, sparse.trials, key=jax.random.key(2))
    ability = truths.system[:, :, 0]
    found = agreements(tables, ability, {"average": RANKERS["average"]})["average"]
    score = np.asarray(RANKERS["average"].score_many(tables).score)
    for k in range(6):
        rho = scipy.stats.spearmanr(score[k], ability[k])[0]
        assert found.rho[k] == pytest.approx(rho, abs=1e-12)
        tau = scipy.stats.kendalltau(score[k], ability[k])[0]
        assert found.tau[k] == pytest.approx(tau, abs=1e-12)


def test_the_interval_of_39_tables_leaves_one_out_at_either_end():
    assert LEVEL == 0.9
    rho = np.random.default_rng(0).permutation(np.arange(39) / 39)
    found = expected(Agreement(rho, rho, rho))
    assert (found.rho_lower, found.rho_upper) == pytest.approx((1 / 39, 37 / 39))
    nothing = expected(Agreement(*(np.full(39, np.nan),) * 3))
    assert nothing.failed == 39
    assert np.isnan(nothing.rho)


def test_halves_agree_where_one_system_leads():
    trials = np.full((6, 20), 10)
    successes = np.full((6, 20), 5)
    successes[2] = 9
    found = split_half(
        RANKERS["average"],
        binomial(successes, trials),
        splits=20,
        key=jax.random.key(0),
    )
    assert found == SplitHalf(1.0, 1.0, 20)
    rng = np.random.default_rng(0)
    noise = binomial(rng.binomial(10, 0.5, (20, 20)), np.full((20, 20), 10))
    found = split_half(RANKERS["average"], noise, splits=60, key=jax.random.key(0))
    assert found.agree < 0.5
    one = binomial([[1], [2]], [[3], [3]])
    assert split_half(RANKERS["average"], one, key=jax.random.key(0)).splits == 0


def outlook(**rho):
    return {
        name: Expected(each, each - 0.1, 1.0, each, 0.2, 0)
        for name, each in rho.items()
    }


def test_the_default_is_left_only_for_a_clear_gain():
    assert recommended(outlook(average=0.9, pooled_two_pl=0.897)) == "pooled_two_pl"
    assert recommended(outlook(average=0.9, pooled_two_pl=0.89)) == "average"
    assert recommended(outlook(average=float("nan"))) == "pooled_two_pl"


def test_verdicts_say_why(sparse):
    graph, split = design_graph(sparse), thinnest_split(sparse)
    none = Effect(0.0, -1.0, 1.0, 0.5)
    pairing = Missingness(Effect(0.7, 0.3, 1.0, 0.999), none, none)
    found = judge(outlook(average=0.6, pooled_two_pl=0.95), graph, split, pairing, 0.01)
    assert (found.level, found.ranker, found.average_safe) == (
        Level.good,
        "pooled_two_pl",
        False,
    )
    said = " ".join(found.reasons)
    assert "rho 0.95" in said
    assert "not safe here: rho 0.60" in said
    assert "Stronger systems ran harder items (chance 0.999)" in said
    calm = Missingness(none, none, none)
    safe = judge(outlook(average=0.94, pooled_two_pl=0.95), graph, split, calm, 0.01)
    assert safe.average_safe
    assert any("no dependence" in each for each in safe.reasons)
    weak = judge(outlook(average=0.3, pooled_two_pl=0.5), graph, split, calm, 0.01)
    assert weak.level is Level.weak


def test_draws_say_nothing_for_certain():
    assert chance_in_words(1.0) == "over 0.999"
    assert chance_in_words(0.0) == "under 0.001"
    assert chance_in_words(0.25) == "0.250"
