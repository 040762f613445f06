"""Tables with a known structure in them, or with none, and how often it is found."""

from collections.abc import Iterator
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, PRNGKeyArray

from irtjax.data import BinomialResponses
from irtjax.irt import RESULTS, Normal
from irtjax.irt.diagnostics import compare_losses, held_out_loss, hidden_cells
from irtjax.irt.hyper import JointLaplace, Linear, Predicted, empirical_bayes
from irtjax.irt.models import MultidimensionalTwoPL, TwoPL
from irtjax.irt.structure import dif, fit_testlets

SPREAD_OF_LOG_SLOPES = 0.35
LEVEL = 0.05  # of every test
ONE_SIDED = 1.645  # errors above 0 at that level
EXPLAINED = jnp.array([1.0, -0.7, 0.4])  # how three features bear on difficulty


class Size(eqx.Module):
    """How large a study's tables are, and how many there are.

    Attributes:
        systems: rows.
        items: columns.
        trials: answers a cell.
        tables: drawn afresh each.
    """

    systems: int
    items: int
    trials: int
    tables: int

    def table_keys(self) -> Iterator[PRNGKeyArray]:
        """Yield each table's key."""
        yield from jax.random.split(jax.random.key(4), self.tables)


def group_differences(
    size: Size, *, shift: float, shifted: int = 3, impact: float = -0.5
) -> dict[str, Any]:
    """Return how often items that are harder for half of the systems are flagged.

    Args:
        size: of the study.
        shift: how much harder, in logits; 0 plants nothing.
        shifted: how many items.
        impact: the focal group's mean ability less the other's, in logits.
    """
    focal = jnp.arange(size.systems) % 2 == 1
    group = focal.astype(float)
    harder = jnp.where(jnp.arange(size.items) < shifted, shift, 0.0)
    flags, effects, codes = [], [], []
    for key in size.table_keys():
        ability, difficulty, slope, key = _population(size, key)
        ability = ability + impact * group
        gap = ability[:, None] - difficulty[None, :] - jnp.outer(group, harder)
        found = dif(_answers(size, slope, gap, key), focal, rate=LEVEL)
        flags.append(np.asarray(found.flagged))
        codes.append(int(found.code))
        effects.append(np.asarray(found.effect))
    flagged, planted = np.array(flags), np.asarray(harder) != 0
    false = flagged[:, ~planted].sum(axis=1)
    measured = {
        "false_flags_a_table": float(np.mean(false)),
        "share_of_tables_with_a_false_flag": _share(np.asarray(false > 0)),
        "mean_effect": float(np.mean(np.array(effects)[:, :shifted])),
        "not_converged": _failures(codes),
    }
    if planted.any():
        measured["share_of_planted_found"] = _share(flagged[:, planted])
    return measured


def clusters(size: Size, *, sd: float, n_testlet: int = 5) -> dict[str, Any]:
    """Return the testlet spread that is learned and how often its test finds it.

    Args:
        size: of the study.
        sd: of the effects, in logits; 0 plants nothing.
        n_testlet: how many clusters of equal size.
    """
    label = jnp.arange(size.items) * n_testlet // size.items
    membership = jax.nn.one_hot(label, n_testlet, dtype=float)
    spreads, found, codes = [], [], []
    for key in size.table_keys():
        ability, difficulty, slope, key = _population(size, key)
        first, second = jax.random.split(key)
        effect = sd * jax.random.normal(first, (size.systems, n_testlet))
        gap = ability[:, None] - difficulty[None, :] + effect @ membership.T
        answers = _answers(size, slope, gap, second)
        learned = fit_testlets(answers, membership)
        spreads.append(float(learned.sd))
        found.append(float(learned.p) < LEVEL)
        codes.append(int(learned.code))
    return {
        "mean_sd": float(np.mean(spreads)),
        "share_found": _share(np.array(found)),
        "not_converged": _failures(codes),
    }


def dimensions(size: Size, *, correlation: float) -> dict[str, Any]:
    """Return how often two dimensions predict hidden answers better than one.

    Args:
        size: of the study.
        correlation: of the two abilities, one for every other item; 1 plants nothing.
    """
    gains, found = [], []
    for key in size.table_keys():
        ability, difficulty, slope, key = _population(size, key)
        first, second, third = jax.random.split(key, 3)
        other = jax.random.normal(first, ability.shape)
        other = correlation * ability + np.sqrt(1 - correlation**2) * other
        even = jnp.arange(size.items) % 2 == 0
        mixed = jnp.where(even[None, :], ability[:, None], other[:, None])
        answers = _answers(size, slope, mixed - difficulty[None, :], second)
        hidden = hidden_cells(answers, 0.2, key=third)
        one, two = (
            held_out_loss(model, answers, hidden)
            for model in (MultidimensionalTwoPL(1), MultidimensionalTwoPL(2))
        )
        result = compare_losses(one, two)
        gains.append(float(result.difference))
        found.append(float(result.difference / result.error) > ONE_SIDED)
    return {"mean_gain": float(np.mean(gains)), "share_found": _share(np.array(found))}


def explained_items(size: Size, *, share: float, hidden: float = 0.4) -> dict[str, Any]:
    """Return how well difficulty is predicted for items that nobody has answered.

    Args:
        size: of the study.
        share: of the difficulties' variance that three features explain; 0 plants
            nothing.
        hidden: share of the items that are held out.
    """
    weight = EXPLAINED / jnp.linalg.norm(EXPLAINED)
    n_seen = round(size.items * (1 - hidden))
    missed, total, codes = 0.0, 0.0, []
    for key in size.table_keys():
        ability, rest, slope, key = _population(size, key)
        first, second = jax.random.split(key)
        features = jax.random.normal(first, (size.items, weight.shape[0]))
        difficulty = np.sqrt(share) * (features @ weight) + np.sqrt(1 - share) * rest
        gap = ability[:, None] - difficulty[None, :]
        answers = _answers(size, slope, gap, second)
        learned = empirical_bayes(
            explanatory,
            {
                "mean": Linear(jnp.zeros(weight.shape[0])),
                "log_sd": jnp.zeros(()),
                "log_ability_sd": jnp.zeros(()),
            },
            answers.take(jnp.arange(size.systems), jnp.arange(n_seen)),
            evidence=JointLaplace(),
            item_features=features[:n_seen],
        )
        truth = difficulty[n_seen:]
        predicted = jax.vmap(learned.hyper["mean"])(features[n_seen:])
        missed += float(jnp.sum((truth - predicted) ** 2))
        total += float(jnp.sum((truth - jnp.mean(truth)) ** 2))
        codes.append(int(learned.code))
    return {
        "r2_held_out": 1 - missed / total,
        "not_converged": _failures(codes),
    }


def explanatory(hyper: dict[str, Any]) -> TwoPL:
    """Return the 2PL whose difficulties are explained by features."""
    return TwoPL(
        ability=Normal(0.0, 0.01 + jnp.exp(hyper["log_ability_sd"])),
        difficulty=Predicted(hyper["mean"], 0.01 + jnp.exp(hyper["log_sd"])),
    )


def _population(
    size: Size, key: PRNGKeyArray
) -> tuple[
    Float[Array, " system"], Float[Array, " item"], Float[Array, " item"], PRNGKeyArray
]:
    """Return abilities, difficulties, slopes and a key for the rest."""
    first, second, third, rest = jax.random.split(key, 4)
    log_slope = SPREAD_OF_LOG_SLOPES * jax.random.normal(third, (size.items,))
    return (
        jax.random.normal(first, (size.systems,)),
        jax.random.normal(second, (size.items,)),
        jnp.exp(log_slope),
        rest,
    )


def _answers(
    size: Size,
    slope: Float[Array, " item"],
    gap: Float[Array, "system item"],
    key: PRNGKeyArray,
) -> BinomialResponses:
    """Return answers of a 2PL.

    Args:
        size: of the study.
        slope: the items'.
        gap: how far each ability is above each difficulty, in logits.
        key: for the draws.
    """
    trials = jnp.full(gap.shape, float(size.trials))
    drawn = jax.random.binomial(key, trials, jax.nn.sigmoid(slope[None, :] * gap))
    return BinomialResponses(drawn, trials)


def _share(found: Bool[np.ndarray, "..."]) -> float:
    return float(np.mean(found))


def _failures(codes: list[int]) -> int:
    return sum(code != RESULTS.successful for code in codes)
