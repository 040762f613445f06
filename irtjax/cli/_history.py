"""What `plan` and `estimate` share: the history, and a file about its items."""

import csv
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ._reading import Reading, read

if TYPE_CHECKING:
    from irtjax.active import History


class ItemFile(NamedTuple):
    """What a file says of items; None for a column that it does not have."""

    weights: dict[str, float] | None
    categories: dict[str, str] | None


def read_history(
    file: Path, reading: Reading, target: str | None
) -> tuple["History", tuple[str, ...]]:
    """Return a history, and what its file was taken to mean.

    Args:
        file: the scores of the other systems.
        reading: how to read it.
        target: the new system's name, which may not be among them.

    Raises:
        ValueError: as `irtjax.data.read_table` and `irtjax.active.History`.
    """
    from irtjax.active import History

    table = read(file, reading)
    history = History.from_table(table)
    if target is not None:
        history.check_target(target)
    return history, table.describe()


def read_items(path: Path | None) -> ItemFile:
    """Return weights and categories by item, from a CSV file.

    Args:
        path: with a column `item` and one or both of `weight` and `category`.

    Raises:
        ValueError: with the file and line at fault.
    """
    if path is None:
        return ItemFile(None, None)
    with open(path, newline="", encoding="utf-8-sig") as stream:
        rows = csv.DictReader(stream)
        names = set(rows.fieldnames or ())
        if "item" not in names or not names & {"weight", "category"}:
            raise ValueError(
                f"{path.name} needs a column item, and weight or category beside it."
            )
        weights: dict[str, float] = {}
        categories: dict[str, str] = {}
        for row in rows:
            if row["item"] in weights or row["item"] in categories:
                raise ValueError(
                    f"{path.name}, line {rows.line_num}: item {row['item']!r} stands "
                    "there twice."
                )
            if "weight" in names:
                try:
                    weights[row["item"]] = float(row["weight"])
                except (TypeError, ValueError):
                    raise ValueError(
                        f"{path.name}, line {rows.line_num}: the weight "
                        f"{row['weight']!r} is no number."
                    ) from None
            if "category" in names:
                categories[row["item"]] = row["category"]
    return ItemFile(
        weights if "weight" in names else None,
        categories if "category" in names else None,
    )
