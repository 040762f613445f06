"""Would another half of the items put the same system first?"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, PRNGKeyArray

from irtjax.data import BinomialResponses
from irtjax.irt import RESULTS

from .._ranker import AbstractRanker


class SplitHalf(NamedTuple):
    """How steady the first place is over random halves of the items.

    Attributes:
        agree: share of splits in which both halves put the same system first.
        whole: share of halves that put first what the whole table puts first.
        splits: how many splits both of whose halves could be ranked.
    """

    agree: float
    whole: float
    splits: int


def split_half(
    ranker: AbstractRanker,
    responses: BinomialResponses,
    *,
    splits: int = 50,
    key: PRNGKeyArray,
) -> SplitHalf:
    """Return how often two random halves of the items have the same first place.

    Called from the host: all halves are ranked in one batch. Not a number with fewer
    than two items.

    Args:
        ranker: what ranks.
        responses: of one table.
        splits: how many.
        key: split number b uses `fold_in(key, b)`.

    References:
        Brown (1910) and Spearman (1910), British J. Psychology 3, for split halves.
    """
    n_item = responses.shape[1]
    if n_item < 2:
        return SplitHalf(float("nan"), float("nan"), 0)

    def halves(number: Array) -> Bool[Array, "half item"]:
        order = jax.random.permutation(jax.random.fold_in(key, number), n_item)
        first = order < n_item // 2
        return jnp.stack([first, ~first])

    keep = jnp.reshape(jax.vmap(halves)(jnp.arange(splits)), (2 * splits, n_item))
    tables = jax.vmap(lambda keep: responses.hide(keep[None, :]))(keep)
    scores = ranker.score_many(tables)
    score = np.asarray(scores.score)
    good = (np.asarray(scores.code) == RESULTS.successful) & ~np.isnan(score).all(1)
    first = np.argmax(np.nan_to_num(score, nan=-np.inf), axis=1)
    pairs, usable = first.reshape(splits, 2), good.reshape(splits, 2).all(axis=1)
    if not usable.any():
        return SplitHalf(float("nan"), float("nan"), 0)
    whole = np.asarray(ranker.score(responses))
    if np.isnan(whole).all():
        return SplitHalf(float("nan"), float("nan"), 0)
    same = pairs[usable, 0] == pairs[usable, 1]
    top = first[good] == np.nanargmax(whole)
    return SplitHalf(float(same.mean()), float(top.mean()), int(usable.sum()))
