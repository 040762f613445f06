"""The best small pool of an archive, found by scoring every subset exactly."""

import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from ._operator import FLAG
from ._panel import Panel
from ._vote import decidable, votes_needed

_WORDS = 1 << 18  # of 64 bits, in one array at a time: stays in the cache


class Subsets(NamedTuple):
    """Every subset of an archive up to a size, scored.

    Attributes:
        member: operators of each subset, rising; -1 beyond its size.
        true_flags: wrong samples that the subset's vote rejects.
        false_flags: right samples that it rejects.
        objective: `true_flags - ratio * false_flags`.
        ratio: wrong over right samples of the panel, the price of a false flag.
    """

    member: Int[np.ndarray, "subset size"]
    true_flags: Int[np.ndarray, " subset"]
    false_flags: Int[np.ndarray, " subset"]
    objective: Float[np.ndarray, " subset"]
    ratio: float

    def best(self) -> tuple[int, ...]:
        """Return the operators of the best subset; of equal ones the first, smallest."""
        row = self.member[int(np.argmax(self.objective))]
        return tuple(int(number) for number in row if number >= 0)


def count_subsets(n_operator: int, size: int) -> int:
    """Return how many subsets have 1 to `size` members.

    Args:
        n_operator: of the archive.
        size: largest subset.
    """
    return sum(math.comb(n_operator, k) for k in range(1, size + 1))


def score_subsets(
    panel: Panel, flags: Bool[np.ndarray, "operator candidate"], *, size: int = 6
) -> Subsets:
    """Return every subset of up to `size` operators with its exact score.

    A subset rejects an answer that at least two of its members flag, or its one member.
    Flags of samples are bits: a vote over thousands of samples is a few word operations.

    Args:
        panel: labelled answers.
        flags: which operator of the archive flags which answer.
        size: largest subset.

    Raises:
        ValueError: no operator, or no right or no wrong sample to weigh flags by.
    """
    n_right = int(panel.count[panel.right].sum())
    n_wrong = int(panel.count[~panel.right].sum())
    if not len(flags):
        raise ValueError("The archive holds no operator to compose a pool of.")
    if not n_right or not n_wrong:
        raise ValueError(
            f"The panel holds {n_right} right and {n_wrong} wrong samples: both kinds "
            "are needed to weigh flags."
        )
    size = min(size, len(flags))
    wrong, right = (
        _packed(np.repeat(flags[:, keep], panel.count[keep], axis=1))
        for keep in (~panel.right, panel.right)
    )
    words = np.concatenate([wrong, right], axis=1)
    ratio = n_wrong / n_right
    member, hits = [], []
    for block in _blocks(len(flags), size, words.shape[1]):
        out = _voted(words, block)
        ones = np.bitwise_count(out)
        hits.append(
            np.stack([part.sum(axis=1, dtype=np.int64)
                      for part in np.split(ones, [wrong.shape[1]], axis=1)])
        )  # fmt: skip
        padding = np.full((len(block), size - block.shape[1]), -1, np.int8)
        member.append(np.concatenate([block, padding], axis=1))
    true, false = np.concatenate(hits, axis=1)
    return Subsets(np.concatenate(member), true, false, true - ratio * false, ratio)


def compose(
    panel: Panel, verdicts: Int[np.ndarray, "operator candidate"], *, size: int = 6
) -> tuple[int, ...]:
    """Return which operators of a run's pool to deploy, from training answers alone.

    Args:
        panel: labelled training answers.
        verdicts: of the admitted operators.
        size: largest pool.

    Returns:
        Places of the operators; none where none was admitted.
    """
    if not len(verdicts):
        return ()
    return score_subsets(panel, verdicts == FLAG, size=size).best()


def subset_deltas(
    panel: Panel, flags: Bool[np.ndarray, "operator candidate"], *, size: int = 6
) -> Float[np.ndarray, " subset"]:
    """Return the gain in selection accuracy of every subset, in `score_subsets`' order.

    For the place of a chosen pool among all that could have been chosen.

    Args:
        panel: labelled answers.
        flags: which operator of the archive flags which answer.
        size: largest subset.
    """
    tasks = decidable(panel)
    size = min(size, len(flags))
    total = math.fsum(tasks.base)
    pieces, starts, first = [], [], 0
    for part in tasks.parts():
        for kind in (tasks.right, ~tasks.right):
            keep = np.arange(part.start, part.stop)[kind[part]]
            samples = np.repeat(flags[:, tasks.member[keep]], tasks.count[keep], axis=1)
            pieces.append(_packed(samples))
            starts.append(first)
            first += pieces[-1].shape[1]
    if not pieces:
        return np.zeros(count_subsets(len(flags), size))
    words = np.concatenate(pieces, axis=1)
    samples = np.where(tasks.right, tasks.count, 0)
    n_right = np.add.reduceat(samples, tasks.start)
    n_wrong = np.add.reduceat(tasks.count - samples, tasks.start)
    found = []
    for block in _blocks(len(flags), size, words.shape[1]):
        ones = np.bitwise_count(_voted(words, block)).astype(np.int32)
        out = np.add.reduceat(ones, starts, axis=1)
        right, wrong = n_right - out[:, ::2], n_wrong - out[:, 1::2]
        kept = right + wrong
        chance = np.where(kept > 0, right / np.maximum(kept, 1), tasks.base)
        found.append(chance.sum(axis=1) - total)
    return np.concatenate(found) / tasks.n_task


def _packed(bits: Bool[np.ndarray, "operator sample"]) -> np.ndarray:
    """Return bits as words of 64, each row padded with zeros."""
    spare = -bits.shape[1] % 64 if bits.shape[1] else 64
    padded = np.pad(bits, ((0, 0), (0, spare)))
    return np.packbits(padded, axis=1).view(np.uint64)


def _blocks(n_operator: int, size: int, n_word: int) -> Iterator[np.ndarray]:
    """Yield all subsets by size and in lexical order, some thousands at a time."""
    most = max(1, _WORDS // n_word)
    for k in range(1, size + 1):
        subsets = itertools.combinations(range(n_operator), k)
        while block := list(itertools.islice(subsets, most)):
            yield np.array(block, np.int8)


def _voted(words: np.ndarray, block: np.ndarray) -> np.ndarray:
    """Return which samples each subset's vote rejects."""
    once = words[block[:, 0]]
    if votes_needed(block.shape[1]) == 1:
        return once
    twice = np.zeros_like(once)
    for column in block.T[1:]:
        flagged = words[column]
        twice |= once & flagged
        once |= flagged
    return twice
