"""What an operator may see, level by level: widening the interface is a matter of data."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

PEERS = 16
"""Most other answers that an operator sees."""

OBSERVATIONS = 600
"""Most runs that an operator may ask for in one call."""


@dataclass(frozen=True)
class Level:
    """One width of the interface.

    Attributes:
        name: a word for tables.
        offers: which members of `ctx` exist.
        says: what it is, as a generator is told.
    """

    name: str
    offers: frozenset[str]
    says: str


_RUN = frozenset({"run", "visible_inputs"})
_PEERS = _RUN | {"peers", "inputs"}

LEVELS: Mapping[int, Level] = MappingProxyType(
    {
        0: Level(
            "text",
            frozenset(),
            "The task's prompt, entry point and visible checks, and the answer's text.",
        ),
        1: Level(
            "execution",
            _RUN,
            "Also ctx.run(code, arguments), which runs a program in a sandbox, and "
            "ctx.visible_inputs, the arguments of the visible checks.",
        ),
        2: Level(
            "peers",
            _PEERS,
            "Also ctx.peers, the texts of up to 16 other answers to the same task, and "
            "ctx.inputs, perturbed arguments made from the visible ones.",
        ),
        3: Level(
            "traces",
            _PEERS | {"trace"},
            "Also ctx.trace(code, arguments): which lines of a program ran how often.",
        ),
    }
)
"""Interface levels by number; each offers all of the one before."""
