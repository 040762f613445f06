"""Bar 5: every subset of 35 operators scored over all candidates."""

import itertools
import time
from typing import Any

import numpy as np

from irtjax.cegar import (
    Panel,
    count_subsets,
    gain,
    rejected,
    score_subsets,
    subset_deltas,
)

from . import Measurement
from ._published_panel import published_panel

OPERATORS = 35
SIZE = 6
SUBSETS = 2_007_327
SECONDS = 60.0


def measure() -> Measurement:
    """Score all subsets over all published programs, and some by brute force."""
    panel = published_panel()
    flags = drawn_flags(panel, OPERATORS)
    start = time.perf_counter()
    scored = score_subsets(panel, flags, size=SIZE)
    score_seconds = time.perf_counter() - start
    start = time.perf_counter()
    gains = subset_deltas(panel, flags, size=SIZE)
    gain_seconds = time.perf_counter() - start
    return judge(
        {
            "operators": OPERATORS,
            "programs": len(panel.task),
            "samples": int(panel.count.sum()),
            "subsets": len(scored.objective),
            "seconds": round(score_seconds, 1),
            "seconds for every subset's gain": round(gain_seconds, 1),
            "gains": len(gains),
            "brute force differs": brute_force(panel, flags[:8], 4),
        }
    )


def judge(measured: dict[str, Any]) -> Measurement:
    """Return the bar's verdict."""
    return {
        "bar": f"All subsets of {OPERATORS} operators up to {SIZE} over all candidates, "
        "equal to brute force on a small case; 2,007,327 of them (the paper's abstract "
        "says 2.3 million)",
        "command": "scripts/bars 6 5",
        "required": {"subsets": SUBSETS, "seconds": SECONDS, "brute force differs": 0},
        "measured": measured,
        "passed": measured["subsets"] == measured["gains"] == SUBSETS
        and measured["seconds"] < SECONDS
        and measured["brute force differs"] == 0,
    }


def drawn_flags(panel: Panel, n_operator: int, seed: int = 0) -> np.ndarray:
    """Return flags of operators of all sizes, each somewhat better than chance."""
    rng = np.random.default_rng(seed)
    rate = rng.uniform(0.02, 0.4, (n_operator, 1))
    return rng.random((n_operator, len(panel.task))) < rate * np.where(
        panel.right, 0.7, 1.6
    )


def brute_force(panel: Panel, flags: np.ndarray, size: int) -> int:
    """Return how many subsets score otherwise than one at a time says."""
    scored = score_subsets(panel, flags, size=size)
    gains = subset_deltas(panel, flags, size=size)
    subsets = [
        list(subset)
        for k in range(1, size + 1)
        for subset in itertools.combinations(range(len(flags)), k)
    ]
    assert len(subsets) == count_subsets(len(flags), size)
    differs = 0
    for place, subset in enumerate(subsets):
        out = rejected(flags[subset])
        true = panel.count[out & ~panel.right].sum()
        false = panel.count[out & panel.right].sum()
        delta = gain(panel, flags[subset]).delta
        differs += bool(
            scored.true_flags[place] != true
            or scored.false_flags[place] != false
            or abs(gains[place] - delta) > 1e-12
        )
    return differs
