"""Bar 6: a planted structure is found, and none where none was planted."""

from typing import Any

import jax

from .. import _planted
from . import Measurement

# For each study its size, what plants the structure and what plants nothing.
STUDIES = {
    "dif": (
        _planted.group_differences,
        _planted.Size(200, 30, 10, tables=40),
        {"shift": 0.8},
        {"shift": 0.0},
    ),
    "testlets": (
        _planted.clusters,
        _planted.Size(200, 30, 1, tables=20),
        {"sd": 0.8},
        {"sd": 0.0},
    ),
    "dimensions": (
        _planted.dimensions,
        _planted.Size(100, 30, 5, tables=20),
        {"correlation": 0.3},
        {"correlation": 1.0},
    ),
    "features": (
        _planted.explained_items,
        _planted.Size(40, 250, 5, tables=20),
        {"share": 0.6},
        {"share": 0.0},
    ),
}
# Name by name (at least, at most); a control's limits allow for the level of its test
# in so few tables.
REQUIRED = {
    "dif": {
        "planted": {
            "share_of_planted_found": (0.9, 1.0),
            "false_flags_a_table": (0.0, 0.4),
            "not_converged": (0, 0),
        },
        "control": {
            "share_of_tables_with_a_false_flag": (0.0, 0.15),
            "not_converged": (0, 0),
        },
    },
    "testlets": {
        "planted": {
            "mean_sd": (0.64, 0.96),
            "share_found": (0.9, 1.0),
            "not_converged": (0, 0),
        },
        "control": {
            "mean_sd": (0.0, 0.2),
            "share_found": (0.0, 0.2),
            "not_converged": (0, 0),
        },
    },
    "dimensions": {
        "planted": {"share_found": (0.9, 1.0)},
        "control": {"share_found": (0.0, 0.2)},
    },
    "features": {
        "planted": {"r2_held_out": (0.5, 1.0), "not_converged": (0, 0)},
        "control": {"r2_held_out": (-1.0, 0.1), "not_converged": (0, 0)},
    },
}


def measure() -> Measurement:
    """Look for each structure where it is and where it is not."""
    jax.config.update("jax_enable_x64", True)
    return judge(
        {
            name: {
                "planted": study(size, **planted),
                "control": study(size, **nothing),
            }
            for name, (study, size, planted, nothing) in STUDIES.items()
        }
    )


def judge(measured: dict[str, dict[str, dict[str, Any]]]) -> Measurement:
    """Return the bar's verdict.

    Args:
        measured: by study, what was found where the structure was planted and where it
            was not.
    """
    within = [
        least <= measured[study][kind][name] <= most
        for study, kinds in REQUIRED.items()
        for kind, limits in kinds.items()
        for name, (least, most) in limits.items()
    ]
    return {
        "bar": "Planted group differences, testlets, dimensions and explained "
        "difficulties are found; nothing is where nothing was planted",
        "command": "scripts/bars 4 6",
        "required": REQUIRED,
        "measured": measured,
        "passed": all(within),
    }
