"""The items of a fit on the scale of the abilities."""

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float64, Int


class ItemScale(NamedTuple):
    """How hard each item is, in the abilities' logits.

    Attributes:
        item_ids: exactly as given.
        difficulty: the ability at which right and wrong are as likely (for items that
            cannot be guessed); what the prior says for an item that nobody ran.
        se: its standard error.
        n_system: how many systems ran the item.
    """

    item_ids: tuple[Hashable, ...]
    difficulty: Float64[np.ndarray, " item"]
    se: Float64[np.ndarray, " item"]
    n_system: Int[np.ndarray, " item"]
