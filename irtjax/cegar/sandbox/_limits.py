"""How much an untrusted program may use."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Limits:
    """How much a program may use. Everything here can change an outcome.

    A program never gets a second process or thread, a file to write or a network,
    whatever the limits.

    Attributes:
        cpu_seconds: processor time of loading the program, and of each call.
        program_seconds: processor time of all calls of one program together.
        wall_seconds: of each call, by the clock. Reached only by what waits instead of
            computing, or on a machine that is many times overloaded.
        memory_bytes: address space.
        text_bytes: of the canonical text of a value; of a longer one its hash is kept.
        failures: after this many calls that timed out or crashed, the other calls are
            not made and count as the last one.
    """

    cpu_seconds: float = 1.0
    program_seconds: float = 60.0
    wall_seconds: float = 20.0
    memory_bytes: int = 1 << 30
    text_bytes: int = 1 << 20
    failures: int = 3

    def __post_init__(self):
        for name, value in asdict(self).items():
            if not value > 0:
                raise ValueError(f"`{name}` must be positive, got {value}.")

    def plain(self) -> dict[str, Any]:
        """Return them as values that JSON can hold."""
        return asdict(self)
