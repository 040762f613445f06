"""Bar 7: a recorded run replays without a network, byte for byte, and no key is kept."""

import contextlib
import json
import os
import re
import socket
import tempfile
import unittest.mock
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from irtjax.cegar import (
    Case,
    Label,
    LoopSettings,
    SelectionGate,
    Task,
    grow,
    passing,
)
from irtjax.cegar.generators import LanguageModelGenerator
from irtjax.cegar.judges import judge_panel, judges
from irtjax.cegar.operators import Harness
from irtjax.cegar.sandbox import ExecutionCache, best_sandbox
from irtjax.cegar.suite import OWN_LIMITS, OWN_TASKS, own_cases
from irtjax.cegar.tasks import Bench
from irtjax.clients import (
    AbstractTextClient,
    Budget,
    ClientError,
    MissingRecordingError,
    OpenAIClient,
    Record,
    Replay,
    Reply,
    Request,
    TranscriptStore,
    Usage,
)

from . import Measurement

TASKS = 6
ROUNDS = 4
KEY = "sk-not-a-real-key-0123456789"
MODELS = ("writer-1", "judge-1", "judge-2")

_OPERATOR = """```python
# answers that most other answers disagree with on some input
def operator(task, code, ctx):
    def shown(text, arguments):
        seen = ctx.run(text, arguments)
        return seen.kind, seen.text
    for arguments in ctx.inputs[:{inputs}]:
        mine = shown(code, arguments)
        others = [shown(peer, arguments) for peer in ctx.peers]
        if others and 2 * others.count(mine) < len(others):
            return "FLAG"
    return "PASS"
```"""


class Stand(AbstractTextClient):
    """Stands for two providers' models: writes operators and judges by length."""

    def complete(self, request: Request) -> Reply:
        said = request.messages[-1].content
        if request.model == MODELS[0]:
            text = _OPERATOR.format(inputs=4 + said.count("Refused earlier"))
        else:
            answer = said.rpartition("Answer:\n")[2]
            text = f"I looked at it.\n{'FLAG' if len(answer) % 3 == 0 else 'PASS'}"
        return Reply(text, request.model, Usage(len(said) // 4, len(text) // 4), "stop")


class Outcome(NamedTuple):
    """What a run leaves, as bytes.

    Attributes:
        pool: the frozen pool's file.
        archive: every attempt.
        verdicts: of all judges.
    """

    pool: bytes
    archive: bytes
    verdicts: bytes


def measure(tasks: int = TASKS) -> Measurement:
    """Record a run, replay it with every socket refused, and look for the key.

    Args:
        tasks: of the project's own suite.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        ExecutionCache(Path(folder) / "executions.sqlite") as cache,
        Harness(best_sandbox(), cache, program_limits=OWN_LIMITS) as harness,
        unittest.mock.patch.dict(os.environ, {"OPENAI_API_KEY": KEY}),
    ):
        bench = Bench(harness.sandbox, OWN_LIMITS, cache)
        own = own_cases(bench, tasks=OWN_TASKS[:tasks], distinct_wrong=6)
        cases, labels = passing(own.cases, own.labels)
        path = Path(folder) / "transcripts.jsonl"
        store = TranscriptStore(path)
        first = outcome(cases, labels, harness, Record(store, Stand(), Budget()))
        recorded = path.read_bytes()
        with no_network() as tried:
            again = outcome(cases, labels, harness, Replay(TranscriptStore(path)))
        missing = what_is_missing(path, cases, labels, harness)
        messages = [missing, *key_messages()]
        return judge(
            {
                "exchanges": len(store),
                "proposals": len(first.archive.splitlines()),
                "equal bytes": [a == b for a, b in zip(first, again, strict=True)],
                "recordings unchanged": recorded == path.read_bytes(),
                "sockets opened": len(tried),
                "missing recording says": missing,
                "key found": sum(
                    KEY.encode() in text
                    for text in (recorded, *first, *(m.encode() for m in messages))
                ),
            }
        )


def judge(measured: dict) -> Measurement:
    """Return the bar's verdict.

    Args:
        measured: counts, and whether bytes are equal.
    """
    named = re.search(
        r"openai writer-1, [0-9a-f]{12}", measured["missing recording says"]
    )
    return {
        "bar": "a recorded run of generator and judges replays with no network, byte for "
        "byte; a missing recording says which request; a key is in no file or message",
        "command": "scripts/bars 6 7",
        "required": {
            "equal bytes": [True] * 3,
            "recordings unchanged": True,
            "sockets opened": 0,
            "missing recording": "provider, model and request are named",
            "key found": 0,
        },
        "measured": measured,
        "passed": measured["exchanges"] > 0
        and all(measured["equal bytes"])
        and measured["recordings unchanged"]
        and measured["sockets opened"] == 0
        and named is not None
        and measured["key found"] == 0,
    }


def outcome(
    cases: tuple[Case, ...],
    labels: tuple[tuple[Label, ...], ...],
    harness: Harness,
    client: AbstractTextClient,
) -> Outcome:
    """Return what growing a pool with a model, and judging with two others, leaves."""
    grown = grow(
        cases,
        labels,
        harness,
        generator=lambda bench: LanguageModelGenerator(
            bench.cases, client, provider="openai", model=MODELS[0]
        ),
        gate=SelectionGate(),
        settings=LoopSettings(rounds=ROUNDS, first_level=2, shown=3),
    )
    asked = judges("openai", MODELS[1:])
    verdicts = judge_panel(asked, cases[:2], client)
    with tempfile.TemporaryDirectory() as folder:
        grown.pool.save(Path(folder))
        grown.run.archive.save(Path(folder) / "archive.jsonl")
        pool, archive = (
            (Path(folder) / name).read_bytes()
            for name in ("pool.json", "archive.jsonl")
        )
    return Outcome(pool, archive, np.ascontiguousarray(verdicts).tobytes())


@contextlib.contextmanager
def no_network() -> Iterator[list[object]]:
    """Refuse every internet address, and yield the list of those that were tried."""
    tried: list[object] = []

    def refuse(self: socket.socket, address: object) -> None:
        tried.append(address)
        raise OSError("no network here")

    with (
        unittest.mock.patch.object(socket.socket, "connect", refuse),
        unittest.mock.patch.object(socket.socket, "connect_ex", refuse),
    ):
        yield tried


def what_is_missing(
    path: Path,
    cases: tuple[Case, ...],
    labels: tuple[tuple[Label, ...], ...],
    harness: Harness,
) -> str:
    """Return the message of a replay whose first recording was taken out."""
    short = path.with_name("short.jsonl")
    lines = [
        line
        for line in path.read_text().splitlines(keepends=True)
        if json.loads(line)["request"]["model"] != MODELS[0]
    ]
    short.write_text("".join(lines))
    try:
        outcome(cases, labels, harness, Replay(TranscriptStore(short)))
    except MissingRecordingError as error:
        return str(error)
    return ""


def key_messages() -> list[str]:
    """Return the messages of a live client that cannot reach its server.

    Its key is in the environment; the server is an address where nobody listens.
    """
    client = OpenAIClient(base_url="http://127.0.0.1:9", timeout=1.0, retries=0)
    asked = judges("openai", MODELS[1:2])[0].request
    messages = []
    for text in ("what is asked", f"my key is {KEY}"):
        try:
            client.complete(asked(Task("t", "A question?"), text))
        except ClientError as error:
            messages.append(f"{error} {error.__cause__!r}")
    return messages
