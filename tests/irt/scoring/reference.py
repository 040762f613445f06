"""Slow references for scoring: single numbers, no JAX."""

import json
from pathlib import Path

import jax.numpy as jnp
import numpy as np
from scipy.optimize import brentq

from irtjax.data import BinomialResponses
from irtjax.irt import Estimate


def published(shared: Path, name: str):
    """R mirt's fit of one data set: its record, slopes and intercepts."""
    record = json.loads((shared / "reference" / "mirt" / f"{name}.json").read_text())
    kinds = [entry["est"] for entry in record["slope_intercept"].values()]
    return record, kinds


def two_pl_items(kinds):
    """Slopes and intercepts as the items of a `TwoPL`."""
    slope = np.array([kind["a1"] for kind in kinds])
    intercept = np.array([kind["d"] for kind in kinds])
    item = np.stack([-intercept / slope, np.log(slope)], axis=1)
    return Estimate(jnp.zeros((0, 1)), jnp.asarray(item), jnp.zeros(0))


def patterns(record):
    """The answer patterns of a record's scores, one answer a cell."""
    right = np.array([list(r["pattern"]) for r in record["scores_by_pattern"]], float)
    return BinomialResponses(jnp.asarray(right), jnp.ones(right.shape))


def column(record, name):
    """One column of a record's scores; not a number where R mirt has none."""
    rows = record["scores_by_pattern"]
    return np.array([np.nan if r[name] is None else r[name] for r in rows], float)


def three_pl_chances(ability, difficulty, slope, lower):
    """Chance of success by the textbook formula."""
    return lower + (1 - lower) / (1 + np.exp(-slope * (ability - difficulty)))


def warm_by_hand(right, difficulty, slope, lower):
    """Warm's estimate for a 3PL by his equations and a bracketing root search."""

    def equation(ability):
        p = three_pl_chances(ability, difficulty, slope, lower)
        share = (p - lower) / (1 - lower)
        first = slope * share * (1 - share) * (1 - lower)
        second = slope * (1 - 2 * share) * first
        information = np.sum(first**2 / (p * (1 - p)))
        bias = np.sum(first * second / (p * (1 - p)))
        return np.sum(first * (right - p) / (p * (1 - p))) + bias / (2 * information)

    return brentq(equation, -8, 8, xtol=1e-13)
