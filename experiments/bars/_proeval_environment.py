"""An environment of its own for the published package."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

PACKAGE = "proeval==0.1.1"
SCRIPT = Path(__file__).with_name("_proeval_reference.py")


@contextmanager
def proeval_python() -> Iterator[str]:
    """Give the path of a Python that has the published package.

    `$IRTJAX_PROEVAL_PYTHON` where that is set, else one in a new environment, into
    which the package is installed from the registry, and which goes afterwards.
    """
    named = os.environ.get("IRTJAX_PROEVAL_PYTHON")
    if named:
        yield named
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = str(Path(folder) / "bin" / "python")
        install = [python, "-m", "pip", "install", "--quiet", PACKAGE]
        subprocess.run(install, check=True, stdout=sys.stderr)
        yield python


def published(
    python: str, matrices: dict[str, np.ndarray], budget: int
) -> dict[str, np.ndarray]:
    """Return what the package says of every target of every matrix.

    Args:
        python: one that has the package.
        matrices: of errors, items by systems, by name.
        budget: how many items it picks.

    Returns:
        `<name>_pick`, `<name>_estimate` and `<name>_variance`, target by step, and
        `version`.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder) / "in.npz", Path(folder) / "out.npz"
        np.savez(given, **matrices)  # pyright: ignore[reportArgumentType]
        command = [python, str(SCRIPT), str(given), str(found), str(budget)]
        subprocess.run(command, check=True, stdout=sys.stderr)
        with np.load(found) as results:
            return {name: results[name] for name in results.files}


def published_seconds(python: str, items: int, sources: int, budget: int) -> float:
    """Return how long the package takes for one plan with its estimates."""
    done = subprocess.run(
        [python, str(SCRIPT), "time", str(items), str(sources), str(budget)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return float(done.stdout)
