"""The report on whether a fit can be trusted."""

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from irtjax.data import BinomialResponses, LongResponses, ResponseTable
from irtjax.irt import (
    MESSAGES,
    RESULTS,
    AbstractResponseModel,
    FitResult,
    Uncertainty,
    named,
)
from irtjax.irt.diagnostics import (
    KINDS,
    M2,
    Q3,
    Flag,
    ItemChiSquared,
    MeanSquares,
    flags,
    item_curves,
    item_mean_squares,
    log_likelihood_z,
    m2,
    observed_points,
    q3,
    rmsea_interval,
    s_x2,
    summarise_flags,
    system_mean_squares,
)

from ._blocks import Block, Cell, Column, Listing, Section, Table, Text
from ._item_curves import MOST_PANELS, item_curves_figure
from ._page import page
from ._ranking_record import versions

MOST_ROWS = 200
# S-X2 and M2 compare all systems with the same score: they need many of them, and
# their cost grows with the cube and the fourth power of the number of items.
MOST_ITEMS = {"S-X2": 200, "M2": 60}
LEAST_SYSTEMS = 100


class _Statistics(NamedTuple):
    """What could be computed for this table; None where it is not defined."""

    item: MeanSquares
    system: MeanSquares
    person: np.ndarray
    dependence: Q3
    s_x2: ItemChiSquared | None
    m2: M2 | None


def diagnostics_page(
    table: ResponseTable,
    model: AbstractResponseModel,
    result: FitResult,
    *,
    uncertainty: Uncertainty | None = None,
) -> str:
    """Return the report on a table and its fit as one self-contained HTML page.

    It says what is weak about the data and the fit, which items and systems do not
    follow the model, which items go together beyond it, and shows the curves of the
    items that fit worst. Tests that are not defined for the table are left out, and the
    page says so.

    Args:
        table: right and wrong answers, or categories.
        model: with one ability a system.
        result: the model's fit of `table`.
        uncertainty: of the fit; as for `flags`.

    Raises:
        ValueError: if the kind of responses or the model has no such statistics.
    """
    if isinstance(table.responses, LongResponses):
        table = dataclasses.replace(table, responses=table.responses.dense())
    found = flags(table, model, result, uncertainty=uncertainty)
    title = f"Diagnostics of {table.source}"
    sections = [
        Section("In short", _in_short(table, model, result, found)),
        Section("Flags", _flag_list(found)),
    ]
    if int(result.code) == RESULTS.successful:
        statistics = _statistics(table, model, result)
        sections += [
            Section("The model as a whole", _whole(statistics, table)),
            Section("Items", _items(statistics, table, model, result)),
            Section("Items that go together", _pairs(statistics, table)),
            Section("Systems", _systems(statistics, table, model, result)),
        ]
    used = ", ".join(f"{name} {number}" for name, number in versions().items())
    footer = f"Made from {table.source}. {used}."
    return page(title, sections, footer)


def _statistics(
    table: ResponseTable, model: AbstractResponseModel, result: FitResult
) -> _Statistics:
    responses, at = table.responses, result.value
    whole = _complete(responses)
    n_item = responses.shape[1]
    free = at.item.size + at.shared.size
    margins = n_item * (n_item + 1) // 2
    return _Statistics(
        item_mean_squares(model, responses, at),
        system_mean_squares(model, responses, at),
        np.asarray(log_likelihood_z(model, responses, at)),
        q3(model, responses, at),
        s_x2(model, responses, at) if whole and n_item <= MOST_ITEMS["S-X2"] else None,
        m2(model, responses, at)
        if whole and n_item <= MOST_ITEMS["M2"] and margins > free
        else None,
    )


def _complete(responses) -> bool:
    """Return whether enough systems have one answer to every item."""
    if not isinstance(responses, BinomialResponses):
        return False
    trials = np.asarray(responses.trials)
    some = trials.any(axis=1)
    return bool(np.all(trials[some] == 1) and some.sum() >= LEAST_SYSTEMS)


def _in_short(table, model, result, found: tuple[Flag, ...]) -> list[Block]:
    n_system, n_item = table.responses.shape
    code = RESULTS(int(result.code))
    text = (
        f"{n_system:,} systems, {n_item:,} items, {table.n_observed():,} cells observed; "
        f"model `{type(model).__name__}`. The fit {MESSAGES[code]} in "
        f"{int(result.stats.iterations):,} steps; its largest derivative an observation "
        f"is {float(result.stats.gradient_norm):.1e}."
    )
    lines = summarise_flags(found)
    if not lines:
        return [Text(f"{text} Nothing about the table or the fit is flagged.")]
    return [Text(text), Listing(lines)]


def _flag_list(found: tuple[Flag, ...]) -> list[Block]:
    if not found:
        return [Text("None.")]
    rows = tuple(
        (
            flag.kind,
            ", ".join(map(str, flag.ids)) or "–",
            Cell(f"{flag.figure:.3g}".replace("-", "−"), flag.figure),
            flag.message,
        )
        for flag in found[:MOST_ROWS]
    )
    kinds = dict.fromkeys(flag.kind for flag in found)
    blocks: list[Block] = [
        Table(
            caption="What should not be read blindly, and what to do.",
            columns=(
                Column("flag", note="; ".join(f"{k}: {KINDS[k]}" for k in kinds)),
                Column("about"),
                Column("figure", importance=2),
                Column("what it means"),
            ),
            rows=rows,
            name="flag-table",
        )
    ]
    if len(found) > MOST_ROWS:
        blocks.append(
            Text(
                f"{len(found) - MOST_ROWS:,} more are in `irtjax.irt.diagnostics.flags`."
            )
        )
    return blocks


def _whole(statistics: _Statistics, table: ResponseTable) -> list[Block]:
    test = statistics.m2
    if test is None:
        return [
            Text(
                "M2 is defined for complete tables of single right and wrong answers. It "
                f"is computed here for {LEAST_SYSTEMS} systems or more on up to "
                f"{MOST_ITEMS['M2']} items, which this table is not."
            )
        ]
    low, high = rmsea_interval(test)
    return [
        Text(
            f"M2 is {float(test.statistic):.2f} on {int(test.df)} degrees of freedom "
            f"(p {_chance(float(test.p))}). Its RMSEA is {float(test.rmsea):.3f}, with "
            f"a 90 % interval from {low:.3f} to {high:.3f}; below .05 is usually called "
            "close fit."
        )
    ]


def _chance(p: float) -> str:
    return "below 0.001" if p < 0.001 else f"= {p:.3f}"


def _items(statistics: _Statistics, table, model, result) -> list[Block]:
    values = named(model, result.value).item
    fit, chi = statistics.item, statistics.s_x2
    observed = np.asarray(table.responses.observed())
    order = _worst_first(fit)
    rows = []
    for k in order[:MOST_ROWS].tolist():
        row = [str(table.item_ids[k]), int(observed[:, k].sum())]
        row += [float(value[k]) for value in values.values()]
        row += [float(fit.infit[k]), float(fit.infit_z[k])]
        row += [float(fit.outfit[k]), float(fit.outfit_z[k])]
        if chi is not None:
            row += [float(chi.statistic[k]), int(chi.df[k]), float(chi.p[k])]
        rows.append(tuple(row))
    columns = [Column("item"), Column("cells", importance=2)]
    columns += [Column(name, 2) for name in values]
    columns += [
        Column("infit", 2, "squared residuals over their variances; 1 is expected"),
        Column("z of infit", 1, importance=1),
        Column("outfit", 2, "the same, each residual weighed alike: surprises count"),
        Column("z of outfit", 1, importance=1),
    ]
    if chi is not None:
        columns += [
            Column("S-X2", 1, "by groups of systems with the same score", 1),
            Column("df", 0, importance=2),
            Column("p", 3),
        ]
    blocks: list[Block] = [
        Table(
            caption=_cut("Items, the worst fit first", len(order)),
            columns=tuple(columns),
            rows=tuple(rows),
            name="item-table",
        )
    ]
    drawn = [k for k in order.tolist() if np.isfinite(fit.infit[k])][:MOST_PANELS]
    if drawn:
        blocks.append(_curves(table, model, result, drawn))
    return blocks


def _curves(table, model, result, drawn: list[int]) -> Block:
    kind = model.system_parameters[0]
    ability = np.asarray(jax.vmap(kind.transform.forward)(result.value.system[:, 0]))
    reach = max(3.0, float(np.max(np.abs(ability))))
    grid = jnp.linspace(-reach, reach, 81).astype(result.value.system.dtype)
    curves = item_curves(model, table.responses, result.value, grid)
    points = observed_points(
        model, table.responses, result.value, bins=min(8, len(ability))
    )
    labels = [str(table.item_ids[k]) for k in drawn]
    return item_curves_figure(curves, points, drawn, labels)


def _worst_first(fit: MeanSquares) -> np.ndarray:
    """Return rows by how far the larger of infit and outfit z is from 0; NaN last."""
    size = np.fmax(np.abs(fit.infit_z), np.abs(fit.outfit_z))
    return np.argsort(np.where(np.isnan(size), np.inf, -size), kind="stable")


def _cut(caption: str, number: int) -> str:
    more = f"; {MOST_ROWS} of {number:,}" if number > MOST_ROWS else ""
    return f"{caption}{more}."


def _pairs(statistics: _Statistics, table: ResponseTable) -> list[Block]:
    corrected = np.asarray(statistics.dependence.corrected)
    first, second = np.triu_indices(len(corrected), 1)
    value = corrected[first, second]
    known = np.isfinite(value)
    if not known.any():
        return [Text("No pair of items has two systems in common whose scores vary.")]
    order = np.argsort(-np.where(known, np.abs(value), -np.inf), kind="stable")[:20]
    raw = np.asarray(statistics.dependence.correlation)[first, second]
    both = np.asarray(table.responses.observed()).astype(float)
    common = both.T @ both
    rows = tuple(
        (
            str(table.item_ids[first[k]]),
            str(table.item_ids[second[k]]),
            Cell(f"{value[k]:.2f}".replace("-", "−"), float(value[k])),
            float(raw[k]),
            int(common[first[k], second[k]]),
        )
        for k in order.tolist()
        if known[k]
    )
    return [
        Table(
            caption=(
                "Pairs of items whose residuals correlate most. With few systems in "
                "common, large values come by chance."
            ),
            columns=(
                Column("item"),
                Column("and item"),
                Column("Q3 less its mean", 2, "0.2 and more is a warning sign"),
                Column("Q3", 2, importance=1),
                Column("systems", 0, importance=2),
            ),
            rows=rows,
            name="pair-table",
        )
    ]


def _systems(statistics: _Statistics, table, model, result) -> list[Block]:
    kind = model.system_parameters[0].name
    ability = np.asarray(named(model, result.value).system[kind])
    person = statistics.person
    order = np.argsort(np.where(np.isnan(person), np.inf, person), kind="stable")
    fit = statistics.system
    rows = tuple(
        (
            str(table.system_ids[k]),
            float(ability[k]),
            float(person[k]),
            float(fit.infit[k]),
            float(fit.outfit[k]),
        )
        for k in order[:MOST_ROWS].tolist()
    )
    return [
        Table(
            caption=_cut(
                "Systems, the least likely pattern of answers first", len(order)
            ),
            columns=(
                Column("system"),
                Column(kind, 2),
                Column(
                    "person fit",
                    1,
                    "standardised log-likelihood: below −2, hard items right and easy "
                    "ones wrong more often than the model expects",
                ),
                Column("infit", 2, importance=1),
                Column("outfit", 2, importance=1),
            ),
            rows=rows,
            name="system-table",
        )
    ]
