"""The transcript store: every exchange with a language model, one line of JSON each."""

import fcntl
import json
import os
import threading
from collections import Counter
from pathlib import Path
from typing import IO, Any

from ._errors import ClientError
from ._exchange import Reply, Request


class TranscriptStore:
    """Recorded replies in a file, found by the request and how often it was made before.

    A line holds `key` (the request's SHA-256), `occurrence` (0 for the first time that a
    run makes the request, 1 for the second, ...), `request` and `reply`. A store counts
    the occurrences of one run: open it anew for the next. Lines are only ever added,
    each in one locked write, so that several processes may share a file and a killed one
    leaves at most a torn last line, which the next write takes away.

    Attributes:
        path: the file; made by the first recording.

    Raises:
        ClientError: a line of the file is no recording.
    """

    path: Path

    def __init__(self, path: str | os.PathLike):
        """Read what the file holds, nothing where there is none.

        Args:
            path: of the file.
        """
        self.path = Path(path)
        self._lock = threading.Lock()
        self._asked: Counter[str] = Counter()
        self._replies: dict[tuple[str, int], Reply] = {}
        content = self.path.read_bytes() if self.path.exists() else b""
        # What follows the last newline was being written when its process was killed.
        for number, line in enumerate(content.split(b"\n")[:-1], 1):
            where, reply = self._parsed(number, line)
            self._replies.setdefault(where, reply)

    def __len__(self) -> int:
        """Return the number of recorded replies."""
        return len(self._replies)

    def take(self, request: Request) -> int:
        """Return how often this run has made the request before, and count this time."""
        with self._lock:
            occurrence = self._asked[request.key()]
            self._asked[request.key()] += 1
            return occurrence

    def find(self, request: Request, occurrence: int) -> Reply | None:
        """Return the recorded reply, or None where there is no recording.

        Args:
            request: what is asked.
            occurrence: what `take` returned.
        """
        return self._replies.get((request.key(), occurrence))

    def add(self, request: Request, occurrence: int, reply: Reply) -> None:
        """Record a reply; it is on the disk when this returns.

        Args:
            request: what was asked.
            occurrence: what `take` returned.
            reply: what came back.
        """
        line = {
            "key": request.key(),
            "occurrence": occurrence,
            "request": request.plain(),
            "reply": reply.plain(),
        }
        text = json.dumps(line, sort_keys=True, allow_nan=False) + "\n"
        with self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "a+b") as stream:
                fcntl.flock(stream, fcntl.LOCK_EX)
                _cut_torn_line(stream)
                stream.write(text.encode())
                stream.flush()
                os.fsync(stream.fileno())
            self._replies.setdefault((line["key"], occurrence), reply)

    def _parsed(self, number: int, line: bytes) -> tuple[tuple[str, int], Reply]:
        try:
            found: dict[str, Any] = json.loads(line)
            return (found["key"], found["occurrence"]), Reply.of_plain(found["reply"])
        except (ValueError, KeyError, TypeError):
            raise ClientError(
                f"{self.path.name}, line {number}: this is no recorded exchange. "
                "Take the line out, or record anew into another file."
            ) from None


def _cut_torn_line(stream: IO[bytes]) -> None:
    """Take away what a killed process left of its last line."""
    end = stream.seek(0, os.SEEK_END)
    kept = end
    while kept:
        start = max(0, kept - 65536)
        stream.seek(start)
        newline = stream.read(kept - start).rfind(b"\n")
        if newline >= 0:
            kept = start + newline + 1
            break
        kept = start
    if kept < end:
        stream.truncate(kept)
