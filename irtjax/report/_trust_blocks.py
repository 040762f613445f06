"""Whether a leaderboard can be trusted, as blocks of a report."""

from irtjax.active.cells import NextCells
from irtjax.ranking.trust import LEVEL, Missingness, Trust

from ._blocks import Block, Cell, Column, Listing, Section, Table, Text
from ._ranking_table import interval_cell
from ._trust_figure import trust_figure
from ._trust_sentences import (
    Helpful,
    best_first,
    effect_rows,
    helpful_sentences,
    missing_sentences,
    trust_facts,
    verdict_sentence,
)

_METHOD = (
    "Truths are drawn that the table could have come from: the posterior of a 2PL, with "
    "which cells are missing modelled together with the results. From each truth a table "
    "with the same cells and trials is simulated, every ranker ranks it, and its order is "
    "compared with the truth. What is not seen: answers that follow no 2PL, and results "
    "that are missing because of how they came out beyond what ability and difficulty "
    "say."
)


def trust_blocks(found: Trust, helpful: Helpful) -> list[Block]:
    """Return the verdict with its reasons, what to expect of rankers, and what to run.

    Args:
        found: of one table.
        helpful: cells by `irtjax.active.cells.next_cells`, or why none are named.
    """
    return [*verdict_blocks(found), *trust_sections(found, helpful)]


def verdict_blocks(found: Trust) -> list[Block]:
    """Return the verdict and its reasons."""
    return [Text(verdict_sentence(found)), Listing(found.verdict.reasons)]


def trust_sections(found: Trust, helpful: Helpful) -> list[Section]:
    """Return everything but the verdict, under headings."""
    rankers: list[Block] = []
    if any(each.rho == each.rho for each in found.expected.values()):
        rankers.append(trust_figure(found))
    missing = found.missing
    if missing is None:
        facts = [Listing((*trust_facts(found), *missing_sentences(None)))]
    else:
        facts = [Listing(trust_facts(found)), _missing_table(missing)]
    return [
        Section("What to expect of each ranker", [*rankers, trust_table(found)]),
        Section("What bears on trust", facts),
        Section("What would help most", _helpful(helpful)),
        Section("How trust was judged", [Text(_METHOD)]),
    ]


def trust_table(found: Trust, *, name: str = "rankers") -> Table:
    """Return one row a ranker, the one expected to do best first.

    Args:
        found: of one table.
        name: an identifier, unique on the page.
    """
    columns = [
        Column(
            "ranker",
            note="The one to use is marked; the default is kept where it is close.",
        ),
        Column(
            "expected rho",
            importance=1,
            note="Spearman's, with the true order: the mean over simulated tables.",
        ),
        Column(
            "rho interval",
            importance=2,
            note=f"Holds the rho of {LEVEL:.0%} of simulated tables.",
        ),
        Column("tau", importance=4, note="Kendall's tau-b, mean."),
        Column(
            "first place wrong",
            importance=3,
            note="How often a system comes first that is not the best.",
        ),
    ]
    failed = any(each.failed for each in found.expected.values())
    if failed:
        columns.append(
            Column("failed", importance=5, note="Tables that it could not rank.")
        )
    rows = []
    for key, each in best_first(found):
        use = " (use this)" if key == found.verdict.ranker else ""
        row = [
            f"{key}{use}",
            each.rho,
            interval_cell(each.rho_lower, each.rho_upper, "z.3f"),
            each.tau,
            Cell(
                "–" if each.top1_miss != each.top1_miss else f"{each.top1_miss:.0%}",
                each.top1_miss,
            ),
        ]
        rows.append(tuple([*row, each.failed] if failed else row))
    return Table(
        caption=f"What to expect of each ranker on tables like {found.source}.",
        columns=tuple(columns),
        rows=tuple(rows),
        name=name,
    )


def _missing_table(missing: Missingness) -> Table:
    rows = tuple(
        (
            name,
            each.mean,
            interval_cell(each.lower, each.upper, "z.2f"),
            each.chance_positive,
        )
        for name, each in effect_rows(missing)
    )
    return Table(
        caption="What missing cells depend on: 0 if they are an accident.",
        columns=(
            Column("dependence"),
            Column("estimate", digits=2),
            Column("95% interval"),
            Column("chance above 0", note="Near 1 or 0 the sign is all but sure."),
        ),
        rows=rows,
        name="missing-cells",
    )


def _helpful(helpful: Helpful) -> list[Block]:
    if not isinstance(helpful, NextCells):
        return [Listing(helpful_sentences(helpful))]
    rows = tuple(
        (Cell(str(k + 1), k + 1), str(system), str(item), float(value))
        for k, (system, item, value) in enumerate(
            zip(helpful.system_ids, helpful.item_ids, helpful.value, strict=True)
        )
    )
    return [
        Text(helpful_sentences(helpful)[-1]),
        Table(
            caption="The cells to run first; `irtjax next` names more.",
            columns=(
                Column("order"),
                Column("system"),
                Column("item"),
                Column(
                    "expected gain",
                    digits=5,
                    note="The expected fall of the squared error of the chances that "
                    "comparisons come out as they do, added to the cells above.",
                ),
            ),
            rows=rows,
            name="helpful-cells",
        ),
    ]
