"""Putting an answer into words."""

import random

_PLAIN = ("{}", "{}.", "The answer is {}.", "It is {}.", "Answer: {}", "That makes {}.")
_LONG = (
    "Let us go through it step by step. Taking everything that is said together gives {}.",
    "First I looked at what is asked, then at what is given. The result is {}.",
    "This can be worked out directly. Checking it once more, I arrive at {}.",
)
_HEDGED = (
    "I think it is {}.",
    "Probably {}, but I am not sure.",
    "It should be about {}.",
    "Maybe {}?",
)


def word_answer(answer: str, unit: str, unsure: float, draw: random.Random) -> str:
    """Return an answer in words.

    Args:
        answer: a number, name or word.
        unit: that follows it, or "".
        unsure: chance of words that express doubt.
        draw: decides on the words.
    """
    core = f"{answer} {unit}".strip()
    if draw.random() < unsure:
        return draw.choice(_HEDGED).format(core)
    if draw.random() < 0.25:
        return draw.choice(_LONG).format(core)
    return draw.choice(_PLAIN).format(core)
