"""The report of the four domains, from stored records alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from jaxtyping import Float

from irtjax.ranking import DEFAULT_RANKER
from irtjax.report import Column, Figure, Section, Table, Text, Verdict, line_bands

from ._domain_claims import DOMAINS, SEEDS
from ._findings import Findings, wide_table
from ._pages import code_table, made_by, missing, write_page
from ._published_claims import Number
from ._records import Conditions
from ._surface_figures import readable, told_apart
from ._tables import usable

QUESTION = (
    "In the paper's four domains, what becomes of its figures when the masks are drawn "
    "anew? Its items, trials and coverage are published, and that in three domains the "
    "best system is seen on hard items only and a middling one on easy items only. The "
    "other abilities and the masks are published nowhere. Abilities here go evenly from "
    "minus a reach to below it, for several reaches, and every data set has a mask of "
    "its own. So the published figures can be bracketed, not reproduced. What stands "
    "after ± here is a standard deviation over data sets, as published."
)
INSIDE = (2.5, 97.5)
"""Percentiles between which a published figure is called inside the distribution."""


def write_files(name: str, conditions: Conditions, folder: Path) -> Path:
    """Write a grid's tables, figures and page; return the page.

    Args:
        name: of the grid, and of all that is written.
        conditions: the grid; those without a record are listed as missing.
        folder: gets `<name>.html`, and `<name>/` with tables and figures.
    """
    runs = conditions.runs()
    sections = [Section("What is missing", missing(conditions))]
    if not runs.is_empty():
        found = findings(runs)
        sections = [
            Section(
                "The published figures among redrawn masks",
                [Text(QUESTION), *found.verdicts],
            ),
            Section(
                "The distribution of ρ",
                [
                    Text("\n\n".join(found.sentences)),
                    *_figures(runs),
                    *found.tables,
                    _table(runs),
                ],
            ),
            Section(
                "How the solves ended",
                [code_table(runs, ("domain",)), *missing(conditions)],
            ),
        ]
    settings = next(iter(conditions)).settings
    footer = (
        f"{made_by(conditions)}\n\nEach domain and reach: {settings['seeds']} data sets, "
        "each with its own mask."
    )
    title = f"Four domains, masks redrawn: {name}"
    tables = {} if runs.is_empty() else {"runs": runs}
    return write_page(name, title, sections, tables, folder, footer=footer)


def findings(runs: pl.DataFrame) -> Findings:
    """Return what redrawn masks have shown, from the rows."""
    means = wide_table(
        runs,
        {"domain": "Domain", "reach": "Reach"},
        "ranker",
        caption="Mean ρ over data sets, each with its own mask, by the reach of the "
        "abilities in logits.",
        name="domain-rankers",
    )
    return Findings(QUESTION, tuple(_sentences(runs)), tuple(verdicts(runs)), (means,))


def verdicts(runs: pl.DataFrame) -> list[Verdict]:
    """Return every published mean beside the distribution of ours."""
    found = []
    for name, domain in DOMAINS.items():
        for ranker, (number, deviation) in (
            ("average", domain.average),
            ("two_pl", domain.two_pl),
        ):
            published = str(number)
            if deviation is not None:
                published += f" ± {deviation:.3f}"
            found.append(_verdict(runs, name, ranker, number, published))
    return found


class _Place(NamedTuple):
    """Where a value lies among others: percentiles, of those below and up to it."""

    below: float
    upto: float

    def inside(self) -> bool:
        return self.upto >= INSIDE[0] and self.below <= INSIDE[1]

    def __str__(self) -> str:
        if round(self.below) == round(self.upto):
            return f"percentile {self.below:.0f}"
        return f"percentiles {self.below:.0f} to {self.upto:.0f}"


def _place(number: Number, values: Float[np.ndarray, " _"]) -> _Place:
    """Place a printed number: values that round to it are equal to it."""
    half = 0.5 * 10**-number.digits
    below = np.mean(values < number.value - half)
    upto = np.mean(values <= number.value + half)
    return _Place(100 * float(below), 100 * float(upto))


def _verdict(
    runs: pl.DataFrame, domain: str, ranker: str, number: Number, published: str
) -> Verdict:
    """Return a published mean beside ours, reach by reach."""
    claim = f"Mean ρ of {readable(ranker)}, {domain}"
    ours, places, same, inside, most = [], [], [], [], 0
    for reach in sorted(set(runs["reach"])):
        rho = _rho(runs.filter(pl.col("reach") == reach), domain, ranker)
        if len(rho) < SEEDS:
            continue
        first, most = rho[:SEEDS], max(most, len(rho))
        means = rho[: len(rho) // SEEDS * SEEDS].reshape(-1, SEEDS).mean(axis=1)
        place = _place(number, rho)
        same.append(number.agrees(float(first.mean())))
        inside.append(place.inside())
        ours.append(
            f"±{reach:g}: {first.mean():.3f} ± {first.std():.3f}, published at {place}"
        )
        places.append(
            f"at ±{reach:g} {_place(number, means)} of {len(means)} means of {SEEDS}"
        )
    if not ours:
        why = f"Needs {SEEDS} usable data sets."
        return Verdict(claim, published, "-", "not run", why)
    unknown = "The abilities are"
    if DOMAINS[domain].fake is not None:
        unknown = "The abilities and the masks are"
    return Verdict(
        claim,
        published,
        "; ".join(ours),
        "holds"
        if all(same)
        else "inside the distribution"
        if any(inside)
        else "outside the distribution",
        f"By reach of the abilities: mean and sd of the first {SEEDS} data sets, and where "
        f"the published mean lies among all {most}. It lies {'; '.join(places)}. "
        f"{unknown} not published, so the same data cannot be had.",
    )


def _rho(runs: pl.DataFrame, domain: str, ranker: str) -> Float[np.ndarray, " run"]:
    here = usable(runs).filter(
        (pl.col("domain") == domain) & (pl.col("ranker") == ranker)
    )
    return here.sort("seed")["spearman"].to_numpy()


def _each(runs: pl.DataFrame) -> Iterator[tuple[str, float, pl.DataFrame]]:
    """Yield the rows of each domain and reach."""
    for (domain, reach), here in runs.group_by("domain", "reach", maintain_order=True):
        yield str(domain), float(reach), here


def _sentences(runs: pl.DataFrame) -> list[str]:
    said = []
    for domain, reach, here in _each(runs):
        parts = []
        for ranker in ("average", "two_pl", DEFAULT_RANKER):
            rho = _rho(here, domain, ranker)
            if len(rho):
                low, high = np.percentile(rho, INSIDE)
                parts.append(
                    f"{readable(ranker)} {rho.mean():.3f} (sd {rho.std():.3f}; 95 % of "
                    f"data sets {low:.2f} to {high:.2f})"
                )
        if parts:
            said.append(f"{domain}, abilities to ±{reach:g}: {', '.join(parts)}.")
    return said


def _table(runs: pl.DataFrame) -> Table:
    rows = []
    for domain, reach, here in _each(runs):
        for ranker in here["ranker"].unique(maintain_order=True):
            rho = _rho(here, domain, ranker)
            mine = here.filter(pl.col("ranker") == ranker)
            if not len(rho):
                continue
            low, middle, high = np.percentile(rho, (INSIDE[0], 50, INSIDE[1]))
            miss = float(usable(mine)["top1_miss"].to_numpy().mean())
            numbers = (rho.mean(), rho.std(), low, middle, high, rho.min(), miss)
            rows.append(
                (
                    domain,
                    f"±{reach:g}",
                    readable(ranker),
                    *map(float, numbers),
                    mine.height - len(rho),
                )
            )
    return Table(
        caption="ρ with the true order over data sets, each with its own mask.",
        columns=(
            Column("Domain"),
            Column("Reach", note="of the abilities that are published nowhere, logits"),
            Column("Ranker"),
            Column("Mean ρ", 3),
            Column("sd", 3),
            Column("2.5 %", 3, "percentile"),
            Column("Median", 3),
            Column("97.5 %", 3, "percentile"),
            Column("Lowest", 3),
            Column("Top-1 miss", 3, "how often the system picked as best is not"),
            Column("Left out", 0, "not solved, or all scores equal: in no mean"),
        ),
        rows=tuple(rows),
        name="domain-means",
    )


def _figures(runs: pl.DataFrame) -> Iterator[Figure]:
    """Yield the quantiles of every ranker's rho, beside the published average."""
    share = np.linspace(0, 100, 21)
    for domain, reach, here in _each(runs):
        rankers = here["ranker"].unique(maintain_order=True).to_list()
        published = DOMAINS[domain].average[0]
        for first, some in told_apart(rankers):
            series = {}
            for ranker in some:
                rho = _rho(here, domain, ranker)
                if len(rho):
                    at = np.percentile(rho, share)
                    series[readable(ranker)] = (share, at, at, at)
            if not series:
                continue
            yield line_bands(
                series,
                x_title="percentile over data sets",
                y_title="Spearman's ρ with the true order",
                name=f"domain-{domain}-{100 * reach:.0f}"
                + (f"-{first}" if first else ""),
                caption=f"Quantiles of ρ over data sets, {domain}, abilities to "
                f"±{reach:g}; the line across is the published mean of the average.",
                reference=published.value,
                reference_title=f"published average, {published}",
            )
