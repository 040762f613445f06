"""The report of a failures run: tables, figures and page, from stored records alone."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from irtjax.report import Column, Figure, Section, Table, Text, line_bands

from ._failure_rows import OFFLINE, WRITERS
from ._failure_tables import curves, failures_table
from ._pages import made_by, missing, write_page
from ._records import Conditions

MEANING = {
    "failures": "the largest expected error next: the most failures",
    "surprise": "a failure counts by the share of the sources that are right",
    "novelty": "failures where most sources are right count alone",
    "superlevel": "the least known of what may be among the worst still open",
    "superlevel_published": "ProEval's: the least known of what may err more than .5",
    "prior_mean": "the largest mean error of the sources next; learns nothing",
    "random": "in random order",
    "writing": "writes questions from what the belief expects to fail, and learns",
    "writing_blindly": "writes questions in the same way from random anchors",
    "random_questions": "writes everyday questions",
}
"""What each method does."""


def write_files(name: str, conditions: Conditions, folder: Path) -> Path:
    """Write a grid's tables, figures and page; return the page.

    Args:
        name: of the grid, and of all that is written.
        conditions: the grid; those without a record are listed as missing.
        folder: gets `<name>.html`, and `<name>/` with tables and figures.
    """
    runs = conditions.runs()
    tables = {}
    sections = [Section("What is missing", missing(conditions))]
    if not runs.is_empty():
        found = failures_table(runs)
        tables = {"runs": runs, "failures": found}
        sections = [
            Section(f"In {_place(where)}", list(_blocks(runs, found, where)))
            for where in found["where"].unique(maintain_order=True)
        ]
        sections += [
            Section("How to read this", [_explained(found), Text(_UNITS)]),
            Section("What is missing", missing(conditions)),
        ]
    return write_page(
        name,
        f"Who finds failures: {name}",
        sections,
        tables,
        folder,
        footer=made_by(conditions),
    )


_UNITS = (
    "A failure is novel where at most half of the sources fail, too; its surprise is the "
    "share of the sources that are right. Entropy is over all topics, 1 = evenly spread. "
    "The Vendi score is the effective number of different failures and the log "
    "determinant that of I + G, with G the cosines of their features: hashed n-grams of "
    "the text, or the sources' errors where there is no text. In a matrix, topics are "
    "clusters of the sources' errors."
)


def _place(where: str) -> str:
    return "the offline world" if where == OFFLINE else where


def _blocks(
    runs: pl.DataFrame, found: pl.DataFrame, where: str
) -> Iterator[Table | Figure]:
    here = found.filter(pl.col("where") == where)
    yield Table(
        caption=f"What the methods found in {_place(where)}: means over searches, "
        "counts per 100 questions asked.",
        columns=(
            Column("Method"),
            Column("Failures", 1),
            Column("± s.e.", 1, "over targets, worlds and draws"),
            Column("Novel", 1),
            Column("Surprise", 1),
            Column("Topic entropy", 2),
            Column("Vendi", 1),
            Column("log det", 1),
            Column("Asked", 0),
            Column("Searches", 0),
        ),
        rows=tuple(
            (
                row["method"],
                row["failures"],
                row["error"],
                row["novel"],
                row["surprise"],
                row["entropy"],
                row["vendi"],
                row["log_det"],
                row["asked"],
                row["searches"],
            )
            for row in here.to_dicts()
        ),
        name=f"found-{where}",
    )
    own = runs.filter(pl.col("where") == where)
    writing = pl.col("method").is_in(WRITERS)
    for title, part in (
        ("pool", own.filter(~writing)),
        ("written", own.filter(writing)),
    ):
        for column, what in (("failed", "failures"), ("new", "novel failures")):
            if not part.is_empty():
                yield _curves(part, where, column, f"{what}-{title}", what)


def _curves(
    runs: pl.DataFrame, where: str, column: str, name: str, what: str
) -> Figure:
    """Return what was found by each question, a line a method."""
    series = {}
    for (method,), line in curves(runs, column).group_by("method", maintain_order=True):
        middle = line["mean"].to_numpy()
        error = 2 * line["error"].fill_null(0).to_numpy()
        at = line["at"].to_numpy().astype(float)
        series[str(method)] = (at, middle, middle - error, middle + error)
    return line_bands(
        series,
        x_title="questions asked",
        y_title=f"{what} found",
        name=f"{where}-{name.replace(' ', '-')}",
        caption=f"Mean number of {what} by the questions asked. Bands: two standard "
        "errors over searches.",
    )


def _explained(found: pl.DataFrame) -> Table:
    names = found["method"].unique(maintain_order=True)
    return Table(
        caption="The methods.",
        columns=(Column("Method"), Column("What it asks")),
        rows=tuple((name, MEANING[name]) for name in names),
        name="methods",
    )
