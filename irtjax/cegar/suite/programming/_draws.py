"""Random arguments for hidden checks, made with the standard library's generator."""

import random


def numbers(source: random.Random, low: int, high: int, most: int) -> list[int]:
    """Return up to `most` whole numbers from `low` to `high`."""
    return [source.randint(low, high) for _ in range(source.randint(0, most))]


def letters(source: random.Random, alphabet: str, most: int) -> str:
    """Return a text of up to `most` characters of `alphabet`."""
    return "".join(source.choice(alphabet) for _ in range(source.randint(0, most)))


def words(source: random.Random, known: str, most: int) -> list[str]:
    """Return up to `most` of the words in `known`, which are separated by blanks."""
    choice = known.split()
    return [source.choice(choice) for _ in range(source.randint(0, most))]


def grid(source: random.Random, symbols: str, most: int) -> list[str]:
    """Return the rows of a grid of up to `most` rows and columns, at least one each."""
    width = source.randint(1, most)
    return [
        "".join(source.choice(symbols) for _ in range(width))
        for _ in range(source.randint(1, most))
    ]


def spans(source: random.Random, high: int, most: int) -> list[list[int]]:
    """Return up to `most` spans [start, end] with 0 <= start <= end <= `high`."""
    ends = [[source.randint(0, high) for _ in "ab"] for _ in range(most)]
    return [sorted(pair) for pair in ends[: source.randint(0, most)]]
