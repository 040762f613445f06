"""What users of adaptive tests complain of, each with its right answer.

The numbers are those of the list of public complaints.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.active.adaptive import (
    CRITERIA,
    Exam,
    PointInformation,
    Sitting,
    replay,
)
from irtjax.irt import EAP, MAP, ML, SCORES, WLE
from irtjax.irt.scoring import Fallback, load_bank, save_bank

from .banks import calibrated, drawn, rasch, two_pl

KEY = jax.random.key(0)
SCORERS = {"eap": EAP(), "map": MAP(), "wle": WLE(), "ml": Fallback(ML(), MAP())}


@pytest.fixture(params=SCORERS, scope="module")
def scorer(request):
    return SCORERS[request.param]


def test_complaint_32a_a_wrong_answer_takes_the_ability_down(scorer):
    bank = rasch([2.0, 2.3, 2.6, 2.9, 3.1])
    start = Sitting(Exam(bank, scorer=scorer))
    before = 0.0 if isinstance(scorer, WLE) else float(start.score().ability)
    assert before == pytest.approx(0.0, abs=1e-6)
    wrong = start.answer(start.next_item(), 0)
    twice = wrong.answer(wrong.next_item(), 0)
    first, second = (float(each.score().ability) for each in (wrong, twice))
    assert second < first
    # Warm's has no prior: after one wrong answer it lies below that item.
    assert first < (2.0 if isinstance(scorer, WLE) else 0.0)


def test_complaint_32a_five_right_answers_to_hard_items_take_it_above_them():
    """The list's peer gives 1.55, below the easiest item of the bank."""
    bank = rasch([2.0, 2.3, 2.6, 2.9, 3.1])
    right = Sitting(Exam(bank, scorer=WLE()))
    for item in bank.item_ids:
        right = right.answer(item, 1)
    assert float(right.score().ability) > 3.1
    assert int(right.score().code) == SCORES.highest


def test_complaint_32b_few_answers_stay_in_range(scorer):
    bank = rasch(np.linspace(-4, 4, 33))
    sitting = Sitting(Exam(bank, scorer=scorer))
    for outcome in (1, 1, 1, 1, 1, 0):
        sitting = sitting.answer(sitting.next_item(), outcome)
    score = sitting.score()
    assert 0 < float(score.ability) < 4
    assert np.isfinite(float(score.se))


@pytest.mark.parametrize("criterion", CRITERIA.values(), ids=CRITERIA)
def test_complaint_32c_the_sharper_item_is_asked(criterion):
    bank = two_pl([0.0, 0.3], [0.4, 2.5])
    assert Sitting(Exam(bank, criterion=criterion)).next_item() == "i1"


def test_complaint_32d_exposure_is_spread_over_the_best_items_only():
    rng = np.random.default_rng(0)
    bank = two_pl(rng.normal(size=40), np.exp(0.3 * rng.normal(size=40)))
    test = Exam(bank, among=5)
    weight = test.nodes.weight(test.nothing())
    value = test.criterion(test.nodes, weight, jnp.zeros(()))
    best = {f"i{k}" for k in np.argsort(-np.asarray(value))[:5]}
    first = {Sitting(test, seed=seed).next_item() for seed in range(40)}
    assert first <= best
    assert len(first) >= 4


@pytest.mark.parametrize("among", [1, 4])
def test_complaint_32e_no_item_is_asked_twice(among):
    _, difficulty, slope, answers = drawn(1, 3, 15)
    test = Exam(two_pl(difficulty, slope), among=among)
    paths = jax.vmap(lambda row: replay(test, row, 20, key=KEY))(jnp.asarray(answers))
    for row in np.asarray(paths.item):
        assert sorted(row[:15]) == list(range(15))
        assert np.all(row[15:] == -1)  # none is left
    last = np.asarray(paths.score.ability)
    assert np.all(last[:, 15:] == last[:, 14:15])


def test_complaint_32f_a_constant_pattern_falls_back_and_is_flagged():
    bank = rasch(np.linspace(-2, 2, 9))
    for outcome, code in ((1, SCORES.highest), (0, SCORES.lowest)):
        most_likely, most_probable = (
            Exam(bank, scorer=scorer) for scorer in (SCORERS["ml"], MAP())
        )
        answers = tuple((item, float(outcome)) for item in bank.item_ids)
        score = Sitting(most_likely, answers).score()
        assert int(score.code) == code
        assert np.isfinite(float(score.ability))
        assert float(score.ability) == pytest.approx(
            float(Sitting(most_probable, answers).score().ability)
        )
    mixed = ((bank.item_ids[0], 1.0), (bank.item_ids[8], 0.0))
    both = [
        float(Sitting(Exam(bank, scorer=scorer), mixed).score().ability)
        for scorer in (Fallback(), ML())
    ]
    assert both[0] == pytest.approx(both[1])


def test_complaint_34_a_bank_from_a_file_is_worked_through_until_the_error_is_small(
    tmp_path,
):
    """Item order, path with errors, full score with interval, a state to go on from."""
    ability, _, _, answers = drawn(2, 300, 60)
    save_bank(tmp_path / "bank.json", calibrated(answers))
    test = Exam(load_bank(tmp_path / "bank.json"))
    system = int(np.argsort(ability)[150])
    sitting = Sitting(test)
    while not sitting.done(error=0.35):
        item = sitting.next_item()
        sitting = sitting.answer(item, answers[system, item])
        sitting.save(tmp_path / "under_way.json")
        sitting = Sitting.load(tmp_path / "under_way.json", test)
    path = sitting.path()
    assert 5 < len(path) < 40
    assert float(path[-1].se) <= 0.35 < float(path[-2].se)
    assert abs(float(path[-1].ability) - ability[system]) < 4 * 0.35
    full = path[-1].full
    assert float(full.lower) < answers[system].mean() < float(full.upper)
    assert float(full.upper - full.lower) < float(
        path[0].full.upper - path[0].full.lower
    )


def test_complaint_34_the_banks_own_errors_widen_the_error():
    errors = {"difficulty": jnp.full(6, 0.5), "discrimination": jnp.full(6, 0.3)}
    bank = two_pl(np.linspace(-1, 1, 6), np.full(6, 1.5), errors=errors)
    answers = tuple((f"i{k}", float(k < 3)) for k in range(4))
    with_errors, without = (
        Sitting(Exam(bank, with_item_errors=carried), answers).score()
        for carried in (True, False)
    )
    assert float(with_errors.ability) == float(without.ability)
    assert float(with_errors.se) > 1.02 * float(without.se)
    assert float(with_errors.full.se) > 1.02 * float(without.full.se)


def test_complaint_34_a_test_does_not_stop_on_a_constant_pattern():
    bank = two_pl(np.zeros(30), np.full(30, 3.0))
    sitting = Sitting(Exam(bank, criterion=PointInformation()))
    for _ in range(4):
        sitting = sitting.answer(sitting.next_item(), 1)
    assert not sitting.done(error=10.0)
    assert sitting.done(error=0.0, most=4)
