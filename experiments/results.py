"""Write what every grid has found: `python -m experiments.results`.

Makes `docs/results.md` from stored records alone; nothing in it is typed.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import polars as pl

from irtjax.report import write_whole

from . import (
    _cegar_report,
    _domain_report,
    _markdown,
    _real_masked_report,
    _records,
    _runtime,
    _sweep_report,
)
from ._findings import Findings
from ._pages import commit_of
from ._records import Grid
from ._schema import ResultsConf, SettingsError

COMMAND = "python -m experiments.results"


class Entry(NamedTuple):
    """A grid that the page reports.

    Attributes:
        title: of its section.
        command: runs it.
        findings: reads what it found off its rows.
    """

    title: str
    command: str
    findings: Callable[[pl.DataFrame], Findings]


def _sweep(title: str, grid: str) -> Entry:
    command = f"python -m experiments.sweep +grid={grid}"
    return Entry(title, command, _sweep_report.findings)


ENTRIES: Mapping[str, Entry] = MappingProxyType(
    {
        "sd150": _sweep("The published grid", "sd150"),
        "sd150_fresh": _sweep("The same grid on fresh data", "sd150_fresh"),
        "trials": _sweep("Few answers a cell", "trials"),
        "connectivity": _sweep("Two blocks and the cells between", "connectivity"),
        "misfit": _sweep("Data that the 2PL does not describe", "misfit"),
        "real_masked": Entry(
            "Real tables with cells hidden",
            "python -m experiments.real_masked +grid=real_masked",
            _real_masked_report.findings,
        ),
        "domains": Entry(
            "Four published domains",
            "python -m experiments.domains",
            _domain_report.findings,
        ),
        "cegar": Entry(
            "Pools grown on the project's own tasks",
            "python -m experiments.cegar",
            _cegar_report.findings,
        ),
        "mbpp_plus": Entry(
            "Pools grown on published tasks with real programs",
            "python -m experiments.cegar +grid=mbpp_plus",
            _cegar_report.findings,
        ),
    }
)
"""Grids by name, in the page's order."""


@_runtime.application("results")
def main(cfg: ResultsConf) -> None:
    """Write the page."""
    write_page(cfg)


def write_page(cfg: ResultsConf) -> None:
    """Write the page from the grids that are complete, and name those that are not.

    Raises:
        SettingsError: no grid is complete.
    """
    out = Path(cfg.out)
    sections, lacking = [], []
    for name, entry in ENTRIES.items():
        path = out / "grids" / f"{name}.json"
        grid = _records.load_grid(path, out) if path.exists() else None
        if grid is None or not grid.conditions.complete():
            lacking.append(f"{name} ({entry.command})")
        else:
            sections.append(section(entry, grid))
    if not sections:
        raise SettingsError(
            f"No grid is complete in '{out}': {ENTRIES['trials'].command}."
        )
    write_whole(Path(cfg.page), page(sections).encode())
    print(f"Written: {cfg.page}")
    if lacking:
        print(f"Not in it, for want of records: {'; '.join(lacking)}.")


def section(entry: Entry, grid: Grid) -> str:
    """Return one grid's section as Markdown."""
    made = f"`{entry.command}`: {commit_of(grid.conditions)}"
    return _markdown.section(entry.title, entry.findings(grid.conditions.runs()), made)


def page(sections: list[str]) -> str:
    """Return the whole page."""
    intro = (
        f"# What the grids found\n\nWritten by `{COMMAND}` from stored records; under "
        "each section are the command that makes its records and the commit that made "
        "these. ρ is Spearman's rank correlation with the true order, S the share of "
        "cells hidden, D the gap between the hardest and the easiest item in logits, K "
        "the answers in each observed cell. `±` is one standard error of a mean, unless "
        "said otherwise. A verdict is computed from the records, never assumed."
    )
    return "\n\n".join((intro, *sections)) + "\n"


if __name__ == "__main__":
    main()
