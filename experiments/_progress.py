"""Conditions done, their rate and the time left: a bar, or lines in a log file."""

import sys
import time

import rich.console
import rich.progress

QUIET = 10.0  # seconds between two lines of a log


class Progress:
    """Shows how far a run is, on standard error; use it in a `with`.

    The rate starts behind the first condition, most of whose time went into compiling.
    """

    def __init__(self, total: int):
        """Start counting towards `total`; nothing is shown before `with`."""
        self._total, self._done = total, 0
        self._first = self._shown = time.monotonic()
        console = rich.console.Console(stderr=True)
        self._bar = None
        if console.is_terminal:
            self._bar = rich.progress.Progress(
                rich.progress.BarColumn(),
                rich.progress.TextColumn("{task.description}"),
                console=console,
            )
            self._task = self._bar.add_task("compiling", total=total)

    def __enter__(self) -> "Progress":
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def advance(self) -> None:
        """Count one more condition."""
        self._done += 1
        now = time.monotonic()
        if self._done == 1:
            self._first = now
        line = f"{self._done}/{self._total} conditions{self._pace(now)}"
        if self._bar:
            self._bar.update(self._task, advance=1, description=line)
        elif now - self._shown >= QUIET or self._done == self._total:
            self._shown = now
            print(line, file=sys.stderr, flush=True)

    def _pace(self, now: float) -> str:
        """Return the rate and the time left, or nothing before there is a rate."""
        if self._done == 1 or now <= self._first:
            return ""
        rate = (self._done - 1) / (now - self._first)
        left = (self._total - self._done) / rate
        return f", {rate:.1f} a second, {left:.0f} s left"
