"""The report of a cegar run: tables, figures and page, from stored records alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from irtjax.report import Cell, Code, Column, Section, Table, Text

from ._cegar_claims import verdicts
from ._cegar_tables import electorates, pool_scores, summary
from ._cegar_variants import FULL, VARIANTS
from ._findings import Findings
from ._pages import made_by, missing, write_page
from ._records import Conditions


def write_files(name: str, conditions: Conditions, folder: Path) -> Path:
    """Write a grid's tables and page; return the page.

    Args:
        name: of the grid, and of all that is written.
        conditions: the grid; those without a record are listed as missing.
        folder: gets `<name>.html`, and `<name>/` with tables.
    """
    runs = conditions.runs()
    tables, sections = {}, []
    if not runs.is_empty():
        scores = pool_scores(runs)
        tables = {"runs": runs, "pools": scores, "summary": summary(scores)}
        sections = [
            Section("What the pools are worth", [_summary(tables["summary"]), _READ]),
            Section("Beside what is published", verdicts(scores)),
            Section("Run by run", [_runs(scores)]),
            Section("Operators that were admitted", list(_operators(runs))),
            Section("Other peers", [_electorates(runs)]),
        ]
    sections.append(Section("What is missing", missing(conditions)))
    title = f"Metrics from their own blind spots: {name}"
    return write_page(name, title, sections, tables, folder, footer=made_by(conditions))


def findings(runs: pl.DataFrame) -> Findings:
    """Return what a grid of pools has found.

    Args:
        runs: rows of `_cegar_rows`.
    """
    scores = pool_scores(runs)
    found = summary(scores)
    return Findings(
        "Does a pool grown from its own blind spots pick right answers more often, on "
        "tasks that it has not seen?",
        tuple(_sentence(row) for row in found.to_dicts()),
        tuple(verdicts(scores)),
        (_summary(found),),
    )


def _sentence(row: dict[str, Any]) -> str:
    where = "unseen tasks" if row["where"] == "unseen" else row["where"]
    start = (
        f"{row['variant']}, {row['training']} training tasks of {row['tasks']}, {where}: "
        f"{row['admit']} of {row['runs']} runs admit an operator"
    )
    if not row["admit"]:
        return f"{start}."
    return (
        f"{start}, {row['positive']} of these gain; mean Delta {row['delta']:+.4f}, median "
        f"{100 * row['median_closed']:.1f} % of the headroom, best "
        f"{100 * row['best_closed']:.1f} %."
    )


_READ = Text(
    "Every pool was frozen to disk before its unseen tasks were opened. Delta is the gain "
    "in selection accuracy: the chance that a uniform pick among the answers that are "
    "kept is right, over all tasks, less the same with nothing flagged. A perfect "
    "operator closes the whole headroom. p is one-sided: as many flagged samples put at "
    "random in each task gain as much, in closed form."
)


def _summary(found: pl.DataFrame) -> Table:
    return Table(
        caption="Over runs; means, medians and p over those that admit an operator.",
        columns=(
            Column("Variant", note=_variants()),
            Column("Tasks"),
            Column("Training", 0, "tasks"),
            Column("Scored", note="unseen tasks, or a set that was never trained on"),
            Column("Runs", 0),
            Column("Admit", 0, "runs that admit an operator"),
            Column("Gain", 0, "of these, with a positive delta"),
            Column("Delta", 4),
            Column("Closed, median", 3, "share of the headroom"),
            Column("Closed, best", 3),
            Column("Comparator", 3, "what flagging the odd one out closes"),
            Column("Least p"),
            Column("Percentile", 1, "of the pool among all subsets of its archive"),
        ),
        rows=tuple(
            (
                row["variant"],
                row["tasks"],
                row["training"],
                row["where"],
                row["runs"],
                row["admit"],
                row["positive"],
                row["delta"],
                row["median_closed"],
                row["best_closed"],
                row["comparator_closed"],
                _chance(row["least_p"]),
                row["percentile"],
            )
            for row in found.to_dicts()
        ),
        name="summary",
    )


def _chance(value: float | None) -> Cell | None:
    """Return a chance with its power of ten: most are far below a rounded number."""
    return None if value is None else Cell(f"{value:.1e}", value)


def _interval(lower: float | None, upper: float | None) -> Cell | None:
    if lower is None or upper is None:
        return None
    return Cell(f"{lower:+.4f} to {upper:+.4f}", lower)


def _variants() -> str:
    return "; ".join(f"`{name}` {variant.says}" for name, variant in VARIANTS.items())


def _runs(scores: pl.DataFrame) -> Table:
    return Table(
        caption="Each run: what the loop did on its training tasks, and what its frozen "
        "pool is worth.",
        columns=(
            Column("Variant"),
            Column("Training", 0),
            Column("Seed", 0),
            Column("Scored"),
            Column("Admitted", 0),
            Column("Attempts", 0),
            Column("Blind before", 0, "training samples in classes that mix truths"),
            Column("Blind after", 0),
            Column("Unflagged", 4, "accuracy when nothing is flagged"),
            Column("Delta", 4),
            Column("95 % interval", note="whole tasks drawn anew"),
            Column("Closed", 3),
            Column("Helped", 0),
            Column("Hurt", 0),
            Column("Flagged", 0, "samples"),
            Column("of these wrong", 0),
            Column("p"),
            Column("p, programs", 4, "equal programs flagged together"),
            Column("p, sign", 4, "of helped and hurt tasks"),
        ),
        rows=tuple(
            (
                row["variant"],
                row["training"],
                row["seed"],
                row["where"],
                row["admitted"],
                row["attempts"],
                row["blind_before"],
                row["blind_after"],
                row["accuracy"] - row["delta"],
                row["delta"],
                _interval(row["lower"], row["upper"]),
                row["closed"],
                row["helped"],
                row["hurt"],
                row["flagged"],
                row["flagged_wrong"],
                _chance(row["p_exact"]),
                row["p_programs"],
                row["p_sign"],
            )
            for row in scores.to_dicts()
        ),
        name="runs",
    )


def _operators(runs: pl.DataFrame) -> Iterator[Text | Code]:
    own = runs.filter(
        (pl.col("what") == "operator")
        & (pl.col("where") == "unseen")
        & (pl.col("variant") == FULL)
    )
    if own.is_empty():
        yield Text("No run of the whole loop admitted an operator.")
        return
    yield Text(
        "The source of every member of a frozen pool, as it is run. Each also stands in "
        "its pool's folder, `pools/` beside the records."
    )
    for row in own.to_dicts():
        caption = (
            f"Seed {row['seed']}, {row['training']} training tasks: `{row['name']}` "
            f"(level {row['level']}; alone {row['delta']:+.4f} on unseen tasks, helps "
            f"{row['helped']}, hurts {row['hurt']})"
        )
        yield Code(caption, row["source"])


def _electorates(runs: pl.DataFrame) -> Table | Text:
    found = electorates(runs)
    if found.is_empty():
        return Text("Only the whole loop is scored under other choices of peers.")
    return Table(
        caption="The same frozen pool with other answers chosen as peers.",
        columns=(
            Column("Training", 0),
            Column("Seed", 0),
            Column("Scored"),
            Column("Delta", 4, "as frozen"),
            Column("Least", 4),
            Column("Most", 4),
            Column("Choices", 0),
        ),
        rows=tuple(
            (
                row["training"],
                row["seed"],
                row["where"],
                row["delta"],
                row["least"],
                row["most"],
                row["electorates"],
            )
            for row in found.to_dicts()
        ),
        name="electorates",
    )
