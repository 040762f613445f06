"""The sweep end to end, on small grids: resume, shards, own models, failures."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from experiments import _draws
from experiments._records import RECORD, RUNS
from experiments._schema import SweepConf
from experiments._scoring import condition_rows, rankers_of
from experiments._tables import PUBLISHED_AVERAGE, RUN
from experiments.bars.issue2_bar5 import tables
from irtjax.data import sd_truth
from irtjax.ranking import RANKERS, ModelRanker

SMALL = ("+grid=sd150_fresh", "+debug=tiny", "mask=[mcar,anti]", "gap=[3.0]")
QUICK = ("rankers=[average,two_pl]",)
OWN_CODE = """
import equinox as eqx
import jax
import jax.numpy as jnp

from irtjax.data import BinomialResponses
from irtjax.irt import AbstractResponseModel, Exp, Normal, Parameter
from irtjax.ranking import AbstractRanker, RankerScores


class LapseTwoPL(AbstractResponseModel):
    response = BinomialResponses
    system_parameters = (Parameter("ability", Normal(0.0, 1.0)),)
    item_parameters = (
        Parameter("difficulty", Normal(0.0, 2.0)),
        Parameter("discrimination", Normal(0.0, 0.5), Exp()),
    )
    shared_parameters = ()
    lapse: float = 0.05

    def log_prob(self, outcome, system, item, shared, system_features, item_features):
        z = item["discrimination"] * (system["ability"] - item["difficulty"])
        p = self.lapse / 2 + (1 - self.lapse) * jax.nn.sigmoid(z)
        return jnp.where(outcome > 0.5, jnp.log(p), jnp.log1p(-p))


class Failing(AbstractRanker):
    scale = "none"

    def score(self, responses):
        raise RuntimeError("this ranker ranks nothing")

    def score_many(self, responses):
        raise RuntimeError("this ranker ranks nothing")
"""


@pytest.fixture
def own(tmp_path):
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "mylab.py").write_text(OWN_CODE)
    return folder


def sweep(root, out, *overrides, path=""):
    return subprocess.run(
        [sys.executable, "-m", "experiments.sweep", *overrides, f"out={out}"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
    )


def done(finished):
    assert finished.returncode == 0, finished.stderr
    return finished


def report_runs(out):
    (page,) = (out / "reports").glob("*.html")
    return pl.read_parquet(out / "reports" / page.stem / "runs.parquet")


@pytest.mark.slow
def test_one_command_gives_records_tables_figures_and_a_page(root, tmp_path):
    said = done(sweep(root, tmp_path, *SMALL)).stdout
    page = tmp_path / "reports" / "tiny,gap=3.0,mask=mcar,anti.html"
    assert said == f"Report: {page}\n"
    assert page.is_file()
    runs = report_runs(tmp_path)
    assert dict(runs.schema) == RUN
    # 2 masks x 2 sparsities x 2 seeds, every ranker once in each.
    assert runs.height == 8 * len(RANKERS)
    assert set(runs["ranker"]) == set(RANKERS)
    assert runs["spearman"].min() > 0
    models = [name for name, each in RANKERS.items() if isinstance(each, ModelRanker)]
    fitted = pl.col("ranker").is_in(models)
    assert runs.filter(fitted)["gradient_norm"].max() < 1e-6
    assert runs.filter(~fitted)["objective"].null_count() == 8 * (
        len(RANKERS) - len(models)
    )
    records = list((tmp_path / "sweep").glob(f"*/{RECORD}"))
    assert len(records) == 4
    record = json.loads(records[0].read_text())
    expected = {"settings", "seeds", "commit", "versions", "device", "seconds", "codes"}
    assert expected <= set(record)
    assert record["codes"] == {"successful": 2 * len(RANKERS)}

    before = tables(tmp_path)
    again = done(sweep(root, tmp_path, *SMALL))
    assert "conditions" not in again.stderr, "nothing was left to compute"
    assert tables(tmp_path) == before


@pytest.mark.slow
def test_a_model_of_ones_own_joins_the_rankers(root, tmp_path, own):
    overrides = (*SMALL, "rankers=[two_pl,model]", "model._target_=mylab.LapseTwoPL")
    done(sweep(root, tmp_path, *overrides, "+model.lapse=0.1", path=own))
    runs = report_runs(tmp_path)
    assert set(runs["ranker"]) == {"two_pl", "lapse_two_pl"}
    lapse = runs.filter(pl.col("ranker") == "lapse_two_pl")
    assert set(lapse["code"]) == {"successful"}
    assert lapse["spearman"].min() > 0.8


@pytest.mark.slow
def test_a_failing_condition_is_recorded_and_the_command_says_so(root, tmp_path, own):
    overrides = (*SMALL, "rankers=[average,mylab.Failing]")
    failed = sweep(root, tmp_path, *overrides, path=own)
    assert failed.returncode == 1
    last = failed.stderr.splitlines()[-1]
    assert last.startswith("sweep: 4 of 4 conditions failed and will be tried again")
    assert "this ranker ranks nothing" in last
    assert "Traceback" not in failed.stderr
    assert len(list((tmp_path / "sweep").glob("*/failure.json"))) == 4
    assert not list((tmp_path / "sweep").glob(f"*/{RUNS}"))


@pytest.mark.slow
def test_a_class_that_does_not_exist_stops_with_one_line(root, tmp_path):
    stopped = sweep(root, tmp_path, *SMALL, "model._target_=irtjax.irt.ThreeHalvesPL")
    assert stopped.returncode == 2
    assert re.fullmatch(
        r"sweep: 'model' names [^\n]*ThreeHalvesPL[^\n]*: [^\n]*[^:\n]\n",
        stopped.stderr,
    )


@pytest.mark.slow
def test_multirun_gives_each_set_of_settings_its_own_report(root, tmp_path):
    done(sweep(root, tmp_path, "-m", *SMALL, *QUICK, "trials=[1],[100]"))
    names = {page.stem for page in (tmp_path / "reports").glob("*.html")}
    assert len(names) == 2
    for name in names:
        runs = pl.read_parquet(tmp_path / "reports" / name / "runs.parquet")
        assert f"trials={runs['trials'].unique().item()}" in name.split(",")


def settings(**changes):
    return {
        "simulator": "jax",
        "mask": "assortative",
        "sparsity": 0.5,
        "gap": 3.0,
        "seeds": 9,
        "systems": 10,
        "items": 10,
        "trials": 100,
        **changes,
    }


RANKED = {name: RANKERS[name] for name in ("average", "two_pl")}


@pytest.mark.parametrize("mask", _draws.MASKS)
def test_a_data_set_does_not_depend_on_what_is_drawn_beside_it(mask):
    whole = _draws.draw(settings(mask=mask), range(9)).responses
    for seeds in ([4], [8, 3, 0, 4, 1, 2, 7, 5, 6]):
        some = _draws.draw(settings(mask=mask), seeds).responses
        np.testing.assert_array_equal(some.successes, whole.successes[np.array(seeds)])
        np.testing.assert_array_equal(some.trials, whole.trials[np.array(seeds)])


def test_every_part_of_a_condition_gives_other_data():
    base = settings()
    changes = {"mask": "mcar", "sparsity": 0.55, "gap": 2.5, "trials": 50}
    keys = {str(_draws.condition_key(base))}
    keys |= {
        str(_draws.condition_key({**base, name: changes[name]})) for name in changes
    }
    assert len(keys) == 5
    # Not so what is ranked, or how many seeds there are.
    assert str(_draws.condition_key({**base, "seeds": 99, "rankers": []})) in keys


@pytest.mark.parametrize("simulator", ["jax", "published"])
def test_the_order_to_find_is_that_of_the_true_abilities(simulator):
    drawn = _draws.draw(settings(simulator=simulator), [0, 4])
    expected = np.broadcast_to(sd_truth(3.0).ability, (2, 10))
    np.testing.assert_allclose(drawn.target, expected, atol=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("block", [4, 128])
def test_blocks_change_no_rank_and_fill_no_row(block):
    expected = condition_rows(settings(), RANKED, block=9).sort("ranker", "seed")
    rows = condition_rows(settings(), RANKED, block=block).sort("ranker", "seed")
    assert rows.drop("objective", "gradient_norm").equals(
        expected.drop("objective", "gradient_norm")
    )
    objective = rows["objective"].drop_nulls().to_numpy()
    np.testing.assert_allclose(
        objective, expected["objective"].drop_nulls().to_numpy(), rtol=1e-10
    )


@pytest.mark.slow
def test_published_data_give_the_published_rhos(shared):
    """A reduced bar 1: one cell of each mask, nine seeds, both rankers of the paper."""
    table = pl.read_csv(shared / "reference/kang2026/grid_raw_runs_seeds0-9.csv")
    for mask, miss in (("assortative", "biased"), ("mcar", "mcar")):
        cell = settings(simulator="published", mask=mask, sparsity=0.6, gap=4.0)
        rows = condition_rows(cell, RANKED, block=16)
        here = (
            table.filter(
                (pl.col("S") == 0.6) & (pl.col("D") == 4.0) & (pl.col("miss") == miss)
            )
            .filter(pl.col("seed") < 9)
            .sort("seed")
        )
        for method, ranker in (("avg", PUBLISHED_AVERAGE), ("irt", "two_pl")):
            theirs = here.filter(pl.col("method") == method)["rho"]
            ours = rows.filter(pl.col("ranker") == ranker).sort("seed")["spearman"]
            if theirs.len():
                np.testing.assert_array_equal(
                    ours.round(4).to_numpy(), theirs.to_numpy()
                )


def test_settings_name_the_rankers():
    conf = SweepConf(
        rankers=["average", "two_pl", "model"],
        model={
            "_target_": "irtjax.irt.TwoPL",
            "ability": {"_target_": "irtjax.irt.Normal", "sd": 3.0},
        },
        estimator={"_target_": "irtjax.irt.JointMAP"},
    )
    rankers = rankers_of(conf)
    # Another model of the same name does not pass for the one of the published claims.
    assert list(rankers) == ["average", "two_pl", "own_two_pl"]
    assert rankers["own_two_pl"].model.system_parameters[0].prior.sd == 3.0
    assert rankers["two_pl"].model.system_parameters[0].prior.sd == 1.0


def test_the_default_model_is_the_ranker_of_its_name():
    conf = SweepConf(
        rankers=["two_pl", "model"],
        model={"_target_": "irtjax.irt.TwoPL"},
        estimator={"_target_": "irtjax.irt.JointMAP"},
    )
    assert list(rankers_of(conf)) == ["two_pl"]
