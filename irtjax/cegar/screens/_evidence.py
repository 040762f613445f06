"""What a screen works with: an operator, some training answers, and asking again."""

import ast
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Int

from .._operator import FLAG, PASS, Operator
from .._task import Case, Label
from ..operators import Harness, View, judge, opinions

FLAGGED = 24
"""Most flagged answers that are looked at again."""

PASSED = 12
"""Most passed answers that are looked at again."""

EACH = 3
"""Most flagged, and most passed, answers of one task."""


@dataclass(frozen=True)
class Evidence:
    """An operator and the training answers on which its honesty is tested.

    Attributes:
        operator: untrusted.
        views: of every training task.
        verdicts: of the operator on every training answer.
        chosen: some of the views, in which a few answers are to be judged.
        said: verdicts on these, view after view.
        labels: one for each answer of each view; None where there are none.
        ask: from an operator and views to its verdicts on their judged answers, view
            after view.
    """

    operator: Operator
    views: tuple[View, ...]
    verdicts: tuple[Int[np.ndarray, " _"], ...]
    chosen: tuple[View, ...]
    said: Int[np.ndarray, " judged"]
    labels: tuple[tuple[Label, ...], ...] | None
    ask: Callable[[Operator, Sequence[View]], Int[np.ndarray, " judged"]]

    @property
    def runs(self) -> bool:
        """Return whether the operator's text names the means to run a program."""
        return bool({"run", "trace"} & self.members)

    @property
    def members(self) -> set[str]:
        """Return all names of attributes in the operator's text."""
        tree = ast.parse(self.operator.source)
        return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}

    def again(self, change: Callable[[View], View]) -> Int[np.ndarray, " judged"]:
        """Return the verdicts on the chosen answers after a change of the views."""
        return self.ask(self.operator, [change(view) for view in self.chosen])


def gather(
    operator: Operator,
    cases: Sequence[Case],
    labels: Sequence[Sequence[Label]] | None,
    harness: Harness,
) -> Evidence:
    """Return the evidence on an operator.

    The answers to look at again are drawn by their texts: flagged ones of as many tasks
    as there are, then passed ones, of the same tasks before others.

    Args:
        operator: untrusted.
        cases: training tasks with their answers.
        labels: for each case one label an answer, or None.
        harness: where operators run.
    """
    views = tuple(harness.show(cases, operator.level))
    judged = judge([operator], views, harness)
    verdicts = tuple(found[0] for found in judged.by_case)

    def ask(asked: Operator, views: Sequence[View]) -> Int[np.ndarray, " judged"]:
        found = opinions(asked, views, harness)
        parts = [row[view.order] for row, view in zip(found, views, strict=True)]
        return np.concatenate([*parts, np.zeros(0, np.int8)]).astype(np.int8)

    flagged = _draw(views, verdicts, FLAG, FLAGGED, ())
    passed = _draw(views, verdicts, PASS, PASSED, tuple(flagged))
    chosen, said = [], []
    for place in sorted(flagged.keys() | passed.keys()):
        which = tuple(sorted(flagged.get(place, []) + passed.get(place, [])))
        chosen.append(replace(views[place], judged=which))
        said.append(verdicts[place][list(which)])
    return Evidence(
        operator,
        views,
        verdicts,
        tuple(chosen),
        np.concatenate([*said, np.zeros(0, np.int8)]).astype(np.int8),
        None if labels is None else tuple(map(tuple, labels)),
        ask,
    )


def _draw(views, verdicts, wanted, most, first) -> dict[int, list[int]]:
    """Return answers with a verdict, as indices by the number of their view."""
    tickets = []
    for place, (view, row) in enumerate(zip(views, verdicts, strict=True)):
        having = sorted(
            (hashlib.sha256(view.codes[n].encode(errors="replace")).hexdigest(), int(n))
            for n in np.flatnonzero(row == wanted)
        )
        for turn, (ticket, number) in enumerate(having[:EACH]):
            tickets.append((turn, place not in first, ticket, place, number))
    found: dict[int, list[int]] = {}
    for *_, place, number in sorted(tickets)[:most]:
        found.setdefault(place, []).append(number)
    return found
