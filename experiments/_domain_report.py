"""The report of the four domains, from stored records alone."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from jaxtyping import Float

from irtjax.report import Column, Figure, Section, Table, Text, Verdict, line_bands

from ._domain_claims import DOMAINS, SEEDS
from ._findings import Findings
from ._pages import code_table, made_by, missing, write_page
from ._published_claims import Number
from ._records import Conditions
from ._surface_figures import MOST_LINES, readable
from ._tables import usable

QUESTION = (
    "In the paper's four domains, what becomes of its figures when the masks are drawn "
    "anew? Its items, trials and coverage are published, and that in three domains the "
    "best system is seen on hard items only and a middling one on easy items only. The "
    "other abilities and the masks are published nowhere: abilities here are spaced "
    "evenly, and every data set has a mask of its own. So the published figures can be "
    "bracketed, not reproduced."
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
        domains = runs["domain"].unique(maintain_order=True)
        sections = [
            Section(
                "The published figures among redrawn masks",
                [Text(QUESTION), *found.verdicts],
            ),
            Section(
                "The distribution of ρ",
                [
                    Text("\n\n".join(found.sentences)),
                    *(_figure(runs, domain) for domain in domains),
                    *found.tables,
                ],
            ),
            Section(
                "How the solves ended",
                [code_table(runs, ("domain",)), *missing(conditions)],
            ),
        ]
    settings = next(iter(conditions)).settings
    footer = (
        f"{made_by(conditions)}\n\nEach domain: {settings['seeds']} data sets, each with "
        f"its own mask. Abilities evenly from {settings['lowest']:g} to 2 logits, but for "
        "the fake's."
    )
    title = f"Four domains, masks redrawn: {name}"
    tables = {} if runs.is_empty() else {"runs": runs}
    return write_page(name, title, sections, tables, folder, footer=footer)


def findings(runs: pl.DataFrame) -> Findings:
    """Return what redrawn masks have shown, from the rows."""
    return Findings(
        QUESTION, tuple(_sentences(runs)), tuple(verdicts(runs)), (_table(runs),)
    )


def verdicts(runs: pl.DataFrame) -> list[Verdict]:
    """Return every published mean beside the distribution of ours."""
    found = []
    for name, domain in DOMAINS.items():
        for ranker, (number, deviation) in (
            ("average", domain.average),
            ("two_pl", domain.two_pl),
        ):
            claim = f"Mean ρ of {readable(ranker)}, {name}"
            published = str(number)
            if deviation is not None:
                published += f" ± {deviation:.3f}"
            rho = _rho(runs, name, ranker)
            if len(rho) < SEEDS:
                why = f"Needs {SEEDS} usable data sets; there are {len(rho)}."
                found.append(Verdict(claim, published, "-", "not run", why))
            else:
                found.append(_verdict(claim, published, number, rho))
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
    claim: str, published: str, number: Number, rho: Float[np.ndarray, " run"]
) -> Verdict:
    first = rho[:SEEDS]
    whole = len(rho) // SEEDS * SEEDS
    means = rho[:whole].reshape(-1, SEEDS).mean(axis=1)
    single, sweep = _place(number, rho), _place(number, means)
    if number.agrees(float(first.mean())):
        outcome = "holds"
    elif single.inside():
        outcome = "inside the distribution"
    else:
        outcome = "outside the distribution"
    return Verdict(
        claim,
        published,
        f"{first.mean():.3f} ± {first.std():.3f} over the first {SEEDS}",
        outcome,
        f"{single} of {len(rho)} data sets, {sweep} of {len(means)} means of {SEEDS} "
        f"(from {means.min():.3f} to {means.max():.3f}). Not reproducible exactly: the "
        "abilities"
        + (
            " are not published."
            if "nlp" in claim
            else " and the masks are not published."
        ),
    )


def _rho(runs: pl.DataFrame, domain: str, ranker: str) -> Float[np.ndarray, " run"]:
    here = usable(runs).filter(
        (pl.col("domain") == domain) & (pl.col("ranker") == ranker)
    )
    return here.sort("seed")["spearman"].to_numpy()


def _sentences(runs: pl.DataFrame) -> list[str]:
    said = []
    for domain in runs["domain"].unique(maintain_order=True):
        parts = []
        for ranker in ("average", "two_pl"):
            rho = _rho(runs, domain, ranker)
            if len(rho):
                low, high = np.percentile(rho, INSIDE)
                parts.append(
                    f"{readable(ranker)} {rho.mean():.3f} (sd {rho.std():.3f}, "
                    f"{INSIDE[0]:g}th to {INSIDE[1]:g}th percentile {low:.2f} to "
                    f"{high:.2f})"
                )
        if parts:
            said.append(f"{domain}: mean ρ of {'; '.join(parts)}.")
    return said


def _table(runs: pl.DataFrame) -> Table:
    rows = []
    for domain in runs["domain"].unique(maintain_order=True):
        of_domain = runs.filter(pl.col("domain") == domain)
        for ranker in of_domain["ranker"].unique(maintain_order=True):
            rho = _rho(runs, domain, ranker)
            if not len(rho):
                continue
            here = of_domain.filter(pl.col("ranker") == ranker)
            low, middle, high = np.percentile(rho, (INSIDE[0], 50, INSIDE[1]))
            miss = float(usable(here)["top1_miss"].to_numpy().mean())
            rows.append(
                (
                    domain,
                    readable(ranker),
                    *map(float, (rho.mean(), rho.std(), low, middle, high, rho.min())),
                    miss,
                    here.height - len(rho),
                )
            )
    return Table(
        caption="ρ with the true order over data sets, each with its own mask.",
        columns=(
            Column("Domain"),
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


def _figure(runs: pl.DataFrame, domain: str) -> Figure:
    """Return the quantiles of every ranker's rho, beside the published average."""
    share = np.linspace(0, 100, 21)
    series = {}
    of_domain = runs.filter(pl.col("domain") == domain)
    for ranker in of_domain["ranker"].unique(maintain_order=True):
        rho = _rho(runs, domain, ranker)
        if len(rho) and len(series) < MOST_LINES:
            at = np.percentile(rho, share)
            series[readable(ranker)] = (share, at, at, at)
    published = DOMAINS[domain].average[0]
    return line_bands(
        series,
        x_title="percentile over data sets",
        y_title="Spearman's ρ with the true order",
        name=f"domain-{domain}",
        caption=f"Quantiles of ρ over data sets, {domain}; the line across is the "
        "published mean of the average.",
        reference=published.value,
        reference_title=f"published average, {published}",
    )
