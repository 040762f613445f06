"""What is asked, and what was answered: everything an operator may see, and no label."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Check:
    """One visible example of what an answer should do.

    Attributes:
        text: as its author wrote it, such as "assert add(1, 2) == 3"; what an operator
            is shown.
        arguments: of the call in it, as plain Python values; None where the example is
            not one plain call.
    """

    text: str
    arguments: tuple[Any, ...] | None = None


@dataclass(frozen=True)
class Task:
    """What is asked. It holds nothing hidden: labels live in a type of their own.

    Attributes:
        task_id: unique among the tasks used together.
        prompt: as the answerers saw it.
        entry_point: the function that an answer must define; "" where answers are text.
        checks: visible examples.
        inputs: perturbed arguments, made from the visible examples alone, on which
            answers can be compared; the same for every candidate.
    """

    task_id: str
    prompt: str
    entry_point: str = ""
    checks: tuple[Check, ...] = ()
    inputs: tuple[tuple[Any, ...], ...] = ()


@dataclass(frozen=True)
class Candidate:
    """One distinct answer.

    Attributes:
        text: the program, or the answer in words.
        count: how many samples gave exactly this text; each counts in every average.
        sources: which systems gave it and how often each, by name; may be empty.
    """

    text: str
    count: int = 1
    sources: Mapping[str, int] = field(default_factory=dict, hash=False)

    def __post_init__(self):
        if self.count < 1:
            raise ValueError(f"A candidate has at least one sample, got {self.count}.")


@dataclass(frozen=True)
class Case:
    """A task with its answers.

    Attributes:
        task: what was asked.
        candidates: distinct texts, in the order of their first sample.
    """

    task: Task
    candidates: tuple[Candidate, ...]

    def __post_init__(self):
        texts = [candidate.text for candidate in self.candidates]
        if len(set(texts)) != len(texts):
            raise ValueError(
                f"Task {self.task.task_id} lists the same answer twice: give it once, "
                "with its number of samples."
            )


@dataclass(frozen=True)
class Label:
    """What is known of one candidate. Only scoring reads it; no operator ever does.

    Attributes:
        visible: whether it passes the visible checks; true where a task has none.
        right: the truth, from hidden checks or a person.
    """

    visible: bool
    right: bool
