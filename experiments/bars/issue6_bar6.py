"""Bar 6: the sandbox keeps every law, is fast enough, and leaves nothing behind."""

import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from irtjax.cegar.sandbox import (
    AbstractSandbox,
    Bubblewrap,
    Job,
    Limited,
    Limits,
    check_sandbox,
    jailed_processes,
    run_programs,
)

from . import Measurement

EXECUTIONS = 10_000
COMPARED = 600
INPUTS = 50
PER_SECOND = 30
HOSTILE = 100  # every so many programs one tries to stay, to write or to stop the jail
SECONDS = 20.0  # that the kernel may take to clear the last jail

_ORDINARY = (
    "def f(n):\n    return sum(i for i in range(n) if i % 3 == 0)\n",
    "from typing import List\n\ndef f(n: int) -> List[int]:\n"
    "    return [p for p in range(2, n) if all(p % q for q in range(2, p))]\n",
    "import re\n\ndef f(n):\n    return re.sub('[aeiou]', '', 'education' * n)\n",
    "from collections import Counter\n\ndef f(n):\n"
    "    return Counter(str(3 ** n)).most_common(3)\n",
    "def f(n):\n    return f(n - 1) + f(n - 2) if n > 1 and n < 15 else n\n",
)

_HOSTILE = (
    "import os\n\ndef f(n):\n    os._exit(n)\n",
    "import os\n\ndef f(n):\n    if os.fork() == 0:\n        os.setsid()\n"
    "        while True:\n            pass\n",
    "import os\n\ndef f(n):\n    os.kill(os.getppid(), 9)\n",
    "def f(n):\n    for folder in ({folders}):\n"
    "        try:\n            open(folder + '/{token}', 'w').write('x')\n"
    "        except OSError:\n            pass\n",
    "def f(n):\n    while True:\n        pass\n",
)

# The same programs and calls with no jail at all: the price of isolation is against this.
_BARE = """
import json, sys
for code, inputs in json.load(sys.stdin):
    space = {"__name__": "program"}
    exec(code, space)
    for n in inputs:
        repr(space["f"](n))
"""


def measure() -> Measurement:
    """Run all laws, time both sandboxes, then run ten thousand programs."""
    laws = {s.name: check_sandbox(s) for s in (Bubblewrap(), Limited())}
    return judge(laws, compare(COMPARED), endure(EXECUTIONS))


def judge(
    laws: dict[str, dict[str, str | None]],
    compared: dict[str, float],
    endured: dict[str, Any],
) -> Measurement:
    """Return the bar's verdict.

    Args:
        laws: of each sandbox, what went wrong under each law.
        compared: executions a second of each way.
        endured: what ten thousand executions took and left.
    """
    broken = {
        name: {law: wrong for law, wrong in found.items() if wrong is not None}
        for name, found in laws.items()
    }
    jailed = compared[Bubblewrap().name]
    return {
        "bar": f"every law of the sandbox; programs with {INPUTS} inputs each, executions a "
        "second by two workers; what is left after ten thousand",
        "command": "scripts/bars 6 6",
        "required": {"broken laws": 0, "per second": PER_SECOND, "left": 0},
        "measured": {
            "laws": {name: len(found) for name, found in laws.items()},
            "broken": broken,
            "per_second": {name: round(rate, 1) for name, rate in compared.items()},
            "overhead_milliseconds": {
                name: round(1000 / rate - 1000 / compared["bare"], 2)
                for name, rate in compared.items()
            },
            "endured": endured,
        },
        "passed": not any(broken.values())
        and bool(laws[Bubblewrap().name])
        and jailed >= PER_SECOND
        and endured["per_second"] >= PER_SECOND
        and not (endured["processes"] or endured["files"] or endured["open_files"]),
    }


def programs(number: int, hostile: int | None = None, token: str = "") -> Iterator[str]:
    """Yield that many different texts of programs.

    Args:
        number: how many.
        hostile: every so many is one of those that try to stay; None = none of them.
        token: what these call the files that they try to write.
    """
    listed = ", ".join(repr(str(folder)) for folder in watched_folders())
    for place in range(number):
        if hostile is not None and place % hostile == 0:
            text = _HOSTILE[place // hostile % len(_HOSTILE)]
            text = text.replace("{folders}", listed).replace("{token}", token)
        else:
            text = _ORDINARY[place % len(_ORDINARY)]
        yield f"{text}\nNUMBER = {place}\n"


def watched_folders() -> list[Path]:
    """Return the folders where a program could be thought to leave a file."""
    usual = [tempfile.gettempdir(), Path.cwd(), Path.home(), "/dev/shm", "/var/tmp"]
    return [Path(folder) for folder in usual if Path(folder).is_dir()]


def compare(number: int) -> dict[str, float]:
    """Return executions a second: in each sandbox, and with no jail, two at a time.

    Args:
        number: of programs.
    """
    texts = list(programs(number))
    found = {s.name: _rate(s, texts) for s in (Bubblewrap(), Limited())}
    return found | {"bare": _bare_rate(texts)}


def endure(number: int) -> dict[str, Any]:
    """Return what that many executions took, came to and left.

    Args:
        number: of programs; one in a hundred is hostile.
    """
    token = f"left-{secrets.token_hex(8)}"
    jails_before = set(jailed_processes())
    open_before = len(os.listdir("/proc/self/fd"))
    jobs = [_job(text) for text in programs(number, HOSTILE, token)]
    begin = time.perf_counter()
    outcomes = run_programs(Bubblewrap(), jobs)
    seconds = time.perf_counter() - begin
    end = time.monotonic() + SECONDS
    while set(jailed_processes()) - jails_before and time.monotonic() < end:
        time.sleep(0.05)
    files = [f for folder in watched_folders() if (f := folder / token).exists()]
    return {
        "executions": len(outcomes),
        "per_second": round(len(outcomes) / seconds, 1),
        "kinds": dict(Counter(o.kind for found in outcomes for o in found)),
        "processes": len(set(jailed_processes()) - jails_before),
        "files": len(files),
        "open_files": len(os.listdir("/proc/self/fd")) - open_before,
    }


def _job(text: str) -> Job:
    limits = Limits(cpu_seconds=0.5, failures=1)
    return Job(text, "f", tuple((n,) for n in range(INPUTS)), limits)


def _rate(sandbox: AbstractSandbox, texts: Sequence[str]) -> float:
    jobs = [_job(text) for text in texts]
    run_programs(sandbox, jobs[:2])
    begin = time.perf_counter()
    run_programs(sandbox, jobs)
    return len(jobs) / (time.perf_counter() - begin)


def _bare_rate(texts: Sequence[str]) -> float:
    """Return the rate of two plain interpreters that share the programs."""
    parts = [texts[half::2] for half in range(2)]
    begin = time.perf_counter()
    running = [
        subprocess.Popen(
            [sys.executable, "-S", "-c", _BARE],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        for _ in parts
    ]
    for process, part in zip(running, parts, strict=True):
        work = json.dumps([[text, list(range(INPUTS))] for text in part])
        assert process.stdin is not None
        process.stdin.write(work.encode())
        process.stdin.close()
    codes = [process.wait() for process in running]
    if any(codes):
        raise RuntimeError(f"the plain interpreters ended with {codes}")
    return len(texts) / (time.perf_counter() - begin)
