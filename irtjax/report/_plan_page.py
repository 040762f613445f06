"""The report on a plan, and the same as data."""

import numpy as np

from irtjax.active import History
from irtjax.active.pipeline import Plan
from irtjax.ranking import plain_id

from ._blocks import Column, Section, Table, Text
from ._page import page
from ._ranking_record import versions


def plan_record(plan: Plan, history: History) -> dict:
    """Return a plan as values that JSON can hold.

    Args:
        plan: made from `history`.
        history: the same history.
    """
    return {
        "versions": versions(),
        "source": history.source,
        "history": plan.history,
        "design": plan.design,
        "seed": plan.seed,
        "items": [
            {"item": plain_id(item), "sampled": bool(drawn)}
            for item, drawn in zip(plan.item_ids, plan.sampled, strict=True)
        ],
    }


def plan_remarks(plan: Plan, history: History) -> tuple[str, ...]:
    """Return what a plan is, in sentences."""
    drawn = int(np.count_nonzero(plan.sampled))
    return (
        f"{len(plan.item_ids):,} of {len(history.item_ids):,} items, by "
        f"{plan.design}, {drawn:,} of them drawn by chance; from "
        f"{len(history.source_ids):,} historical systems (history {plan.history}).",
    )


def plan_page(plan: Plan, history: History) -> str:
    """Return the report of a plan as one self-contained HTML page.

    Args:
        plan: made from `history`.
        history: the same history.
    """
    expected = history.score_of(np.asarray(history.sources.mean(), np.float64))
    rows = history.positions(plan.item_ids)
    means = Table(
        caption=f"The items to run. Scores count {history.score_is}.",
        columns=(
            Column("order"),
            Column("item"),
            Column("historical mean", note="Mean score of the historical systems."),
            Column("drawn", note="Whether the item was drawn by chance."),
        ),
        rows=tuple(
            (k + 1, str(item), float(expected[row]), "yes" if drawn else "no")
            for k, (item, row, drawn) in enumerate(
                zip(plan.item_ids, rows, plan.sampled, strict=True)
            )
        ),
        name="items",
    )
    spread = (
        f"The plan's items have a historical mean of {expected[rows].mean():.3f}, all "
        f"items one of {expected.mean():.3f}. They need not agree: an estimate knows "
        "how hard the items were that were run."
    )
    sections = (
        Section(
            "In short", [Text("\n\n".join((*plan_remarks(plan, history), spread)))]
        ),
        Section("What to run", [means]),
        Section(
            "What to do with it",
            [
                Text(
                    "Run the new system on these items, in this order if the run may be "
                    "broken off, and put its scores into the column `score`. Then "
                    "`irtjax estimate` gives its score over all items with an interval. "
                    "Scores may come in any order and some may be missing."
                )
            ],
        ),
    )
    used = ", ".join(f"{name} {number}" for name, number in versions().items())
    footer = f"Made by `irtjax plan` from {history.source}, seed {plan.seed}. {used}."
    return page(f"What to run of {history.source}", sections, footer)
