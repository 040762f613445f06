"""Run an issue's bars: `scripts/bars ISSUE [BAR...]`."""

import argparse
import json
import sys

from rich.console import Console
from rich.table import Table

from . import _run


def main() -> int:
    """Run, print and store the bars; return 1 if one falls short."""
    parser = argparse.ArgumentParser(
        prog="scripts/bars", description="Run an issue's full-size bars and store them."
    )
    parser.add_argument("issue", type=int, help="the issue's number")
    parser.add_argument("bar", type=int, nargs="*", help="bars wanted; all if none")
    wanted = parser.parse_args()
    try:
        modules = _run.find(wanted.issue, wanted.bar)
    except ValueError as error:
        parser.error(str(error))

    path = _run.ROOT / "docs" / "bars" / f"issue{wanted.issue}.json"
    found = {}
    for number, module in modules.items():
        print(f"Bar {number} ...", file=sys.stderr)
        found[number] = _run.run(module)
        _run.store(path, wanted.issue, {number: found[number]})

    table = Table(title=f"Bars of issue {wanted.issue}", show_lines=True)
    for heading in ("bar", "required", "measured", "passed"):
        table.add_column(heading)
    for number, bar in found.items():
        measured = bar.get("error") or json.dumps(bar["measured"], indent=1)
        required = json.dumps(bar["required"], indent=1)
        verdict = "yes" if bar["passed"] else "NO"
        table.add_row(f"{number}. {bar['bar']}", required, measured, verdict)
    Console().print(table)
    print(f"Stored in {path.relative_to(_run.ROOT)}.")
    return 0 if all(bar["passed"] for bar in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
