"""Every ranker on one condition's data sets, and how well it finds the truth."""

from collections.abc import Callable, Mapping, Sequence
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

from ._domains_conf import DomainsConf
from ._draws import Draws, draw
from ._real_masked_conf import RealMaskedConf
from ._schema import SettingsError, SweepConf, snake_case
from ._tables import PUBLISHED_AVERAGE, RUN, SUCCESS


def rankers_of(
    cfg: SweepConf | RealMaskedConf | DomainsConf,
) -> dict[str, AbstractRanker]:
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
    settings: dict[str, Any],
    rankers: Mapping[str, AbstractRanker],
    *,
    block: int,
    draw: Callable[[dict[str, Any], Sequence[int]], Draws] = draw,
    schema: Mapping[str, Any] = RUN,
) -> pl.DataFrame:
    """Return a condition's rows: draw its data sets and score them with every ranker.

    Data sets go through in blocks that depend on the condition alone; the last block is
    filled up with copies of its last data set, so that all blocks have one shape.

    Args:
        settings: of the condition.
        rankers: by the name that goes into the rows.
        block: the most data sets in a block.
        draw: returns the data sets of some seeds.
        schema: the columns of the rows: settings, or of those that `_tables.RUN` has
            behind them.

    Returns:
        Rows of the schema, by block, ranker and seed.
    """
    size = min(block, settings["seeds"])
    parts = []
    for first in range(0, settings["seeds"], size):
        seeds = range(first, min(first + size, settings["seeds"]))
        drawn = draw(settings, [*seeds, *[seeds[-1]] * (size - len(seeds))])
        parts += _block_rows(settings, rankers, seeds, drawn, schema)
    return pl.concat(parts)


def _block_rows(
    settings: dict[str, Any],
    rankers: Mapping[str, AbstractRanker],
    seeds: range,
    drawn: Draws,
    schema: Mapping[str, Any],
) -> list[pl.DataFrame]:
    """Return one table a ranker for some seeds, whose block may be filled up."""
    shares = np.asarray(_observed_share(drawn.responses))
    size = len(shares)

    def table(
        name: str,
        score: Float[Array, "problem system"],
        columns: Mapping[str, Sequence | np.ndarray],
        resolution: float | None = None,
    ) -> pl.DataFrame:
        # At a resolution of 0 scores tie bit by bit only, as in the published figures.
        rho, tau, miss = _agreement(score, drawn.target, resolution)
        measured = {
            "observed": shares,
            "spearman": np.asarray(rho, float),
            "kendall": np.asarray(tau, float),
            "top1_miss": np.asarray(miss, float),
            **columns,
        }
        return _table({**settings, "ranker": name}, seeds, measured, schema)

    tables = []
    for name, ranker in rankers.items():
        columns = _scores(ranker, drawn.responses, size)
        tables.append(table(name, columns.pop("score"), columns))
    if drawn.published_average is not None:
        score = jnp.asarray(drawn.published_average)
        codes = {"code": [SUCCESS] * size}
        tables.append(table(PUBLISHED_AVERAGE, score, codes, resolution=0.0))
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
            "score": jax.vmap(ranker.score_of)(
                responses, jax.tree.map(jnp.asarray, fits.value)
            ),
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
    constants: Mapping[str, Any],
    seeds: range,
    measured: Mapping[str, Sequence | np.ndarray],
    schema: Mapping[str, Any],
) -> pl.DataFrame:
    """Return the rows of one ranker, the block's filling left out."""
    count = len(seeds)
    values = {name: value[:count] for name, value in measured.items()}
    values["seed"] = list(seeds)
    return pl.DataFrame(
        {
            column: values[column]
            if column in values
            else [constants.get(column)] * count
            for column in schema
        },
        schema=dict(schema),
    )


@eqx.filter_jit
def _observed_share(responses: BinomialResponses) -> Float[Array, " problem"]:
    return jnp.mean(responses.trials > 0, axis=(1, 2), dtype=responses.trials.dtype)


@eqx.filter_jit
def _agreement(
    score: Float[Array, "problem system"],
    target: Float[Array, "problem system"],
    resolution: float | None,
) -> tuple[
    Float[Array, " problem"], Float[Array, " problem"], Float[Array, " problem"]
]:
    """Return rho, tau-b and the chance to miss the best, data set by data set."""

    def one(score: Float[Array, " system"], target: Float[Array, " system"]):
        return (
            spearman(score, target, resolution=resolution),
            kendall_tau_b(score, target, resolution=resolution),
            top1_miss(score, target, resolution=resolution),
        )

    return jax.vmap(one)(score, target)


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
