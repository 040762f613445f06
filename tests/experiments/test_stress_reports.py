"""Grids beyond the paper's: what their pages claim follows from the rows."""

import polars as pl
import pytest

from experiments import (
    _connectivity_report,
    _misfit_report,
    _sweep_report,
    _trials_report,
)
from experiments._findings import best, mean_of, mean_rho, paired, told, wide_table
from experiments._records import expand
from experiments._schema import SweepConf
from experiments._stress_claims import BLOCKS, MISFIT, SHRINKAGE_LOSES
from experiments._tables import RUN
from experiments.sweep import main
from irtjax.ranking import DEFAULT_RANKER
from tests.experiments.made_grids import fill, run_here

SEEDS = 6


def grid(tmp_path, rho, **axes):
    cfg = SweepConf(out=str(tmp_path), seeds=SEEDS, **axes)
    conditions = expand("sweep", cfg, recipe=1)
    fill(conditions, RUN, rho)
    return conditions


def few_trials(settings, ranker, seed):
    lost = {"two_pl": 2.0, "logit_least_squares": 1.0}.get(ranker, 3.0)
    if settings["trials"] >= 100:
        lost = 0.0 if ranker == "two_pl" else 0.3
    return 1 - lost / 10 - 0.001 * seed


@pytest.fixture
def trials(tmp_path):
    return grid(
        tmp_path,
        few_trials,
        simulator=["jax"],
        mask=["assortative"],
        sparsity=[0.5],
        trials=[1, 2, 5, 100],
    )


@pytest.fixture
def blocks(tmp_path):
    def rho(settings, ranker, seed):
        gap = settings["gap"]
        between = round(100 * (0.5 - settings["sparsity"]))
        stated = BLOCKS.get((ranker, gap, between))
        return (stated.value if stated else 0.5) + 0.002 * (seed % 2 - 0.5)

    return grid(
        tmp_path,
        rho,
        simulator=["jax"],
        mask=["two_blocks"],
        sparsity=[0.5, 0.49, 0.48, 0.46, 0.42],
        gap=[1.0, 3.0],
    )


@pytest.fixture
def misfit(tmp_path):
    def rho(settings, ranker, seed):
        low, high = MISFIT[
            settings["sparsity"], 3.0 if settings["sparsity"] < 0.6 else 5.0
        ]
        middle = (low + high) / 2 if settings["simulator"] != "guessing" else low - 0.1
        return middle + 0.001 * (seed % 2) - (0.1 if ranker == "average" else 0)

    return grid(
        tmp_path,
        rho,
        simulator=["jax", "guessing", "residual"],
        mask=["mcar"],
        sparsity=[0.5, 0.7],
        gap=[3.0, 5.0],
    )


def outcomes(verdicts):
    return {verdict.claim: verdict.outcome for verdict in verdicts}


def test_few_trials_are_judged_pair_by_pair(trials):
    runs = trials.runs()
    said = outcomes(_trials_report.verdicts(runs))
    assert len(said) == 1 + len(SHRINKAGE_LOSES)
    assert set(said.values()) == {"holds"}
    # The other way round none holds, and without K = 1 none was run.
    swapped = runs.with_columns(
        pl.col("ranker").replace(
            {"two_pl": "logit_least_squares", "logit_least_squares": "two_pl"}
        )
    )
    lost = [v.outcome for v in _trials_report.verdicts(swapped)[1:]]
    assert lost == ["does not hold"] * len(SHRINKAGE_LOSES)
    late = _trials_report.verdicts(runs.filter(pl.col("trials") == 100))
    assert {verdict.outcome for verdict in late} == {"not run"}
    perfect = runs.with_columns(spearman=pl.lit(1.0))
    assert _trials_report.verdicts(perfect)[0].outcome == "does not hold"


def test_few_trials_in_words(trials):
    found = _trials_report.findings(trials.runs())
    assert "at K = 1 the best ranker is logit least squares" in found.sentences[0]
    assert "0.993 is reached from K = 100, by 2PL" in found.sentences[0]
    assert "behind at K = 1, 2, 5 and ahead at K = 100" in found.sentences[-1]
    (table,) = found.tables
    assert [column.title for column in table.columns[-4:]] == [
        "K = 1",
        "K = 2",
        "K = 5",
        "K = 100",
    ]
    row = next(row for row in table.rows if row[2] == "2PL")
    assert row[3:] == pytest.approx([0.7975, 0.7975, 0.7975, 0.9975])


def test_bridges_are_counted_and_stated_means_are_met(blocks):
    runs = _connectivity_report.with_bridges(blocks.runs())
    assert sorted(set(runs["bridges"])) == [0, 1, 2, 4, 8]
    said = outcomes(_connectivity_report.verdicts(runs))
    assert len(said) == len(BLOCKS)
    assert set(said.values()) == {"holds"}
    moved = runs.with_columns(spearman=pl.col("spearman") - 0.05)
    said = outcomes(_connectivity_report.verdicts(moved))
    assert set(said.values()) == {"does not hold"}
    found = _connectivity_report.findings(blocks.runs())
    assert "no cells between: average 0.990, 2PL 0.670, best" in found.sentences[0]
    few = runs.filter(pl.col("gap") == 1.0)
    assert "not run" in outcomes(_connectivity_report.verdicts(few)).values()


def test_the_default_is_told_where_it_ran(trials):
    runs = trials.runs()
    assert "pooled 2PL" not in told(runs)
    default = pl.col("ranker").replace("one_pl", DEFAULT_RANKER)
    said = told(runs.with_columns(default))
    assert f"pooled 2PL {mean_rho(runs, 'one_pl').value:.3f}, best" in said


def test_misfit_is_judged_by_range(misfit):
    found = _misfit_report.findings(misfit.runs())
    said = outcomes(found.verdicts)
    for claim, outcome in said.items():
        if "residual" in claim:
            assert outcome == "holds"
        elif "guessing" in claim:
            assert outcome == "does not hold"
        else:
            assert outcome == "not run"
    assert "Ours is below the stated range" in next(
        v.why for v in found.verdicts if "guessing" in v.claim
    )
    # Only the two stated pairs of S and D are in the short table.
    assert len(found.tables[0].rows) == 2 * 3


@pytest.mark.parametrize(
    ("name", "report", "figure"),
    [
        ("trials", _trials_report, "trials-assortative-50"),
        ("blocks", _connectivity_report, "bridges-30"),
        ("misfit", _misfit_report, "misfit-mcar"),
    ],
)
def test_a_grid_gets_the_report_of_what_it_varies(
    name, report, figure, tmp_path, request
):
    conditions = request.getfixturevalue(name)
    assert _sweep_report.stress_of(conditions.runs()) is report
    page = _sweep_report.write_files(name, conditions, tmp_path / "reports")
    html = page.read_text()
    assert figure in html
    assert (page.parent / name / f"{figure}.png").exists()
    assert report.QUESTION[:60] in html


def test_the_papers_plane_has_its_own_report(tmp_path):
    plane = grid(
        tmp_path,
        lambda settings, ranker, seed: 0.9,
        mask=["mcar"],
        sparsity=[0.0, 0.5],
    )
    runs = plane.runs()
    assert _sweep_report.stress_of(runs) is None
    found = _sweep_report.findings(runs)
    assert "2PL 0.9000 (lowest cell 0.900)" in found.sentences[0]
    assert found.verdicts


def test_means_and_pairs(trials):
    runs = trials.runs()
    mean = mean_rho(runs, "two_pl", trials=1, sparsity=0.5)
    assert mean.count == SEEDS
    assert mean.value == pytest.approx(0.7975)
    gain = paired(runs, "two_pl", "average", ("trials", "seed"))
    assert gain.count == 4 * SEEDS
    assert gain.value == pytest.approx((3 * 0.1 + 0.03) / 4)
    assert best(runs.filter(pl.col("trials") == 1))[0] == "logit_least_squares"
    assert mean_of(pl.Series([], dtype=pl.Float64)).count == 0
    assert str(mean_of(pl.Series([-1.0, -1.0]))) == "−1.000 ± 0.000"


def test_a_failed_run_is_in_no_mean(trials):
    runs = trials.runs().with_columns(
        code=pl.when(pl.col("seed") == 5).then(pl.lit("stalled")).otherwise("code")
    )
    assert mean_rho(runs, "two_pl", trials=1).count == SEEDS - 1
    table = wide_table(runs, {"ranker": "Ranker"}, "trials", caption="c", name="n")
    row = next(row for row in table.rows if row[0] == "2PL")
    assert row[1] == pytest.approx(0.798)


@pytest.mark.parametrize(
    ("name", "smaller", "count"),
    [
        ("trials", ("mask=[mcar]", "sparsity=[0.5]", "gap=[3.0]"), 8),
        ("connectivity", ("gap=[3.0]",), 5),
        ("misfit", ("mask=[mcar]", "gap=[3.0]"), 10),
    ],
)
def test_a_stress_grid_runs_on_debug_settings(
    name, smaller, count, tmp_path, monkeypatch, capsys
):
    quick = "rankers=[average,logit_least_squares]"
    overrides = (f"+grid={name}", "+debug=few", *smaller, quick, f"out={tmp_path}")
    run_here("sweep", main, monkeypatch, *overrides)
    assert "Report:" in capsys.readouterr().out
    assert len(list((tmp_path / "sweep").glob("*/record.json"))) == count
