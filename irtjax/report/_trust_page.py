"""The report on whether a leaderboard can be trusted, and the same as data and lines."""

from irtjax.data import ResponseTable
from irtjax.ranking.trust import Trust

from ._blocks import Listing, Section, Text
from ._connectivity import connectivity
from ._lines import separated
from ._next_page import next_record
from ._page import page
from ._ranking_record import versions
from ._table_heat_map import table_heat_map
from ._trust_blocks import trust_sections, verdict_blocks
from ._trust_sentences import (
    Helpful,
    best_first,
    helpful_sentences,
    missing_sentences,
    trust_facts,
    verdict_sentence,
)

_FIELDS = ("rho", "rho_lower", "rho_upper", "tau", "top1_miss", "failed")

REFERENCES = (
    "Missing cells modelled with the results: Holman & Glas (2005), British Journal of "
    "Mathematical and Statistical Psychology 58.",
    "Split halves: Spearman (1910) and Brown (1910), British Journal of Psychology 3.",
)
"""What the page refers to."""


def trust_lines(found: Trust) -> str:
    """Return one tab-separated line a ranker under a line of names, the best first."""
    return separated(
        ("ranker", *_FIELDS, "use"),
        (
            (
                name,
                *(getattr(each, field) for field in _FIELDS),
                name == found.verdict.ranker,
            )
            for name, each in best_first(found)
        ),
    )


def trust_verdict(found: Trust) -> tuple[str, ...]:
    """Return the verdict and its reasons, as lines to be read first."""
    reasons = (f"- {reason}" for reason in found.verdict.reasons)
    return (*found.notes, verdict_sentence(found), *reasons)


def trust_remarks(found: Trust, helpful: Helpful) -> tuple[str, ...]:
    """Return what else bears on trust and which cells would help most, as lines.

    Args:
        found: of one table.
        helpful: cells by `irtjax.active.cells.next_cells`, or why none are named.
    """
    missing = missing_sentences(found.missing)
    return (*trust_facts(found), *missing, *helpful_sentences(helpful))


def trust_record(found: Trust, helpful: Helpful, table: ResponseTable) -> dict:
    """Return everything that was found as values that JSON can hold.

    Args:
        found: of `table`.
        helpful: cells by `irtjax.active.cells.next_cells`, or why none are named.
        table: the same table.
    """
    named = not isinstance(helpful, str)
    return {
        "format": 1,
        "versions": versions(),
        "n_observed": table.n_observed(),
        "score_is": table.score_is,
        "trials_from": table.trials_from,
        **found.to_dict(),
        "next_cells": next_record(helpful) if named else None,
        "no_next_cells_because": None if named else helpful,
    }


def trust_page(found: Trust, helpful: Helpful, table: ResponseTable) -> str:
    """Return the report on trust as one self-contained HTML page.

    Args:
        found: of `table`.
        helpful: cells by `irtjax.active.cells.next_cells`, or why none are named.
        table: the same table.
    """
    first, second, third, method = trust_sections(found, helpful)
    method = Section(
        method.title, [*method.blocks, *map(Text, found.notes), Listing(REFERENCES)]
    )
    sections = [
        Section("In short", verdict_blocks(found)),
        first,
        second,
        third,
        Section("How the table hangs together", connectivity(table)),
        Section("The table", [table_heat_map(table), Listing(tuple(table.describe()))]),
        method,
    ]
    used = ", ".join(f"{name} {number}" for name, number in versions().items())
    footer = f"Made by `irtjax trust` from {found.source}, seed {found.seed}. {used}."
    return page(f"Can {found.source} be trusted?", sections, footer)
