"""Laws of an adaptive test: agreement with sums by hand, coverage, refusals."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.active.adaptive import (
    CRITERIA,
    AbstractCriterion,
    Exam,
    ExamPath,
    ExamScore,
    FullScore,
    NodeBank,
    PointInformation,
    PosteriorInformation,
    PosteriorVariance,
    Sitting,
    node_bank,
    predict_full_score,
    replay,
)
from irtjax.irt import (
    BetaScore,
    Flat,
    GradedResponse,
    MultidimensionalTwoPL,
    NamedParameters,
    TwoPL,
    unnamed,
)
from irtjax.irt.scoring import Calibration, bank_from_values

from .banks import calibrated, drawn, rasch, two_pl

KEY = jax.random.key(1)


@pytest.fixture(scope="module")
def small():
    return Exam(two_pl([-1.0, 0.0, 0.7, 1.5], [1.2, 0.6, 2.0, 1.0]))


def chances(test):
    """P(right) of every item at every node."""
    return np.exp(np.asarray(test.nodes.log_chance))[:, 1]


def test_nodes_are_the_posterior(small):
    assert isinstance(small.nodes, NodeBank)
    counts = small.nothing().at[0, 1].set(1.0).at[2, 0].set(2.0)
    weight = np.asarray(small.nodes.weight(counts))
    x, p = np.asarray(small.nodes.ability), chances(small)
    by_hand = np.exp(-(x**2) / 2) * p[0] * (1 - p[2]) ** 2
    np.testing.assert_allclose(weight, by_hand / by_hand.sum(), atol=1e-12)
    score = small.score(counts)
    assert isinstance(score, ExamScore)
    mean = weight @ x
    assert float(score.ability) == pytest.approx(mean, abs=2e-3)
    assert float(score.se) == pytest.approx(np.sqrt(weight @ (x - mean) ** 2), abs=2e-3)


def test_information_is_slope_squared_times_the_odds(small):
    p, a = chances(small), np.array([1.2, 0.6, 2.0, 1.0])[:, None]
    np.testing.assert_allclose(small.nodes.information(), a**2 * p * (1 - p), atol=1e-9)


def test_criteria_by_hand(small):
    counts = small.nothing().at[1, 1].set(1.0)
    weight = small.nodes.weight(counts)
    x, p, w = np.asarray(small.nodes.ability), chances(small), np.asarray(weight)
    a = np.array([1.2, 0.6, 2.0, 1.0])
    at = 1 / (1 + np.exp(-a * (0.4 - np.array([-1.0, 0.0, 0.7, 1.5]))))
    mean = w @ x
    variance = w @ (x - mean) ** 2
    left = np.zeros(4)
    for i, k in itertools.product(range(4), range(2)):
        joint = w * (p[i] if k else 1 - p[i])
        new = joint / joint.sum()
        left[i] += joint.sum() * (new @ (x - new @ x) ** 2)
    wanted = {
        "point_information": a**2 * at * (1 - at),
        "posterior_information": (a[:, None] ** 2 * p * (1 - p)) @ w,
        "posterior_variance": variance - left,
    }
    kinds = (PointInformation, PosteriorInformation, PosteriorVariance)
    assert {type(each) for each in CRITERIA.values()} == set(kinds)
    for name, criterion in CRITERIA.items():
        assert isinstance(criterion, AbstractCriterion)
        found = criterion(small.nodes, weight, jnp.asarray(0.4))
        # Between two nodes a curve is taken as straight.
        np.testing.assert_allclose(found, wanted[name], atol=2e-4, err_msg=name)


def test_the_full_score_by_hand(small):
    counts = small.nothing().at[0, 1].set(1.0).at[3, 0].set(1.0)
    w, p = np.asarray(small.nodes.weight(counts)), chances(small)
    full = predict_full_score(small.bank, small.nodes, counts, jnp.asarray(0.95), None)
    assert isinstance(full, FullScore)
    given = (1 + p[1] + p[2]) / 4
    within = (p[1] * (1 - p[1]) + p[2] * (1 - p[2])) / 16
    mean = w @ given
    assert float(full.mean) == pytest.approx(mean, abs=1e-12)
    sd = np.sqrt(w @ within + w @ (given - mean) ** 2)
    assert float(full.se) == pytest.approx(sd, abs=1e-12)
    assert 0.25 <= float(full.lower) < mean < float(full.upper) <= 0.75


def test_everything_answered_leaves_nothing_open():
    bank = two_pl([0.0, 0.5], [1.0, 1.0], errors={"difficulty": jnp.full(2, 0.3)})
    score = Sitting(Exam(bank), (("i0", 1.0), ("i1", 0.0))).score()
    for value in (score.full.mean, score.full.lower, score.full.upper):
        assert float(value) == pytest.approx(0.5, abs=1e-9)
    assert float(score.full.se) == pytest.approx(0.0, abs=1e-9)


def test_order_of_items_does_not_matter():
    _, difficulty, slope, answers = drawn(3, 1, 10)
    turn = np.random.default_rng(0).permutation(10)
    one, other = (
        replay(
            Exam(two_pl(difficulty[order], slope[order])),
            jnp.asarray(answers[0][order]),
            6,
            key=KEY,
        )
        for order in (np.arange(10), turn)
    )
    assert isinstance(one, ExamPath)
    np.testing.assert_array_equal(turn[np.asarray(other.item)], one.item)
    np.testing.assert_allclose(other.score.ability, one.score.ability, atol=1e-9)


def test_a_bank_that_counts_failures_takes_and_gives_failures():
    _, _, _, answers = drawn(4, 200, 12)
    right, wrong = (
        Sitting(Exam(calibrated(answers, kind))) for kind in ("success", "failure")
    )
    for item, outcome in ((0, 1), (5, 1), (7, 0)):
        right, wrong = right.answer(item, outcome), wrong.answer(item, 1 - outcome)
    one, other = right.score(), wrong.score()
    assert float(one.ability) == pytest.approx(float(other.ability), abs=1e-6)
    assert float(one.full.mean) == pytest.approx(1 - float(other.full.mean), abs=1e-6)
    assert float(one.full.lower) == pytest.approx(1 - float(other.full.upper), abs=1e-6)
    assert right.next_item() == wrong.next_item()


def test_categories_are_items_like_others():
    model = GradedResponse(n_category=3)
    rng = np.random.default_rng(0)
    values = {
        parameter.name: jax.vmap(parameter.transform.forward)(
            jnp.asarray(0.3 * rng.normal(size=5))
        )
        for parameter in model.item_parameters
    }
    bank = bank_from_values(model, list("abcde"), values)
    low, high = (
        Sitting(Exam(bank), (("a", end), ("c", end))).score() for end in (0, 2)
    )
    assert float(low.ability) < 0 < float(high.ability)
    assert float(low.full.mean) < 0.5 < float(high.full.mean)


@pytest.mark.slow
def test_errors_and_intervals_hold_what_they_say():
    """240 systems, 40 items calibrated on 60 others; the share of 240 has an sd of .014."""
    ability, _, _, answers = drawn(5, 300, 40)
    new, truth = jnp.asarray(answers[:240]), ability[:240]
    bank = calibrated(answers[240:])
    assert bank.code == 0
    exam = Exam(bank)
    paths = jax.lax.map(lambda row: replay(exam, row, 20, key=KEY), new, batch_size=60)
    last = jax.tree.map(lambda leaf: np.asarray(leaf[:, -1]), paths.score)
    assert 0.91 < np.mean(np.abs(last.ability - truth) < 1.96 * last.se) < 0.99
    full = np.asarray(new).mean(axis=1)
    held = (last.full.lower <= full) & (full <= last.full.upper)
    assert 0.91 < held.mean() < 0.995


def test_refusals(small, tmp_path):
    with pytest.raises(ValueError, match="no item 'x'"):
        Sitting(small).answer("x", 1)
    with pytest.raises(ValueError, match="answered before"):
        Sitting(small).answer("i0", 1).answer("i0", 0)
    with pytest.raises(ValueError, match="between 0 and 1"):
        Sitting(small).answer("i0", 2)
    with pytest.raises(ValueError, match="1 to 4"):
        Exam(small.bank, among=5)
    with pytest.raises(ValueError, match="`level`"):
        Exam(small.bank, level=95)
    (tmp_path / "no.json").write_text('{"format": "irtjax bank"}')
    with pytest.raises(ValueError, match=r"no\.json is no adaptive test"):
        Sitting.load(tmp_path / "no.json", small)


def test_banks_that_cannot_be_adapted_to_are_refused():
    failed = rasch([0.0, 1.0])
    failed = Calibration(
        failed.model,
        failed.item,
        failed.shared,
        failed.covariance,
        failed.item_features,
        failed.item_ids,
        1,
    )
    with pytest.raises(ValueError, match="code 1"):
        Exam(failed)
    flat = two_pl([0.0, 1.0], [1.0, 1.0])
    flat = bank_from_values(
        TwoPL(ability=Flat()), flat.item_ids, dict(flat.named().item)
    )
    with pytest.raises(RuntimeError, match="proper prior"):
        node_bank(flat)
    for model, said in (
        (MultidimensionalTwoPL(2), "one ability"),
        (BetaScore(), "answers out of a few"),
    ):
        names = [kind.name for kind in model.item_parameters]
        values = {name: jnp.full(2, 0.5) for name in names}
        shared = {kind.name: jnp.asarray(0.5) for kind in model.shared_parameters}
        at = unnamed(
            model,
            NamedParameters(
                {kind.name: jnp.zeros(0) for kind in model.system_parameters},
                values,
                shared,
            ),
            shape=(0, 2),
        )
        assert at.item.shape[0] == 2
        with pytest.raises(ValueError, match=said):
            Exam(bank_from_values(model, ["a", "b"], values, shared=shared))
