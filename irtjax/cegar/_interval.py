"""How far a pool's gain would move with other tasks of the same kind."""

import numpy as np
from jaxtyping import Bool

from ._panel import Panel
from ._vote import decidable, rejected, task_gains


def gain_interval(
    panel: Panel,
    flags: Bool[np.ndarray, "operator candidate"],
    *,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
) -> tuple[float, float]:
    """Return the percentile interval of a pool's gain under a bootstrap of whole tasks.

    Answers to one task share its difficulty, so tasks are what is drawn anew, all of
    them: those in which nothing can change count as no gain. The pool stays as it is.

    Args:
        panel: labelled answers.
        flags: which operator of the pool flags which answer.
        level: chance, within (0, 1), that the interval covers.
        draws: of as many tasks as there are.
        seed: of the draws.

    Returns:
        Lower and upper end, in selection accuracy.

    Raises:
        ValueError: the level is outside (0, 1).

    References:
        Efron and Tibshirani (1993), *An Introduction to the Bootstrap*, ch. 13.
    """
    if not 0 < level < 1:
        raise ValueError(f"`level` must lie within (0, 1), got {level}.")
    tasks = decidable(panel)
    change = task_gains(tasks, rejected(flags)[None, tasks.member])[0]
    n_task = len(panel.task_ids)
    share = np.append(np.full(len(change), 1 / n_task), 1 - len(change) / n_task)
    counts = np.random.default_rng(seed).multinomial(n_task, share, size=draws)
    gains = counts[:, :-1] @ change / n_task
    lower, upper = np.quantile(gains, [(1 - level) / 2, (1 + level) / 2])
    return float(lower), float(upper)
