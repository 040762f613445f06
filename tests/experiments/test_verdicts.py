"""Verdicts follow from the rows they are given, both ways."""

import itertools

import numpy as np
import polars as pl
import pytest

from experiments import _published_claims as published
from experiments._fresh_sweeps import range_verdicts, sweeps_of
from experiments._tables import PUBLISHED_AVERAGE, RUN, SUCCESS
from experiments._verdicts import average_cells, of_published_design, verdicts

SPARSITIES = [round(0.05 * k, 2) for k in range(15)]
GAPS = [0.5 * k for k in range(1, 11)]


def rows(mask, ranker, rho, seed=0, simulator="published", code=SUCCESS):
    """Rows of one ranker whose rho is given cell by cell, S-major."""
    cells = list(itertools.product(SPARSITIES, GAPS))
    columns = {
        "simulator": simulator,
        "mask": mask,
        "sparsity": [s for s, _ in cells],
        "gap": [d for _, d in cells],
        "systems": 10,
        "items": 10,
        "trials": 100,
        "seed": seed,
        "ranker": ranker,
        "spearman": np.broadcast_to(np.asarray(rho, float), len(cells)),
        "code": code,
    }
    return pl.DataFrame(columns).select(
        *(
            pl.col(name).cast(kind)
            if name in columns
            else pl.lit(None, kind).alias(name)
            for name, kind in RUN.items()
        )
    )


def found(runs, *words):
    """The one verdict whose claim has all the words."""
    matching = [v for v in verdicts(runs) if all(word in v.claim for word in words)]
    assert len(matching) == 1, [verdict.claim for verdict in matching]
    return matching[0]


@pytest.fixture
def as_published(shared):
    """The published cell means, as if every seed had given them."""
    table = pl.read_csv(shared / "reference" / "kang2026" / "grid_summary.csv")
    table = table.sort("S", "D")
    return pl.concat(
        rows(mask, ranker, table[f"rho_{column}_mean"], seed)
        for seed in range(published.SEEDS)
        for mask, ranker, column in [
            ("assortative", PUBLISHED_AVERAGE, "avg_biased"),
            ("assortative", "average", "avg_biased"),
            ("assortative", "two_pl", "irt_biased"),
            ("mcar", PUBLISHED_AVERAGE, "avg_mcar"),
            ("mcar", "average", "avg_mcar"),
        ]
    )


def test_published_means_meet_the_published_regressions(as_published):
    ours = {v.claim: v for v in verdicts(as_published)}
    printed = [v for claim, v in ours.items() if "error" in claim or "Lowest" in claim]
    assert len(printed) == 2 * 6 + 1 + 2
    assert {v.outcome for v in printed} == {"holds"}
    assert found(as_published, "t of S x D", "mcar").ours == "15.49"


def test_the_claimed_floor_under_2pl_is_a_rounding(as_published):
    verdict = found(as_published, "0.993", "assortative")
    assert verdict.outcome == "does not hold"
    assert "0.9927" in verdict.ours
    assert "rounds up" in verdict.why
    assert found(as_published, "0.996", "assortative").outcome == "does not hold"
    assert found(as_published, "S = 0", "assortative").outcome == "holds"


def test_published_means_are_rounded_as_published_and_fresh_ones_are_not():
    rho = np.full(150, 0.97531864)
    fresh = rows("mcar", "average", rho, simulator="jax")
    assert average_cells(fresh, "mcar").rho[0] == rho[0]
    stored = pl.concat([fresh, rows("mcar", PUBLISHED_AVERAGE, rho)])
    assert set(average_cells(stored, "mcar").rho) == {0.9753}


def test_other_numbers_do_not_hold(as_published):
    moved = as_published.with_columns(pl.col("spearman") * 0.99)
    assert found(moved, "mcar", ": S x D").outcome == "does not hold"
    assert found(moved, "alpha").outcome == "does not hold"
    assert found(moved, "Lowest", "assortative").outcome == "does not hold"


@pytest.mark.parametrize(
    ("rho", "outcome"), [(0.9931, "holds"), (0.99299, "does not hold")]
)
def test_the_floor_is_read_exactly(rho, outcome):
    assert found(rows("mcar", "two_pl", rho), "0.993").outcome == outcome


def test_a_failed_fit_is_in_no_mean_and_is_counted():
    good = rows("mcar", "two_pl", 1.0)
    failed = rows("mcar", "two_pl", -1.0, seed=1, code="stalled")
    both = pl.concat([good, failed])
    assert found(both, "0.993").outcome == "holds"
    unfitted = found(both, "S = 0")
    assert unfitted.outcome == "does not hold"
    assert "20 data sets really fitted, 10 of them converged" in unfitted.why


def test_what_the_grid_lacks_is_said_to_be_not_run():
    part = rows("mcar", "two_pl", 1.0).filter(pl.col("sparsity") > 0.3)
    outcomes = {v.claim: v.outcome for v in verdicts(part)}
    assert set(outcomes.values()) == {"not run"}
    assert "this grid has 80" in found(part, "0.993").why


def test_claims_about_ten_systems_are_not_tried_on_others():
    runs = rows("mcar", "two_pl", 1.0)
    assert of_published_design(runs)
    for column, value in (("trials", 1), ("systems", 20), ("items", 5)):
        other = runs.with_columns(pl.lit(value, pl.Int64).alias(column))
        (verdict,) = verdicts(other)
        assert verdict.outcome == "not run"


def test_as_many_cells_are_not_the_papers_cells():
    runs = rows("mcar", "two_pl", 1.0).with_columns(pl.col("gap") + 0.1)
    verdict = found(runs, "0.993")
    assert verdict.outcome == "not run"
    assert "150 of its own choice" in verdict.why


def test_printed_digits_need_all_published_seeds(as_published):
    part = as_published.filter(pl.col("seed") < 14)
    for words in (("Regression", "mcar"), ("alpha",), ("Lowest", "mcar")):
        verdict = found(part, *words)
        assert verdict.outcome == "not run"
        assert "this grid has 14" in verdict.why


def test_a_range_of_one_sweep_is_no_range():
    runs = [rows("mcar", "average", 0.9, seed, "jax") for seed in range(29)]
    assert [len(sweep) for sweep in sweeps_of(pl.concat(runs))] == [15 * 150]
    number = {"mean": published.Number(0.9, 1)}
    (verdict,) = range_verdicts(
        pl.concat(runs), "mcar", "Rho", number, lambda f: {"mean": f.rho.mean()}
    )
    assert verdict.outcome == "not run"
    runs.append(rows("mcar", "average", 0.9, 29, "jax"))
    (verdict,) = range_verdicts(
        pl.concat(runs), "mcar", "Rho", number, lambda f: {"mean": 0.9}
    )
    assert verdict.outcome == "holds"


def test_ties_that_change_a_rho_are_counted():
    rounded = rows("mcar", PUBLISHED_AVERAGE, 0.9)
    rho = np.full(150, 0.9)
    rho[[3, 70]] = 0.85
    verdict = found(pl.concat([rounded, rows("mcar", "average", rho)]), "tied")
    assert verdict.ours == "2 of 150 rhos differ"
    assert verdict.outcome == "does not hold"
    assert "at most 0.0500" in verdict.why


def test_fresh_sweeps_give_a_range_and_say_how_many_meet_the_floor():
    rng = np.random.default_rng(0)
    s, d = np.array(list(itertools.product(SPARSITIES, GAPS))).T
    centred = (s - s.mean()) * (d - d.mean())
    surface = {"average": 0.9 - 0.2 * centred}
    runs = [
        rows("assortative", name, rho + 1e-3 * rng.normal(size=150), seed, "jax")
        for seed in range(2 * published.SEEDS)
        for name, rho in surface.items()
    ]
    runs += [
        rows("assortative", "two_pl", 0.999 if seed < 15 else 0.98, seed, "jax")
        for seed in range(2 * published.SEEDS)
    ]
    lowest = float(surface["average"].min())
    assert f"({lowest:.2f}" in found(pl.concat(runs), "lowest cell").ours
    assert found(pl.concat(runs), "lowest cell").outcome == "does not hold"
    assert "2 fresh sweeps" in found(pl.concat(runs), "alpha, on fresh").why
    verdict = found(pl.concat(runs), ": S x D, on fresh")
    assert verdict.ours.startswith("0.200")
    assert "2 fresh sweeps" in verdict.why
    assert "Met by 1 of 2 sweeps" in found(pl.concat(runs), "0.993").why


def test_a_printed_number_agrees_with_what_rounds_to_it():
    number = published.Number(13.05, 2)
    assert str(number) == "13.05"
    assert number.agrees(13.0451)
    assert number.agrees(13.0549)
    assert not number.agrees(13.0449)
    assert not number.agrees(float("nan"))
