"""Histories: what they refuse, and that a target's outcomes stay out of them."""

import inspect

import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.active import (
    FEWEST_SOURCES,
    AbstractPrior,
    History,
    SourceErrors,
    SplitTarget,
    Target,
    split_target,
)
from irtjax.data import DataError, table_from_matrix

SCORES = np.array([[1.0, 0.0, 1.0, 0.5], [0.0, 0.0, 1.0, 0.25], [1.0, 1.0, 0.0, 0.0]])


def _history(scores=SCORES, **settings):
    return History.from_array(scores, **({"score_is": "success"} | settings))


def test_scores_become_errors_once_and_go_back():
    history = _history()
    assert np.array_equal(history.sources.error, 1 - SCORES)
    assert np.array_equal(history.score_of(history.sources.error), SCORES)
    assert np.array_equal(history.error_of(jnp.asarray(SCORES)), 1 - SCORES)
    errors = _history(1 - SCORES, score_is="failure")
    assert np.array_equal(errors.sources.error, 1 - SCORES)
    assert np.array_equal(errors.score_of(errors.sources.error), 1 - SCORES)


@pytest.mark.parametrize("score_is", ["success", "failure"])
def test_a_table_whatever_its_polarity_gives_the_same_errors(score_is):
    values = SCORES.T if score_is == "success" else 1 - SCORES.T
    table = table_from_matrix(values, score_is=score_is, systems_in="rows")
    history = History.from_table(table)
    assert np.allclose(history.sources.error, 1 - SCORES)
    assert history.score_is == score_is


@pytest.mark.parametrize(
    ("scores", "settings", "words"),
    [
        (SCORES[:, : FEWEST_SOURCES - 1], {}, "too few"),
        (SCORES, {"source_ids": "aabc"}, "'a' stands twice"),
        (SCORES, {"item_ids": ["x", "y", "x"]}, "'x' stands twice"),
        (np.where(SCORES == 0.5, np.nan, SCORES), {}, "item 0, system 3"),
        (np.where(SCORES == 0.5, np.inf, SCORES), {}, "item 0, system 3"),
        (SCORES * 2, {}, r"\[0, 1\]"),
        (SCORES, {"observed": np.arange(12).reshape(3, 4) % 4 > 0}, "system 0"),
        (SCORES, {"item_ids": "xy"}, "identifiers"),
    ],
)
def test_what_cannot_be_a_history_is_refused(scores, settings, words):
    with pytest.raises(DataError, match=words):
        _history(scores, **settings)


def test_a_target_among_the_sources_is_refused():
    with pytest.raises(DataError, match="target 2 is among"):
        _history().check_target(2)
    _history().check_target("new")


def test_unknown_items_are_refused():
    history = _history(item_ids="xyz")
    assert history.positions("zx").tolist() == [2, 0]
    with pytest.raises(DataError, match="no item is called 'w'"):
        history.positions("w")


def test_a_split_takes_the_target_out_of_the_prior():
    table = table_from_matrix(SCORES.T, score_is="success", systems_in="rows")
    name = table.system_ids[1]
    split = split_target(table, name)
    assert isinstance(split, SplitTarget)
    assert name not in split.history.source_ids
    assert np.allclose(split.target.error, 1 - SCORES[:, 1])
    assert np.allclose(split.history.sources.error, 1 - SCORES[:, [0, 2, 3]])
    with pytest.raises(DataError, match="no system is called 'nobody'"):
        split_target(table, "nobody")


def test_a_prior_has_no_place_for_the_targets_outcomes():
    """It takes one argument, of a type that a target is not."""
    parameters = list(inspect.signature(AbstractPrior.__call__).parameters.values())
    assert [each.annotation for each in parameters[1:]] == [SourceErrors]
    assert not issubclass(Target, SourceErrors)


def test_missing_cells_are_put_in_from_item_and_source():
    seen = np.ones((3, 4), bool)
    seen[0, 3] = False
    wild = np.where(seen, 1 - SCORES, 0.77)
    sources = _history(1 - wild, observed=seen).sources
    filled = np.asarray(sources.filled())
    assert np.array_equal(filled[seen], (1 - SCORES)[seen])
    mean = (1 - SCORES[0, :3]).mean()
    others = [(1 - SCORES)[1].mean(), (1 - SCORES)[2].mean()]
    shift = np.mean((1 - SCORES)[1:, 3] - others)
    assert np.isclose(filled[0, 3], np.clip(mean + shift, 0, 1))
    assert np.allclose(sources.mean(), filled.mean(axis=1))


def test_leaving_out_a_source_by_number():
    sources = _history().sources
    for k in range(4):
        rest = sources.without(jnp.asarray(k))
        assert np.array_equal(rest.error, np.delete(1 - SCORES, k, axis=1))
