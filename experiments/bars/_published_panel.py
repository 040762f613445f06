"""All published programs with the labels that come with them, as one panel."""

import gzip
import json
from pathlib import Path

import numpy as np

from irtjax.cegar import Panel

from ._shared import shared

SETS = ("mbpp", "humaneval")


def published_panel(folder: Path | None = None, *, passing: bool = False) -> Panel:
    """Return programs of both sets with their given labels.

    Args:
        folder: of the files; by default `data/programs` of the shared data.
        passing: only those that pass the visible checks.
    """
    folder = shared() / "data" / "programs" if folder is None else folder
    rows, ids = [], []
    for name in SETS:
        candidates = _lines(folder / f"candidates_{name}.jsonl.gz")
        labels = {
            line["task_id"]: {label["i"]: label for label in line["labels"]}
            for line in _lines(folder / f"labels_{name}.jsonl.gz")
        }
        for line in candidates:
            for place, one in enumerate(line["candidates"]):
                label = labels[line["task_id"]].get(place, {})
                right = bool(label.get("base") and label.get("plus"))
                if label.get("vis") or not passing:
                    rows.append((len(ids), len(one["samples"]), right, place))
            ids.append(line["task_id"])
    task, count, right, place = map(np.array, zip(*rows, strict=True))
    return Panel(task, count, right, place, tuple(ids))


def _lines(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]
