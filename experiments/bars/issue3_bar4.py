"""Bar 4: the robotics leaderboard's report, cold, and whether it says what it must."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from . import Measurement
from ._report_tables import Said, read_page
from ._shared import shared
from ._sweep_process import ROOT

SHAPE = (231, 22)
SECONDS = 60.0
BARELY = "barely measured"
# A move is counted from half-ranks on, as ties share their mean rank.
LEAST_MOVE = 1.0
NONSENSE = re.compile(r"\b(?:nan|none|null|inf|undefined|traceback)\b", re.IGNORECASE)


def measure() -> Measurement:
    """Make the report in a process of its own, with no compiled program to reuse."""
    table = shared() / "data" / "leaderboards" / "evo_sota_vla.csv"
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        page, record = home / "report.html", home / "ranking.json"
        command = [sys.executable, "-W", "default", "-m", "irtjax.cli", "rank"]
        command += [str(table), "--score-is", "success"]
        command += ["--report", str(page), "--json", str(record)]
        environment = os.environ | {"XDG_CACHE_HOME": str(home / "cache")}
        environment.pop("JAX_COMPILATION_CACHE_DIR", None)
        begin = time.perf_counter()
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = time.perf_counter() - begin
        if done.returncode:
            raise RuntimeError(f"The command failed: {done.stderr}")
        return judge(
            seconds,
            json.loads(record.read_text("utf-8")),
            read_page(page.read_text("utf-8")),
            done.stderr,
        )


def judge(seconds: float, record: dict[str, Any], page: Said, said: str) -> Measurement:
    """Return the bar's verdict.

    Args:
        seconds: from start to end of the command.
        record: the ranking as data.
        page: the report.
        said: what the command wrote to standard error.
    """
    systems = record["systems"]
    few = {each["system"] for each in systems if 1 <= each["n_item"] <= 2}
    movers = {
        each["system"]: each["plain_rank"] - each["rank"]
        for each in systems
        if abs(each["plain_rank"] - each["rank"]) >= LEAST_MOVE
    }
    problems = [
        *_shape(record),
        *_unmarked(few, systems, page),
        *_moves(movers, page),
        *_nonsense(systems, page),
        *(f"warned: {line}" for line in said.splitlines() if "Warning" in line),
    ]
    if seconds > SECONDS:
        problems.append("took too long")
    return {
        "bar": "The robotics leaderboard (231 x 22): report in under 60 s cold, every "
        "system with one or two cells marked barely measured, each move between plain "
        "mean and IRT with its interval; no warning, no nonsense",
        "command": "scripts/bars 3 4",
        "required": {"seconds": SECONDS, "problems": []},
        "measured": {
            "seconds": seconds,
            "problems": problems,
            "barely_measured": len(few),
            "moves": len(movers),
        },
        "passed": not problems,
    }


def _shape(record: dict[str, Any]) -> list[str]:
    found = (record["n_system"], record["n_item"])
    return [] if found == SHAPE else [f"the table is {found[0]} x {found[1]}"]


def _unmarked(few: set[str], systems: list[dict[str, Any]], page: Said) -> list[str]:
    """Return systems with one or two cells that are not marked, or others that are."""
    marked = {each["system"] for each in systems if BARELY in each["flags"]}
    shown = {row[0] for row in page.tables["ranking"] if any(BARELY in x for x in row)}
    return [
        f"{name} is {'not ' if name in few else ''}marked in the {where}"
        for where, names in (("data", marked), ("page", shown))
        for name in sorted(few ^ names)
    ]


def _moves(movers: dict[str, float], page: Said) -> list[str]:
    """Return systems whose move has no row, or no interval that holds it."""
    heading, *rows = page.tables["moves"]
    at, between = heading.index("move"), heading.index("95% interval")
    found = {row[0]: (row[at], row[between]) for row in rows}
    problems = [f"{name} has no row of moves" for name in sorted(movers.keys() - found)]
    for name, (move, interval) in found.items():
        low, _, high = interval.partition(" to ")
        try:
            ends = float(_plain(low)), float(_plain(high))
        except ValueError:
            problems.append(f"the move of {name} has no interval: {interval!r}")
            continue
        if not ends[0] <= float(_plain(move)) <= ends[1]:
            problems.append(f"the move of {name} lies outside {interval}")
        if abs(float(_plain(move)) - movers.get(name, float("nan"))) > 0.01:
            problems.append(f"the move of {name} is {move} on the page alone")
    return problems


def _plain(number: str) -> str:
    return number.replace("\N{MINUS SIGN}", "-")


def _nonsense(systems: list[dict[str, Any]], page: Said) -> list[str]:
    """Return what no reader should see: words of a program, ranks out of range."""
    words = sorted({each.group() for each in NONSENSE.finditer(page.words)})
    found = [f"the page says {word!r}" for word in words]
    for each in systems:
        for kind in ("", "joint_"):
            low, high = each[f"{kind}rank_lower"], each[f"{kind}rank_upper"]
            if not 1 <= low <= each["rank"] <= high <= len(systems):
                found.append(f"{each['system']} has the {kind}rank {low} to {high}")
        if not each["lower"] < each["score"] < each["upper"]:
            found.append(f"{each['system']} lies outside its own interval")
        if (
            not 0
            <= each["plain_lower"]
            <= each["plain_mean"]
            <= each["plain_upper"]
            <= 1
        ):
            found.append(f"{each['system']} has a mean that is no share")
    chance = sum(each["p_best"] for each in systems)
    if abs(chance - 1) > 1e-6:
        found.append(f"the chances to be best add up to {chance}")
    return found
