"""One condition of `experiments.cegar`: grow a pool, freeze it, score it once."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from jaxtyping import Int

from irtjax.cegar import (
    FLAG,
    Archive,
    Case,
    Grown,
    Operator,
    Panel,
    Pool,
    blind_spots,
    decidable,
    evaluate,
    gain_interval,
    grow,
    load_pool,
    make_panel,
    passing,
    pool_verdicts,
    subset_deltas,
)
from irtjax.cegar.operators import Harness, comparator, hand_written
from irtjax.cegar.sandbox import AbstractSandbox, ExecutionCache

from ._cegar_tasks import Labelled, limits_of, split
from ._cegar_variants import FULL, VARIANTS, shuffle_labels

ELECTORATE = 0
"""Seed of the choice of peers, one for all runs: they differ in their training tasks."""

ELECTORATES = 2
"""Other choices of peers under which the frozen pool of the full loop is scored."""

COMPOSED = 12
"""Most archived operators among whose subsets the pool's place is computed."""

ROW = {
    "tasks": pl.String,
    "variant": pl.String,
    "training": pl.Int64,
    "seed": pl.Int64,
    "where": pl.String,  # which tasks were scored: unseen ones, or a set never trained on
    "what": pl.String,  # pool, operator, comparator, hand_written, electorate, loop
    "name": pl.String,  # of an operator, or the number of an electorate
    "source": pl.String,  # of an operator
    "level": pl.Int64,  # of an operator, or the last one that the loop reached
    "n_task": pl.Int64,
    "n_decidable": pl.Int64,
    "accuracy": pl.Float64,  # of the pick, flagging nothing plus delta
    "delta": pl.Float64,
    "lower": pl.Float64,  # of delta's 95 % interval, tasks drawn anew
    "upper": pl.Float64,
    "headroom": pl.Float64,
    "closed": pl.Float64,  # share of the headroom
    "helped": pl.Int64,  # tasks
    "hurt": pl.Int64,
    "flagged": pl.Int64,  # samples
    "flagged_wrong": pl.Int64,
    "p_exact": pl.Float64,
    "p_samples": pl.Float64,  # by redrawing samples
    "p_programs": pl.Float64,  # by redrawing whole programs
    "p_sign": pl.Float64,
    "percentile": pl.Float64,  # of the pool among all subsets of the archive, 0 to 100
    "n_subset": pl.Int64,
    "admitted": pl.Int64,  # operators, of a loop
    "attempts": pl.Int64,
    "rounds": pl.Int64,
    "blind_before": pl.Int64,  # training samples in mixed classes
    "blind_after": pl.Int64,
    "pool": pl.String,  # hash of the frozen pool
}
"""Columns of a record's rows: one row a score, and one a loop."""


class Place(NamedTuple):
    """Where conditions run.

    Attributes:
        sandbox: of operators and programs.
        cache: of runs and verdicts.
        pools: folder of the frozen pools.
        draws: of the sampled nulls.
    """

    sandbox: AbstractSandbox
    cache: ExecutionCache
    pools: Path
    draws: int


class Scored(NamedTuple):
    """Tasks on which pools are scored.

    Attributes:
        name: of their set.
        cases: with the answers that pass the visible checks.
        panel: made from these.
    """

    name: str
    cases: tuple[Case, ...]
    panel: Panel

    def verdicts(
        self, operators: Sequence[Operator], electorate: int, place: Place
    ) -> Int[np.ndarray, "operator candidate"]:
        """Return what operators say of the answers, with peers chosen by a seed."""
        with harness_of(self.name, place, electorate) as harness:
            return pool_verdicts(operators, self.cases, harness)


def condition_rows(
    settings: Mapping[str, Any],
    data: Labelled,
    beside: Mapping[str, Labelled],
    place: Place,
    folder: str,
) -> pl.DataFrame:
    """Return a condition's rows: what the loop did and what its frozen pool is worth.

    Args:
        settings: of the condition.
        data: all tasks of its set.
        beside: sets that are scored too, by name.
        place: where it runs.
        folder: name of the frozen pool's folder.
    """
    training = split(data.cases, settings["training"], settings["seed"])
    target = place.pools / folder
    loop = _freeze(settings, data.part(training), place, target)
    unseen = [
        case.task.task_id
        for case in data.cases
        if case.task.task_id not in set(training)
    ]
    scored = {"unseen": data.part(unseen), **beside}
    rows = [loop, *score_frozen(target, scored, settings, place)]
    constants = {
        "tasks": settings["tasks"],
        "variant": settings["variant"],
        "training": len(training),
        "seed": settings["seed"],
    }
    return pl.DataFrame([constants | row for row in rows], schema=ROW)


def _freeze(
    settings: Mapping[str, Any], train: Labelled, place: Place, target: Path
) -> dict[str, Any]:
    """Grow a pool on training tasks, write it to disk, and return the loop's row."""
    variant = VARIANTS[settings["variant"]]
    seed = settings["seed"]
    labels = shuffle_labels(train.labels, seed) if variant.shuffled else train.labels
    with harness_of(settings["tasks"], place, ELECTORATE) as harness:
        grown = grow(
            train.cases,
            labels,
            harness,
            generator=variant.generator(),
            gate=variant.gate,
            settings=variant.seeded(seed),
        )
        cases, _ = passing(train.cases, labels)
        first = pool_verdicts(hand_written(), cases, harness)
    grown.pool.save(target)
    grown.run.archive.save(target / "archive.jsonl")
    rounds = [entry._asdict() for entry in grown.run.rounds]
    (target / "rounds.json").write_text(json.dumps(rounds, indent=1) + "\n")
    return _loop_row(grown, first)


def _loop_row(grown: Grown, first: np.ndarray) -> dict[str, Any]:
    before = blind_spots(grown.panel, first)
    after = blind_spots(grown.panel, np.array([*first, *grown.run.verdicts], np.int8))
    return {
        "where": "training",
        "what": "loop",
        "level": max((entry.level for entry in grown.run.rounds), default=0),
        "admitted": len(grown.run.pool),
        "attempts": len(grown.run.archive),
        "rounds": len(grown.run.rounds),
        "blind_before": sum(spot.samples for spot in before),
        "blind_after": sum(spot.samples for spot in after),
        "pool": grown.pool.hash,
    }


def score_frozen(
    folder: Path,
    scored: Mapping[str, Labelled],
    settings: Mapping[str, Any],
    place: Place,
) -> Iterator[dict[str, Any]]:
    """Yield rows of a frozen pool's worth on tasks that it has not seen.

    It reads the pool from disk and nothing of the run that made it but its archive.

    Args:
        folder: of the pool.
        scored: tasks, by the name of their set.
        settings: of the condition.
        place: where operators run.
    """
    pool = load_pool(folder)
    full = settings["variant"] == FULL
    for where, data in scored.items():
        if not data.cases:
            continue
        name = settings["tasks"] if where == "unseen" else where
        cases, labels = passing(data.cases, data.labels)
        here = Scored(name, cases, make_panel(cases, labels))

        def worth(what, operators, electorate=pool.electorate, here=here, where=where):
            said = here.verdicts(operators, electorate, place)
            score = _score(here.panel, said, place.draws, settings["seed"])
            return {"where": where, "what": what, "pool": pool.hash, **score}

        row = worth("pool", pool.operators)
        if full and where == "unseen" and len(pool.operators):
            row |= _percentile(folder, pool, here, place, row["delta"])
        yield row
        if not full:
            continue
        for operator in pool.operators:
            yield worth("operator", [operator]) | _described(operator)
        yield worth("comparator", [comparator()]) | _described(comparator())
        if where != "unseen":
            continue
        yield worth("hand_written", hand_written())
        for other in range(1, ELECTORATES + 1):
            row = worth("electorate", pool.operators, pool.electorate + other)
            yield row | {"name": str(other)}


def harness_of(name: str, place: Place, electorate: int) -> Harness:
    """Return the jails for one set of tasks.

    Args:
        name: of the set.
        place: where they run.
        electorate: seed of the choice of peers.
    """
    return Harness(
        place.sandbox,
        place.cache,
        program_limits=limits_of(name),
        seed=electorate,
    )


def _described(operator: Operator) -> dict[str, Any]:
    return {
        "name": operator.name,
        "source": operator.source,
        "level": operator.level,
    }


def _score(panel, said, draws: int, seed: int) -> dict[str, Any]:
    found = evaluate(panel, said, draws=draws, seed=seed)
    lower, upper = gain_interval(panel, said == FLAG, seed=seed)
    return {
        "n_task": len(panel.task_ids),
        "n_decidable": len(decidable(panel).task),
        "accuracy": found.gain.accuracy,
        "delta": found.gain.delta,
        "lower": lower,
        "upper": upper,
        "headroom": found.gain.headroom,
        "closed": found.gain.closed,
        "helped": found.gain.helped,
        "hurt": found.gain.hurt,
        "flagged": found.flagged,
        "flagged_wrong": found.flagged_wrong,
        "p_exact": found.exact.p_value,
        "p_samples": found.samples.p_value,
        "p_programs": found.programs.p_value,
        "p_sign": found.sign,
    }


def _percentile(
    folder: Path, pool: Pool, unseen: Scored, place: Place, delta: float
) -> dict[str, Any]:
    """Return where the pool's gain lies among those of all subsets of the archive."""
    ran = Archive.load(folder / "archive.jsonl").ran()
    flagging = [one for one in ran if FLAG in one.verdicts]
    flagging.sort(key=lambda one: not one.admitted)  # then in the order of the run
    operators = [one.operator for one in flagging[:COMPOSED]]
    said = unseen.verdicts(operators, pool.electorate, place)
    every = subset_deltas(unseen.panel, said == FLAG)
    below = float((every < delta - 1e-12).mean() + (every <= delta + 1e-12).mean()) / 2
    return {"percentile": 100 * below, "n_subset": len(every)}
