"""Where a likelihood is evaluated in order to integrate it."""

from typing import NamedTuple

from jaxtyping import Array, Float


class Nodes(NamedTuple):
    """Each system's nodes and their weights.

    Attributes:
        position: the system's parameters, unconstrained.
        log_weight: of the integral over them, the prior not included.
    """

    position: Float[Array, "system node p"]
    log_weight: Float[Array, "system node"]
