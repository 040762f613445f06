"""Plans: what is in them, what they may not depend on, and what is refused."""

import csv
import io

import numpy as np
import pytest

from irtjax.active import (
    AutomaticDesign,
    FinitePopulation,
    Greedy,
    Systematic,
    SystematicThenGreedy,
)
from irtjax.active.pipeline import (
    Plan,
    answers_from,
    categories_of,
    fingerprint,
    make_plan,
    next_item,
)
from irtjax.data import DataError

from .histories import answered, history, scores

MATRIX = scores()
PRIOR = FinitePopulation()


@pytest.fixture(scope="module")
def past():
    return history(MATRIX[:, 1:])


@pytest.fixture(scope="module")
def plan(past):
    return make_plan(past, 20, prior=PRIOR)


def test_a_plan_holds_items_each_once_the_sampled_ones_first(past, plan):
    assert isinstance(plan, Plan)
    assert len(set(plan.item_ids)) == len(plan.item_ids) == 20
    assert set(plan.item_ids) <= set(past.item_ids)
    assert plan.sampled.tolist() == [True] * 10 + [False] * 10
    plan.check(past)


def test_the_same_seed_plans_the_same_and_another_not(past, plan):
    assert make_plan(past, 20, prior=PRIOR).item_ids == plan.item_ids
    assert make_plan(past, 20, prior=PRIOR, seed=1).item_ids != plan.item_ids


def test_a_plan_does_not_know_the_target(past, plan):
    """Whoever the new system is, there is nowhere to put its scores."""
    turned = history(MATRIX[:, 1:])
    assert make_plan(turned, 20, prior=PRIOR).item_ids == plan.item_ids
    with pytest.raises(TypeError):
        make_plan(past, 20, target=MATRIX[:, 0])


def test_the_csv_is_a_form_to_fill_in(past, plan):
    rows = list(csv.DictReader(io.StringIO(plan.to_csv())))
    assert [row["item"] for row in rows] == list(plan.item_ids)
    assert {row["score"] for row in rows} == {""}
    assert {row["plan"] for row in rows} == {fingerprint(past)}
    assert [row["sampled"] for row in rows] == ["1"] * 10 + ["0"] * 10


@pytest.mark.parametrize(
    ("design", "drawn"),
    [
        (Greedy(), 0),
        (Systematic(), 9),
        (SystematicThenGreedy(0.3), 3),
        (AutomaticDesign(), 5),
    ],
    ids=["greedy", "systematic", "both", "automatic"],
)
def test_only_what_was_drawn_counts_as_sampled(past, design, drawn):
    plan = make_plan(past, 9, prior=PRIOR, design=design)
    assert plan.sampled.sum() == drawn
    assert plan.design == type(design).__name__


def test_items_without_weight_and_items_done_are_left_out(past):
    weights = {each: float(k >= 60) for k, each in enumerate(past.item_ids)}
    done = past.item_ids[60:70]
    plan = make_plan(past, 50, prior=PRIOR, weights=weights, done=done)
    assert set(plan.item_ids) == set(past.item_ids[70:])
    with pytest.raises(DataError, match="from 1 to 50"):
        make_plan(past, 51, prior=PRIOR, weights=weights, done=done)


def test_categories_share_the_budget_by_their_weight(past):
    categories = ["a" if k < 90 else "b" for k in range(120)]
    plan = make_plan(past, 12, prior=PRIOR, categories=categories)
    kind = dict(zip(past.item_ids, categories, strict=True))
    assert [kind[each] for each in plan.item_ids].count("a") == 9
    names, number = categories_of(past, categories)
    assert names == ("a", "b")
    assert number.tolist() == [0] * 90 + [1] * 30


def test_one_at_a_time_asks_what_was_not_asked(past):
    known = {past.item_ids[0]: 1.0, past.item_ids[7]: 0.0}
    for _ in range(3):
        item = next_item(past, answers_from(past, known), prior=PRIOR)
        assert item is not None
        assert item not in known
        known[item] = 1.0
    everything = dict.fromkeys(past.item_ids, 1.0)
    assert next_item(past, answers_from(past, everything), prior=PRIOR) is None


def test_a_history_that_changed_is_noticed(past, plan):
    changed = MATRIX[:, 1:].copy()
    changed[3, 4] = 1 - changed[3, 4]
    for other in (
        history(changed),
        history(MATRIX[:, :-1]),
        history(MATRIX[:, 1:], item_ids=list(range(120))),
        history(MATRIX[::-1, 1:]),
    ):
        with pytest.raises(DataError, match="another history"):
            plan.check(other)
    # What the numbers count does not matter, as long as the errors are the same.
    plan.check(history(1 - MATRIX[:, 1:], "failure"))


@pytest.mark.parametrize("budget", [0, -3, 121])
def test_budgets_out_of_range_are_refused(past, budget):
    with pytest.raises(DataError, match="from 1 to 120"):
        make_plan(past, budget, prior=PRIOR)


def test_bad_weights_and_categories_are_refused(past):
    for weights, said in (
        ({past.item_ids[0]: 1.0}, "no weight"),
        (np.ones(3), "shape"),
        (-np.ones(120), "negative"),
        (np.zeros(120), "no item counts"),
        (np.full(120, np.nan), "finite"),
    ):
        with pytest.raises(DataError, match=said):
            make_plan(past, 5, prior=PRIOR, weights=weights)
    with pytest.raises(DataError, match="3 categories"):
        make_plan(past, 5, prior=PRIOR, categories=list("abc"))
    with pytest.raises(DataError, match="no category"):
        make_plan(past, 5, prior=PRIOR, categories={past.item_ids[0]: "a"})


def test_too_few_sources_are_refused_before_any_plan():
    with pytest.raises(DataError, match="at least 3"):
        history(MATRIX[:, :2])
    with pytest.raises(DataError, match="'s2' is among the historical"):
        history(MATRIX[:, :5]).check_target("s2")


def test_answers_of_a_plan_know_what_was_sampled(past, plan):
    found = answered(past, plan, MATRIX[:, 0])
    assert found.sampled.sum() == 10
