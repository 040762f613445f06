"""What is said of a history's items: how much each counts, and in which category."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Float, Float64

from irtjax.data import DataError

from .._history import History

Weights = Mapping[Any, float | int] | Float[np.ndarray, " item"] | None
Categories = Mapping[Any, Hashable] | Sequence[Hashable] | None


def normalised(history: History, weights: Weights) -> Float64[np.ndarray, " item"]:
    """Return the items' weights in the mean that is wanted; they sum to 1.

    Args:
        history: names the items.
        weights: by identifier, or one an item; all alike if None.

    Raises:
        DataError: if one is missing, negative or not finite, or all are 0.
    """
    count = len(history.item_ids)
    if weights is None:
        return np.full(count, 1 / count)
    if isinstance(weights, Mapping):
        _refuse_absent(history, weights, "weight")
        weights = np.array([float(weights[each]) for each in history.item_ids])
    value = np.asarray(weights, np.float64)
    if value.shape != (count,):
        raise DataError(
            f"{history.source}: there are {count:,} items and weights of the shape "
            f"{value.shape}."
        )
    bad = ~(np.isfinite(value) & (value >= 0))
    if bad.any():
        k = int(np.argmax(bad))
        raise DataError(
            f"The weight of item {history.item_ids[k]!r} must be finite and not "
            f"negative, got {value[k]}."
        )
    if not value.sum() > 0:
        raise DataError("The weights are 0 throughout: no item counts.")
    return value / value.sum()


def categories_of(
    history: History, categories: Categories
) -> tuple[tuple[Hashable, ...], np.ndarray]:
    """Return the categories in order of appearance, and each item's number among them.

    Args:
        history: names the items.
        categories: by identifier, or one an item; none if None.

    Raises:
        DataError: if an item's is missing.
    """
    count = len(history.item_ids)
    if categories is None:
        return (), np.zeros(count, int)
    if isinstance(categories, Mapping):
        _refuse_absent(history, categories, "category")
        categories = [categories[each] for each in history.item_ids]
    if len(categories) != count:
        raise DataError(
            f"{history.source}: there are {count:,} items and {len(categories):,} "
            "categories."
        )
    names = tuple(dict.fromkeys(categories))
    number = {name: k for k, name in enumerate(names)}
    return names, np.array([number[each] for each in categories], int)


def _refuse_absent(history: History, given: Mapping[Any, object], what: str) -> None:
    absent = [each for each in history.item_ids if each not in given]
    if absent:
        raise DataError(
            f"{history.source}: {len(absent):,} items have no {what}, such as "
            f"{absent[0]!r}."
        )
