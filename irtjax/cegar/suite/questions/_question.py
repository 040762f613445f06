"""What a question with a short answer is made of."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """A question whose answer is known exactly.

    Attributes:
        prompt: as the answerers see it.
        answer: a number, a name or a word, without its unit.
        unit: that belongs to the answer; "" where there is none.
        slips: wrong answers with their units, each from a way to go wrong.
        thoughts: how many of them, from the first, come from a wrong thought about the
            question, which many have, and not from a slip of the pen.
    """

    prompt: str
    answer: str
    unit: str
    slips: tuple[tuple[str, str], ...]
    thoughts: int = 3

    def __post_init__(self):
        if (self.answer, self.unit) in self.slips:
            raise ValueError(f"{self.prompt!r} lists its right answer as a wrong one.")


def question(
    prompt: str, answer: str, unit: str, slips: list[tuple[str, str]]
) -> Question:
    """Return a question, leaving out slips that happen to be right or come twice."""
    kept = dict.fromkeys(slip for slip in slips if slip != (answer, unit))
    return Question(prompt, answer, unit, tuple(kept))
