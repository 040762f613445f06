"""One run of the loop, frozen, scored, and run again."""

import json

import hydra
import pytest

from experiments import _runtime
from experiments._cegar_conf import CegarConf, check_cegar
from experiments._cegar_rows import Place, condition_rows, harness_of, score_frozen
from experiments._cegar_tasks import Labelled, limits_of, split
from experiments._cegar_variants import FULL
from experiments._schema import typed
from irtjax.cegar import Archive, load_pool
from irtjax.cegar.sandbox import ExecutionCache, WorkerError, best_sandbox
from irtjax.cegar.suite import OWN_LIMITS, OWN_TASKS, own_cases
from irtjax.cegar.tasks import Bench

SETTINGS = {"tasks": "own", "variant": FULL, "training": 10, "seed": 0}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    try:
        sandbox = best_sandbox()
    except WorkerError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("cegar")
    with ExecutionCache(folder / "executions.sqlite") as cache:
        yield Place(sandbox, cache, folder / "pools", 50)


@pytest.fixture(scope="module")
def data(place):
    bench = Bench(place.sandbox, OWN_LIMITS, place.cache)
    own = own_cases(bench, tasks=OWN_TASKS[:14], distinct_wrong=8)
    return Labelled(own.cases, own.labels)


@pytest.mark.slow
def test_a_run_is_frozen_scored_and_the_same_again(place, data):
    rows = condition_rows(SETTINGS, data, {}, place, "first")
    loop, pool = rows.to_dicts()[:2]
    assert (loop["what"], pool["what"]) == ("loop", "pool")
    assert pool["n_task"] == len(data.cases) - 10
    assert {"comparator", "hand_written", "electorate"} <= set(rows["what"])
    folder = place.pools / "first"
    frozen = load_pool(folder)
    assert loop["pool"] == pool["pool"] == frozen.hash
    assert frozen.electorate == 0
    archive = Archive.load(folder / "archive.jsonl")
    assert len(archive) == loop["attempts"]
    assert sum(kept.admitted for kept in archive) == loop["admitted"]
    assert len(json.loads((folder / "rounds.json").read_text())) == loop["rounds"]
    again = condition_rows(SETTINGS, data, {}, place, "second")
    assert again.equals(rows)
    names = set(split(data.cases, 10, 0))
    unseen = [c.task.task_id for c in data.cases if c.task.task_id not in names]
    shown = next(score_frozen(folder, {"unseen": data.part(unseen)}, SETTINGS, place))
    assert shown["delta"] == pool["delta"]


def test_jails_take_the_limits_of_their_programs(place):
    with harness_of("own", place, 3) as harness:
        assert harness.seed == 3
        assert harness.program_limits == limits_of("own") == OWN_LIMITS


@pytest.mark.parametrize("overrides", [[], ["+grid=evalcegar"]])
def test_the_settings_compose(overrides):
    with hydra.initialize_config_dir(str(_runtime.CONF), version_base="1.3"):
        cfg = typed(hydra.compose("cegar", overrides))
    assert isinstance(cfg, CegarConf)
    check_cegar(cfg)
    assert FULL in cfg.variant
