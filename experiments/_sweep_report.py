"""The report of a sweep: its tables, figures and page, from stored records alone."""

from pathlib import Path
from types import ModuleType

import polars as pl

from irtjax.report import Column, Figure, Section, Table, Text

from . import _connectivity_report, _misfit_report, _trials_report
from ._findings import Findings
from ._pages import code_table, made_by, missing, write_page
from ._records import Conditions
from ._surface_figures import error_maps, pair_map, readable, rho_lines
from ._surface_tables import regression_table
from ._tables import PUBLISHED_AVERAGE, condition_table
from ._verdicts import KIND, verdicts

HIDDEN = {
    "assortative": "mostly those of strong systems on hard items and weak ones on easy",
    "mcar": "any, by chance alone",
    "anti": "mostly those of strong systems on easy items and weak ones on hard",
    "easy_only": "mostly those on easy items, for every system",
    "two_blocks": "those of half of the systems on half of the items, and of the others "
    "on the others",
}
"""Which results each mask leaves, in words."""


def write_files(name: str, conditions: Conditions, folder: Path) -> Path:
    """Write a grid's tables, figures and page; return the page.

    Args:
        name: of the grid, and of all that is written.
        conditions: the grid; those without a record are listed as missing.
        folder: gets `<name>.html`, and `<name>/` with tables and figures.
    """
    runs = conditions.runs()
    tables = {}
    if not runs.is_empty():
        tables = {"runs": runs, "conditions": condition_table(runs)}
    title = f"Rankers under missing data: {name}"
    sections = _sections(runs, conditions)
    return write_page(name, title, sections, tables, folder, footer=_footer(conditions))


def stress_of(runs: pl.DataFrame) -> ModuleType | None:
    """Return what reports a grid that varies more than mask, sparsity and gap.

    None for the plane of sparsity and gap that the paper has.
    """
    if runs["simulator"].n_unique() > 1:
        return _misfit_report
    if runs["trials"].n_unique() > 1:
        return _trials_report
    if "two_blocks" in runs["mask"].unique():
        return _connectivity_report
    return None


def _sections(runs: pl.DataFrame, conditions: Conditions) -> list[Section]:
    """Return the page's sections, the answer first."""
    if runs.is_empty():
        return [Section("What is missing", missing(conditions))]
    end = Section(
        "How the solves ended", [code_table(runs, ("mask",)), *missing(conditions)]
    )
    stress = stress_of(runs)
    if stress is not None:
        return [*stress.sections(runs), end]
    masks = runs["mask"].unique(maintain_order=True).to_list()
    shown = runs.filter(pl.col("ranker") != PUBLISHED_AVERAGE)
    return [
        Section("Which ranker finds the true order", _answer(runs, masks)),
        Section("The published claims", verdicts(runs)),
        Section(
            "Where each ranker fails",
            [Section(_title(mask), _mask_figures(shown, mask)) for mask in masks],
        ),
        Section("How error grows", [regression_table(runs)]),
        end,
    ]


def findings(runs: pl.DataFrame) -> Findings:
    """Return what a sweep has found, from its rows."""
    stress = stress_of(runs)
    if stress is not None:
        return stress.findings(runs)
    said = []
    for mask in runs["mask"].unique(maintain_order=True):
        here = _by_ranker(runs).filter(
            (pl.col("mask") == mask) & (pl.col("ranker") != PUBLISHED_AVERAGE)
        )
        parts = [
            f"{readable(row['ranker'])} {row['mean']:.4f} (lowest cell {row['cell']:.3f})"
            for row in here.to_dicts()
        ]
        said.append(f"{_title(mask)}, mean ρ: {', '.join(parts)}.")
    question = (
        "Which ranker finds the true order, over sparsities S and difficulty gaps D? A "
        "cell is one S with one D."
    )
    return Findings(question, tuple(said), tuple(verdicts(runs)), ())


def _answer(runs: pl.DataFrame, masks: list[str]) -> list[Text | Figure | Table]:
    """Return what was asked of the rankers, the first mask's errors, and the means."""
    hidden = "; ".join(f"under {mask} {HIDDEN[mask]}" for mask in masks)
    asked = Text(
        "Every data set has systems of known ability and items of known difficulty. "
        "Some results are hidden, and each ranker is asked for the order of the "
        "systems from the rest. S is the share of results that is hidden; D, in "
        "logits, how far apart the easiest and the hardest item are; a cell is one S "
        "with one D. The mask says which results stay: "
        f"{hidden}. ρ is Spearman's rank correlation with the true order, 1 if it is "
        "found exactly and about 0 for a blind guess; the error is 1 − ρ."
    )
    pair = pair_map(runs.filter(pl.col("mask") == masks[0]), masks[0])
    return [asked, *([pair] if pair else []), _comparison(runs)]


def _title(mask: str) -> str:
    kind = KIND[mask]
    return f"{kind[0].upper()}{kind[1:]} mask"


def _mask_figures(runs: pl.DataFrame, mask: str) -> list[Figure]:
    here = runs.filter(pl.col("mask") == mask)
    return [error_maps(here, mask), *rho_lines(here, mask)]


def _comparison(runs: pl.DataFrame) -> Table:
    """Return each ranker's mean, worst cell and worst run under each mask."""
    over = _by_ranker(runs)
    return Table(
        caption="Agreement with the true order, best first under each mask.",
        columns=(
            Column("Ranker", note=_ranker_note(runs)),
            Column("Mask"),
            Column("Mean ρ", 4, "Spearman's ρ, averaged over seeds, then over cells"),
            Column("Lowest cell ρ", 4, "the lowest mean over seeds of a cell (S, D)"),
            Column("Lowest run ρ", 4, "the worst single data set"),
            Column("Mean τ-b", 4, "Kendall's, averaged likewise"),
            Column("Top-1 miss", 4, "how often the system picked as best is not"),
            Column("Runs", 0),
            Column("Left out", 0, "not solved, or all scores equal: in no mean"),
        ),
        rows=tuple(
            (row["ranker"], row["mask"], *_numbers(row)) for row in over.to_dicts()
        ),
        name="comparison",
    )


def _by_ranker(runs: pl.DataFrame) -> pl.DataFrame:
    """Return each ranker's mean, worst cell and worst run, the best first."""
    return (
        condition_table(runs)
        .group_by("mask", "ranker", maintain_order=True)
        .agg(
            pl.col("spearman_mean").mean().alias("mean"),
            pl.col("spearman_mean").min().alias("cell"),
            pl.col("spearman_min").min().alias("run"),
            pl.col("kendall_mean").mean().alias("kendall"),
            pl.col("top1_miss_mean").mean().alias("top1"),
            pl.col("runs").sum(),
            (pl.col("runs") - pl.col("usable")).sum().alias("left_out"),
        )
        .sort("mask", "mean", descending=[False, True])
    )


def _ranker_note(runs: pl.DataFrame) -> str:
    """Return what a ranker's name means, and the one that is no ranker of ours."""
    note = "by the name that `irtjax rank --ranker` takes"
    if PUBLISHED_AVERAGE in runs["ranker"].to_list():
        note += (
            f"; {PUBLISHED_AVERAGE} is the average in the paper's own arithmetic, whose "
            "rounding separates some equal means"
        )
    return note


def _numbers(row: dict) -> tuple:
    names = ("mean", "cell", "run", "kendall", "top1", "runs", "left_out")
    return tuple(row[name] for name in names)


def _footer(conditions: Conditions) -> str:
    """Say what made the records, and what each condition is."""
    settings = next(iter(conditions)).settings
    trials, simulators = (
        ", ".join(dict.fromkeys(str(each.settings[name]) for each in conditions))
        for name in ("trials", "simulator")
    )
    return (
        f"{made_by(conditions)}\n\n"
        f"Each condition: {settings['seeds']} seeds, {settings['systems']} systems, "
        f"{settings['items']} items, {trials} trials a cell, simulator {simulators}. "
        "Every number here is computed from those records."
    )
