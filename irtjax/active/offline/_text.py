"""Word problems as text: sentences of a topic, written and read back."""

import re
from dataclasses import dataclass

from ..generation import Question
from ._problem import Operation, Problem


@dataclass(frozen=True)
class Topic:
    """The words of a topic.

    Attributes:
        place: where things are, with its article.
        things: what is counted.
        added: how more of them come, after "are".
        taken: how some of them go, after "are".
        others: what does not matter.
    """

    place: str
    things: str
    added: str
    taken: str
    others: str


TOPICS: dict[str, Topic] = {
    "orchard": Topic("The orchard", "apples", "picked", "sold", "ladders"),
    "bakery": Topic("The bakery", "loaves", "baked", "eaten", "ovens"),
    "library": Topic("The library", "books", "bought", "lent", "shelves"),
    "harbour": Topic("The harbour", "boats", "moored", "towed away", "gulls"),
    "school": Topic("The school", "pupils", "enrolled", "sent home", "windows"),
    "museum": Topic("The museum", "coins", "dug up", "stolen", "guards"),
    "farm": Topic("The farm", "hens", "hatched", "given away", "tractors"),
    "theatre": Topic("The theatre", "seats", "built in", "torn out", "curtains"),
}
"""The topics, by name."""


def question_of(problem: Problem) -> Question:
    """Return a problem as a question, its exact answer beside it.

    Args:
        problem: its distractors stand right after the beginning.
    """
    words = TOPICS[problem.topic]
    sentences = [f"{words.place} has {problem.start} {words.things}."]
    sentences += [f"There are {n} {words.others} nearby." for n in problem.distractors]
    for operation in problem.operations:
        if operation.kind == "times":
            many = f"The number of {words.things} becomes {operation.number} times as"
            sentences.append(f"{many} large.")
        else:
            how = words.added if operation.kind == "add" else words.taken
            more = " more" if operation.kind == "add" else ""
            sentences.append(f"Then {operation.number}{more} {words.things} are {how}.")
    sentences.append(f"How many {words.things} are there now?")
    return Question(" ".join(sentences), str(problem.answer()), problem.topic)


def read_problem(text: str) -> Problem | None:
    """Return the problem that a text asks, or None where it is none of this world's.

    Args:
        text: as `question_of` writes it.
    """
    for name, words in TOPICS.items():
        if not text.startswith(f"{words.place} has "):
            continue
        start, operations, distractors = None, [], []
        *sentences, question = re.split(r"(?<=[.?]) ", text)
        if question != f"How many {words.things} are there now?":
            return None
        for sentence in sentences:
            found = _read_sentence(sentence, words)
            if isinstance(found, Operation):
                operations.append(found)
            elif found is None:
                return None
            elif found[0] == "start":
                start = found[1]
            else:
                distractors.append(found[1])
        if start is None:
            return None
        return Problem(name, start, tuple(operations), tuple(distractors))
    return None


def _read_sentence(sentence: str, words: Topic) -> Operation | tuple[str, int] | None:
    number = r"(\d+)"
    for kind, pattern in (
        ("start", f"{words.place} has {number} {words.things}."),
        ("other", f"There are {number} {words.others} nearby."),
        ("add", f"Then {number} more {words.things} are {words.added}."),
        ("take", f"Then {number} {words.things} are {words.taken}."),
        ("times", f"The number of {words.things} becomes {number} times as large."),
    ):
        found = re.fullmatch(pattern.replace(".", r"\."), sentence)
        if found and kind in ("add", "take", "times"):
            return Operation(kind, int(found[1]))
        if found:
            return kind, int(found[1])
    return None
