"""What a grid over cells between two blocks has found."""

import math

import polars as pl

from irtjax.report import Section, Table, Text, Verdict

from ._findings import Findings, mean_rho, ranker_lines, told, wide_table
from ._stress_claims import BLOCKS, SEEDS
from ._surface_figures import readable
from ._tables import usable

MASK = "two_blocks"
QUESTION = (
    "Half of the systems ran half of the items and the others the rest, so that nothing "
    "says which half is the more able. How many cells between the blocks (bridges) join "
    "them again? With none, `irtjax rank` says that the blocks cannot be compared."
)


def findings(runs: pl.DataFrame) -> Findings:
    """Return what a grid over bridges has found, from its rows."""
    runs = with_bridges(runs)
    return Findings(
        QUESTION, tuple(_sentences(runs)), tuple(verdicts(runs)), (_table(runs),)
    )


def sections(runs: pl.DataFrame) -> list[Section]:
    """Return the page's sections on bridges."""
    found, runs = findings(runs), with_bridges(runs)
    figures = []
    for (gap,), here in runs.group_by("gap", maintain_order=True):
        figures += ranker_lines(
            here,
            "bridges",
            x_title="cells between the blocks",
            name=f"bridges-{10 * float(gap):.0f}",
            caption=f"Mean ρ over seeds, two blocks, D = {gap:g}.",
        )
    said = Text("\n\n".join((QUESTION, *found.sentences)))
    return [
        Section("How many bridges join two blocks", [said, *figures]),
        Section("What was stated before", found.verdicts),
        Section("Mean ρ by bridges", found.tables),
    ]


def with_bridges(runs: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of two blocks with a column of how many cells lie between."""
    half_up = [(pl.col(name) + 1) // 2 for name in ("systems", "items")]
    half_down = [pl.col(name) // 2 for name in ("systems", "items")]
    within = half_up[0] * half_up[1] + half_down[0] * half_down[1]
    cells = (pl.col("systems") * pl.col("items") * (1 - pl.col("sparsity"))).round()
    bridges = (cells.cast(pl.Int64) - within).clip(0).alias("bridges")
    return runs.filter(pl.col("mask") == MASK).with_columns(bridges)


def verdicts(runs: pl.DataFrame) -> list[Verdict]:
    """Return the stated figures about two blocks beside ours.

    Args:
        runs: rows `with_bridges`.
    """
    found = []
    for (ranker, gap, bridges), stated in BLOCKS.items():
        claim = (
            f"Two blocks, D = {gap:g}, {_cells(bridges)} between: mean ρ of "
            f"{readable(ranker)}"
        )
        ours = mean_rho(runs, ranker, gap=gap, bridges=bridges)
        if ours.count < 2:
            why = "This grid has no such runs."
            found.append(Verdict(claim, str(stated), "-", "not run", why))
            continue
        # Theirs is a mean too, of data sets that spread as ours do, and rounded.
        spread = ours.error * math.sqrt(ours.count)
        slack = 2 * spread * math.sqrt(1 / ours.count + 1 / SEEDS)
        slack += 0.5 * 10**-stated.digits
        near = abs(ours.value - stated.value) <= slack
        found.append(
            Verdict(
                claim,
                f"{stated} over {SEEDS} seeds",
                str(ours),
                "holds" if near else "does not hold",
                f"{ours.count} data sets. Two such means may differ by {slack:.3f}: two "
                "standard errors of the difference, and the rounding.",
            )
        )
    return found


def _sentences(runs: pl.DataFrame) -> list[str]:
    said = []
    for gap in sorted(set(runs["gap"])):
        here = runs.filter(pl.col("gap") == gap)
        means = []
        for bridges in sorted(set(here["bridges"])):
            some = here.filter(pl.col("bridges") == bridges)
            if usable(some).is_empty():
                continue
            means.append(f"{_cells(bridges)} between: {told(some)}")
        said.append(f"D = {gap:g}: {'; '.join(means)}.")
    return said


def _cells(bridges: int) -> str:
    return f"{bridges or 'no'} cell{'' if bridges == 1 else 's'}"


def _table(runs: pl.DataFrame) -> Table:
    return wide_table(
        runs,
        {"gap": "D", "ranker": "Ranker"},
        "bridges",
        caption="Mean ρ over seeds, by cells between the two blocks.",
        name="bridges",
        heading="{} between",
    )
