"""The one table of named rankers."""

from collections.abc import Mapping
from types import MappingProxyType

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
