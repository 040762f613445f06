"""Every attempt of a run, with its flags and what became of it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool, Int

from ._operator import FLAG, Operator


@dataclass(frozen=True)
class Attempt:
    """One proposal and its fate.

    Attributes:
        operator: the proposal.
        verdicts: on the training answers; empty where a screen or syntax refused it
            before it ran.
        admitted: whether it joined the pool.
        reason: of the refusal, or what the admission rests on.
        round: of the loop, from 0.
        target: hash of the blind spot's members.
        level: of the interface at that time.
        p_value: of the gate; nan without one.
    """

    operator: Operator
    verdicts: Int[np.ndarray, " candidate"]
    admitted: bool
    reason: str
    round: int
    target: str
    level: int
    p_value: float = float("nan")

    def plain(self) -> dict[str, Any]:
        """Return the record as values that JSON can hold, verdicts as one text."""
        return {
            "operator": self.operator.plain(),
            "verdicts": "".join("_PF"[int(v) + 1] for v in self.verdicts),
            "admitted": self.admitted,
            "reason": self.reason,
            "round": self.round,
            "target": self.target,
            "level": self.level,
            "p_value": None if np.isnan(self.p_value) else self.p_value,
        }

    @staticmethod
    def of_plain(plain: dict[str, Any]) -> "Attempt":
        """Return the attempt that `plain` was made from.

        Raises:
            KeyError: an entry is missing.
            ValueError: the operator's source does not fit its hash.
        """
        said = np.array(["_PF".index(v) - 1 for v in plain["verdicts"]], np.int8)
        p_value = plain["p_value"]
        return Attempt(
            Operator.of_plain(plain["operator"]),
            said,
            plain["admitted"],
            plain["reason"],
            plain["round"],
            plain["target"],
            plain["level"],
            float("nan") if p_value is None else p_value,
        )


class Archive:
    """Attempts in the order in which they were made.

    It refuses an operator whose flags on the training answers are those of an earlier
    one: it would be the same operator in other words.
    """

    def __init__(self, attempts: Sequence[Attempt] = ()):
        """Hold earlier attempts, if there are any."""
        self._attempts: list[Attempt] = []
        self._known: dict[bytes, str] = {}
        for attempt in attempts:
            self.add(attempt)

    def __len__(self) -> int:
        return len(self._attempts)

    def __iter__(self) -> Iterator[Attempt]:
        return iter(self._attempts)

    def add(self, attempt: Attempt) -> None:
        """Keep one more attempt."""
        self._attempts.append(attempt)
        if len(attempt.verdicts):
            self._known.setdefault(_bits(attempt.verdicts), attempt.operator.name)

    def twin(self, verdicts: Int[np.ndarray, " candidate"]) -> str | None:
        """Return the name of an earlier operator with the same flags, or None.

        Args:
            verdicts: of a new operator on the training answers.
        """
        return self._known.get(_bits(verdicts))

    def ran(self) -> list[Attempt]:
        """Return the attempts that were run, each flag set once."""
        first: dict[bytes, Attempt] = {}
        for attempt in self._attempts:
            if len(attempt.verdicts):
                first.setdefault(_bits(attempt.verdicts), attempt)
        return list(first.values())

    def flags(self) -> Bool[np.ndarray, "operator candidate"]:
        """Return the flags of the attempts of `ran`."""
        ran = self.ran()
        if not ran:
            return np.zeros((0, 0), np.bool_)
        return np.stack([attempt.verdicts == FLAG for attempt in ran])

    def save(self, path: Path) -> None:
        """Write all attempts as JSON lines.

        Args:
            path: a file; replaced at once when all is written.
        """
        part = path.with_name(path.name + ".part")
        lines = [json.dumps(attempt.plain()) + "\n" for attempt in self._attempts]
        part.write_text("".join(lines), encoding="utf-8")
        part.replace(path)

    @staticmethod
    def load(path: Path) -> "Archive":
        """Return an archive written by `save`.

        Raises:
            ValueError: a line that is no attempt; the message names file and line.
        """
        attempts = []
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, start=1):
            try:
                attempts.append(Attempt.of_plain(json.loads(line)))
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(
                    f"{path}, line {number} is no attempt: {error}."
                ) from None
        return Archive(attempts)


def _bits(verdicts: Int[np.ndarray, " candidate"]) -> bytes:
    return np.packbits(verdicts == FLAG).tobytes()
