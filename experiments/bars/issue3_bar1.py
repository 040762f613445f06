"""Bar 1: what trust predicts of every ranker is what then happens."""

from collections.abc import Mapping
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from irtjax.data import MCAR, BinomialResponses, design_graph, thinnest_split
from irtjax.irt import TwoPL
from irtjax.ranking import DEFAULT_RANKER, RANKERS
from irtjax.ranking.trust import (
    Agreement,
    Expected,
    Level,
    agreements,
    expected,
    plausible_truths,
    recommended,
    simulated_tables,
)
from irtjax.ranking.trust import judge as judge_table

from .._schema import MASKS
from .._simulators import SIMULATORS
from .._small_tables import SmallTables, agreement_with, drawn_tables
from . import Measurement

SHAPES = ((10, 10), (20, 20), (50, 200))
TRIALS = (1, 10, 100)
SPARSITIES = (0.2, 0.4, 0.6)
TABLES = {(10, 10): 150, (20, 20): 60, (50, 200): 8}
"""Of each mask and number of trials: 2,616 in all, most where one says least."""
MISFITS = ("guessing", "residual", "publication_bias")
REPLICATES = 39
"""The fewest for which an interval of nine in ten is exact."""
COVERED = (0.85, 0.95)
BIAS = 0.03
REGRET = 0.02
BLOCKS = 50
"""Two-block designs, each of which must be called not comparable."""

Found = dict[str, dict[str, Float[np.ndarray, " problem"]]]


def measure(tables: Mapping[tuple[int, int], int] = TABLES) -> Measurement:
    """Predict every ranker's rho on every table and compare it with what came.

    Args:
        tables: how many of each mask and number of trials, by shape.
    """
    cells, number = {}, 0
    for shape, count in tables.items():
        for mask in MASKS:
            for trials in TRIALS:
                number += 1
                key = jax.random.fold_in(jax.random.key(31), number)
                sparsity = jnp.resize(jnp.asarray(SPARSITIES), (count,))
                drawn = drawn_tables(
                    TwoPL(),
                    shape,
                    MASKS[mask],
                    sparsity,
                    jnp.asarray(float(trials)),
                    key=key,
                )
                name = f"{shape[0]}x{shape[1]} {mask} K{trials}"
                cells[name] = predicted(drawn, jax.random.fold_in(key, 1))
    return judge(cells, misfits(max(tables.values())), two_blocks(BLOCKS))


def misfits(count: int) -> dict[str, Found]:
    """Return the same where answers do not follow a 2PL, for tables of one size."""
    found = {}
    for number, name in enumerate(MISFITS):
        key = jax.random.fold_in(jax.random.key(32), number)
        drawn = drawn_tables(
            TwoPL(),
            (20, 20),
            MASKS["assortative"],
            jnp.resize(jnp.asarray(SPARSITIES), (count,)),
            jnp.asarray(10.0),
            answers=SIMULATORS[name].responses,
            key=key,
        )
        found[name] = predicted(drawn, jax.random.fold_in(key, 1))
    return found


def predicted(tables: SmallTables, key: Key[Array, ""]) -> Found:
    """Return what was predicted of each ranker and what came, one entry a table.

    All tables' replicates are ranked in one batch, as one table's are by `trust`.
    """
    count = tables.responses.trials.shape[0]
    truths, replicas = _replicas(tables.responses, key)
    flat = jax.tree.map(
        lambda leaf: jnp.reshape(leaf, (-1, *leaf.shape[2:])), (truths, replicas)
    )
    simulated = agreements(flat[1], flat[0], RANKERS)
    found: Found = {}
    for name, ranker in RANKERS.items():
        parts = [part.reshape(count, REPLICATES) for part in simulated[name]]
        each = [expected(Agreement(*rows)) for rows in zip(*parts, strict=True)]
        found[name] = {
            "came": agreement_with(ranker.score_many(tables.responses).score, tables),
            "mean": np.array([one.rho for one in each]),
            "lower": np.array([one.rho_lower for one in each]),
            "upper": np.array([one.rho_upper for one in each]),
        }
    return found


@eqx.filter_jit
def _replicas(
    responses: BinomialResponses, key: Key[Array, ""]
) -> tuple[Float[Array, "problem replicate system"], BinomialResponses]:
    def one(each):
        number, table = each
        for_truth, for_table = jax.random.split(jax.random.fold_in(key, number))
        drawn = plausible_truths(table, draws=REPLICATES, key=for_truth)
        again = simulated_tables(drawn.truth, table.trials, key=for_table)
        return drawn.truth.system[:, :, 0], again

    return jax.lax.map(one, (jnp.arange(responses.trials.shape[0]), responses))


def two_blocks(count: int) -> int:
    """Return how many of some two-block designs are called not comparable."""
    unknown = Expected(*(float("nan"),) * 5, failed=0)
    half = np.kron(np.eye(2, dtype=bool), np.ones((5, 5), bool))
    tables = drawn_tables(
        TwoPL(),
        (10, 10),
        MCAR(),
        jnp.zeros(count),
        jnp.asarray(100.0),
        key=jax.random.key(33),
    )
    found = 0
    for k in range(count):
        whole = jax.tree.map(lambda leaf, k=k: leaf[k], tables.responses)
        table = whole.hide(jnp.asarray(half))
        verdict = judge_table(
            {DEFAULT_RANKER: unknown},
            design_graph(table),
            thinnest_split(table),
            None,
            control=0.0,
        )
        found += verdict.level is Level.not_comparable
    return found


def judge(cells: dict[str, Found], misfit: dict[str, Found], apart: int) -> Measurement:
    """Return the bar's verdict.

    Args:
        cells: what `predicted` returned, by shape, mask and trials.
        misfit: the same where the model is wrong; reported apart.
        apart: how many two-block designs were called not comparable.
    """
    strata = {
        shape: _together(
            [found for name, found in cells.items() if name.split()[0] == shape]
        )
        for shape in dict.fromkeys(name.split()[0] for name in cells)
    }
    whole = _together(list(cells.values()))
    n_table = len(next(iter(whole.values()))["came"])
    covered = {name: coverage(each) for name, each in whole.items()}
    return {
        "bar": "Realised rho in the predicted 90 % interval for 85-95 % of at least "
        "2,000 tables, each ranker; in each stratum the mean prediction within .03 of "
        "the mean realised rho and the recommended ranker within .02 of the best; two "
        "blocks always called not comparable",
        "command": "scripts/bars 3 1",
        "required": {
            "coverage of each ranker": COVERED,
            "mean prediction less mean realised rho, each stratum": BIAS,
            "best ranker less recommended, each stratum": REGRET,
            "two blocks not comparable": BLOCKS,
        },
        "measured": {
            "tables": n_table,
            "coverage of each ranker": covered,
            "strata": {name: stratum(each) for name, each in strata.items()},
            "two blocks not comparable": apart,
            "by mask and trials, not judged": {
                name: stratum(each) for name, each in cells.items()
            },
            "misfit, not judged": {
                name: stratum(each) for name, each in misfit.items()
            },
        },
        "passed": apart == BLOCKS
        and all(COVERED[0] <= each <= COVERED[1] for each in covered.values())
        and all(
            abs(bias) <= BIAS
            for each in strata.values()
            for bias in stratum(each)["bias"].values()
        )
        and all(stratum(each)["regret"] <= REGRET for each in strata.values()),
    }


def _together(found: list[Found]) -> Found:
    return {
        name: {
            what: np.concatenate([each[name][what] for each in found])
            for what in found[0][name]
        }
        for name in found[0]
    }


def coverage(of: dict[str, Float[np.ndarray, " problem"]]) -> float:
    """Return the share of tables whose rho lies within what was predicted."""
    # Ends and rhos are ratios of whole numbers, equal but for rounding.
    slack = 1e-9
    inside = (of["lower"] - slack <= of["came"]) & (of["came"] <= of["upper"] + slack)
    return round(float(inside.mean()), 4)


def stratum(found: Found) -> dict[str, Any]:
    """Return coverage, bias and the recommended ranker's regret of some tables."""
    came = {name: each["came"] for name, each in found.items()}
    chosen = _recommended(found)
    rho = np.array([came[name][k] for k, name in enumerate(chosen)])
    best = max(float(np.nanmean(each)) for each in came.values())
    return {
        "came": {
            name: round(float(np.nanmean(each)), 4) for name, each in came.items()
        },
        "bias": {
            name: round(float(np.nanmean(each["mean"]) - np.nanmean(each["came"])), 4)
            for name, each in found.items()
        },
        "coverage": {name: coverage(each) for name, each in found.items()},
        "regret": round(best - float(np.nanmean(rho)), 4),
    }


def _recommended(found: Found) -> list[str]:
    nan = float("nan")

    def at(k: int) -> dict[str, Expected]:
        return {
            name: Expected(float(each["mean"][k]), nan, nan, nan, nan, 0)
            for name, each in found.items()
        }

    count = len(next(iter(found.values()))["came"])
    return [recommended(at(k)) for k in range(count)]
