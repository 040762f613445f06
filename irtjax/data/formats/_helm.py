"""Per-instance results of HELM."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .._options import Duplicates, ScoreIs
from .._source import DataError
from .._table import ResponseTable
from ._files import as_names, choose, counted, files_below, load_json, need, shown
from ._runs import Run, Wish, table_of

HELM_FILES = r"(.*/)?per_instance_stats\.json"
_MODEL = re.compile(r"(?<=[:,])(model|model_deployment)=[^,]*,?")


class _Value(NamedTuple):
    item: str
    metric: str
    split: str
    value: float | None
    place: str


class _Run(NamedTuple):
    name: str
    system: str
    scenario: str
    values: list[_Value]
    perturbed: int


def read_helm(
    path: str | Path,
    *,
    metric: str | Sequence[str] | None = None,
    split: str | Sequence[str] | None = None,
    duplicates: Duplicates = "error",
    score_is: ScoreIs | None = None,
    out_of: float | int = 1,
    missing: float | int | None = None,
    least: int = 2,
) -> ResponseTable:
    """Return the table in per-instance results of HELM (0.2 to 0.5.16).

    A run is a folder with `run_spec.json` and `per_instance_stats.json`, as `helm-run`
    writes them under `runs/SUITE`. A system is the run's model (`adapter_spec.model`); an
    item is an instance of a scenario, RUN/INSTANCE with the model taken out of the run's
    name; the train trials of an instance are its trials. An instance without the metric
    is missing, and so are perturbed copies of instances.

    Args:
        path: the folder that holds the runs, at any depth.
        metric: which statistic is the score, such as "exact_match"; of several, each
            scenario takes the first that it has. HELM writes dozens, so it is nearly
            always needed.
        split: which split counts, such as "test"; needed where a scenario has several.
        duplicates: what to do where a model has two runs of a scenario.
        score_is: whether the metric counts success or failure.
        out_of: the score that counts as 1.
        missing: a number that marks a missing result.
        least: fewest systems, and items, that make sense; see `irtjax.data.read_table`.

    Raises:
        DataError: for files that cannot be right or leave something open; the message
            names file and instance.
    """
    root = Path(path)
    runs = [_read(each, root) for each in files_below(root, HELM_FILES)]
    metrics, splits = as_names(metric), as_names(split)
    used: dict[str, tuple[str, str]] = {}
    for scenario in dict.fromkeys(each.scenario for each in runs):
        values = [v for each in runs if each.scenario == scenario for v in each.values]
        what = f"Scenario {scenario!r}"
        chosen = choose(
            _scores(values, out_of, metrics, missing), metrics, "metric", what
        )
        offered = {each.split for each in values if each.metric == chosen}
        used[scenario] = chosen, choose(offered, splits, "split", what)
    perturbed = sum(each.perturbed for each in runs)
    chosen = ", ".join(sorted({f"{one} ({other})" for one, other in used.values()}))
    notes = [
        f"HELM results, {counted(len(runs), 'run')}; systems are models, items are "
        f"instances of scenarios. Metric (split): {chosen}."
    ]
    if perturbed:
        notes.append(f"{perturbed:,} results on perturbed instances were left out.")
    made = [_run(each, *used[each.scenario]) for each in runs]
    return table_of(
        made, root.name, Wish(duplicates, score_is, out_of, missing, least), notes
    )


def _scores(
    values: list[_Value],
    out_of: float | int,
    wanted: tuple[str, ...],
    missing: float | int | None,
) -> set[str]:
    """Return the metrics that can be scores, those within bounds, and those wanted."""
    inside: dict[str, bool] = {}
    for each in values:
        fits = each.value in (None, missing) or 0 <= each.value <= out_of
        inside[each.metric] = inside.get(each.metric, True) and fits
    return {name for name, fits in inside.items() if fits or name in wanted}


def _run(run: _Run, metric: str, split: str) -> Run:
    rows = [each for each in run.values if (each.metric, each.split) == (metric, split)]
    return Run(
        run.system,
        run.name,
        [f"{run.scenario}/{each.item}" for each in rows],
        [each.value for each in rows],
        [f"{each.place}, metric {metric!r}" for each in rows],
        repeats=True,
    )


def _read(file: Path, root: Path) -> _Run:
    name = shown(file, root)
    beside = file.with_name("run_spec.json")
    if not beside.is_file():
        raise DataError(f"{name}: there is no run_spec.json beside it.")
    about = load_json(beside, shown(beside, root) if root.is_dir() else beside.name)
    adapter = need(about, "adapter_spec", dict, beside.name)
    system = adapter.get("model") or need(adapter, "model_deployment", str, beside.name)
    own = str(system).replace("/", "_")  # as HELM writes it into the name
    full = need(about, "name", str, beside.name).replace(f"model={own}", "model=")
    scenario = _MODEL.sub("", full).rstrip(",:")
    entries = load_json(file, name)
    if not isinstance(entries, list):
        raise DataError(f"{name}: the file must hold a list of instances.")
    values, perturbed = [], 0
    for entry in entries:
        item = need(entry, "instance_id", str, name)
        place = f"instance {item!r}"
        if entry.get("perturbation"):
            perturbed += 1
            continue
        for stat in need(entry, "stats", list, f"{name}, {place}"):
            label = need(stat, "name", dict, f"{name}, {place}")
            split = str(label.get("split", "none"))
            value = _value(stat, f"{name}, {place}")
            values.append(_Value(item, str(label.get("name")), split, value, place))
    return _Run(name, system, scenario, values, perturbed)


def _value(stat: dict[str, Any], place: str) -> float | None:
    """Return a statistic's mean over its observations; None without any."""
    if not stat.get("count"):
        return None
    mean = stat.get("mean", stat.get("sum", 0) / stat["count"])
    if not isinstance(mean, int | float):
        raise DataError(f"{place}: the mean {mean!r} is not a number.")
    return float(mean)
