"""Bar 1, its part on fit statistics: M2, S-X2, infit and Q3 equal R mirt's.

The statistics are computed at R mirt's own estimates, so that a gap is one of the
statistic and not of the fit.
"""

import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from irtjax.data import BinomialResponses
from irtjax.irt import Estimate, OnePL, TwoPL
from irtjax.irt.diagnostics import item_mean_squares, m2, q3, s_x2

from . import Measurement
from ._shared import shared

FITS = (
    "LSAT6_2PL",
    "LSAT6_Rasch",
    "LSAT7_2PL",
    "LSAT7_Rasch",
    "SAT12_2PL",
    "SAT12_Rasch",
)
# The largest gap allowed, relative to 1 + their value.
LARGEST_GAP = {"M2": 5e-5, "S-X2": 5e-5, "infit": 1e-5, "outfit": 1e-5, "Q3": 1e-6}


def measure() -> Measurement:
    """Compute every statistic at R mirt's estimates."""
    # As an application, not the library, may: before the first array is made.
    jax.config.update("jax_enable_x64", True)
    return judge({name: gaps(shared(), name) for name in FITS})


def judge(found: dict[str, dict[str, float]]) -> Measurement:
    """Return the verdict on the gaps of each fit's statistics.

    Args:
        found: the largest gap by fit and statistic, as `gaps` returns it.
    """
    worst = {
        statistic: max(of_fit[statistic] for of_fit in found.values())
        for statistic in LARGEST_GAP
    }
    return {
        "bar": "M2, S-X2, infit, outfit and Q3 at R mirt's estimates equal R mirt's, with "
        "equal degrees of freedom",
        "command": "scripts/bars 4 1",
        "required": {"largest gap": LARGEST_GAP, "unequal degrees of freedom": 0},
        "measured": {
            "largest gap": worst,
            "unequal degrees of freedom": sum(
                int(of_fit["unequal_df"]) for of_fit in found.values()
            ),
            "by fit": found,
        },
        "passed": all(worst[name] <= most for name, most in LARGEST_GAP.items())
        and all(of_fit["unequal_df"] == 0 for of_fit in found.values()),
    }


def gaps(folder: Path, name: str) -> dict[str, float]:
    """Return how far each statistic of one fit is from R mirt's, the worst item's.

    Args:
        folder: of the published data.
        name: one of `FITS`.
    """
    theirs = json.loads((folder / "reference" / "mirt" / f"{name}.json").read_text())
    model, responses, at = at_their_estimate(folder, name, theirs)
    mean_squares = item_mean_squares(model, responses, at)
    dependence = q3(model, responses, at).correlation
    chi, whole = s_x2(model, responses, at), m2(model, responses, at)

    def column(key: str) -> np.ndarray:
        return np.array([item[key] for item in theirs["itemfit"]])

    unequal = int(np.sum(np.asarray(chi.df) != column("df.S_X2")))
    return {
        "M2": _gap(whole.statistic, theirs["M2"]["M2"]),
        "S-X2": _gap(chi.statistic, column("S_X2")),
        "infit": _gap(mean_squares.infit, column("infit")),
        "outfit": _gap(mean_squares.outfit, column("outfit")),
        "Q3": _gap(dependence, np.array(theirs["Q3"])),
        "unequal_df": unequal + int(int(whole.df) != theirs["M2"]["df"]),
    }


def at_their_estimate(
    folder: Path, name: str, theirs: dict[str, Any]
) -> tuple[OnePL | TwoPL, BinomialResponses, Estimate]:
    """Return the model, the table and R mirt's estimate, abilities as posterior means.

    Its Rasch model has a free spread of abilities and slopes of 1, ours one slope and
    abilities of spread 1.
    """
    file = "SAT12_scored" if name.startswith("SAT12") else name.split("_")[0]
    path = folder / "data" / "classic" / f"{file}.csv"
    rows = np.loadtxt(path, delimiter=",", skiprows=1, dtype=str)[:, 1:].astype(float)
    items = [entry["est"] for entry in theirs["slope_intercept"].values()]
    intercept = np.array([item["d"] for item in items])
    spread = theirs["group"][0][1] ** 0.5
    slope = np.array([item["a1"] for item in items]) * spread
    ability = jnp.asarray(posterior_means(rows, slope, intercept))[:, None]
    responses = BinomialResponses(jnp.asarray(rows), jnp.ones(rows.shape))
    difficulty = -intercept / slope
    if name.endswith("Rasch"):
        common = jnp.log(jnp.asarray([spread]))
        return (
            OnePL(),
            responses,
            Estimate(ability, jnp.asarray(difficulty)[:, None], common),
        )
    item = jnp.asarray(np.stack([difficulty, np.log(slope)], axis=1))
    return TwoPL(), responses, Estimate(ability, item, jnp.zeros(0))


def posterior_means(
    rows: np.ndarray, slope: np.ndarray, intercept: np.ndarray
) -> np.ndarray:
    """Return the posterior mean of each row's standard normal ability, by 61 nodes."""
    node = np.linspace(-6, 6, 61)
    logit = slope[:, None] * node + intercept[:, None]
    log_right, log_wrong = -np.logaddexp(0, -logit), -np.logaddexp(0, logit)
    weight = rows @ log_right + (1 - rows) @ log_wrong - node**2 / 2
    weight = np.exp(weight - weight.max(axis=1, keepdims=True))
    return weight @ node / weight.sum(axis=1)


def _gap(ours: Any, theirs: Any) -> float:
    gap = np.abs(np.asarray(ours) - theirs) / (1 + np.abs(theirs))
    return float(np.max(gap)) if np.all(np.isfinite(gap)) else float("inf")
