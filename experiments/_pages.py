"""What the pages of all applications have in common: files, gaps and provenance."""

import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from irtjax.report import (
    Column,
    Figure,
    Listing,
    Section,
    Table,
    Text,
    page,
    save_png,
    write_whole,
)

from ._records import Condition, Conditions


def write_page(
    name: str,
    title: str,
    sections: list[Section],
    tables: Mapping[str, pl.DataFrame],
    folder: Path,
    *,
    footer: str,
) -> Path:
    """Write a page, its figures and tables; return the page.

    Args:
        name: of the grid, and of all that is written.
        title: of the page.
        sections: of the page.
        tables: written as Parquet, by name.
        folder: gets `<name>.html`, and `<name>/` with tables and figures.
        footer: plain text at the end of the page.
    """
    beside = folder / name
    beside.mkdir(parents=True, exist_ok=True)
    for stem, table in tables.items():
        _write_table(beside / f"{stem}.parquet", table)
    for figure in _figures(sections):
        write_whole(beside / f"{figure.name}.svg", figure.svg.encode())
        save_png(figure, beside / f"{figure.name}.png")
    path = folder / f"{name}.html"
    write_whole(path, page(title, sections, footer).encode())
    return path


def missing(conditions: Conditions) -> list[Text | Listing]:
    """Say which conditions have no record, and why where that is known."""
    lost = [condition for condition in conditions if not condition.recorded()]
    if not lost:
        return [Text(f"All {len(conditions)} conditions are recorded.")]
    said = Text(
        f"{len(lost)} of {len(conditions)} conditions have no record, so they are in "
        "no figure or table here. Running the same command again computes them."
    )
    return [said, Listing(tuple(_why_missing(condition) for condition in lost[:20]))]


def made_by(conditions: Conditions) -> str:
    """Say what made the records, from what they say themselves."""
    records = _records_of(conditions)
    if not records:
        return "No condition is recorded yet."
    versions = {
        name: _listed(record["versions"].get(name, "unknown") for record in records)
        for name in records[0]["versions"]
    }
    listed = ", ".join(f"{name} {version}" for name, version in versions.items())
    return f"{commit_of(conditions)} {listed[:1].upper()}{listed[1:]}."


def commit_of(conditions: Conditions) -> str:
    """Say how many records there are, their seconds, commit and device."""
    records = _records_of(conditions)
    seconds = sum(record["seconds"] for record in records)
    return (
        f"{len(records)} records, {seconds:.1f} seconds of computing. "
        f"Commit {_listed(record['commit'] for record in records)}; device "
        f"{_listed(record['device'] for record in records)}."
    )


def _records_of(conditions: Conditions) -> list[dict[str, Any]]:
    return [r for r in (condition.record() for condition in conditions) if r]


def code_table(runs: pl.DataFrame, settings: Sequence[str]) -> Table:
    """Return how many runs ended with each code.

    Args:
        runs: rows with a ranker and a code.
        settings: the columns, beside the ranker, that counts are kept apart by.
    """
    keys = [*settings, "ranker", "code"]
    counts = runs.group_by(keys).len().sort(keys)
    return Table(
        caption="Runs by how their solve ended; only successful ones enter a mean.",
        columns=(
            Column("Ranker"),
            *(Column(name.capitalize()) for name in settings),
            Column("Code"),
            Column("Runs", 0),
        ),
        rows=tuple(
            (row["ranker"], *(row[name] for name in settings), row["code"], row["len"])
            for row in counts.to_dicts()
        ),
        name="codes",
    )


def _write_table(path: Path, table: pl.DataFrame) -> None:
    data = io.BytesIO()
    table.write_parquet(data, compression="zstd", statistics=False)
    write_whole(path, data.getvalue())


def _figures(blocks: list) -> Iterator[Figure]:
    for block in blocks:
        if isinstance(block, Section):
            yield from _figures(list(block.blocks))
        elif isinstance(block, Figure):
            yield block


def _why_missing(condition: Condition) -> str:
    failure = condition.failure()
    reason = failure.strip().splitlines()[-1] if failure else "not run yet"
    return f"{condition.label}: {reason}"


def _listed(values: Iterator) -> str:
    return " and ".join(str(value) for value in Counter(values))
