"""What a generator is asked, and what it gives back."""

import abc
from collections.abc import Sequence
from typing import NamedTuple

import equinox as eqx
import numpy as np
from jaxtyping import Bool, Int

from ._operator import Operator
from ._panel import Panel


class Refusal(NamedTuple):
    """An earlier proposal that did not make it, and why.

    Attributes:
        operator: the proposal.
        reason: of the refusal; it holds no fact about unseen tasks.
    """

    operator: Operator
    reason: str


class Request(NamedTuple):
    """One target of the loop, from training answers alone.

    Attributes:
        panel: labelled training answers.
        spot: the answers in the blind spot that is asked about.
        right: some of the spot's right answers, as the specification; indices into the
            panel's candidates.
        wrong: some of its wrong ones.
        level: the widest interface that a proposal may use.
        pool: flags of the operators admitted so far.
        refused: earlier proposals on this target.
        seed: of whatever a generator draws.
    """

    panel: Panel
    spot: Int[np.ndarray, " member"]
    right: Int[np.ndarray, " right"]
    wrong: Int[np.ndarray, " wrong"]
    level: int
    pool: Bool[np.ndarray, "operator candidate"]
    refused: Sequence[Refusal]
    seed: int


class Proposal(NamedTuple):
    """An operator, with everything that was looked at to find it.

    Attributes:
        operator: the proposal.
        considered: flags of all attempts among which it is the best; the gate asks
            whether the best of so many could be luck. No rows where it was not chosen by
            looking at labels' scores.
    """

    operator: Operator
    considered: Bool[np.ndarray, "attempt candidate"]


class AbstractGenerator(eqx.Module):
    """Writes operators for a blind spot."""

    @abc.abstractmethod
    def propose(self, request: Request) -> list[Proposal]:
        """Return proposals in the order in which they should be tried; maybe none.

        Args:
            request: the target.
        """
