import dataclasses
import json
import subprocess
import sys

import hydra
import numpy as np
import pytest

from experiments import _peak, _speed, bench
from experiments._bench_conf import BenchConf, CaseConf
from experiments._problems import random_tables
from experiments._runtime import CONF
from experiments._schema import typed
from experiments.bars import issue2_bar3
from irtjax.irt import fit_many

CASE = "{name: tiny, problems: 3, systems: 6, items: 5, repeats: 2}"
FAST = [f"cases=[{CASE}]", "matrix=32", "length=1000"]


def _compose(*overrides):
    with hydra.initialize_config_dir(str(CONF), version_base="1.3"):
        return typed(hydra.compose("bench", list(overrides)))


def test_compare_times_both_sides_on_the_same_tables():
    tables = random_tables(4, 6, 5, trials=20, seed=0)
    peak = _peak.Peak(flops=1e10, bandwidth=1e10)
    speed = _speed.compare("tiny", tables, memory=10, threads=1, repeats=2, peak=peak)
    assert speed.problems == 4
    assert speed.our_share_close == 1
    assert speed.our_share_converged == 1
    assert speed.rival_share_close > 0
    ratio = speed.our_fits_per_second / speed.rival_fits_per_second
    assert speed.times_faster == pytest.approx(ratio)
    assert speed.lowest_times_faster <= speed.times_faster
    assert 1 <= speed.steps_mean <= speed.steps_largest


def test_flat_estimates_are_in_the_arbiters_order():
    tables = random_tables(3, 6, 5, trials=20, seed=0)
    result = _speed.fit_all(tables)
    ours = _speed.objectives(tables, _speed.flat(result.value))
    np.testing.assert_allclose(ours, np.asarray(result.stats.objective), rtol=1e-12)
    assert callable(fit_many)


def test_every_case_of_the_settings_has_a_bar():
    cfg = _compose()
    assert {case.name for case in cfg.cases} == set(issue2_bar3.REQUIRED)
    sizes = {case.name: case.problems for case in cfg.cases}
    assert sizes == {"10 x 10": 2100, "20 x 20": 3000, "50 x 50": 500, "1000 x 1000": 1}


def test_tables_have_the_size_of_their_case():
    case = CaseConf(name="x", problems=3, systems=4, items=5)
    assert bench.tables(case, trials=9, seed=0).trials.shape == (3, 4, 5)
    published = CaseConf(name="x", published=True, problems=7, systems=10, items=10)
    assert bench.tables(published, trials=9, seed=0).trials.shape == (7, 10, 10)


def test_measure_returns_a_speed_for_each_case():
    peak, speeds = bench.measure(_compose(*FAST))
    assert peak.flops > 0
    assert [speed.name for speed in speeds] == ["tiny"]


@pytest.mark.slow
def test_application_writes_its_record(root, tmp_path):
    subprocess.run(
        [sys.executable, "-m", "experiments.bench", *FAST, f"out={tmp_path}"],
        cwd=root,
        check=True,
        capture_output=True,
    )
    record = json.loads((tmp_path / "bench" / "bench.json").read_text())
    fields = {field.name for field in dataclasses.fields(_speed.Speed)}
    assert set(record["cases"][0]) == fields
    assert {"commit", "versions", "device", "peak"} <= set(record)


def test_a_misspelt_setting_stops(root):
    with pytest.raises(Exception, match="lenght"):
        _compose("lenght=5")
    assert BenchConf().length > 0
