"""Bar 3: rank intervals of the default ranker hold, and are hardly wider than needed."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Key

from irtjax.data import MCAR, Assortative, BinomialResponses
from irtjax.irt import TwoPL, fit, fitted_scores
from irtjax.irt.posteriors import NUTS, nuts_many
from irtjax.ranking import (
    DEFAULT_RANKER,
    RANKERS,
    ModelRanker,
    average_ranks,
    rank_intervals,
    ranks_of_draws,
)

from .._small_tables import SmallTables, drawn_tables
from . import Measurement

SHAPES = ((10, 10), (20, 20), (20, 50))
TRIALS = (1, 10)
MASKS = {"mcar": MCAR(), "assortative": Assortative()}
SPARSITY = 0.4
TABLES = 1000
POSTERIORS = 100
COVERED = 0.94
WIDER = 1.15
DRAWS = 2048
SAMPLER = NUTS(chains=2, draws=500)
"""Ends of a rank interval are whole numbers, for which a thousand draws are plenty."""


def measure(tables: int = TABLES, posteriors: int = POSTERIORS) -> Measurement:
    """Count how many true ranks lie in their intervals, and how wide those are."""
    strata = {}
    for number, (shape, trials, mask) in enumerate(settings()):
        name = f"{shape[0]}x{shape[1]} K{trials} {mask}"
        strata[name] = stratum(_tables(shape, trials, mask, tables, number))
    width = {}
    for trials in TRIALS:
        drawn = _tables((20, 20), trials, "mcar", posteriors, 100 + trials)
        width[f"20x20 K{trials} mcar"] = against_posterior(drawn)
    return judge(strata, width)


def settings() -> list[tuple[tuple[int, int], int, str]]:
    """Return every shape, number of trials and mask."""
    return [(s, k, m) for s in SHAPES for k in TRIALS for m in MASKS]


def _tables(
    shape: tuple[int, int], trials: int, mask: str, count: int, number: int
) -> SmallTables:
    return drawn_tables(
        TwoPL(),
        shape,
        MASKS[mask],
        jnp.full(count, SPARSITY),
        jnp.asarray(float(trials)),
        key=jax.random.fold_in(jax.random.key(40), number),
    )


def stratum(tables: SmallTables) -> dict[str, float]:
    """Return the coverage and the mean width of the default ranker's intervals."""
    holds, width, all_hold = map(np.asarray, _intervals(tables, jax.random.key(41)))
    return {
        "coverage": round(float(holds.mean()), 4),
        "width": round(float(width.mean()), 3),
        "all systems at once": round(float(all_hold.mean()), 4),
    }


@eqx.filter_jit
def _intervals(
    tables: SmallTables, key: Key[Array, ""]
) -> tuple[
    Bool[Array, "problem system"],
    Float[Array, "problem system"],
    Bool[Array, " problem"],
]:
    ranker = RANKERS[DEFAULT_RANKER]
    assert isinstance(ranker, ModelRanker)

    def one(each: tuple[Array, Float[Array, "system k"], BinomialResponses]):
        number, ability, table = each
        found = fit(ranker.model, table, estimator=ranker.estimator)
        scores = fitted_scores(ranker.model, table, found.value)
        ranks = rank_intervals(
            scores.score,
            scores.covariance,
            draws=DRAWS,
            key=jax.random.fold_in(key, number),
        )
        true = _from_best(ability[:, 0])
        holds = (ranks.lower <= true) & (true <= ranks.upper)
        joint = (ranks.joint_lower <= true) & (true <= ranks.joint_upper)
        return holds, ranks.upper - ranks.lower, jnp.all(joint)

    numbers = jnp.arange(tables.responses.trials.shape[0])
    batch = numbers, tables.truth.system, tables.responses
    return jax.lax.map(one, batch, batch_size=32)


def against_posterior(tables: SmallTables) -> dict[str, float]:
    """Return widths and coverage beside those of a posterior under the true priors."""
    _, width, _ = _intervals(tables, jax.random.key(41))
    count = tables.responses.trials.shape[0]
    drawn = nuts_many(
        TwoPL(),
        tables.responses,
        sampler=SAMPLER,
        numbers=np.arange(count),
        key=jax.random.key(42),
    )
    lower, upper = _posterior_ranks(jnp.asarray(drawn.value.system[..., 0]))
    true = jax.vmap(_from_best)(tables.truth.system[:, :, 0])
    ours, theirs = float(jnp.mean(width)), float(jnp.mean(upper - lower))
    return {
        "width": round(ours, 3),
        "posterior's width": round(theirs, 3),
        "ratio": round(ours / theirs, 3),
        "posterior's coverage": round(
            float(jnp.mean((lower <= true) & (true <= upper))), 4
        ),
    }


@jax.jit
def _posterior_ranks(
    ability: Float[Array, "problem chain draw system"],
) -> tuple[Float[Array, "problem system"], Float[Array, "problem system"]]:
    def one(draws: Float[Array, "chain draw system"]):
        flat = jnp.reshape(draws, (-1, draws.shape[-1]))
        ranks = ranks_of_draws(flat, level=jnp.asarray(0.95))
        return ranks.lower, ranks.upper

    return jax.lax.map(one, ability)


def _from_best(ability: Float[Array, " system"]) -> Float[Array, " system"]:
    return ability.shape[0] + 1 - average_ranks(ability)


def judge(
    strata: dict[str, dict[str, float]], width: dict[str, dict[str, float]]
) -> Measurement:
    """Return the bar's verdict.

    Args:
        strata: what `stratum` returned, by setting.
        width: what `against_posterior` returned, by setting.
    """
    measured: dict[str, Any] = {"strata": strata, "against numpyro": width}
    return {
        "bar": "95 % rank intervals, truths from the 2PL's priors, 1,000 tables a "
        "stratum: at least .94 of systems, mean width at most 1.15 times a posterior's "
        "on 100 tables of 20 x 20; intervals for all systems at once beside them",
        "command": "scripts/bars 3 3",
        "required": {"coverage": COVERED, "ratio of widths": WIDER},
        "measured": measured,
        "passed": all(
            each["coverage"] >= COVERED and each["all systems at once"] >= COVERED
            for each in strata.values()
        )
        and all(each["ratio"] <= WIDER for each in width.values()),
    }
