"""Bar 2: the default ranker never hurts on small tables, against its alternatives."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from irtjax.data import MCAR, Assortative
from irtjax.irt import MarginalMAP, Normal, OnePL, PooledTwoPL, TwoPL
from irtjax.ranking import DEFAULT_RANKER, RANKERS, AbstractRanker, ModelRanker

from .._small_tables import REFERENCE, agreement_with, drawn_tables
from . import Measurement

SHAPES = ((20, 20), (20, 200), (50, 50))
TRIALS = (1, 10)
MASKS = {"mcar": MCAR(), "assortative": Assortative()}
SPARSITY = 0.4
PROBLEMS = 200
BELOW_AVERAGE = 0.005
RIVALS = ("one_pl", "one_pl_marginal")
CANDIDATES: dict[str, AbstractRanker] = {
    "average": RANKERS["average"],
    "logit_least_squares": RANKERS["logit_least_squares"],
    "one_pl": RANKERS["one_pl"],
    "one_pl_marginal": ModelRanker(OnePL(), MarginalMAP()),
    "two_pl": RANKERS["two_pl"],
    "two_pl_marginal": ModelRanker(TwoPL(), MarginalMAP()),
    "pooled_narrow_difficulty": ModelRanker(PooledTwoPL(difficulty=Normal(0.0, 1.0))),
    DEFAULT_RANKER: RANKERS[DEFAULT_RANKER],
}
"""What was weighed, and the ranker that was taken."""


def measure(problems: int = PROBLEMS) -> Measurement:
    """Rank the tables of every setting by every candidate."""
    found = {}
    for number, (shape, trials, mask) in enumerate(settings()):
        name = f"{shape[0]}x{shape[1]} K{trials} {mask}"
        tables = drawn_tables(
            REFERENCE,
            shape,
            MASKS[mask],
            jnp.full(problems, SPARSITY),
            jnp.asarray(float(trials)),
            key=jax.random.fold_in(jax.random.key(20), number),
        )
        found[name] = {
            candidate: agreement_with(ranker.score_many(tables.responses).score, tables)
            for candidate, ranker in CANDIDATES.items()
        }
    return judge(found)


def settings() -> list[tuple[tuple[int, int], int, str]]:
    """Return every shape, number of trials and mask."""
    return [(s, k, m) for s in SHAPES for k in TRIALS for m in MASKS]


def judge(found: dict[str, dict[str, Float[np.ndarray, " problem"]]]) -> Measurement:
    """Return the bar's verdict.

    Args:
        found: each candidate's rhos over the same tables, by setting.
    """
    measured = {name: _setting(rho) for name, rho in found.items()}
    return {
        "bar": "The default ranker, paired over 200 tables a setting: never more than "
        ".005 mean rho below the plain mean; under the assortative mask within two "
        "paired standard errors of the better 1PL, or above",
        "command": "scripts/bars 3 2",
        "required": {
            "least less plain mean": -BELOW_AVERAGE,
            "assortative, least z": -2,
        },
        "measured": measured,
        "passed": all(
            entry["less plain mean"] >= -BELOW_AVERAGE
            and (not name.endswith("assortative") or entry["z"] >= -2)
            for name, entry in measured.items()
        ),
    }


def _setting(rho: dict[str, Float[np.ndarray, " problem"]]) -> dict[str, Any]:
    default = rho[DEFAULT_RANKER]
    rival = max(RIVALS, key=lambda name: rho[name].mean())
    gap = default - rho[rival]
    error = gap.std(ddof=1) / np.sqrt(gap.size)
    return {
        "mean rho": {name: round(float(each.mean()), 4) for name, each in rho.items()},
        "less plain mean": round(float((default - rho["average"]).mean()), 4),
        "better 1PL": rival,
        "less better 1PL": round(float(gap.mean()), 4),
        "z": round(float(gap.mean() / max(error, 1e-12)), 2),
    }
