"""Where replies come from: a recording, a recording and else a model, or a model."""

import os

from ._budget import Budget
from ._client import AbstractTextClient
from ._errors import MissingRecordingError
from ._exchange import Reply, Request
from ._store import TranscriptStore

MODES = ("replay", "record", "live")
"""The modes, by the name that `transcribed` takes; the first is the default."""


class Replay(AbstractTextClient):
    """Answers from recordings alone; nothing is asked of a model.

    Attributes:
        store: of the recordings.
    """

    store: TranscriptStore

    def complete(self, request: Request) -> Reply:
        occurrence = self.store.take(request)
        reply = self.store.find(request, occurrence)
        if reply is None:
            raise MissingRecordingError(
                f"{self.store.path.name} holds no reply to {request.describe()} "
                f"(asked {_times(occurrence + 1)}). Record it with mode=record."
            )
        return reply


class Record(AbstractTextClient):
    """Answers from recordings; what they lack is asked of a model and recorded.

    So a run that was stopped goes on without asking anything twice.

    Attributes:
        store: of the recordings.
        live: the model's client.
        budget: of what is asked of the model.
    """

    store: TranscriptStore
    live: AbstractTextClient
    budget: Budget

    def complete(self, request: Request) -> Reply:
        occurrence = self.store.take(request)
        reply = self.store.find(request, occurrence)
        if reply is None:
            reply = _asked(self.live, self.budget, request)
            self.store.add(request, occurrence, reply)
        return reply


class Live(AbstractTextClient):
    """Asks a model every time, and keeps nothing.

    Attributes:
        live: the model's client.
        budget: of what is asked of the model.
    """

    live: AbstractTextClient
    budget: Budget

    def complete(self, request: Request) -> Reply:
        return _asked(self.live, self.budget, request)


def transcribed(
    path: str | os.PathLike,
    live: AbstractTextClient | None = None,
    *,
    mode: str = "replay",
    budget: Budget | None = None,
) -> AbstractTextClient:
    """Return a client by the name of its mode.

    Args:
        path: of the transcript store's file.
        live: the model's client; "replay" needs none.
        mode: "replay" answers from the file alone, "record" asks what the file lacks
            and writes it there, "live" asks everything and writes nothing.
        budget: of what is asked of the model; no limits where None.

    Raises:
        ValueError: an unknown mode, or no `live` where the mode needs one.
    """
    if mode not in MODES:
        raise ValueError(f"`mode` must be one of {', '.join(MODES)}, got {mode!r}.")
    if mode == "replay":
        return Replay(TranscriptStore(path))
    if live is None:
        raise ValueError(f"mode={mode} asks a model: give its client as `live`.")
    limits = Budget() if budget is None else budget
    if mode == "record":
        return Record(TranscriptStore(path), live, limits)
    return Live(live, limits)


def _asked(live: AbstractTextClient, budget: Budget, request: Request) -> Reply:
    budget.claim(request)
    reply = live.complete(request)
    budget.charge(reply.usage)
    return reply


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
