"""A generator that hands out operators written beforehand."""

from collections.abc import Sequence

import numpy as np

from .._operator import Operator
from .._request import AbstractGenerator, Proposal, Request


class ScriptedGenerator(AbstractGenerator):
    """Proposes the operators of a list, those that the level allows, some at a time.

    For tests, and for operators of one's own that shall pass the same gate. What was
    refused on the target is not proposed again.

    Attributes:
        operators: in the order of trial.
        at_once: proposals a request.
    """

    operators: tuple[Operator, ...]
    at_once: int

    def __init__(self, operators: Sequence[Operator], *, at_once: int = 1):
        """Take the list.

        Raises:
            ValueError: none at a time.
        """
        if at_once < 1:
            raise ValueError(f"`at_once` is at least 1, got {at_once}.")
        self.operators = tuple(operators)
        self.at_once = at_once

    def propose(self, request: Request) -> list[Proposal]:
        refused = {refusal.operator.hash for refusal in request.refused}
        nothing = np.zeros((0, len(request.panel.task)), np.bool_)
        left = [
            operator
            for operator in self.operators
            if operator.level <= request.level and operator.hash not in refused
        ]
        return [Proposal(operator, nothing) for operator in left[: self.at_once]]
