"""What a grid over answers a cell has found."""

import polars as pl

from irtjax.report import Section, Text, Verdict

from ._findings import Findings, best, paired, ranker_lines, wide_table
from ._stress_claims import FEW_TRIALS_CEILING, SHRINKAGE_LOSES
from ._surface_figures import readable
from ._tables import usable
from ._verdicts import KIND

DATA_SET = ("mask", "sparsity", "gap", "trials", "seed")
QUESTION = (
    "How many answers a cell (K) does it take? One is the usual case for language "
    "models, whose every item is run once."
)
MIDDLE = 0.5
"""The sparsity that the stated figures are about."""


def findings(runs: pl.DataFrame) -> Findings:
    """Return what a grid over K has found, from its rows."""
    middle = runs.filter((pl.col("sparsity") - MIDDLE).abs() < 1e-9)
    tables = () if middle.is_empty() else (_table(middle),)
    return Findings(QUESTION, tuple(_sentences(runs)), tuple(verdicts(runs)), tables)


def sections(runs: pl.DataFrame) -> list[Section]:
    """Return the page's sections on K."""
    found = findings(runs)
    figures = []
    for (mask, sparsity), here in runs.group_by(
        "mask", "sparsity", maintain_order=True
    ):
        figures += ranker_lines(
            here,
            "trials",
            x_title="answers a cell, K",
            name=f"trials-{str(mask).replace('_', '-')}-{100 * float(sparsity):.0f}",
            caption=f"Mean ρ over gaps and seeds, {KIND[str(mask)]} mask, S = "
            f"{sparsity:g}.",
            logarithmic_x=True,
        )
    said = Text("\n\n".join((QUESTION, *found.sentences)))
    return [
        Section("How many answers a cell it takes", [said, *figures]),
        Section("What was stated before", found.verdicts),
        Section("Mean ρ by answers a cell", [_table(runs)]),
    ]


def verdicts(runs: pl.DataFrame) -> list[Verdict]:
    """Return the stated figures about few answers beside ours."""
    masks = runs["mask"].unique(maintain_order=True).to_list()
    return [*(_ceiling(runs, mask) for mask in masks), *_shrinkage(runs)]


def _ceiling(runs: pl.DataFrame, mask: str) -> Verdict:
    claim = f"With K = 1 no ranker's mean ρ reaches {FEW_TRIALS_CEILING}, {KIND[mask]}"
    stated = f"< {FEW_TRIALS_CEILING}"
    one = runs.filter((pl.col("mask") == mask) & (pl.col("trials") == 1))
    if usable(one).is_empty():
        return Verdict(claim, stated, "-", "not run", "This grid has no K = 1.")
    cells = (
        usable(one)
        .group_by("ranker", "sparsity", "gap", maintain_order=True)
        .agg(pl.col("spearman").mean())
        .sort("spearman", descending=True, maintain_order=True)
    )
    ranker, sparsity, gap, highest = cells.row(0)
    return Verdict(
        claim,
        stated,
        f"highest {highest:.4f}",
        "holds" if highest < FEW_TRIALS_CEILING else "does not hold",
        f"The highest of {cells.height} cell means, by {readable(ranker)} at S = "
        f"{sparsity:g}, D = {gap:g}.",
    )


def _shrinkage(runs: pl.DataFrame) -> list[Verdict]:
    """Is the 2PL below least squares on logits while answers are few?"""
    found = []
    for trials in SHRINKAGE_LOSES:
        claim = (
            f"2PL's ρ is below logit least squares' with K = {trials}, S = {MIDDLE:g}, "
            "assortative mask"
        )
        here = _cell(runs, "assortative", MIDDLE).filter(pl.col("trials") == trials)
        gain = paired(here, "two_pl", "logit_least_squares", DATA_SET)
        if gain.count < 2:
            why = "This grid has no such pairs of runs."
            found.append(Verdict(claim, "below", "-", "not run", why))
            continue
        below = gain.value + 2 * gain.error < 0
        found.append(
            Verdict(
                claim,
                "below",
                f"2PL less logit least squares {gain}",
                "holds" if below else "does not hold",
                f"Paired over {gain.count} data sets at D = {_gaps(here)}; below means "
                "by more than two standard errors.",
            )
        )
    return found


def _sentences(runs: pl.DataFrame) -> list[str]:
    said = []
    for mask in runs["mask"].unique(maintain_order=True):
        for sparsity in sorted(set(runs["sparsity"])):
            here = _cell(runs, mask, sparsity)
            if not usable(here).is_empty():
                said.append(_best_by_trials(here, mask, sparsity))
    crossing = _crossing(_cell(runs, "assortative", MIDDLE))
    return [*said, *([crossing] if crossing else [])]


def _best_by_trials(here: pl.DataFrame, mask: str, sparsity: float) -> str:
    numbers = sorted(set(here["trials"]))
    tops = {k: best(here.filter(pl.col("trials") == k)) for k in numbers}
    few = numbers[0]
    said = (
        f"{KIND[mask].capitalize()}, S = {sparsity:g}: at K = {few} the best ranker is "
        f"{readable(tops[few][0])}, mean ρ {tops[few][1]:.3f}"
    )
    reached = [k for k in numbers if tops[k][1] >= FEW_TRIALS_CEILING]
    if not reached:
        return f"{said}; no K reaches {FEW_TRIALS_CEILING}."
    return (
        f"{said}; {FEW_TRIALS_CEILING} is reached from K = {reached[0]}, by "
        f"{readable(tops[reached[0]][0])}."
    )


def _crossing(here: pl.DataFrame) -> str:
    """Say for which K the 2PL is behind least squares on logits, and ahead."""
    signs: dict[str, list[int]] = {"behind": [], "ahead": []}
    for trials in sorted(set(here["trials"])):
        some = here.filter(pl.col("trials") == trials)
        gain = paired(some, "two_pl", "logit_least_squares", DATA_SET)
        if gain.count > 1 and abs(gain.value) > 2 * gain.error:
            signs["ahead" if gain.value > 0 else "behind"].append(trials)
    words = [
        f"{word} at K = {', '.join(map(str, values))}"
        for word, values in signs.items()
        if values
    ]
    if not words:
        return ""
    return (
        f"Assortative, S = {MIDDLE:g}: the 2PL is {' and '.join(words)} of logit least "
        "squares by more than two standard errors, paired."
    )


def _table(runs: pl.DataFrame):
    return wide_table(
        runs,
        {"mask": "Mask", "sparsity": "S", "ranker": "Ranker"},
        "trials",
        caption="Mean ρ over gaps and seeds, by answers a cell.",
        name="trials",
        heading="K = {}",
    )


def _cell(runs: pl.DataFrame, mask: str, sparsity: float) -> pl.DataFrame:
    near = (pl.col("sparsity") - sparsity).abs() < 1e-9
    return runs.filter((pl.col("mask") == mask) & near)


def _gaps(runs: pl.DataFrame) -> str:
    return ", ".join(f"{gap:g}" for gap in sorted(set(runs["gap"])))
