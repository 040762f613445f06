"""Intervals are counted right, resumed, and reported from records alone."""

import json
import re
import subprocess
import sys

import hydra
import jax
import numpy as np
import polars as pl
import pytest

from experiments import _interval_report, _records, _runtime
from experiments._interval_methods import (
    CHEAP,
    DEFAULT,
    METHODS,
    AbstractWay,
    Claimed,
    DrawnWay,
)
from experiments._interval_rows import ROW, condition_rows, tables
from experiments._interval_tables import (
    calibration_table,
    code_counts,
    coverage_table,
    places,
)
from experiments._intervals_conf import IntervalsConf, check_intervals
from experiments._pages import made_by, missing, write_page
from experiments._records import expand
from experiments._schema import SettingsError, typed
from experiments._stops import SETTINGS_ERRORS, explain
from experiments.intervals import worst_miss
from experiments.report import write_report
from irtjax.irt import named
from irtjax.irt.posteriors import NUTS

PARAMETERS = {"ability", "difficulty", "discrimination", "rank"}
FACTS = {"commit": "unknown", "versions": {"jax": "1"}, "device": "cpu", "seconds": 0.5}


def settings(**changes):
    return {
        "method": DEFAULT,
        "systems": 6,
        "items": 5,
        "trials": 5,
        "sparsity": 0.0,
        "mask": "mcar",
        "seeds": 7,
        "level": 0.95,
        **changes,
    }


class Told(AbstractWay):
    """Knows the truth: every interval is `low` and `high` from it."""

    low: float
    high: float
    code: str = "successful"

    def __call__(self, model, responses, truth, numbers, *, level, key):
        values = jax.vmap(lambda each: named(model, each))(truth)
        true = {k: np.asarray(v) for k, v in (values.system | values.item).items()}
        order = np.argsort(np.argsort(-true["ability"], axis=1), axis=1) + 1.0
        below = {name: np.full(value.shape, 0.25) for name, value in true.items()}
        true["rank"] = order
        return Claimed(
            {name: value + self.low for name, value in true.items()},
            {name: value + self.high for name, value in true.items()},
            below,
            [self.code] * len(numbers),
        )


def test_intervals_are_counted_on_the_side_on_which_they_miss():
    for low, high, above, below in ((-1, 1, 0, 0), (0.5, 1, 1, 0), (-1, -0.5, 0, 1)):
        rows = condition_rows(settings(), Told(low, high), block=3)
        assert dict(rows.schema) == ROW
        assert rows.height == 7 * len(PARAMETERS)
        assert rows["seed"].unique().to_list() == list(range(7))
        size = pl.when(pl.col("parameter").is_in(["ability", "rank"])).then(6)
        assert rows.select((pl.col("intervals") == size.otherwise(5)).all()).item()
        for name, share in (("above", above), ("below", below)):
            found = rows.select((pl.col(name) == share * pl.col("intervals")).all())
            assert found.item()
        np.testing.assert_allclose(rows["width"], high - low, atol=1e-9)
        table = coverage_table(rows)
        assert set(table["coverage"]) == {1.0 - above - below}


def test_ends_that_are_no_numbers_are_counted_apart():
    rows = condition_rows(settings(), Told(np.nan, 1.0), block=8)
    assert rows["intervals"].sum() == 0
    assert rows["missing"].sum() == 7 * (6 + 5 + 5 + 6)
    assert coverage_table(rows)["coverage"].null_count() == len(PARAMETERS)


def test_fits_that_failed_count_in_no_coverage_and_are_shown():
    rows = condition_rows(settings(), Told(-1, 1, "stalled"), block=8)
    table = coverage_table(rows)
    assert table["coverage"].null_count() == len(PARAMETERS)
    assert table["usable"].sum() == 0
    assert code_counts(rows).select("code", "tables").rows() == [("stalled", 7)]
    # Draws count whatever the diagnostics of their chains say.
    drawn = condition_rows(settings(), Told(-1, 1, "chains_disagree"), block=8)
    assert set(coverage_table(drawn)["coverage"]) == {1.0}


def test_even_places_pass_and_equal_ones_do_not():
    rows = condition_rows(settings(seeds=60), Told(-1, 1), block=60)
    assert max(calibration_table(rows)["p_value"]) < 1e-3
    rng = np.random.default_rng(0)
    even = rows.with_columns(
        pl.Series(
            "place",
            [
                None if place is None else rng.random(len(place)).tolist()
                for place in rows["place"].to_list()
            ],
        )
    )
    table = calibration_table(even)
    assert set(table["parameter"]) == PARAMETERS - {"rank"}
    assert min(table["p_value"]) > 0.01
    ability = even.filter(pl.col("parameter") == "ability")
    assert places(ability).shape == (60, 6)


def test_a_table_does_not_depend_on_what_is_drawn_beside_it():
    key = jax.random.key(0)
    whole = tables(settings(), np.arange(5), key)
    some = tables(settings(), np.array([3, 1]), key)
    for there, here in zip(jax.tree.leaves(whole), jax.tree.leaves(some), strict=True):
        np.testing.assert_array_equal(here, there[np.array([3, 1])])


def test_truths_have_the_spread_of_the_priors():
    truth, responses = tables(
        settings(systems=50, items=40, sparsity=0.5), np.arange(40), jax.random.key(1)
    )
    for values, sd in (
        (truth.system[..., 0], 1.0),
        (truth.item[..., 0], 2.0),
        (truth.item[..., 1], 0.5),
    ):
        assert abs(np.std(values) / sd - 1) < 5 / np.sqrt(2 * values.size)
    assert np.mean(responses.trials > 0) == pytest.approx(0.5, abs=1e-6)
    assert float(np.max(responses.successes)) <= 5


def test_every_cheap_way_gives_ordered_finite_ends():
    assert DEFAULT in CHEAP
    for name in CHEAP:
        rows = condition_rows(settings(seeds=4), METHODS[name], block=4)
        assert set(rows["code"]) == {"successful"}
        assert rows["missing"].sum() == 0
        assert rows["width"].min() > 0
        # 88 intervals of 95 %: 60 is over ten standard errors below what they claim.
        held = rows.select(pl.col("intervals") - pl.col("above") - pl.col("below"))
        assert held.sum().item() > 60
        place = np.concatenate([p for p in rows["place"].to_list() if p is not None])
        assert np.all((place > 0) & (place < 1))


@pytest.mark.slow
def test_draws_agree_with_the_default():
    """Two ways to one posterior: their intervals are nearly as wide."""
    few = DrawnWay(NUTS(chains=2, draws=300, warmup=100))
    size = {"systems": 12, "items": 10, "trials": 10, "seeds": 8}
    drawn = condition_rows(settings(**size), few, block=8)
    cheap = condition_rows(settings(**size), METHODS[DEFAULT], block=8)
    assert drawn["missing"].sum() == 0
    for name in PARAMETERS:
        pair = [t.filter(pl.col("parameter") == name)["width"] for t in (drawn, cheap)]
        assert pair[0].mean() == pytest.approx(pair[1].mean(), rel=0.15), name


@pytest.mark.slow
def test_the_default_covers_where_the_joint_mode_does_not():
    """A reduced bar 3: 20 x 20, one setting, 120 tables."""
    size = {"systems": 20, "items": 20, "trials": 10, "seeds": 120}
    found = {}
    for name in (DEFAULT, "joint_fisher"):
        rows = condition_rows(settings(**size), METHODS[name], block=40)
        for row in coverage_table(rows).to_dicts():
            found[name, row["parameter"]] = row["coverage"]
    for parameter in PARAMETERS - {"rank"}:
        # Standard errors over 120 tables are below .009.
        assert 0.91 < found[DEFAULT, parameter] < 0.98
        assert found["joint_fisher", parameter] < 0.91
    assert found[DEFAULT, "rank"] > 0.93


def composed(*overrides):
    with hydra.initialize_config_dir(str(_runtime.CONF), version_base="1.3"):
        return typed(hydra.compose("intervals", list(overrides)))


@pytest.mark.parametrize(
    ("override", "answer"),
    [
        ("sedes=3", "No setting is called 'sedes'. Did you mean 'seeds'?"),
        ("method=[joint_fihser]", "'method' knows no 'joint_fihser'. Did you mean"),
        ("method=[]", "'method' is empty: give at least one value."),
        ("mask=[mcra]", "'mask' knows no 'mcra'. Did you mean 'mcar'?"),
        ("sparsity=[1.0]", "'sparsity' goes from 0 to below 1, got 1.0."),
        ("level=1.0", "'level' lies between 0 and 1, got 1.0."),
        ("systems=[2]", "'systems' is at least 3, got 2."),
        ("items=20", "Setting 'items' is a list, also of one value"),
        ("trials=[0]", "'trials' is at least 1, got 0."),
        ("shard=1", "'shard' counts from 0"),
    ],
)
def test_a_wrong_setting_is_answered_with_the_right_one(override, answer):
    with pytest.raises(SETTINGS_ERRORS) as caught:
        check_intervals(composed(override))
    message = explain(caught.value, "intervals")
    assert "\n" not in message
    assert message.startswith(answer)


def test_the_defaults_pass():
    check_intervals(composed())
    assert composed() == IntervalsConf()
    with pytest.raises(SettingsError, match="block"):
        check_intervals(IntervalsConf(block=0))


@pytest.fixture
def conditions(tmp_path):
    cfg = IntervalsConf(
        out=str(tmp_path), method=[DEFAULT, "nuts"], systems=[6], items=[5], seeds=7
    )
    found = expand("intervals", cfg, recipe=1)
    for number, condition in enumerate(list(found)[:-1]):
        low = -0.1 if number else 0.1
        rows = condition_rows(condition.settings, Told(low, 1.0), block=7)
        condition.finish(rows, FACTS)
    list(found)[-1].fail("Traceback\nValueError: out of luck")
    return found


def test_the_page_says_what_was_found_and_what_is_missing(conditions, tmp_path):
    grid = _records.save_grid(conditions, tmp_path / "grids", "mine")
    page = write_report(grid, tmp_path)
    assert page == tmp_path / "reports" / "mine.html"
    html = page.read_text()
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", html)
    assert "nuts mcar S=0.5 K=10: ValueError: out of luck" in html
    names = {path.name for path in (tmp_path / "reports" / "mine").iterdir()}
    figures = {"misses", "ranks-ability", "ranks-difficulty", "ranks-discrimination"}
    assert names == {"runs.parquet", "coverage.parquet", "calibration.parquet"} | {
        f"{figure}.{kind}" for figure in figures for kind in ("svg", "png")
    }
    assert made_by(conditions).startswith("7 records, 3.5 seconds of computing.")
    assert "1 of 8 conditions have no record" in missing(conditions)[0].body
    assert worst_miss(conditions, 0.95) == pytest.approx(0.95)
    label = _interval_report.condition_label(settings(sparsity=0.5))
    assert label == "6×5 K5 S0.5 mcar"


def test_a_page_without_records_says_so(tmp_path):
    cfg = IntervalsConf(out=str(tmp_path), systems=[6], items=[5], seeds=7)
    none = expand("intervals", cfg, recipe=1)
    page = _interval_report.write_files("none", none, tmp_path / "reports")
    assert "have no record" in page.read_text()
    assert np.isnan(worst_miss(none, 0.95))
    assert callable(write_page)


def test_every_way_has_a_condition_of_its_own(tmp_path):
    cfg = IntervalsConf(out=str(tmp_path), method=[*CHEAP], trials=[1])
    found = expand("intervals", cfg, recipe=1)
    assert len({condition.fingerprint for condition in found}) == 2 * len(CHEAP)
    assert next(iter(found)).root == tmp_path / "intervals"


TINY = ("systems=[5]", "items=[4]", "trials=[3]", "sparsity=[0.0]", "seeds=3")


@pytest.mark.slow
def test_one_command_gives_records_and_a_page_and_is_resumed(root, tmp_path):
    def run():
        command = [sys.executable, "-m", "experiments.intervals", f"out={tmp_path}"]
        return subprocess.run(
            [*command, *TINY, "method=[marginal_mean,joint_fisher]", "name=tiny"],
            cwd=root,
            capture_output=True,
            text=True,
        )

    first = run()
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith(f"Report: {tmp_path}/reports/tiny")
    records = list((tmp_path / "intervals").glob("*/record.json"))
    assert len(records) == 2
    record = json.loads(records[0].read_text())
    assert record["codes"] == {"successful": 3}
    records[0].unlink()
    again = run()
    assert again.returncode == 0, again.stderr
    assert again.stderr.count("1/1 conditions") == 1, "only what is missing is run"
