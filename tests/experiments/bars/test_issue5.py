"""What the bars of issue 5 compute, on small cases with known answers."""

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from experiments._leave_one_out import Results, leave_one_out
from experiments._matrices import NAMES, load_errors, shared_matrices
from experiments.bars import issue5_bar1, issue5_bar2, issue5_bar3
from experiments.bars._plain_quadrature import hybrid, quadrature
from experiments.bars._proeval_environment import (
    proeval_python,
    published,
    published_seconds,
)
from irtjax.active import (
    EVALUATIONS,
    FinitePopulation,
    Planned,
    SourceErrors,
    SystematicThenGreedy,
)

STORED = Path(__file__).parents[2] / "reference" / "proeval" / "small.json"


def small(items=60, systems=6):
    """The matrix that the stored numbers of the published package are of."""
    generator = np.random.default_rng(20260511)
    return (generator.random((items, systems)) < 0.4).astype(float)


def test_stored_numbers_of_the_published_package():
    """`proeval` 0.1.1 on `small()`, made by `experiments.bars._proeval_reference`."""
    stored = json.loads(STORED.read_text())
    assert stored["version"] == "0.1.1"
    theirs = {
        f"small_{key}": np.array(stored[key])
        for key in ("pick", "estimate", "variance")
    }
    found = issue5_bar1.compare(small(), theirs, "small")
    verdict = issue5_bar1.judge({"small": found})
    assert verdict["passed"], verdict
    theirs["small_estimate"][2, 3] += 1e-8
    wrong = issue5_bar1.compare(small(), theirs, "small")
    assert not issue5_bar1.judge({"small": wrong})["passed"]


def test_a_pick_that_is_not_the_best_falls_short():
    errors = small()
    sources = SourceErrors(jnp.asarray(errors[:, 1:]), jnp.ones((60, 5), bool))
    outcome = jnp.asarray(errors[:, 0])
    best, _ = quadrature(errors[:, 1:], errors[:, 0], 5)
    good = issue5_bar1.repeat(sources, outcome, jnp.asarray(best))
    assert np.max(good.behind) <= issue5_bar1.TIE
    poor = issue5_bar1.repeat(sources, outcome, jnp.arange(59, 54, -1))
    assert np.max(poor.behind) > 0.01


def test_the_environment_can_be_named(monkeypatch):
    monkeypatch.setenv("IRTJAX_PROEVAL_PYTHON", "there")
    with proeval_python() as python:
        assert python == "there"
    for function in (published, published_seconds):
        with pytest.raises(FileNotFoundError):
            function("no-such-python", *([{}, 1] if function is published else [1] * 3))


def test_plain_quadrature_is_ours():
    errors = small()
    picks, estimates = quadrature(errors[:, 1:], errors[:, 0], 8)
    assert len(set(picks)) == 8
    found = leave_one_out(
        EVALUATIONS["proeval"], errors, (1, 4, 8), 1, key=jax.random.key(0)
    )
    expected = estimates[[0, 3, 7]] - errors[:, 0].mean()
    assert np.allclose(found.error[0, 0], expected, atol=1e-12)


def test_plain_hybrid_is_as_good_as_ours():
    errors = small(200, 6)
    way = Planned(FinitePopulation(), SystematicThenGreedy())
    ours = leave_one_out(way, errors, (20,), 60, key=jax.random.key(0))
    plain = np.array(
        [
            hybrid(
                np.delete(errors, target, axis=1),
                errors[:, target],
                (20,),
                np.random.default_rng(seed),
            )[0]
            for target in range(6)
            for seed in range(60)
        ]
    ).reshape(6, 60, 2)
    theirs = plain[..., 0] - errors.mean(axis=0)[:, None]
    here, there = np.abs(ours.error).mean(), np.abs(theirs).mean()
    spread = np.abs(theirs).std() * np.sqrt(2 / theirs.size)
    assert abs(here - there) < 4 * spread
    width = 1.959964 * plain[..., 1].mean()
    assert np.isclose(ours.half_width.mean(), width, rtol=0.02)


def test_leaving_one_out_repeats_itself_and_does_not_look_at_itself():
    errors = small()
    assert isinstance(errors, np.ndarray)
    one = leave_one_out(
        EVALUATIONS["random"], errors, (5, 60), 3, key=jax.random.key(1)
    )
    two = leave_one_out(
        EVALUATIONS["random"], errors, (5, 60), 5, key=jax.random.key(1)
    )
    assert isinstance(one, Results)
    assert np.array_equal(one.error, two.error[:, :3])
    assert np.allclose(one.error[..., 1], 0)


def known(mae, coverage, score):
    count, budgets = 6, len(issue5_bar2.BUDGETS)
    full = np.ones((count, budgets))
    return {
        "mae": mae * full,
        "coverage": coverage * full,
        "half_width": full,
        "interval_score": score * full,
        "matrix": np.repeat([0, 1], 3),
    }


def test_bar_2_judges_by_its_limits():
    random = {"a": np.full(6, 0.1), "b": np.full(6, 0.1)}
    zero = {"a": 0.0, "b": 0.0}
    fine = issue5_bar2.judge(
        known(0.01, 0.95, 1), known(0.02, 0.9, 2), random, zero, {}
    )
    assert fine["passed"], fine["measured"]["falling_short"]
    for ours, theirs, here, all_known in (
        (known(0.03, 0.95, 1), known(0.02, 0.9, 2), random, zero),
        (known(0.01, 0.92, 1), known(0.02, 0.9, 2), random, zero),
        (known(0.01, 0.98, 1), known(0.02, 0.9, 2), random, zero),
        (known(0.01, 0.95, 3), known(0.02, 0.9, 2), random, zero),
        (known(0.01, 0.95, 1), known(0.02, 0.9, 2), random, {"a": 1e-6, "b": 0.0}),
        (
            known(0.01, 0.95, 1),
            known(0.02, 0.9, 2),
            {"a": np.full(6, 0.001), "b": np.full(6, 0.001)},
            zero,
        ),
    ):
        verdict = issue5_bar2.judge(ours, theirs, here, all_known, {"a": 2.0, "b": 1.0})
        assert not verdict["passed"]
        assert verdict["measured"]["falling_short"]


def test_a_matrix_has_no_say_in_what_it_is_judged_with():
    flat = np.ones((len(issue5_bar2.HALVES), 2))
    best_first, best_last = flat.copy(), flat.copy()
    best_first[0], best_last[-1] = 0.5, 0.4
    chosen = issue5_bar2.chosen_halves(
        {"one": best_first, "two": flat, "three": best_last}
    )
    first, last = issue5_bar2.HALVES[0], issue5_bar2.HALVES[-1]
    assert chosen == {"one": last, "two": last, "three": first}


def test_the_error_of_a_random_sample_is_the_formulas():
    errors = small(400, 4)
    expected = issue5_bar2.expected_random(errors, (50,))
    found = leave_one_out(
        EVALUATIONS["random"], errors, (50,), 800, key=jax.random.key(0)
    )
    assert np.isclose(np.abs(found.error).mean(), expected[0], rtol=0.06)
    summed = issue5_bar2.summary({"a": found})
    assert np.isclose(summed["mae"].mean(), np.abs(found.error).mean())
    assert summed["matrix"].tolist() == [0] * 4


def test_bar_3_judges_by_its_limits():
    row = {
        "items": 10,
        "ours": 1.0,
        "numpy": 2.0,
        "difference": 0.0,
        "bytes": 1,
        "bytes_allowed": 2,
    }
    quick = {"ours": 1.0, "loop": 6.0}
    assert issue5_bar3.judge([row], 150.0, quick)["passed"]
    for changed in ({"ours": 3.0}, {"bytes": 3}, {"difference": 1e-6}):
        assert not issue5_bar3.judge([row | changed], 150.0, quick)["passed"]
    assert not issue5_bar3.judge([row], 50.0, quick)["passed"]
    assert not issue5_bar3.judge([row], 150.0, {"ours": 1.0, "loop": 4.0})["passed"]


def test_bar_3_draws_what_it_says():
    errors, outcome = issue5_bar3.drawn(30, 4)
    assert errors.shape == (30, 4)
    assert set(np.unique(outcome)) == {0.0, 1.0}


def test_the_matrices_are_read_as_errors(shared):
    folder = shared_matrices()
    shapes = {name: load_errors(name, folder).shape for name in NAMES}
    assert shapes == {
        "gqa": (2000, 14),
        "chembench": (2854, 22),
        "cruxeval_input": (800, 37),
    }
    assert np.isclose(load_errors("gqa", folder).mean(), 0.468, atol=0.02)
