"""Is it luck? Null distributions of a pool's gain that keep the number of its flags."""

from typing import Literal, NamedTuple

import numpy as np
import scipy.stats
from jaxtyping import Bool, Float

from ._panel import Panel
from ._vote import Tasks, decidable, rejected, task_gains

Unit = Literal["sample", "program"]

_LATTICE = 1 << 19  # points on which the law of the sum is computed


class RedrawnGain(NamedTuple):
    """A pool's gain beside the gains of as many flags put at random.

    Attributes:
        delta: the pool's.
        p_value: one-sided, `(1 + #{redrawn >= delta}) / (draws + 1)`.
        mean: of the redrawn gains.
        sd: of the redrawn gains.
        draws: how many.
    """

    delta: float
    p_value: float
    mean: float
    sd: float
    draws: int


class ExactGain(NamedTuple):
    """A pool's gain beside the exact law of as many flags put at random.

    Attributes:
        delta: the pool's.
        p_value: one-sided; at most `tolerance` above the exact one's at the same delta.
        mean: of the law.
        sd: of the law.
        tolerance: width, in units of delta, by which the law's values were rounded up.
    """

    delta: float
    p_value: float
    mean: float
    sd: float
    tolerance: float


def redrawn_gain(
    panel: Panel,
    flags: Bool[np.ndarray, "operator candidate"],
    *,
    draws: int,
    seed: int,
    unit: Unit = "sample",
) -> RedrawnGain:
    """Return how often as many flags at random gain as much as a pool.

    In each task the number of rejected samples (or of rejected programs) stays and which
    ones they are is drawn anew, uniformly. Samples are the published unit; since equal
    programs are flagged together, programs are the more careful one.

    Args:
        panel: labelled answers.
        flags: which operator of the pool flags which answer.
        draws: redrawn gains; the p-value is at least `1 / (draws + 1)`.
        seed: of the draws.
        unit: what is drawn.

    References:
        "Metrics That Write Themselves" (2026), arXiv:2608.18744: size-matched
        permutation null.
    """
    tasks = decidable(panel)
    out = rejected(flags)[tasks.member]
    delta = float(task_gains(tasks, out[None]).sum()) / tasks.n_task
    rng = np.random.default_rng(seed)
    draw = _redrawn_samples if unit == "sample" else _redrawn_programs
    sums = np.zeros(draws)
    for number, part in enumerate(tasks.parts()):
        chance = draw(tasks.count[part], tasks.right[part], out[part], draws, rng)
        sums += chance - tasks.base[number]
    sums /= tasks.n_task
    # Sums of ratios: equal ones may differ in the last digits, so ties are given some.
    reached = int((sums >= delta - 1e-12).sum())
    return RedrawnGain(
        delta, (1 + reached) / (draws + 1), float(sums.mean()), float(sums.std()), draws
    )


def exact_gain(
    panel: Panel, flags: Bool[np.ndarray, "operator candidate"]
) -> ExactGain:
    """Return the exact chance that as many flags at random gain as much as a pool.

    The right samples among those kept in a task follow a hypergeometric law; the gain is
    a sum of independent such terms, whose law is computed by convolution on a lattice.
    Each value is rounded up, so the p-value is never too small.

    Args:
        panel: labelled answers.
        flags: which operator of the pool flags which answer.

    Returns:
        Of samples, the published unit. A p-value below 1e-13 is reported as that, the
        rounding of the convolution.
    """
    tasks = decidable(panel)
    out = rejected(flags)[tasks.member]
    observed = float(task_gains(tasks, out[None]).sum())
    laws = [law for law in _laws(tasks, out) if law is not None]
    mean = sum(float(values @ chances) for values, chances in laws)
    variance = sum(
        float((values - values @ chances) ** 2 @ chances) for values, chances in laws
    )
    if not laws:
        return ExactGain(observed / tasks.n_task, 1.0, 0.0, 0.0, 0.0)
    lowest = sum(float(values[0]) for values, _ in laws)
    span = sum(float(values[-1] - values[0]) for values, _ in laws)
    step = span / (_LATTICE - len(laws) - 2)
    transform = np.ones(_LATTICE // 2 + 1, np.complex128)
    for values, chances in laws:
        place = np.ceil((values - values[0]) / step - 1e-9).astype(np.int64)
        transform *= np.fft.rfft(np.bincount(place, chances, minlength=_LATTICE))
    law = np.fft.irfft(transform, _LATTICE)
    first = int(np.floor((observed - lowest) / step - 1e-6))
    p_value = float(np.clip(law[max(first, 0) :].sum(), 1e-13, 1.0))
    return ExactGain(
        observed / tasks.n_task,
        p_value,
        mean / tasks.n_task,
        float(np.sqrt(variance)) / tasks.n_task,
        step * len(laws) / tasks.n_task,
    )


def sign_test(helped: int, hurt: int) -> float:
    """Return the one-sided chance of at least `helped` heads in `helped + hurt` tosses.

    Args:
        helped: tasks whose chance of a right pick rose.
        hurt: tasks whose chance fell.
    """
    if helped + hurt == 0:
        return 1.0
    tested = scipy.stats.binomtest(helped, helped + hurt, alternative="greater")
    return float(tested.pvalue)


class Corrected(NamedTuple):
    """P-values of several operators, corrected for their number.

    Attributes:
        bonferroni: times the number of operators, at most 1.
        benjamini_hochberg: adjusted for the share of false findings.
    """

    bonferroni: Float[np.ndarray, " operator"]
    benjamini_hochberg: Float[np.ndarray, " operator"]


def corrected(p_values: Float[np.ndarray, " operator"]) -> Corrected:
    """Return p-values corrected for how many operators were tried.

    Args:
        p_values: of each operator alone.

    References:
        Benjamini and Hochberg (1995), *J. R. Stat. Soc. B* 57, 289-300.
    """
    if not len(p_values):
        return Corrected(p_values, p_values)
    return Corrected(
        np.minimum(p_values * len(p_values), 1.0),
        scipy.stats.false_discovery_control(p_values, method="bh"),
    )


def _redrawn_samples(count, right, out, draws, rng):
    """Return redrawn chances of a right pick when samples are rejected."""
    total, good = int(count.sum()), int(count[right].sum())
    kept = total - int(count[out].sum())
    if kept in (0, total):
        return np.full(draws, good / total)
    return rng.hypergeometric(good, total - good, kept, draws) / kept


def _redrawn_programs(count, right, out, draws, rng):
    """Return redrawn chances of a right pick when whole programs are rejected."""
    n_kept = len(count) - int(out.sum())
    if n_kept in (0, len(count)):
        return np.full(draws, count[right].sum() / count.sum())
    order = np.argpartition(rng.random((draws, len(count))), n_kept - 1, axis=1)
    kept = order[:, :n_kept]
    return np.where(right, count, 0)[kept].sum(axis=1) / count[kept].sum(axis=1)


def _laws(tasks: Tasks, out: Bool[np.ndarray, " member"]):
    """Return each task's possible changes, rising, and their chances."""
    for part, base in zip(tasks.parts(), tasks.base, strict=True):
        count, right = tasks.count[part], tasks.right[part]
        total, good = int(count.sum()), int(count[right].sum())
        kept = total - int(count[out[part]].sum())
        if kept in (0, total):
            yield None
            continue
        values = np.arange(max(0, kept - (total - good)), min(good, kept) + 1)
        chances = scipy.stats.hypergeom.pmf(values, total, good, kept)
        yield values / kept - base, chances
