"""Every ranker on one condition's data sets, and how well it finds the truth."""

from collections.abc import Mapping, Sequence
from typing import Any

import equinox as eqx
import hydra.utils
import jax
import jax.numpy as jnp
import numpy as np
import polars as pl
from hydra.errors import InstantiationException
from jaxtyping import Array, Float, Int

from irtjax.data import BinomialResponses
from irtjax.irt import RESULTS, fit_many
from irtjax.ranking import (
    RANKERS,
    AbstractRanker,
    ModelRanker,
    kendall_tau_b,
    spearman,
    top1_miss,
)

from ._draws import draw, truth_of
from ._schema import SettingsError, SweepConf, snake_case
from ._tables import PUBLISHED_AVERAGE, RUN, SUCCESS


def rankers_of(cfg: SweepConf) -> dict[str, AbstractRanker]:
    """Return the rankers that settings name, by the name that goes into the rows.

    Raises:
        SettingsError: a class of the user's that cannot be found or built.
    """
    rankers: dict[str, AbstractRanker] = {}
    for entry in cfg.rankers:
        if entry == "model":
            model = _build("model", cfg.model)
            estimator = _build("estimator", cfg.estimator)
            ranker = ModelRanker(model, estimator)
            name = snake_case(type(model).__name__)
            # Under our name only what is ours: the published claims are about that one.
            other = name in RANKERS and not eqx.tree_equal(ranker, RANKERS[name])
            rankers[f"own_{name}" if other else name] = ranker
        elif "." in entry:
            ranker = _build("rankers", {"_target_": entry})
            rankers[snake_case(type(ranker).__name__)] = ranker
        else:
            rankers[entry] = RANKERS[entry]
    return rankers


def condition_rows(
    settings: dict[str, Any], rankers: Mapping[str, AbstractRanker], *, block: int
) -> pl.DataFrame:
    """Return a condition's rows: draw its data sets and score them with every ranker.

    Data sets go through in blocks that depend on the condition alone; the last block is
    filled up with copies of its last data set, so that all blocks have one shape.

    Args:
        settings: of the condition.
        rankers: by the name that goes into the rows.
        block: the most data sets in a block.

    Returns:
        Rows of `_tables.RUN`, by block, ranker and seed.
    """
    size = min(block, settings["seeds"])
    parts = []
    for first in range(0, settings["seeds"], size):
        seeds = range(first, min(first + size, settings["seeds"]))
        parts += _block_rows(settings, rankers, seeds, size)
    return pl.concat(parts)


def _block_rows(
    settings: dict[str, Any],
    rankers: Mapping[str, AbstractRanker],
    seeds: range,
    size: int,
) -> list[pl.DataFrame]:
    """Return one table a ranker for some seeds, computed in a block of fixed size."""
    drawn = draw(settings, [*seeds, *[seeds[-1]] * (size - len(seeds))])
    ability = truth_of(settings).ability
    shares = np.asarray(_observed_share(drawn.responses))
    tables = []
    for name, ranker in rankers.items():
        columns = _scores(ranker, drawn.responses, size)
        score = columns.pop("score")
        tables.append(_table(settings, seeds, name, score, ability, shares, columns))
    if drawn.published_average is not None:
        score = jnp.asarray(drawn.published_average)
        exactly = _table(
            settings,
            seeds,
            PUBLISHED_AVERAGE,
            score,
            ability,
            shares,
            {"code": [SUCCESS] * size},
            resolution=0.0,
        )
        tables.append(exactly)
    return tables


def _scores(
    ranker: AbstractRanker, responses: BinomialResponses, size: int
) -> dict[str, Any]:
    """Return a ranker's scores and codes and, where it fits a model, how that went."""
    if isinstance(ranker, ModelRanker):
        (device,) = responses.trials.devices()
        fits = fit_many(
            ranker.model,
            responses,
            estimator=ranker.estimator,
            block=size,
            devices=[device],
        )
        return {
            "score": jax.vmap(ranker.score_of)(jax.tree.map(jnp.asarray, fits.value)),
            "code": _code_names(fits.code),
            "objective": np.asarray(fits.stats.objective, float),
            "gradient_norm": np.asarray(fits.stats.gradient_norm, float),
            "iterations": np.asarray(fits.stats.iterations, int),
        }
    scores = ranker.score_many(responses)
    return {"score": scores.score, "code": _code_names(scores.code)}


def _code_names(codes: Int[Array | np.ndarray, " problem"]) -> list[str]:
    return [RESULTS(code).name for code in np.asarray(codes).tolist()]


def _table(
    settings: dict[str, Any],
    seeds: range,
    name: str,
    score: Float[Array, "problem system"],
    ability: Float[Array, " system"],
    shares: Float[np.ndarray, " problem"],
    columns: Mapping[str, Sequence | np.ndarray],
    *,
    resolution: float | None = None,
) -> pl.DataFrame:
    """Return the rows of one ranker, the block's filling left out.

    At a `resolution` of 0 scores tie bit by bit only, as in the published figures.
    """
    rho, tau, miss = _agreement(score, ability, resolution)
    count = len(seeds)
    values: dict[str, Any] = {
        "seed": list(seeds),
        "observed": shares[:count],
        "spearman": np.asarray(rho, float)[:count],
        "kendall": np.asarray(tau, float)[:count],
        "top1_miss": np.asarray(miss, float)[:count],
        **{column: value[:count] for column, value in columns.items()},
    }
    constants = {**settings, "ranker": name}
    return pl.DataFrame(
        {
            column: values[column]
            if column in values
            else [constants.get(column)] * count
            for column in RUN
        },
        schema=RUN,
    )


@eqx.filter_jit
def _observed_share(responses: BinomialResponses) -> Float[Array, " problem"]:
    return jnp.mean(responses.trials > 0, axis=(1, 2), dtype=responses.trials.dtype)


@eqx.filter_jit
def _agreement(
    score: Float[Array, "problem system"],
    ability: Float[Array, " system"],
    resolution: float | None,
) -> tuple[
    Float[Array, " problem"], Float[Array, " problem"], Float[Array, " problem"]
]:
    """Return rho, tau-b and the chance to miss the best, data set by data set."""

    def one(score: Float[Array, " system"]):
        return (
            spearman(score, ability, resolution=resolution),
            kendall_tau_b(score, ability, resolution=resolution),
            top1_miss(score, ability, resolution=resolution),
        )

    return jax.vmap(one)(score)


def _build(setting: str, node: Any) -> Any:
    """Instantiate what `_target_` names, or say in one line why that fails."""
    try:
        return hydra.utils.instantiate(node)
    except InstantiationException as error:
        # The last line has the cause, where the first ends in "Error loading ...:".
        reason = str(error.__cause__ or error).strip().splitlines()[-1]
        raise SettingsError(
            f"'{setting}' names {node['_target_']!r}, which cannot be built: {reason}"
        ) from error
