"""A frozen pool: the operators that vote, on disk with a hash of all that decides."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._operator import Operator

FORMAT = 1
"""Version of the format that `save` writes."""


@dataclass(frozen=True)
class Pool:
    """Operators that vote together, frozen before anything unseen is opened.

    Attributes:
        operators: at most a handful; an answer is rejected when two of them flag it, or
            the only one.
        electorate: seed of the choice of peers, frozen with the pool.
        about: where it comes from, such as the training tasks' number and a hash; no
            part of what decides a verdict.
    """

    operators: tuple[Operator, ...]
    electorate: int = 0
    about: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def hash(self) -> str:
        """Return the SHA-256 of what decides the pool's verdicts."""
        deciding = [self.electorate, *(operator.hash for operator in self.operators)]
        return hashlib.sha256(json.dumps(deciding).encode()).hexdigest()

    def save(self, folder: Path) -> None:
        """Write `pool.json`, and each operator's source as a file to read.

        Args:
            folder: made if it is not there.

        Raises:
            FileExistsError: it holds another pool; frozen pools are never overwritten.
        """
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "pool.json"
        if path.exists() and load_pool(folder).hash != self.hash:
            raise FileExistsError(
                f"{folder} holds another pool: choose another folder, or remove that one."
            )
        for number, operator in enumerate(self.operators, start=1):
            name = f"operator_{number}.py"
            (folder / name).write_text(operator.source, encoding="utf-8")
        plain = {
            "format": FORMAT,
            "hash": self.hash,
            "electorate": self.electorate,
            "about": dict(self.about),
            "operators": [operator.plain() for operator in self.operators],
        }
        part = folder / "pool.json.part"
        part.write_text(json.dumps(plain, indent=2) + "\n", encoding="utf-8")
        part.replace(path)


def load_pool(folder: Path) -> Pool:
    """Return the pool that `Pool.save` wrote.

    Args:
        folder: with a `pool.json`.

    Raises:
        FileNotFoundError: there is none.
        ValueError: it is none, of a newer format, or was changed since.
    """
    path = folder / "pool.json"
    if not path.is_file():
        raise FileNotFoundError(f"There is no pool.json in {folder}.")
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        version = plain["format"]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is no pool: {error!r}.") from None
    if version != FORMAT:
        raise ValueError(
            f"{path} has format {version}, and this version reads {FORMAT}: update irtjax."
        )
    try:
        operators = tuple(Operator.of_plain(one) for one in plain["operators"])
        pool = Pool(operators, plain["electorate"], plain["about"])
        frozen = plain["hash"]
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path} is no pool: {error!r}.") from None
    if pool.hash != frozen:
        raise ValueError(
            f"{path} was changed after it was frozen: its operators do not have the hash "
            "beside them."
        )
    return pool


def digest(parts: Sequence[str]) -> str:
    """Return one SHA-256 of several texts, such as the ids of training tasks."""
    return hashlib.sha256(json.dumps(list(parts)).encode()).hexdigest()
