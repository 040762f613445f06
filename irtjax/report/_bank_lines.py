"""A calibrated bank as lines of text for other programs."""

import csv
import io

import jax
import numpy as np

from irtjax.data import ResponseTable
from irtjax.irt import Calibration

_SHOWN = 5


def bank_lines(bank: Calibration) -> str:
    """Return one tab-separated line an item under a line of names.

    Each parameter stands on its own scale, its standard error beside it.

    Args:
        bank: any.
    """
    n_item = len(bank.item_ids)
    spread = np.sqrt(np.diag(np.asarray(bank.covariance)))
    columns: dict[str, np.ndarray] = {}
    for k, kind in enumerate(bank.model.item_parameters):
        forward = kind.transform.forward
        value, slope = jax.vmap(jax.value_and_grad(forward))(bank.item[:, k])
        columns[kind.name] = np.asarray(value)
        own = spread[k * n_item : (k + 1) * n_item]
        columns[f"{kind.name}_se"] = np.asarray(slope) * own
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(["item", *columns])
    for row, item in enumerate(bank.item_ids):
        writer.writerow([item, *(f"{each[row]:.6g}" for each in columns.values())])
    return text.getvalue()


def constant_item_remarks(table: ResponseTable) -> tuple[str, ...]:
    """Return a warning that names the items which all systems got alike, if any.

    Args:
        table: that a bank was made from.
    """
    seen = np.asarray(table.responses.observed())
    mean = np.asarray(table.responses.mean_score())
    some = seen.any(axis=0)
    alike = np.all(~seen | (mean == 1), axis=0) | np.all(~seen | (mean == 0), axis=0)
    rows = np.flatnonzero(some & alike)
    if not rows.size:
        return ()
    names = ", ".join(str(table.item_ids[k]) for k in rows[:_SHOWN])
    more = f" and {len(rows) - _SHOWN:,} more" if len(rows) > _SHOWN else ""
    return (
        f"warning: every system got the same extreme result on {len(rows):,} of the "
        f"items, so that only their priors keep their parameters finite: {names}{more}.",
    )
