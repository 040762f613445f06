"""Drawing questions of all kinds."""

import random

from ._quantities import QUANTITIES
from ._question import Question
from ._words import WORDS


def ask(number: int, draw: random.Random) -> tuple[Question, ...]:
    """Return different questions, the kinds taking turns.

    Args:
        number: of questions.
        draw: decides on everything in them.
    """
    kinds = (*QUANTITIES, *WORDS)
    found: dict[str, Question] = {}
    place = 0
    while len(found) < number:
        made = kinds[place % len(kinds)](draw)
        found.setdefault(made.prompt, made)
        place += 1
    return tuple(found.values())
