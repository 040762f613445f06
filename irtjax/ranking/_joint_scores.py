"""The scores of two snapshots with their joint error: what is in both errs alike."""

from collections.abc import Mapping
from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jaxtyping import Float64

from irtjax.data import AbstractResponses
from irtjax.irt import MESSAGES, RESULTS, FitResult, fit, joint_information

from ._jackknife import scores_without
from ._model_ranker import ModelRanker
from ._ranker import AbstractRanker
from ._scored import MOST_BLOCKS, item_blocks, student_widening
from ._snapshots import Snapshots


class JointScores(NamedTuple):
    """Scores of the systems of either snapshot, NaN for one without data.

    Attributes:
        old: scores in the old snapshot.
        new: scores in the new one.
        covariance: of the old scores, then the new ones; a NaN variance means that the
            error is not known.
        codes: how many fits ended how.
        method: how the errors came about, in a sentence.
        free_unit: whether two fits may differ in the unit of the score.
        warnings: what went wrong, in sentences.
    """

    old: Float64[np.ndarray, " system"]
    new: Float64[np.ndarray, " system"]
    covariance: Float64[np.ndarray, "both both"]
    codes: Mapping[str, int]
    method: str
    free_unit: bool
    warnings: tuple[str, ...] = ()


def joint_scores_by_fit(ranker: ModelRanker, tables: Snapshots) -> JointScores:
    r"""Return the abilities of two fits with their joint covariance.

    With $H_o$ and $H_n$ the information of each snapshot, priors included, and $H_s$
    that of the cells which both hold, the errors of the two fits have covariance
    $H_o^{-1} H_s H_n^{-1}$, since both are linear in the same scores of those cells. If
    the new snapshot only adds cells, $H_s = H_o$ and the change has variance
    $H_o^{-1} - H_n^{-1}$; if the two are the same it has none. All three are what the
    model expects at one estimate, that of both snapshots together.

    References:
        Hausman (1978), *Specification Tests in Econometrics*, lemma 2.1, for added
        cells.
    """
    codes: dict[str, int] = {}
    warnings: list[str] = []

    def fitted(responses: AbstractResponses, what: str) -> FitResult:
        result = fit(ranker.model, responses, estimator=ranker.estimator)
        code = RESULTS(int(result.code))
        codes[code.name] = codes.get(code.name, 0) + 1
        if code is not RESULTS.successful:
            warnings.append(f"The fit of {what} failed: {MESSAGES[code]}.")
        return result

    def own(
        responses: AbstractResponses, rows: np.ndarray, columns: np.ndarray, what: str
    ) -> Float64[np.ndarray, " system"]:
        at = np.flatnonzero(rows)
        part = responses.take(jnp.asarray(at), jnp.asarray(np.flatnonzero(columns)))
        result = fitted(part, what)
        score = np.full(len(rows), np.nan)
        if int(result.code) == RESULTS.successful:
            score[at] = np.asarray(ranker.score_of(part, result.value))
        return np.where(np.asarray(responses.observed()).any(axis=1), score, np.nan)

    old = own(tables.old, tables.old_rows, tables.old_columns, "the old snapshot")
    new = own(tables.new, tables.new_rows, tables.new_columns, "the new snapshot")
    middle = fitted(tables.union, "both snapshots together")
    shared = tables.old.hide(jnp.asarray(tables.same))
    before, after, common = (
        np.asarray(joint_information(ranker.model, each, middle.value), np.float64)
        for each in (tables.old, tables.new, shared)
    )
    covariance = _covariance(before, after, common, len(old))
    if warnings:
        covariance = np.full_like(covariance, np.nan)
    method = (
        "Scores are abilities, fitted to each snapshot by itself. The errors of a "
        "system's two scores come from the information of each snapshot and of the "
        "cells that both hold, which err alike and cancel in a change."
    )
    return JointScores(old, new, covariance, codes, method, True, tuple(warnings))


def _covariance(
    old: Float64[np.ndarray, "all all"],
    new: Float64[np.ndarray, "all all"],
    shared: Float64[np.ndarray, "all all"],
    n_system: int,
) -> Float64[np.ndarray, "both both"]:
    unit = np.eye(len(old), n_system)
    try:
        before = scipy.linalg.solve(old, unit, assume_a="pos")
        after = scipy.linalg.solve(new, unit, assume_a="pos")
    except (np.linalg.LinAlgError, ValueError):
        return np.full((2 * n_system, 2 * n_system), np.nan)
    across = before.T @ shared @ after
    return np.block([[before[:n_system], across], [across.T, after[:n_system]]])


def joint_scores_by_jackknife(
    ranker: AbstractRanker, tables: Snapshots, level: float | int
) -> JointScores:
    """Return any ranker's scores of two snapshots, their errors from leaving out items.

    Each block of items is left out of both at once, so what both hold cancels.

    Args:
        ranker: any.
        tables: the two snapshots.
        level: of the intervals, for Student's quantiles.
    """
    block = item_blocks(tables.item_ids, MOST_BLOCKS)
    n_block = int(block.max(initial=0)) + 1
    score_of = eqx.filter_jit(ranker.score)
    scores, changes = [], []
    for responses in (tables.old, tables.new):
        score = np.asarray(score_of(responses), np.float64)
        without, groups = (
            np.asarray(each, np.float64)
            for each in scores_without(ranker, responses, jnp.asarray(block), n_block)
        )
        kept = np.where(groups > 1, groups, np.nan)
        scale = np.sqrt((kept - 1) / kept)
        widen = student_widening(groups.astype(int), level)
        scores.append(score)
        changes.append(scale * widen * (without - score))
    change = np.concatenate(changes, axis=1)
    method = (
        f"The score is: {ranker.scale}. The joint errors of a system's two scores come "
        "from a jackknife that leaves out the same items of both snapshots at a time, "
        "so that what both hold cancels in a change."
    )
    return JointScores(scores[0], scores[1], change.T @ change, {}, method, False)
