"""What `irtjax evolve` and `irtjax judge` are given: tasks, answers and labels."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

import typer

if TYPE_CHECKING:
    from irtjax.cegar import Case, Label
    from irtjax.cegar.tasks import Bench, Oracle

Tasks: TypeAlias = Annotated[
    Path,
    typer.Argument(
        help="JSON lines: programming tasks in EvalPlus's format, or questions, each "
        "with an answer."
    ),
]
Candidates: TypeAlias = Annotated[
    list[Path] | None,
    typer.Argument(
        help="Programs: EvalPlus's sample files, one a system. None for questions."
    ),
]
LabelsFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="JSON lines with task_id, solution and label: which programs are right.",
    ),
]
AllowWeaker: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--allow-weaker",
        help="Run untrusted programs with limits alone where bubblewrap is missing.",
    ),
]
Workers: TypeAlias = Annotated[int, typer.Option(min=1, help="Jails at work at once.")]


class Work(NamedTuple):
    """Answers, and what is known of them.

    Attributes:
        cases: tasks with their answers.
        right: for each case which answers are right; None where nothing says so.
        oracles: for each case what its programs can be labelled with, or none.
        remarks: on what was left out.
    """

    cases: tuple["Case", ...]
    right: tuple[tuple[bool, ...], ...] | None
    oracles: tuple["Oracle", ...]
    remarks: tuple[str, ...]

    @property
    def programs(self) -> bool:
        """Return whether the answers are programs, and not in words."""
        return any(case.task.entry_point for case in self.cases)

    def part(self, places: Sequence[int]) -> "Work":
        """Return some of the cases, with what is known of them."""
        return Work(
            tuple(self.cases[n] for n in places),
            None if self.right is None else tuple(self.right[n] for n in places),
            tuple(self.oracles[n] for n in places) if self.oracles else (),
            self.remarks,
        )

    def labels(self, bench: "Bench") -> tuple[tuple["Label", ...], ...]:
        """Return the labels of all answers, found by running programs where needed.

        Args:
            bench: where programs run.

        Raises:
            ValueError: nothing is known and there is nothing to find it out by.
        """
        from irtjax.cegar import Label
        from irtjax.cegar.tasks import label_cases, visible_met

        if self.right is not None:
            met = visible_met(self.cases, bench)
            return tuple(
                tuple(Label(m, r) for m, r in zip(*rows, strict=True))
                for rows in zip(met, self.right, strict=True)
            )
        verdicts = label_cases(self.cases, self.oracles, bench)
        return tuple(tuple(each.label for each in row) for row in verdicts)


def to_learn_from(
    tasks: Path, candidates: Sequence[Path], labels: Path | None, bench: "Bench"
) -> Work:
    """Return answers that are labelled, or that the tasks' hidden half can label.

    Args:
        tasks: tasks or questions.
        candidates: files of programs.
        labels: what is known of the programs.
        bench: where reference programs run, if the hidden half is needed.

    Raises:
        ValueError: with the file, line and field at fault.
    """
    from irtjax.cegar.tasks import read_evalplus, sound_checks

    if _in_words(tasks):
        _no_files(tasks, candidates, labels)
        return _labelled_words(tasks)
    if labels is not None:
        return to_judge(tasks, candidates, labels)
    half = read_evalplus(tasks)
    shown = sound_checks(half.tasks, half.oracles, bench)
    return _answered(shown, candidates, half.oracles)


def to_judge(tasks: Path, candidates: Sequence[Path], labels: Path | None) -> Work:
    """Return answers, with labels where there are any; no hidden half is opened.

    Args:
        tasks: tasks or questions.
        candidates: files of programs.
        labels: what is known of the programs.

    Raises:
        ValueError: with the file, line and field at fault.
    """
    from irtjax.cegar.tasks import read_labels, read_lines, read_questions, read_tasks

    if _in_words(tasks):
        _no_files(tasks, candidates, labels)
        if any("label" in line.fields for line in read_lines(tasks)):
            return _labelled_words(tasks)
        return Work(read_questions(tasks), None, (), ())
    work = _answered(read_tasks(tasks), candidates, ())
    if labels is None:
        return work
    return work._replace(right=read_labels(labels, work.cases))


def _labelled_words(tasks: Path) -> Work:
    from irtjax.cegar.tasks import read_answers

    answers = read_answers(tasks)
    right = tuple(tuple(label.right for label in row) for row in answers.labels)
    return Work(answers.cases, right, (), ())


def _in_words(tasks: Path) -> bool:
    from irtjax.cegar.tasks import read_lines

    for line in read_lines(tasks):
        if "question" in line.fields or "entry_point" in line.fields:
            return "question" in line.fields
        raise line.wrong(
            "entry_point",
            "a task needs it, and so a question needs 'question'; the line has "
            + ", ".join(line.fields),
        )
    raise ValueError(f"{tasks} holds no task.")


def _no_files(tasks: Path, candidates: Sequence[Path], labels: Path | None) -> None:
    if candidates or labels is not None:
        extra = candidates[0] if candidates else labels
        raise ValueError(
            f"{tasks} holds questions with their answers and labels, so {extra} has no "
            "meaning: leave it out."
        )


def _answered(tasks, candidates: Sequence[Path], oracles) -> Work:
    """Return tasks with their programs, without those that nobody answered."""
    from irtjax.cegar.tasks import (
        make_cases,
        read_candidates,
        read_lines,
        read_samples,
        with_inputs,
    )

    if not candidates:
        raise ValueError("Programs are needed beside the tasks: name their files.")
    first = next(read_lines(candidates[0]), None)
    if first is None:
        raise ValueError(f"{candidates[0]} holds no program.")
    if "candidates" not in first.fields:
        answers = read_samples(candidates, tasks)
    elif len(candidates) == 1:
        answers = read_candidates(candidates[0])
    else:
        raise ValueError(
            f"{candidates[0]} lists each task's programs, so {candidates[1]} cannot stand "
            "beside it: give one such file."
        )
    cases = make_cases(with_inputs(tasks), answers)
    kept = [n for n, case in enumerate(cases) if case.candidates]
    bare = len(cases) - len(kept)
    remarks = (f"{bare} of {len(cases)} tasks have no answer and are left out.",)
    return Work(cases, None, oracles, remarks if bare else ()).part(kept)
