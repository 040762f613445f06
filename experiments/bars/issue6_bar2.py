"""Bar 2: the operator that compares answers, on real programs and unseen tasks."""

from typing import Any

import numpy as np

from irtjax.cegar import (
    Panel,
    decidable,
    exact_gain,
    gain,
    make_panel,
    passing,
    redrawn_gain,
    sign_test,
    task_gains,
)
from irtjax.cegar.operators import Harness, comparator, run_operators
from irtjax.cegar.sandbox import ExecutionCache, best_sandbox

from .._cegar_tasks import Labelled, limits_of, load_labelled, split
from . import Measurement

P_VALUE = 0.001
DRAWS = 100_000
TRAINING = 75
SPLITS = 8
PUBLISHED = {
    "mbpp_plus": (0.0237, 0.17, 80, 32),
    "mbpp_plus unseen": (0.0247, 0.18, 62, 24),
    "humaneval_plus": (0.0561, 0.31, 43, 5),
}
"""Delta, headroom closed, tasks helped and hurt, measured by others with all answers as
peers; the unseen tasks are those of one split of theirs."""

WITHIN = 2.0
"""Standard errors of the mean over tasks within which our Delta must lie of theirs."""


def measure() -> Measurement:
    """Run the comparator on all published programs that pass the visible checks."""
    sandbox = best_sandbox()
    with ExecutionCache() as cache:
        found: dict[str, Any] = {}
        for name in ("mbpp_plus", "humaneval_plus"):
            data = load_labelled(name, sandbox, cache, None)
            with Harness(sandbox, cache, program_limits=limits_of(name)) as harness:
                flags = flagged(data, harness)
            found[name] = score(data, flags)
            if name == "mbpp_plus":
                found |= unseen(data, flags)
        return judge(found)


def flagged(data: Labelled, harness: Harness) -> dict[str, np.ndarray]:
    """Return by task which of the answers that pass the comparator flags."""
    cases, _ = passing(data.cases, data.labels)
    found = run_operators([comparator()], cases, harness)
    if found.refused:
        raise RuntimeError(f"The comparator is refused: {found.refused[0]}.")
    pairs = zip(cases, found.by_case, strict=True)
    return {case.task.task_id: said[0] == 1 for case, said in pairs}


def score(data: Labelled, flags: dict[str, np.ndarray]) -> dict[str, Any]:
    """Return what rejecting the flagged answers does to selection accuracy.

    Args:
        data: tasks with labels.
        flags: of the answers that pass, by task.
    """
    panel = make_panel(*passing(data.cases, data.labels))
    rows = np.concatenate([flags[name] for name in panel.task_ids])[None]
    whole, exact = gain(panel, rows), exact_gain(panel, rows)
    redrawn = redrawn_gain(panel, rows, draws=DRAWS, seed=6, unit="program")
    return {
        "tasks": len(panel.task_ids),
        "delta": whole.delta,
        "accuracy": whole.accuracy,
        "headroom": whole.headroom,
        "closed": whole.closed,
        "helped": whole.helped,
        "hurt": whole.hurt,
        "p, samples redrawn, exact": exact.p_value,
        "p, programs redrawn": redrawn.p_value,
        "p, sign test": sign_test(whole.helped, whole.hurt),
        "standard error": standard_error(panel, rows),
    }


def standard_error(panel: Panel, rows: np.ndarray) -> float:
    """Return the standard error of Delta over all tasks of a panel."""
    tasks = decidable(panel)
    change = np.zeros(len(panel.task_ids))
    change[tasks.task] = task_gains(tasks, rows[:, tasks.member])[0]
    return float(np.std(change, ddof=1) / np.sqrt(len(change)))


def unseen(data: Labelled, flags: dict[str, np.ndarray]) -> dict[str, Any]:
    """Return the scores on the unseen tasks of several splits, by name."""
    names = [case.task.task_id for case in data.cases]
    found = {}
    for seed in range(SPLITS):
        training = set(split(data.cases, TRAINING, seed))
        part = data.part([name for name in names if name not in training])
        found[f"mbpp_plus unseen, split {seed}"] = score(part, flags)
    return found


def judge(found: dict[str, Any]) -> Measurement:
    """Return the bar's verdict.

    Args:
        found: scores by set of tasks.
    """
    splits = [entry for name, entry in found.items() if "unseen" in name]
    published = PUBLISHED["mbpp_plus unseen"][0]
    passed = all(
        entry["delta"] > 0
        and entry["p, samples redrawn, exact"] <= P_VALUE
        and abs(entry["delta"] - published) <= WITHIN * entry["standard error"]
        for entry in splits
    )
    return {
        "bar": "the comparator's Delta on unseen MBPP+ tasks is positive, no luck, and "
        "within sampling of the one measured by others",
        "command": "scripts/bars 6 2",
        "required": {"delta": "> 0", "p": P_VALUE, "standard errors off": WITHIN},
        "measured": {**found, "measured by others": PUBLISHED},
        "passed": bool(splits) and passed,
    }
