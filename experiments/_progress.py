"""Conditions done, their rate and the time left: a bar, or lines in a log file."""

import sys
import time

import rich.console
import rich.progress


class Progress:
    """Shows how far a run is, on standard error; use it in a `with`."""

    def __init__(self, total: int):
        """Start counting towards `total`; nothing is shown before `with`."""
        self._total, self._done = total, 0
        self._start = self._shown = time.monotonic()
        console = rich.console.Console(stderr=True)
        self._bar = None
        if console.is_terminal:
            columns = rich.progress
            self._bar = rich.progress.Progress(
                columns.TextColumn("conditions"),
                columns.BarColumn(),
                columns.MofNCompleteColumn(),
                columns.TextColumn("{task.fields[rate]}"),
                columns.TimeRemainingColumn(),
                console=console,
            )
            self._task = self._bar.add_task("conditions", total=total, rate="")

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
        rate = self._done / max(now - self._start, 1e-9)
        if self._bar:
            self._bar.update(self._task, advance=1, rate=f"{rate:.1f}/s")
        elif now - self._shown > 10 or self._done == self._total:
            self._shown = now
            left = (self._total - self._done) / rate
            print(
                f"{self._done}/{self._total} conditions, {rate:.1f} a second, "
                f"{left:.0f} s left",
                file=sys.stderr,
                flush=True,
            )
