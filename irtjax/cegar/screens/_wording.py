"""Questions and answers in words, worded otherwise."""

import functools
import re
from dataclasses import replace

from ..operators import View

_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
_SHORT = 3  # letters of words that stay: most are units or words of grammar

# Words of four letters or more that any question or answer may hold.
_GRAMMAR = frozenset(
    re.findall(
        r"\w+",
        """
        does have having were will would could should might must need needs come comes
        goes there here from with without that then than this these those they them their
        what which when where while whose each every some other more most less least many
        much into onto over under after before between until only also both same very have
        been about around maybe perhaps probably likely roughly nearly sure think guess
        know believe cannot able unable enough sorry answer result total
        """,
    )
)


def respaced(view: View) -> View:
    """Return a view whose prompt has other spaces; words and numbers stay."""
    text = "\n  " + re.sub(r"\s+", "  ", view.prompt).strip() + " \n"
    return replace(view, prompt=text)


def translated(view: View) -> View:
    """Return a view in which words of the question are others, in it and in answers.

    Numbers, short words and words of grammar stay. The same word becomes the same word
    everywhere, so what an answer shares with the question, or with other answers, it
    shares still.
    """
    words = re.findall(r"[^\W\d_]+", view.prompt)
    topic = frozenset(
        word.lower()
        for word in words
        if len(word) > _SHORT and word.isascii() and word.lower() not in _GRAMMAR
    )
    if not topic:
        return view

    def change(text: str) -> str:
        return re.sub(
            r"[^\W\d_]+",
            lambda found: _turned(found[0]) if found[0].lower() in topic else found[0],
            text,
        )

    return replace(
        view, prompt=change(view.prompt), codes=tuple(map(change, view.codes))
    )


@functools.cache
def _table() -> dict[int, int]:
    """Return the next vowel for each vowel and the next consonant for each other."""
    found = {}
    for letters in (_VOWELS, _CONSONANTS):
        turned = letters[1:] + letters[:1]
        found |= str.maketrans(letters + letters.upper(), turned + turned.upper())
    return found


def _turned(word: str) -> str:
    return word.translate(_table())
