"""The report of one ranking."""

from collections.abc import Sequence

import numpy as np

from irtjax.data import ResponseTable
from irtjax.ranking import Ranking

from ._blocks import Block, Column, Listing, Section, Table, Text
from ._citation import REFERENCES, citation
from ._connectivity import connectivity
from ._item_map import item_map
from ._leaderboard import leaderboard_figure
from ._move_table import move_table
from ._moves import moves
from ._page import page
from ._ranking_record import versions
from ._ranking_table import ranking_table
from ._table_heat_map import table_heat_map

_MOST_ITEMS = 200


def ranking_page(
    ranking: Ranking, table: ResponseTable, *, trust: Sequence[Block] = ()
) -> str:
    """Return the report of a ranking as one self-contained HTML page.

    It says who leads and how surely, who stands elsewhere by the plain mean and why,
    what cannot be compared, how hard the items are, what the input was taken to mean,
    how it was computed, and how to cite it.

    Args:
        ranking: of `table`.
        table: the same table.
        trust: blocks on whether the ranking can be trusted, shown near the top.
    """
    sections = [
        Section("In short", _in_short(ranking, table)),
        Section("Can it be trusted?", trust),
        Section("Leaderboard", _leaderboard(ranking)),
        Section("Against the plain mean", _against_plain_mean(ranking, table)),
        Section("What cannot be compared", _not_comparable(ranking)),
        Section("How the table hangs together", connectivity(table)),
        Section("Items", _items(ranking)),
        Section("The table", _the_table(ranking, table)),
        Section("Method", _method(ranking, table)),
        Section("To cite", [Text(citation(ranking, table)), Listing(REFERENCES)]),
    ]
    sections = [section for section in sections if section.blocks]
    used = ", ".join(f"{name} {number}" for name, number in versions().items())
    footer = f"Made by `irtjax rank` from {table.source}, seed {ranking.seed}. {used}."
    return page(f"Ranking of {table.source}", sections, footer)


def _in_short(ranking: Ranking, table: ResponseTable) -> list[Block]:
    n_system, n_item = table.responses.shape
    coverage = table.n_observed() / (n_system * n_item)
    size = (
        f"{n_system:,} systems, {n_item:,} items, {coverage:.1%} of the cells observed."
    )
    blocks: list[Block] = [Text(f"{size} {_leader(ranking)}")]
    # A wrong guess of the direction puts the worst system on top: not for the end alone.
    guessed = [note for note in ranking.notes if "score_is=" in note]
    if guessed or ranking.warnings:
        blocks.append(Listing((*guessed, *ranking.warnings)))
    return blocks


def _leader(ranking: Ranking) -> str:
    """Return who is first, how surely, and who might be."""
    best = ranking.best_first()[0]
    if np.isnan(ranking.rank[best]):
        return "No system has a score, so there is no ranking."
    rivals = [
        str(ranking.system_ids[system])
        for system in ranking.best_first()
        if system != best
        and ranking.component[system] == ranking.component[best]
        and not ranking.separable[best, system]
    ]
    first = f"First by `{ranking.ranker}`: {ranking.system_ids[best]}"
    if np.isnan(ranking.p_best[best]):
        return f"{first}, which can be compared with no other system."
    sure = f"{first}, the best with probability {_chance(float(ranking.p_best[best]))}."
    if not rivals:
        return f"{sure} The data tell it apart from every system it is compared with."
    more = f" and {len(rivals) - 5:,} more" if len(rivals) > 5 else ""
    return f"{sure} The data cannot tell it apart from {', '.join(rivals[:5])}{more}."


def _chance(p: float) -> str:
    """Return a probability to two decimals that never reads as a certainty."""
    if p > 0.99:
        return "above 0.99"
    return "below 0.01" if p < 0.01 else f"{p:.2f}"


def _leaderboard(ranking: Ranking) -> list[Block]:
    blocks: list[Block] = []
    if np.isfinite(ranking.score).any():
        blocks.append(leaderboard_figure(ranking))
    return [*blocks, ranking_table(ranking)]


def _against_plain_mean(ranking: Ranking, table: ResponseTable) -> list[Block]:
    sentences = moves(ranking, table)
    if not sentences:
        return [Text("No system moves by a rank or more against the plain mean.")]
    n_system, n_item = table.responses.shape
    if table.n_observed() == n_system * n_item:
        why = (
            "Every system ran every item, so the plain mean is fair. Systems move only "
            "because items that tell more about the systems count for more here."
        )
    else:
        why = (
            "A plain mean is fair only if all systems ran equally hard items. How hard "
            "an item was is read off the table here, as its mean over the systems that "
            "ran it, which in turn depends on which systems those were."
        )
    return [
        Text(f"{why} The largest moves against it:"),
        Listing(sentences),
        move_table(ranking, table),
    ]


def _not_comparable(ranking: Ranking) -> list[Block]:
    if not ranking.not_comparable:
        return [
            Text(
                "Every pair of systems is connected through items that both ran, "
                "directly or through others, so all can be compared."
            )
        ]
    return [Listing(tuple(ranking.not_comparable))]


def _items(ranking: Ranking) -> list[Block]:
    items = ranking.items
    if items is None or not np.isfinite(ranking.score).any():
        return []
    order = np.argsort(-items.difficulty, kind="stable")
    rows = tuple(
        (
            str(items.item_ids[k]),
            float(items.difficulty[k]) if items.n_system[k] else None,
            float(items.se[k]) if items.n_system[k] else None,
            int(items.n_system[k]),
        )
        for k in order[:_MOST_ITEMS]
    )
    caption = "Items, hardest first."
    if len(order) > _MOST_ITEMS:
        caption += f" The first {_MOST_ITEMS} of {len(order):,}."
    columns = (
        Column("item"),
        Column(
            "difficulty",
            note="The ability at which right and wrong are as likely, in logits.",
        ),
        Column("standard error"),
        Column("systems", note="How many ran the item."),
    )
    return [
        item_map(ranking),
        Table(caption, columns, rows, name="items-by-difficulty"),
    ]


def _the_table(ranking: Ranking, table: ResponseTable) -> list[Block]:
    facts = (
        ("source", table.source),
        ("systems are in", table.systems_in or "a column of a long table"),
        ("a score of 1 is", f"a {table.score_is}"),
        ("trials", table.trials_from),
    )
    understood = Table(
        caption="What the input was taken to mean. If a line is wrong, so is the rank.",
        columns=(Column("property"), Column("taken as")),
        rows=facts,
        name="input",
    )
    blocks: list[Block] = [table_heat_map(table), understood]
    if ranking.notes:
        blocks.append(Listing(tuple(ranking.notes)))
    return blocks


def _method(ranking: Ranking, table: ResponseTable) -> list[Block]:
    codes = ", ".join(f"{name}: {count}" for name, count in ranking.codes.items())
    return [
        Text(ranking.method),
        Text(
            f"Seed {ranking.seed}; confidence level {ranking.level:.0%}; trials "
            f"{table.trials_from}. Fits by result code: {codes or 'none needed'}."
        ),
    ]
