"""How well each ranker would do on tables like this one, by simulation."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from irtjax.data import AbstractResponses, BinomialResponses
from irtjax.irt import RESULTS, Estimate, TwoPL, simulate

from .._metrics import kendall_tau_b, spearman, top1_miss
from .._ranker import AbstractRanker

LEVEL = 0.9
"""Share of simulated tables within the interval of an agreement."""

Progress = Callable[[str], None]


class Agreement(NamedTuple):
    """A ranker's agreement with the truth over simulated tables, one entry a table.

    Attributes:
        rho: Spearman's, from -1 to 1; NaN where the ranker failed or all tied.
        tau: Kendall's tau-b.
        top1_miss: chance to put a system first that is not, ties at the top shared.
    """

    rho: Float[np.ndarray, " replicate"]
    tau: Float[np.ndarray, " replicate"]
    top1_miss: Float[np.ndarray, " replicate"]


@eqx.filter_jit
def simulated_tables(
    truth: Estimate, trials: Float[Array, "system item"], *, key: PRNGKeyArray
) -> BinomialResponses:
    """Return one table from each truth, with the same cells and trials. Pure.

    Args:
        truth: parameters of a `TwoPL` with a leading axis.
        trials: of every table; 0 where nothing is observed. Rounded up to whole ones.
        key: table number b uses `fold_in(key, b)`.
    """
    whole = jnp.ceil(trials)

    def one(number: Array, truth: Estimate) -> AbstractResponses:
        return simulate(TwoPL(), truth, whole, key=jax.random.fold_in(key, number))

    tables = jax.vmap(one)(jnp.arange(truth.system.shape[0]), truth)
    assert isinstance(tables, BinomialResponses)  # the kind that the model has
    return tables


def agreements(
    tables: BinomialResponses,
    ability: Float[Array, "replicate system"],
    rankers: Mapping[str, AbstractRanker],
    *,
    progress: Progress | None = None,
) -> dict[str, Agreement]:
    """Return each ranker's agreement with the truth on every table.

    Systems with no data count in none. Called from the host.

    Args:
        tables: with a leading axis.
        ability: the truth behind each.
        rankers: by name; each is given all tables at once.
        progress: told each ranker's name before its turn.
    """
    found = {}
    for name, ranker in rankers.items():
        if progress is not None:
            progress(name)
        scores = ranker.score_many(tables)
        rho, tau, miss = _measured(scores.score, ability)
        good = np.asarray(scores.code) == RESULTS.successful
        found[name] = Agreement(
            *(np.where(good, np.asarray(each), np.nan) for each in (rho, tau, miss))
        )
    return found


@jax.jit
def _measured(
    score: Float[Array, "replicate system"], ability: Float[Array, "replicate system"]
) -> tuple[
    Float[Array, " replicate"], Float[Array, " replicate"], Float[Array, " replicate"]
]:
    """Return Spearman's rho, Kendall's tau-b and the chance to miss the best."""

    def one(table):
        score, ability = table
        ability = jnp.where(jnp.isnan(score), jnp.nan, ability)
        return (
            spearman(score, ability),
            kendall_tau_b(score, ability),
            top1_miss(score, ability),
        )

    return jax.lax.map(one, (score, ability), batch_size=256)


class Expected(NamedTuple):
    """What to expect of a ranker on tables like this one.

    Attributes:
        rho: mean of Spearman's rho with the truth.
        rho_lower: of nine tables in ten the rho lies between this
        rho_upper: and this.
        tau: mean of Kendall's tau-b.
        top1_miss: chance to put a system first that is not the best.
        failed: how many of the tables it could not rank.
    """

    rho: float
    rho_lower: float
    rho_upper: float
    tau: float
    top1_miss: float
    failed: int


def expected(agreement: Agreement) -> Expected:
    """Return an agreement's means and the central interval of its rho.

    Ends are order statistics, so that a further table falls between them with
    probability `LEVEL` whatever the distribution. Not numbers if no table could be
    ranked.
    """
    good = ~np.isnan(agreement.rho)
    if not good.any():
        nan = float("nan")
        return Expected(nan, nan, nan, nan, nan, good.size)
    tail = (1 - LEVEL) / 2
    rho = agreement.rho[good]
    lower, upper = np.quantile(rho, [tail, 1 - tail], method="weibull")
    return Expected(
        float(rho.mean()),
        float(lower),
        float(upper),
        float(agreement.tau[good].mean()),
        float(agreement.top1_miss[good].mean()),
        int(np.count_nonzero(~good)),
    )
