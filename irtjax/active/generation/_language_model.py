"""A language model as the writer of questions, and as the system under test."""

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float

from irtjax.clients import AbstractTextClient, Message, Request

from ._protocols import AbstractGenerator, AbstractScorer, Brief, Question

WRITER = (
    "You write test questions that have exactly one short answer. You are shown "
    "questions that a system is likely to get wrong. Write one new question on the "
    "given topic that is equally hard or harder, for the same reason if you can tell "
    "it, and work out its answer with care. Reply with one JSON object with the keys "
    '"question" and "answer", both strings, and nothing else.'
)
"""What the writer is told."""

SOLVER = "Answer the question. End your reply with the answer alone on the last line."
"""What the system under test is told."""


class LanguageModelGenerator(AbstractGenerator):
    """Asks a language model for a question.

    Its answers are taken at its word: a wrong one makes a failure that is none. Have a
    sample of what is found checked.

    Attributes:
        client: through the transcript store, such as `irtjax.clients.transcribed` gives.
        provider: as the client's.
        model: as the provider names it.
        parameters: of the sampling.
    """

    client: AbstractTextClient
    provider: str
    model: str
    parameters: dict[str, Any]

    def __call__(self, brief: Brief) -> Question | None:
        shown = [
            f"Question: {anchor.text}\nAnswer: {anchor.answer}"
            for anchor in brief.anchors
        ]
        asked = "\n\n".join([f"Topic: {brief.topic}", *shown])
        messages = (Message("system", WRITER), Message("user", asked))
        request = Request(self.provider, self.model, messages, self.parameters)
        return _read(self.client.complete(request).text, brief.topic)


class LanguageModelScorer(AbstractScorer):
    """Asks a language model the questions.

    A reply is right if its last line is the answer, or if both end in the same number.

    Attributes:
        client: through the transcript store, such as `irtjax.clients.transcribed` gives.
        provider: as the client's.
        model: as the provider names it.
        parameters: of the sampling.
    """

    client: AbstractTextClient
    provider: str
    model: str
    parameters: dict[str, Any]

    def __call__(self, questions: Sequence[Question]) -> Float[np.ndarray, " question"]:
        return np.array([float(not self._right(each)) for each in questions])

    def _right(self, question: Question) -> bool:
        messages = (Message("system", SOLVER), Message("user", question.text))
        request = Request(self.provider, self.model, messages, self.parameters)
        return _same(self.client.complete(request).text, question.answer)


def _read(text: str, topic: str) -> Question | None:
    """Return the question in a reply, or None where there is none."""
    found = re.search(r"\{.*\}", text, re.DOTALL)
    try:
        plain = json.loads(found[0]) if found else None
    except ValueError:
        return None
    if not isinstance(plain, dict):
        return None
    question, answer = plain.get("question"), plain.get("answer")
    if not isinstance(question, str) or not isinstance(answer, str):
        return None
    if not question.strip() or not answer.strip():
        return None
    return Question(question.strip(), answer.strip(), topic)


def _same(reply: str, answer: str) -> bool:
    lines = [line.strip() for line in reply.strip().splitlines() if line.strip()]
    if not lines:
        return False
    if lines[-1].casefold().strip(" .") == answer.casefold().strip(" ."):
        return True
    said, right = (re.findall(r"-?\d+(?:\.\d+)?", text) for text in (lines[-1], answer))
    return bool(said and right) and float(said[-1]) == float(right[-1])
