"""Rows of numbers as tab-separated text for other programs."""

import csv
import io
from collections.abc import Iterable, Sequence

import numpy as np


def separated(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return one tab-separated line a row under a line of names.

    Numbers have six significant digits, which JSON output has all of; what is not known
    is empty.

    Args:
        names: the first line.
        rows: as many values each.
    """
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_short(value) for value in row] for row in rows)
    return text.getvalue()


def _short(value: object) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
