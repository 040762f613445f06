"""The one table of named rankers."""

from collections.abc import Mapping
from types import MappingProxyType

import equinox as eqx

from irtjax.irt import OnePL, PooledTwoPL, TwoPL

from ._averages import ItemCentredAverage, SimpleAverage, WithinItemRank
from ._bradley_terry import BradleyTerry
from ._logit_least_squares import LogitLeastSquares
from ._model_ranker import ModelRanker
from ._ranker import AbstractRanker

RANKERS: Mapping[str, AbstractRanker] = MappingProxyType(
    {
        "average": SimpleAverage(),
        "item_centred_average": ItemCentredAverage(),
        "within_item_rank": WithinItemRank(),
        "logit_least_squares": LogitLeastSquares(),
        "bradley_terry": BradleyTerry(),
        "one_pl": ModelRanker(OnePL()),
        "two_pl": ModelRanker(TwoPL()),
        "pooled_two_pl": ModelRanker(PooledTwoPL()),
    }
)
"""Rankers by name, each with its default settings."""

DEFAULT_RANKER = "pooled_two_pl"
"""The one taken where none is named: see docs/design/003-default-ranker.md."""


def named_ranker(ranker: str | AbstractRanker) -> tuple[str, AbstractRanker]:
    """Return a ranker and the name to show for it.

    Raises:
        ValueError: if there is no ranker of that name.
    """
    if isinstance(ranker, str):
        if ranker not in RANKERS:
            raise ValueError(
                f"There is no ranker {ranker!r}; choose from {', '.join(RANKERS)}."
            )
        return ranker, RANKERS[ranker]
    for name, known in RANKERS.items():
        if type(known) is type(ranker) and bool(eqx.tree_equal(known, ranker)):
            return name, ranker
    if isinstance(ranker, ModelRanker):
        return type(ranker.model).__name__, ranker
    return type(ranker).__name__, ranker
