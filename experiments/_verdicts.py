"""The published claims, each beside what stored runs say; nothing is assumed.

Every function takes the rows of a grid's records and returns verdicts in which our
value and the outcome are computed from those rows. A claim whose runs are not in the
grid gets "not run", with what is missing.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from irtjax.report import Verdict

from . import _published_claims as published
from ._fresh_sweeps import range_verdicts, sweeps_of
from ._regression import TERMS, power_law, surface
from ._tables import PUBLISHED_AVERAGE, SUCCESS, Cells, cells

KIND = {
    "assortative": "difficulty-biased (assortative)",
    "mcar": "completely random (mcar)",
    "anti": "anti-assortative",
    "easy_only": "easy-items-first",
    "two_blocks": "two-block",
}

LOWEST = "lowest cell mean"


def verdicts(runs: pl.DataFrame) -> list[Verdict]:
    """Return a verdict on every published claim, in the paper's order.

    Args:
        runs: rows of `_tables.RUN` of one grid.
    """
    if not of_published_design(runs):
        systems, items, trials = published.SIZE
        return [
            Verdict(
                "All published claims",
                "-",
                "-",
                "not run",
                f"They are about {systems} systems, {items} items and {trials} trials "
                "a cell; this grid has others.",
            )
        ]
    masks = runs["mask"].unique(maintain_order=True).to_list()
    return [
        *_surfaces(runs),
        *_power_law(runs),
        *_lowest_average(runs),
        *_two_pl_floor(runs, masks),
        *_unfitted(runs, masks),
        *_ties(runs),
    ]


def average_name(runs: pl.DataFrame) -> str:
    """Return the ranker that is the paper's average, in its arithmetic if stored."""
    rankers = runs["ranker"].unique().to_list()
    return PUBLISHED_AVERAGE if PUBLISHED_AVERAGE in rankers else "average"


def average_cells(runs: pl.DataFrame, mask: str) -> Cells:
    """Return the cell means of the paper's average, rounded as the paper's are.

    The published regressions start from means rounded to 4 decimals, which shows in their
    last digits. Means of fresh data are not rounded.
    """
    name = average_name(runs)
    found = cells(runs, mask, name)
    if name != PUBLISHED_AVERAGE:
        return found
    return found._replace(rho=found.rho.round(published.MEAN_DIGITS))


def of_published_design(runs: pl.DataFrame) -> bool:
    """Return whether the tables are of the paper's size, with as many trials."""
    sizes = runs.select("systems", "items", "trials").unique().rows()
    return sizes == [published.SIZE]


def _is_fresh(runs: pl.DataFrame) -> bool:
    return "jax" in runs["simulator"].unique().to_list()


def _whole(found: Cells) -> bool:
    """Return whether the cells are the paper's, all of them and no others."""
    ours = np.stack([found.sparsity, found.gap], axis=1)
    theirs = np.array(published.GRID)
    return ours.shape == theirs.shape and np.allclose(ours, theirs)


def _too_few_seeds(runs: pl.DataFrame, mask: str) -> str:
    """Say what is missing for means over the paper's seeds; "" if nothing is."""
    count = runs.filter(pl.col("mask") == mask)["seed"].n_unique()
    if count == published.SEEDS:
        return ""
    return f"Needs the {published.SEEDS} published seeds; this grid has {count}."


def _lacking(claim: str, value: object, found: Cells, what: str) -> Verdict:
    why = (
        f"Needs {what} in the paper's {published.CELLS} cells; this grid has "
        f"{len(found.rho)} of its own choice."
        if len(found.rho) >= published.CELLS
        else f"Needs {what} in all {published.CELLS} cells; this grid has "
        f"{len(found.rho)}."
    )
    return Verdict(claim, str(value), "-", "not run", why)


def _surface_numbers(found: Cells) -> dict[str, float]:
    fit = surface(found.sparsity, found.gap, 1 - found.rho)
    values = dict(zip(TERMS, fit.coefficient.tolist(), strict=True))
    return values | {"t of S x D": float(fit.t[3]), "R squared": fit.r_squared}


def _surfaces(runs: pl.DataFrame) -> Iterator[Verdict]:
    """The regression's numbers, to the printed digits on the paper's data."""
    for mask, expected in published.SURFACE.items():
        found = average_cells(runs, mask)
        claim = f"Regression of the average's error, {KIND[mask]} mask"
        if not _whole(found):
            yield _lacking(claim, expected["S x D"], found, "the plain average")
        elif _is_fresh(runs):
            numbers = {
                name: expected[name] for name in ("S x D", "t of S x D", "R squared")
            }
            claim = f"Average's error, {KIND[mask]} mask"
            yield from range_verdicts(runs, mask, claim, numbers, _surface_numbers)
        elif why := _too_few_seeds(runs, mask):
            yield Verdict(claim, str(expected["S x D"]), "-", "not run", why)
        else:
            yield from _printed_surface(runs, mask, found)


def _printed_surface(runs: pl.DataFrame, mask: str, found: Cells) -> Iterator[Verdict]:
    ours = _surface_numbers(found)
    exact = cells(runs, mask, "average")
    tied = _surface_numbers(exact) if _whole(exact) else {}
    for name, number in published.SURFACE[mask].items():
        value = ours[name]
        yield Verdict(
            f"Average's error on S, D and S x D, {KIND[mask]} mask: {name}",
            str(number),
            f"{value:.{number.digits}f}",
            "holds" if number.agrees(value) else "does not hold",
            "From cell means rounded to 4 decimals, as published."
            + (
                " With ties treated exactly and means not rounded it is "
                f"{tied[name]:.{number.digits}f}."
                if tied
                else ""
            ),
        )


def _power_numbers(found: Cells) -> dict[str, float]:
    fit = power_law(found.sparsity, found.gap, 1 - found.rho)
    return {"alpha": fit.alpha, "beta": fit.beta, "R squared": fit.r_squared}


def _power_law(runs: pl.DataFrame) -> Iterator[Verdict]:
    claim = "Average's error = alpha (S D)^beta, difficulty-biased (assortative) mask"
    law = published.POWER_LAW
    printed = f"alpha {law['alpha']}, beta {law['beta']}, R2 {law['R squared']}"
    found = average_cells(runs, "assortative")
    if not _whole(found):
        yield _lacking(claim, printed, found, "the plain average")
        return
    if _is_fresh(runs):
        yield from range_verdicts(runs, "assortative", claim, law, _power_numbers)
        return
    if why := _too_few_seeds(runs, "assortative"):
        yield Verdict(claim, printed, "-", "not run", why)
        return
    fit = power_law(found.sparsity, found.gap, 1 - found.rho)
    same = (
        law["alpha"].agrees(fit.alpha)
        and law["beta"].agrees(fit.beta)
        and law["R squared"].agrees(fit.r_squared)
    )
    yield Verdict(
        claim,
        f"{printed} over {published.POWER_LAW_CELLS} cells",
        f"alpha {fit.alpha:.4f}, beta {fit.beta:.4f}, R2 {fit.r_squared:.4f} over "
        f"{fit.n} cells",
        "holds" if same else "does not hold",
        "Fitted to log error over the cells with S D > 0 and error > 0, so cells "
        f"without error are left out. R2 is on the scale of the error; on that of its "
        f"logarithm it is {fit.r_squared_log:.4f}. The bilinear surface explains "
        f"{surface(found.sparsity, found.gap, 1 - found.rho).r_squared:.4f}.",
    )


def _lowest_number(found: Cells) -> dict[str, float]:
    return {LOWEST: float(found.rho.min())}


def _lowest_average(runs: pl.DataFrame) -> Iterator[Verdict]:
    for mask, number in published.LOWEST_AVERAGE.items():
        claim = f"Lowest cell mean of the average's rho, {KIND[mask]} mask"
        found = average_cells(runs, mask)
        if not _whole(found):
            yield _lacking(claim, number, found, "the plain average")
            continue
        if _is_fresh(runs):
            claim, numbers = f"Average's rho, {KIND[mask]} mask", {LOWEST: number}
            yield from range_verdicts(runs, mask, claim, numbers, _lowest_number)
            continue
        if why := _too_few_seeds(runs, mask):
            yield Verdict(claim, str(number), "-", "not run", why)
            continue
        worst = int(np.argmin(found.rho))
        value = float(found.rho[worst])
        yield Verdict(
            claim,
            str(number),
            f"{value:.3f}",
            "holds" if number.agrees(value) else "does not hold",
            f"At S = {found.sparsity[worst]:.2f}, D = {found.gap[worst]:.1f}.",
        )


def _two_pl_floor(runs: pl.DataFrame, masks: list[str]) -> Iterator[Verdict]:
    """The claimed floor under the 2PL's rho, on an exact reading, under each mask."""
    for mask in masks:
        found = cells(runs, mask, "two_pl")
        for floor in published.TWO_PL_FLOOR:
            claim = (
                f"2PL's rho is at least {floor} in all conditions, {KIND[mask]} mask"
            )
            if not _whole(found):
                yield _lacking(claim, f">= {floor}", found, "the 2PL")
                continue
            worst = int(np.argmin(found.rho))
            value = float(found.rho[worst])
            below = int(np.sum(found.rho < floor))
            rounded = (
                f" It rounds up to {floor}." if value < floor <= round(value, 3) else ""
            )
            yield Verdict(
                claim,
                f">= {floor}",
                f"lowest {value:.4f}, mean {found.rho.mean():.4f}",
                "holds" if value >= floor else "does not hold",
                f"{below} of {len(found.rho)} cell means are below, the lowest at "
                f"S = {found.sparsity[worst]:.2f}, D = {found.gap[worst]:.1f}.{rounded}"
                + _met_by_sweeps(runs, mask, floor)
                + (
                    "" if mask == "assortative" else " The paper did not run this mask."
                ),
            )


def _met_by_sweeps(runs: pl.DataFrame, mask: str, floor: float) -> str:
    """Say how many sweeps of 15 seeds keep the floor, where there are several."""
    of_mask = runs.filter(pl.col("mask") == mask)
    lowest = [cells(sweep, mask, "two_pl").rho.min() for sweep in sweeps_of(of_mask)]
    if len(lowest) < 2:
        return ""
    met = sum(value >= floor for value in lowest)
    return f" Met by {met} of {len(lowest)} sweeps of {published.SEEDS} seeds."


def _unfitted(runs: pl.DataFrame, masks: list[str]) -> Iterator[Verdict]:
    """The published 2PL's rho of 1 at S = 0, which was written down without a fit."""
    full = runs.filter((pl.col("sparsity") == 0) & (pl.col("ranker") == "two_pl"))
    for mask in masks:
        here = full.filter(pl.col("mask") == mask)
        claim = f"2PL's rho is 1 where nothing is hidden (S = 0), {KIND[mask]} mask"
        if here.is_empty():
            why = "This grid has no fits of the 2PL at S = 0."
            yield Verdict(claim, "1.0, not fitted", "-", "not run", why)
            continue
        good = here.filter(pl.col("code") == SUCCESS)
        lowest = good["spearman"].min() if good.height else float("nan")
        holds = good.height == here.height and lowest == published.TWO_PL_UNFITTED
        yield Verdict(
            claim,
            "1.0, not fitted",
            f"lowest {lowest:.4f}",
            "holds" if holds else "does not hold",
            f"{here.height} data sets really fitted, {good.height} of them converged; "
            f"{good.filter(pl.col('spearman') < 1).height} have a rho below 1.",
        )


def _ties(runs: pl.DataFrame) -> Iterator[Verdict]:
    """How much of the published table rests on how an average was rounded."""
    if average_name(runs) != PUBLISHED_AVERAGE:
        return
    keys = ["mask", "sparsity", "gap", "seed"]
    pair = runs.filter(pl.col("ranker") == PUBLISHED_AVERAGE).join(
        runs.filter(pl.col("ranker") == "average"), on=keys, suffix="_exact"
    )
    moved = pair.filter(
        pl.col("spearman").round(4) != pl.col("spearman_exact").round(4)
    )
    difference = (moved["spearman"] - moved["spearman_exact"]).abs()
    early = moved.filter(pl.col("seed") < 10).height
    of = pair.filter(pl.col("seed") < 10).height
    yield Verdict(
        "Published rhos of the average rank systems with equal averages as tied",
        "not stated",
        f"{moved.height} of {pair.height} rhos differ",
        "holds" if moved.is_empty() else "does not hold",
        "The published means are added in item order, whose rounding separates some "
        f"equal averages: {early} of the {of} rhos of seeds 0-9 change at 4 decimals "
        f"when ties are exact, by at most {difference.max() or 0:.4f}.",
    )
