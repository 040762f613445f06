"""The matrices of real errors that evaluations are compared on."""

import os
from pathlib import Path

import numpy as np
import polars as pl
from jaxtyping import Float

from ._schema import SettingsError

NAMES = ("gqa", "chembench", "cruxeval_input")
"""Those that come with the project, by the names of their files."""


def shared_matrices() -> Path:
    """Return the folder of `$IRTJAX_SHARED`, else of `shared` beside the repository."""
    root = Path(__file__).resolve().parent.parent
    shared = Path(os.environ.get("IRTJAX_SHARED") or root.parent / "shared")
    return shared / "data" / "matrices"


def check_present(names: list[str], folder: Path) -> None:
    """Stop where a matrix has no file.

    Raises:
        SettingsError: names the matrix, the folder and what to set.
    """
    for name in names:
        if not (folder / f"{name}_labels.csv").is_file():
            raise SettingsError(
                f"'matrix' names {name}, and there is no {name}_labels.csv in "
                f"{folder}: set 'folder', or IRTJAX_SHARED."
            )


def load_errors(name: str, folder: Path) -> Float[np.ndarray, "item system"]:
    """Return a matrix of errors from `<folder>/<name>_labels.csv`.

    Args:
        name: of the matrix.
        folder: holds the file: a row an item, a column `label_<system>` a system.

    Raises:
        FileNotFoundError: it does not.
    """
    table = pl.read_csv(folder / f"{name}_labels.csv")
    columns = [column for column in table.columns if column.startswith("label_")]
    return table.select(pl.col(columns).cast(pl.Float64)).to_numpy()
