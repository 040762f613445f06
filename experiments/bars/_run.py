"""Finding bars, running each in a process of its own, and storing what they found."""

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from irtjax.report import write_whole

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def find(issue: int, numbers: list[int], folder: Path = HERE) -> dict[int, str]:
    """Return the modules of an issue's bars by number, in order.

    Args:
        issue: whose bars.
        numbers: the bars wanted; empty = all there are.
        folder: where the modules lie.

    Raises:
        ValueError: if there is none, or one that is wanted is missing.
    """
    there = {
        int(match[1]): path.stem
        for path in folder.glob(f"issue{issue}_bar*.py")
        if (match := re.fullmatch(rf"issue{issue}_bar(\d+)", path.stem))
    }
    missing = [number for number in numbers if number not in there]
    if missing or not there:
        wanted = ", ".join(map(str, missing)) or "none at all"
        known = ", ".join(map(str, sorted(there))) or "none"
        raise ValueError(f"Issue {issue}: no bar {wanted}; there are: {known}.")
    return {number: there[number] for number in sorted(numbers or there)}


def run(module: str, folder: Path = HERE) -> dict[str, Any]:
    """Return what a bar measured in a fresh process, with `seconds` and provenance.

    What it prints goes through. A bar that stops with an error comes back as one that
    did not pass, with the error's last line under `error`.

    Args:
        module: the name of its file, without the ending.
        folder: where the file lies.
    """
    with tempfile.TemporaryDirectory() as scratch:
        result = Path(scratch) / "result.json"
        begin = time.perf_counter()
        process = subprocess.run(
            [
                sys.executable,
                "-m",
                "experiments.bars._run",
                str(folder / f"{module}.py"),
                str(result),
            ],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        spent = time.perf_counter() - begin
        sys.stderr.write(process.stderr)
        if result.exists():
            found = json.loads(result.read_text())
        else:
            lines = process.stderr.strip().splitlines() or ["ended without a result"]
            found = {
                "bar": module,
                "command": "",
                "required": None,
                "measured": None,
                "passed": False,
                "error": lines[-1].replace(str(ROOT), "."),
            }
    return found | {"seconds": round(spent, 1)}


def store(path: Path, issue: int, found: dict[int, dict[str, Any]]) -> None:
    """Put bars into an issue's JSON file, beside those that it already holds.

    Raises:
        ValueError: if a text in it names a folder of this machine.
    """
    stored: dict[str, Any] = {"issue": issue}
    if path.exists():
        stored = json.loads(path.read_text())
    bars = stored.get("bars", {}) | {str(number): bar for number, bar in found.items()}
    stored["bars"] = dict(sorted(bars.items(), key=lambda item: int(item[0])))
    text = json.dumps(stored, indent=2, allow_nan=False) + "\n"
    for private in (str(ROOT), str(Path.home()), tempfile.gettempdir()):
        if f"{private}/" in text:
            raise ValueError(
                f"{path.name} would name {private}, a folder of this machine."
            )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text.encode())


def _measure(file: Path, result: Path) -> None:
    """Load a bar's file, measure it and write what it found."""
    from experiments import _runtime

    spec = importlib.util.spec_from_file_location(f"experiments.bars.{file.stem}", file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{file.name} is no Python module.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    found = module.measure()
    date = time.strftime("%Y-%m-%d", time.gmtime())
    found = {**found, "date": date, **_runtime.provenance()}
    result.write_text(json.dumps(found, allow_nan=False))


if __name__ == "__main__":
    _measure(Path(sys.argv[1]), Path(sys.argv[2]))
