"""What running a program once shows."""

from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["value", "error", "timeout", "crash"]


@dataclass(frozen=True)
class Observation:
    """The outcome of one call of an untrusted program.

    Attributes:
        kind: "value": it returned; "error": it raised, or its text could not be loaded;
            "timeout": it used up its processor time; "crash": its process died, was
            out of memory, or said something that is no outcome.
        text: of a value its canonical text (`irtjax.cegar.sandbox` says how), of an
            error the exception's type, else "".
    """

    kind: Kind
    text: str = ""

    def plain(self) -> list[Any]:
        """Return it as values that JSON can hold."""
        return [self.kind, self.text]
