"""What a pool is worth on labelled answers, with proof that it is not luck."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from ._nulls import ExactGain, RedrawnGain, exact_gain, redrawn_gain, sign_test
from ._operator import FLAG
from ._panel import Panel
from ._vote import Gain, gain, rejected


class Evaluation(NamedTuple):
    """A pool's gain and how likely luck gives as much.

    Attributes:
        gain: of the pool's vote.
        exact: against as many flagged samples at random, in closed form.
        samples: the same by redrawing.
        programs: by redrawing whole programs, the more careful unit.
        sign: one-sided chance of as many helped tasks among helped and hurt ones.
        flagged: samples that the vote rejects.
        flagged_wrong: wrong ones among them.
    """

    gain: Gain
    exact: ExactGain
    samples: RedrawnGain
    programs: RedrawnGain
    sign: float
    flagged: int
    flagged_wrong: int


def evaluate(
    panel: Panel,
    verdicts: Int[np.ndarray, "operator candidate"],
    *,
    draws: int = 1000,
    seed: int = 0,
) -> Evaluation:
    """Return what a pool's verdicts are worth.

    Args:
        panel: labelled answers that the pool was not trained on.
        verdicts: of the pool's operators.
        draws: of the sampled nulls.
        seed: of these draws.
    """
    flags = verdicts == FLAG
    found = gain(panel, flags)
    out = rejected(flags)
    return Evaluation(
        found,
        exact_gain(panel, flags),
        redrawn_gain(panel, flags, draws=draws, seed=seed),
        redrawn_gain(panel, flags, draws=draws, seed=seed, unit="program"),
        sign_test(found.helped, found.hurt),
        int(panel.count[out].sum()),
        int(panel.count[out & ~panel.right].sum()),
    )
