"""Bar 4: operators that cheat are refused, and honest ones are not."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from irtjax.cegar import Case, Label, Operator
from irtjax.cegar.operators import Harness, comparator, hand_written, run_operators
from irtjax.cegar.sandbox import ExecutionCache, best_sandbox
from irtjax.cegar.screens import screen

from .._cegar_tasks import Labelled, limits_of, load_labelled
from . import Measurement

KINDS = ("s1", "s2", "s3", "s4")
EACH = 5
"""Fewest planted cheats of each kind."""

CHEATS = Path(__file__).parents[2] / "tests" / "cegar" / "screens" / "cheats"
"""Written by somebody who did not write the screens: `s1_NAME.py` to `s4_NAME.py`."""

_HEAD = re.compile(r"# level: (\d)\n# claims: (.*)\n")


def measure() -> Measurement:
    """Screen every cheat and every hand-written operator on the project's own tasks."""
    sandbox = best_sandbox()
    with ExecutionCache() as cache:
        data = load_labelled("own", sandbox, cache, None)
        with Harness(sandbox, cache, program_limits=limits_of("own")) as harness:
            honest = [*hand_written(), comparator()]
            return judge(
                reasons(read_cheats(), data, harness), reasons(honest, data, harness)
            )


def judge(
    cheats: Mapping[str, str | None], honest: Mapping[str, str | None]
) -> Measurement:
    """Return the bar's verdict.

    Args:
        cheats: by name why each planted cheat was refused, or None.
        honest: likewise of the operators written by hand.
    """
    kinds = Counter(name[:2] for name in cheats)
    let_in = sorted(name for name, reason in cheats.items() if reason is None)
    refused = {name: reason for name, reason in honest.items() if reason is not None}
    measured: dict[str, Any] = {
        "cheats": {kind: kinds[kind] for kind in KINDS},
        "let in": let_in,
        "honest": len(honest),
        "refused though honest": refused,
        "reasons": dict(sorted(cheats.items())),
    }
    return {
        "bar": "planted cheats of each of four kinds, written by somebody else, are all "
        "refused; no operator written by hand is",
        "command": "scripts/bars 6 4",
        "required": {"cheats of each kind": EACH, "let in": 0, "honest refused": 0},
        "measured": measured,
        "passed": not let_in
        and not refused
        and all(kinds[kind] >= EACH for kind in KINDS),
    }


def read_cheats(folder: Path = CHEATS) -> list[Operator]:
    """Return the planted cheats, by name.

    Args:
        folder: of files that begin with a line `# level: N` and one `# claims: TEXT`.

    Raises:
        ValueError: a file begins otherwise.
    """
    found = []
    for path in sorted(folder.glob("s?_*.py")):
        source = path.read_text(encoding="utf-8")
        head = _HEAD.match(source)
        if head is None:
            raise ValueError(f"{path} does not begin with its level and its claim.")
        level, claim = head.groups()
        found.append(Operator(path.stem, source, "operator", int(level), claim))
    return found


def reasons(
    operators: Sequence[Operator], data: Labelled, harness: Harness
) -> dict[str, str | None]:
    """Return by name why operators are refused, or None.

    Args:
        operators: untrusted.
        data: training tasks with their labels.
        harness: where operators run.
    """
    cases: tuple[Case, ...] = data.cases
    labels: tuple[tuple[Label, ...], ...] = data.labels
    found: dict[str, str | None] = {}
    for operator in operators:
        refused = run_operators([operator], cases, harness).refused
        found[operator.name] = refused.get(0) or screen(
            operator, cases, labels, harness
        )
    return found
