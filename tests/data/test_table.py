import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import (
    BinomialResponses,
    CategoricalResponses,
    LongResponses,
    ResponseTable,
    ScoreResponses,
    cell_means,
    group_mean,
    table_from_matrix,
)

RNG = np.random.default_rng(0)
SEEN = RNG.uniform(size=(5, 4)) < 0.7
SEEN[2] = False
TRIALS = np.where(SEEN, RNG.integers(1, 5, (5, 4)), 0).astype(float)
SUCCESSES = np.floor(TRIALS * RNG.uniform(size=(5, 4)))


def _long():
    system, item = np.nonzero(SEEN)
    return LongResponses(
        jnp.asarray(system),
        jnp.asarray(item),
        jnp.asarray(SUCCESSES[SEEN]),
        jnp.asarray(TRIALS[SEEN]),
        5,
        4,
    )


RESPONSES = [
    BinomialResponses(jnp.asarray(SUCCESSES), jnp.asarray(TRIALS)),
    ScoreResponses(
        jnp.asarray(SUCCESSES / np.maximum(TRIALS, 1)), jnp.asarray(SEEN.astype(float))
    ),
    CategoricalResponses(
        jnp.asarray(np.stack([TRIALS - SUCCESSES, SUCCESSES], axis=-1))
    ),
    _long(),
]
each_kind = pytest.mark.parametrize(
    "responses", RESPONSES, ids=lambda responses: type(responses).__name__
)


def _table(responses):
    return ResponseTable(
        responses, tuple("abcde"), (1, 2, 3, 4), "x.csv", "success", "rows", "unknown"
    )


@each_kind
def test_plain_means_weigh_items_alike(responses):
    share = np.where(SEEN, SUCCESSES / np.maximum(TRIALS, 1), np.nan)
    expected = [np.nanmean(row) if ~np.isnan(row).all() else np.nan for row in share]
    np.testing.assert_allclose(_table(responses).plain_means(), expected)


@each_kind
def test_permuting_permutes(responses):
    table = _table(responses)
    system, item = np.array([3, 0, 4, 2, 1]), np.array([2, 3, 1, 0])
    moved = table.permuted(system, item)
    assert moved.system_ids == tuple("daecb")
    assert moved.item_ids == (3, 4, 2, 1)
    np.testing.assert_array_equal(
        moved.responses.mean_score(), responses.mean_score()[system][:, item]
    )
    back = moved.permuted(np.argsort(system), np.argsort(item))
    np.testing.assert_array_equal(back.responses.observed(), responses.observed())
    with pytest.raises(ValueError, match="0 to 4 once each"):
        table.permuted(np.array([0, 0, 1, 2, 3]), item)


@each_kind
def test_selecting_keeps_names_and_numbers_together(responses):
    part = _table(responses).select(systems=["e", "b"], items=[2, 4])
    assert part.system_ids == ("e", "b")
    np.testing.assert_array_equal(
        part.responses.mean_score(),
        responses.mean_score()[jnp.array([4, 1])][:, jnp.array([1, 3])],
    )
    assert part.n_observed() == SEEN[[4, 1]][:, [1, 3]].sum()
    with pytest.raises(KeyError, match="no system 'z'"):
        _table(responses).select(systems=["z"])


@each_kind
def test_hidden_cells_are_not_observed(responses):
    keep = jnp.asarray(RNG.uniform(size=(5, 4)) < 0.5)
    hidden = responses.hide(keep)
    np.testing.assert_array_equal(hidden.observed(), SEEN & keep)
    np.testing.assert_array_equal(
        hidden.mean_score(), jnp.where(keep, responses.mean_score(), 0)
    )


@each_kind
def test_terms_hold_every_observation_once(responses):
    outcome, weight = responses.terms()
    total = np.sum(np.asarray(outcome) * np.asarray(weight))
    if isinstance(responses, ScoreResponses):
        np.testing.assert_allclose(total, np.sum(responses.mean_score()))
    else:
        np.testing.assert_allclose(total, SUCCESSES.sum())
        np.testing.assert_allclose(np.sum(weight), TRIALS.sum())


@each_kind
def test_totals_are_the_sums_over_a_cells_terms(responses):
    outcome, weight = map(np.asarray, responses.terms())
    totals = responses.totals()
    np.testing.assert_allclose(totals.count, weight.sum(-1), rtol=1e-15)
    np.testing.assert_allclose(totals.outcome, (weight * outcome).sum(-1), rtol=1e-15)


@each_kind
def test_description(responses):
    lines = _table(responses).describe()
    assert lines[0].startswith("x.csv: 5 systems x 4 items, ")
    assert f"{SEEN.sum()} of 20 cells observed" in lines[0]
    assert lines[3] == "1 system has no data."


def test_wrong_sizes_and_repeated_names_are_refused():
    with pytest.raises(ValueError, match=r"responses are \(5, 4\).*\(4, 4\)"):
        ResponseTable(
            RESPONSES[0], tuple("abcd"), (1, 2, 3, 4), "x", "success", None, "unknown"
        )
    with pytest.raises(ValueError, match="item identifier 1 stands twice"):
        ResponseTable(
            RESPONSES[0], tuple("abcde"), (1, 1, 3, 4), "x", "success", None, "unknown"
        )


def test_scores_with_declared_trials():
    scores = ScoreResponses(jnp.array([[0.5, 0.0]]), jnp.array([[1.0, 0.0]]))
    for trials in (jnp.asarray(10.0), jnp.full((1, 2), 10.0)):
        binomial = scores.as_binomial(trials)
        assert binomial.successes.tolist() == [[5, 0]]
        assert binomial.trials.tolist() == [[10, 0]]


def test_a_system_with_no_data_keeps_its_place():
    array = np.array([[1.0, 0.0], [np.nan, np.nan], [0.0, 0.0]])
    table = table_from_matrix(array, ["a", "b", "c"])
    assert table.system_ids == ("a", "b", "c")
    assert np.isnan(table.plain_means()[1])
    assert "top 'a' (0.500), bottom 'c' (0.000)" in table.extremes()


def test_cell_means_are_those_of_the_full_table():
    dense = BinomialResponses(jnp.asarray(SUCCESSES), jnp.asarray(TRIALS))
    for responses in (dense, _long()):
        cells = cell_means(responses)
        np.testing.assert_array_equal(
            np.stack([cells.system, cells.item], axis=1), np.argwhere(TRIALS > 0)
        )
        np.testing.assert_array_equal(cells.score, SUCCESSES[SEEN] / TRIALS[SEEN])


def test_rows_of_one_cell_add_up():
    long = LongResponses(
        jnp.array([0, 0, 1]),
        jnp.array([1, 1, 0]),
        jnp.array([1.0, 0.0, 1.0]),
        jnp.array([1.0, 3.0, 1.0]),
        2,
        2,
    )
    cells = cell_means(long)
    np.testing.assert_array_equal(cells.system, [0, 1])
    np.testing.assert_array_equal(cells.item, [1, 0])
    np.testing.assert_array_equal(cells.score, [0.25, 1.0])


def test_a_group_without_a_cell_has_no_mean():
    found = group_mean(np.array([2, 0, 2]), np.array([0.5, 1.0, 0.0]), 3)
    np.testing.assert_array_equal(found, [1.0, np.nan, 0.25])
