"""Real tables with cells hidden: what is drawn, and what the page makes of it."""

import numpy as np
import polars as pl
import pytest

from experiments import _real_masked_report
from experiments._real_masked_conf import RealMaskedConf, check_real_masked
from experiments._real_masked_draws import ROW, draw, load_matrix, trials_of
from experiments._records import expand
from experiments._schema import SettingsError
from experiments._scoring import condition_rows
from experiments._tables import SUCCESS
from experiments.real_masked import RECIPE, main
from irtjax.ranking import RANKERS
from tests.experiments.made_grids import fill, run_here

SYSTEMS, ITEMS = 8, 30
SETTINGS = {
    "matrix": "one",
    "mask": "assortative",
    "sparsity": 0.5,
    "items": 12,
    "seeds": 3,
}


@pytest.fixture
def folder(tmp_path):
    """A matrix of errors: items are rows, a failure is a one, half are run 10 times."""
    rng = np.random.default_rng(0)
    ability, difficulty = np.linspace(-2, 2, SYSTEMS), rng.normal(size=ITEMS)
    fails = 1 / (1 + np.exp(ability[None, :] - difficulty[:, None]))
    trials = np.where(np.arange(SYSTEMS) % 2 == 0, 1, 10)
    errors = (rng.binomial(trials, fails) / trials).round(3)
    columns = {f"label_{k}": errors[:, k] for k in range(SYSTEMS)}
    pl.DataFrame({"index": range(ITEMS)} | columns).write_csv(
        tmp_path / "one_labels.csv"
    )
    return tmp_path


def test_a_matrix_is_turned_so_that_higher_is_better(folder):
    responses, truth = load_matrix("one", folder)
    assert responses.shape == (SYSTEMS, ITEMS)
    counts = np.asarray(responses.trials)
    assert set(counts[0]) == {1.0}
    assert set(counts[1]) == {10.0}
    # The last system is the most able, so it fails least.
    mean = np.asarray(responses.successes / responses.trials).mean(axis=1)
    assert mean[-1] > mean[0] + 0.3
    assert np.corrcoef(truth.ability, mean)[0, 1] > 0.95
    hard = np.asarray(responses.successes.sum(axis=0)).argmin()
    assert int(np.argmax(truth.difficulty)) == int(hard)


@pytest.mark.parametrize(
    ("share", "trials"),
    [
        ([0.0, 1.0, 1.0], 1),
        ([0.0, 0.333, 0.667], 3),
        ([0.1, 0.5], 10),
        ([0.123, 0.5], 0),
    ],
)
def test_the_number_of_answers_is_the_least_that_fits(share, trials):
    assert trials_of(np.array(share)) == trials


def test_scores_that_are_no_shares_are_named(tmp_path):
    table = pl.DataFrame({"label_a": [0.0, 1.0], "label_b": [0.123, 0.4567]})
    table.write_csv(tmp_path / "bad_labels.csv")
    with pytest.raises(ValueError, match=r"bad_labels\.csv.*system 1"):
        load_matrix("bad", tmp_path)


def test_a_seed_has_the_same_items_under_every_mask_and_its_own_cells(folder):
    whole = draw({**SETTINGS, "sparsity": 0.0}, [0, 1, 2], folder)
    assert np.all(np.asarray(whole.responses.trials) > 0)
    share = np.asarray(whole.responses.successes / whole.responses.trials)
    np.testing.assert_allclose(whole.target, share.mean(axis=2))
    masks = {}
    for mask in ("assortative", "mcar"):
        drawn = draw({**SETTINGS, "mask": mask}, [2, 0], folder)
        np.testing.assert_array_equal(drawn.target, whole.target[np.array([2, 0])])
        shown = np.asarray(drawn.responses.trials) > 0
        assert np.all(shown.sum(axis=(1, 2)) == SYSTEMS * 12 // 2)
        complete = np.asarray(whole.responses.successes)[[2, 0]]
        np.testing.assert_array_equal(
            np.asarray(drawn.responses.successes)[shown], complete[shown]
        )
        masks[mask] = shown
    assert not np.array_equal(masks["assortative"], masks["mcar"])


def test_every_ranker_is_scored_against_the_full_table(folder):
    rankers = {name: RANKERS[name] for name in ("average", "logit_least_squares")}

    def rows(**changes):
        return condition_rows(
            {**SETTINGS, **changes},
            rankers,
            block=2,
            draw=lambda settings, seeds: draw(settings, seeds, folder),
            schema=ROW,
        )

    found = rows()
    assert dict(found.schema) == ROW
    assert found.height == 3 * len(rankers)
    assert set(found["observed"]) == {0.5}
    complete = rows(sparsity=0.0).filter(pl.col("ranker") == "average")
    assert complete["spearman"].to_list() == pytest.approx([1.0] * 3)


def test_settings_that_no_run_can_use_are_refused(folder):
    def conf(**changes):
        given = {"matrix": ["one"], "folder": str(folder)}
        return RealMaskedConf(**(given | changes))

    check_real_masked(conf())
    for changes, words in (
        ({"matrix": ["two"]}, "there is no two_labels.csv"),
        ({"mask": ["mcra"]}, "Did you mean 'mcar'"),
        ({"sparsity": [1.0]}, "below 1"),
        ({"items": 1}, "'items' is at least 2"),
        ({"rankers": []}, "'rankers' is empty"),
    ):
        with pytest.raises(SettingsError, match=words):
            check_real_masked(conf(**changes))


def test_the_page_says_what_the_rows_say(folder, tmp_path):
    cfg = RealMaskedConf(
        out=str(tmp_path / "out"),
        matrix=["one"],
        mask=["assortative", "mcar"],
        sparsity=[0.0, 0.5],
        seeds=4,
        folder=str(folder),
    )
    conditions = expand("real_masked", cfg, recipe=RECIPE)
    empty = _real_masked_report.write_files("none", conditions, tmp_path)
    assert "have no record" in empty.read_text()

    def rho(settings, ranker, seed):
        lost = 0.4 if settings["mask"] == "assortative" else 0.1
        lost *= settings["sparsity"] * (2 if ranker == "average" else 0.5)
        return 1 - lost - 0.001 * seed

    fill(conditions, ROW, rho)
    runs = conditions.runs()
    found = _real_masked_report.findings(runs)
    assert "average 0.598, 2PL 0.899" in found.sentences[0]
    said = {verdict.claim: verdict for verdict in found.verdicts}
    bias = next(v for claim, v in said.items() if "loses more" in claim)
    assert bias.outcome == "holds"
    assert "0.300 ± 0.000" in bias.ours
    floor = next(v for claim, v in said.items() if "(assortative)" in claim)
    assert floor.outcome == "does not hold"
    one_mask = runs.filter(pl.col("mask") == "mcar")
    assert _real_masked_report.verdicts(one_mask)[-1].outcome == "not run"
    page = _real_masked_report.write_files("mine", conditions, tmp_path)
    assert (tmp_path / "mine" / "real-one.png").exists()
    assert SUCCESS in page.read_text()


def test_the_command_runs_on_its_debug_settings(folder, tmp_path, monkeypatch, capsys):
    out = tmp_path / "out"
    few = ("+grid=real_masked", "+debug=few", "matrix=[one]", "items=12")
    quick = ("rankers=[average,logit_least_squares]", "mask=[mcar,anti]")
    run_here(
        "real_masked", main, monkeypatch, *few, *quick, f"folder={folder}", f"out={out}"
    )
    assert "Report:" in capsys.readouterr().out
    assert len(list((out / "real_masked").glob("*/record.json"))) == 2 * 4
