"""The example of answers in words."""

import numpy as np

from irtjax.cegar import make_panel
from irtjax.cegar.suite import short_answer_cases, write_answer_lines
from irtjax.cegar.tasks import read_answers


def test_questions_are_many_decidable_and_repeat_with_the_seed():
    example = short_answer_cases(3)
    assert len(example.cases) >= 120
    assert example == short_answer_cases(3)
    assert example != short_answer_cases(4)
    panel = make_panel(example.cases, example.labels)
    right = np.bincount(panel.task, panel.count * panel.right, len(panel.task_ids))
    every = np.bincount(panel.task, panel.count, len(panel.task_ids))
    decidable = (right > 0) & (right < every)
    assert np.mean(decidable) > 0.4
    assert 0.1 < np.mean(right[decidable] < every[decidable] / 2) < 0.6


def test_labels_say_whether_the_words_hold_the_answer():
    """Texts that are right all end with the same words; no wrong one does."""
    for case, labels in zip(*short_answer_cases(2, 40)[:2], strict=True):
        cores = [_core(candidate.text) for candidate in case.candidates]
        right = {core for core, label in zip(cores, labels, strict=True) if label.right}
        wrong = {c for c, label in zip(cores, labels, strict=True) if not label.right}
        assert len(right) <= 1
        assert not right & wrong


def _core(text):
    for words in (" is ", " makes ", "Answer: ", " gives ", " arrive at ", " about "):
        text = text.split(words)[-1]
    text = text.removeprefix("Probably ").removeprefix("Maybe ")
    return text.removesuffix(", but I am not sure.").rstrip(".?")


def test_written_lines_are_read_back(tmp_path):
    example = short_answer_cases(1, 20)
    path = tmp_path / "answers.jsonl"
    write_answer_lines(example, path)
    again = read_answers(path)
    assert again.labels == example.labels
    for read, made in zip(again.cases, example.cases, strict=True):
        assert read.task == made.task
        assert read.candidates == made.candidates
        assert [c.sources for c in read.candidates] == [
            c.sources for c in made.candidates
        ]
