"""Operators: small untrusted programs that flag, pass or abstain, and their records."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

FLAG = 1
PASS = 0
ABSTAIN = -1
VERDICTS = {"FLAG": FLAG, "PASS": PASS, "ABSTAIN": ABSTAIN}
"""Verdicts as numbers, by the text that an operator returns."""


class OperatorError(Exception):
    """An operator cannot be used: its source is none, or its verdicts are not fixed."""


@dataclass(frozen=True)
class Operator:
    """One operator's source and where it came from.

    The source is Python that defines `entry`. It is called as `entry(task, code)` at
    level 0 and as `entry(task, code, ctx)` above, and returns "FLAG", "PASS" or
    "ABSTAIN"; an exception, a time-out or anything else counts as "ABSTAIN".

    Attributes:
        name: a few words, for tables.
        source: a whole module.
        entry: the function in it.
        level: of the interface it needs; see `LEVELS`.
        defect: the one defect it looks for, in a sentence.
        parents: hashes of the operators it was made from.
    """

    name: str
    source: str
    entry: str = "operator"
    level: int = 0
    defect: str = ""
    parents: tuple[str, ...] = ()

    @property
    def hash(self) -> str:
        """Return the SHA-256 of what decides its verdicts, 64 hexadecimal digits."""
        deciding = {"source": self.source, "entry": self.entry, "level": self.level}
        return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()

    def plain(self) -> dict[str, Any]:
        """Return the record as values that JSON can hold."""
        return {
            "name": self.name,
            "source": self.source,
            "entry": self.entry,
            "level": self.level,
            "defect": self.defect,
            "parents": list(self.parents),
            "hash": self.hash,
        }

    @staticmethod
    def of_plain(plain: dict[str, Any]) -> "Operator":
        """Return the operator that `plain` was made from.

        Raises:
            KeyError: an entry is missing.
            ValueError: its source is not the one that its hash was taken of.
        """
        found = Operator(
            plain["name"],
            plain["source"],
            plain["entry"],
            plain["level"],
            plain["defect"],
            tuple(plain["parents"]),
        )
        if found.hash != plain["hash"]:
            raise ValueError(
                f"The operator {found.name!r} was changed after it was stored: its "
                "source does not have the hash beside it."
            )
        return found
