"""A runnable example of answers in words: questions, simulated systems' answers, labels."""

import json
import random
from collections.abc import Mapping
from pathlib import Path

from .._task import Case, Label, Task
from ..tasks import Answers
from ._systems import Habits, candidates_of, sample_answers
from .questions import Question, ask, word_answer

QUESTIONS = 160
"""Questions of the example."""

WORDINGS = 4
"""Ways in which a right answer is worded; a wrong one has up to two."""

_DOUBT_RIGHT = 0.15
_DOUBT_WRONG = 0.3
_REFUSALS = (
    "I cannot tell from what is given.",
    "There is not enough information to answer this.",
)


def short_answer_cases(
    seed: int = 0, n: int = QUESTIONS, habits: Habits = Habits(samples=4, ease=1.0)
) -> Answers:
    """Return questions with the answers of simulated systems of different skill.

    Wrong answers come from wrong thoughts about the question and from slips with numbers
    and units; some are common to many systems, so the majority is sometimes wrong. Doubt
    is expressed twice as often in wrong answers as in right ones.

    Args:
        seed: of all draws.
        n: number of questions.
        habits: of the systems.
    """
    draw = random.Random(f"short answers {seed}")
    cases, labels = [], []
    for number, question in enumerate(ask(n, draw)):
        right, wrong = _answers(question, draw)
        tally = sample_answers(
            right, list(wrong), draw, habits, tempting=_tempting(wrong)
        )
        cases.append(
            Case(Task(f"question-{number:03}", question.prompt), candidates_of(tally))
        )
        known = set(right)
        labels.append(tuple(Label(True, answer in known) for answer in tally.given))
    return Answers(tuple(cases), tuple(labels))


def _answers(
    question: Question, draw: random.Random
) -> tuple[list[str], dict[str, bool]]:
    right: dict[str, None] = {}
    for _ in range(WORDINGS):
        right[word_answer(question.answer, question.unit, _DOUBT_RIGHT, draw)] = None
    wrong: dict[str, bool] = {}
    for answer, unit in question.slips:
        thought = (answer, unit) in question.slips[: question.thoughts]
        for _ in range(draw.randint(1, 2)):
            wrong[word_answer(answer, unit, _DOUBT_WRONG, draw)] = thought
    wrong[draw.choice(_REFUSALS)] = False
    return list(right), {
        text: kept for text, kept in wrong.items() if text not in right
    }


def _tempting(wrong: Mapping[str, bool]) -> list[str]:
    return [text for text, thought in wrong.items() if thought]


def write_answer_lines(answers: Answers, path: Path) -> None:
    """Write answers as JSON lines that `read_answers` of the tasks reads, one sample a line.

    Args:
        answers: what to write.
        path: of the file, which is replaced.
    """
    lines = []
    for case, known in zip(answers.cases, answers.labels, strict=True):
        for candidate, label in zip(case.candidates, known, strict=True):
            for system, count in (candidate.sources or {"": candidate.count}).items():
                lines += [_line(case.task, candidate.text, system, label)] * count
    path.write_text(
        "".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8"
    )


def _line(task: Task, text: str, system: str, label: Label) -> Mapping[str, object]:
    return {
        "id": task.task_id,
        "question": task.prompt,
        "answer": text,
        "system": system,
        "label": label.right,
    }
