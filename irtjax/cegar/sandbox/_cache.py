"""What programs did, kept on disk by the content of what was run."""

import contextlib
import hashlib
import json
import os
import platform
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .._observation import Observation

RECIPE = 1
"""Goes up when the same program and inputs would now show something else."""

_WAIT = 60.0  # seconds for another process to finish writing
_AT_ONCE = 500  # keys in one question


def execution_key(message: dict[str, Any], sandbox: str) -> str:
    """Return the SHA-256 of all that outcomes depend on, 64 hexadecimal digits.

    The clock's limit is left out, since what the clock decided is not kept.

    Args:
        message: `Job.plain()`.
        sandbox: its name; some let programs import what others do not.
    """
    limits = {k: v for k, v in message["limits"].items() if k != "wall_seconds"}
    whole = {
        "job": message | {"limits": limits},
        "sandbox": sandbox,
        "recipe": RECIPE,
        "python": platform.python_version(),
    }
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def default_cache_path() -> Path:
    """Return the file in the user's cache folder that executions are kept in."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(named) if named else Path.home() / ".cache"
    return folder / "irtjax" / "executions.sqlite"


class ExecutionCache:
    """A file of outcomes, safe under a killed process and under several at once.

    Each entry is written in one transaction; it may be used by several threads.

    Attributes:
        path: of the file.
    """

    def __init__(self, path: str | Path | None = None):
        """Open the file or make it, with its folder.

        Args:
            path: the file; None = `default_cache_path()`.

        Raises:
            ValueError: there is a file that is no cache of executions.
        """
        self.path = Path(path) if path is not None else default_cache_path()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._file = sqlite3.connect(
            self.path, timeout=_WAIT, isolation_level=None, check_same_thread=False
        )
        try:
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")
            self._file.execute(
                "CREATE TABLE IF NOT EXISTS execution "
                "(key TEXT PRIMARY KEY, outcomes TEXT NOT NULL) WITHOUT ROWID"
            )
        except sqlite3.DatabaseError as error:
            self._file.close()
            raise ValueError(
                f"{self.path} cannot be used as a cache of executions ({error}): remove "
                "it or name another file."
            ) from None

    def __enter__(self) -> "ExecutionCache":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._file.close()

    def __len__(self) -> int:
        with self._lock:
            return self._file.execute("SELECT COUNT(*) FROM execution").fetchone()[0]

    def load(self, keys: Sequence[str]) -> dict[str, list[Observation]]:
        """Return the outcomes of those keys that are there.

        Args:
            keys: of `execution_key`.
        """
        found: dict[str, list[Observation]] = {}
        wanted = list(dict.fromkeys(keys))
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            with self._lock:
                rows = self._file.execute(
                    f"SELECT key, outcomes FROM execution WHERE key IN ({marks})", part
                ).fetchall()
            for key, text in rows:
                with contextlib.suppress(ValueError, TypeError):
                    found[key] = [Observation(*entry) for entry in json.loads(text)]
        return found

    def store(self, key: str, outcomes: Sequence[Observation]) -> None:
        """Keep the outcomes of one execution; they are on disk when this returns.

        Args:
            key: of `execution_key`.
            outcomes: one per input.
        """
        text = json.dumps([outcome.plain() for outcome in outcomes])
        with self._lock:
            self._file.execute(
                "INSERT OR REPLACE INTO execution VALUES (?, ?)", (key, text)
            )
