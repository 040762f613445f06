"""The jailer: takes messages from outside, one at a time, and answers each.

Sent into the jail: standard library alone.
"""

import contextlib
import gc
import importlib
import os
import signal
from collections.abc import Callable
from typing import Any

from ._child import Channel, Child, watch

# What programs import is there before they are forked: each starts in a millisecond, and
# no file is needed. The list is part of what outcomes depend on.
_PRELOADED = (
    "abc array ast base64 binascii bisect calendar cmath collections collections.abc "
    "contextlib copy csv dataclasses datetime decimal difflib enum fractions functools "
    "hashlib heapq inspect io itertools json keyword locale "
    "math numbers operator os pathlib pickle pprint queue random re string "
    "statistics struct sys tempfile textwrap threading time timeit "
    "traceback types typing unicodedata urllib.parse uuid warnings weakref "
    "zlib zoneinfo _strptime encodings.ascii encodings.latin_1 encodings.idna "
    "encodings.utf_16 encodings.utf_32"
)
PRELOADED = tuple(_PRELOADED.split())


_outer: tuple[Channel, dict[str, Any], bool] | None = None


def connect(
    source: int, sink: int, word: bytes, limits: dict[str, Any], alone: bool
) -> None:
    """Say where messages come from; called once, by what loads the jail's modules.

    Args:
        source: an open file.
        sink: where answers go.
        word: that the first answer repeats.
        limits: the plain form of `Limits`.
        alone: whether this process sees no processes but its own offspring.
    """
    global _outer
    channel = Channel(source, sink)
    channel.word = word
    watch(source)
    _outer = (channel, limits, alone)


def serve(handle: Callable[[Any], Any]) -> None:
    """Say that all is ready, then answer messages until nobody sends any more.

    Args:
        handle: takes what JSON held and returns what JSON can hold.
    """
    if _outer is None:
        raise RuntimeError("Not in a jail.")
    channel, limits, alone = _outer
    for name in PRELOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    with Child(lambda inner: inner.send(inner.receive()), limits, alone) as child:
        if child.ask("well?", 1.0, 10.0).value != "well?":
            raise OSError("the kernel does not take the filter of system calls")
    os.dup2(0, 2)  # complaints were for who started this; from here on there are none
    channel.send("ready")
    while True:
        try:
            message = channel.receive()
        except EOFError:
            return
        reply = handle(message)
        if alone:
            _sweep()
        channel.send(reply)
        del message, reply  # the next program is forked with all that is here


def _sweep() -> None:
    """Kill all that a message left behind, whatever it did to hide."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)  # all but this process and the first of the jail
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
