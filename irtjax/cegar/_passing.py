"""The answers among which one is picked: those that pass the visible checks."""

from collections.abc import Sequence
from dataclasses import replace

from ._task import Case, Label


def meeting(cases: Sequence[Case], met: Sequence[Sequence[bool]]) -> tuple[Case, ...]:
    """Return cases with only the answers that meet the visible checks.

    Args:
        cases: tasks with all their answers.
        met: for each case which answers do.

    Raises:
        ValueError: `met` does not fit the answers.
    """
    return tuple(
        replace(
            case,
            candidates=tuple(
                one for one, good in zip(case.candidates, row, strict=True) if good
            ),
        )
        for case, row in zip(cases, met, strict=True)
    )


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
    kept = meeting(cases, [[label.visible for label in known] for known in labels])
    return kept, tuple(
        tuple(label for label in known if label.visible) for known in labels
    )
