"""The answers among which one is picked: those that pass the visible checks."""

from collections.abc import Sequence
from dataclasses import replace

from ._task import Case, Label


def passing(
    cases: Sequence[Case], labels: Sequence[Sequence[Label]]
) -> tuple[tuple[Case, ...], tuple[tuple[Label, ...], ...]]:
    """Return cases with only the answers that pass the visible checks, and their labels.

    Operators and their peers come from these: an answer that fails a visible check is
    known to be wrong without any operator, and has no vote.

    Args:
        cases: tasks with all their answers.
        labels: for each case one label a candidate.

    Raises:
        ValueError: labels do not fit the candidates.
    """
    kept_cases, kept_labels = [], []
    for case, known in zip(cases, labels, strict=True):
        pairs = [
            (candidate, label)
            for candidate, label in zip(case.candidates, known, strict=True)
            if label.visible
        ]
        kept_cases.append(replace(case, candidates=tuple(pair[0] for pair in pairs)))
        kept_labels.append(tuple(pair[1] for pair in pairs))
    return tuple(kept_cases), tuple(kept_labels)
