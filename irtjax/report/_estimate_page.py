"""The report on an estimated score, and the same as data and as lines."""

import csv
import io

from irtjax.active.pipeline import METHODS, Interval, ScoreDifference, ScoreEstimate
from irtjax.ranking import plain_id

from ._blocks import Block, Column, Listing, Section, Table, Text
from ._page import page
from ._ranking_record import versions


def estimate_lines(found: ScoreEstimate, difference: ScoreDifference | None) -> str:
    """Return one tab-separated line an estimate under a line of names.

    The score to read comes first, then the other intervals, the categories and the
    difference.
    """
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(["of", "score", "lower", "upper", "interval", "answers", "items"])

    def row(name: str, each: Interval, answers: int, items: int) -> None:
        numbers = [f"{x:.6g}" for x in (each.score, each.lower, each.upper)]
        writer.writerow([name, *numbers, each.method, answers, items])

    for each in found.intervals:
        row("all", each, found.n_answer, found.n_item)
    for part in found.categories:
        row(str(part.category), part.interval, part.n_answer, part.n_item)
    if difference is not None:
        row(
            f"{difference.first} - {difference.second}",
            _as_interval(difference),
            difference.n_common,
            found.n_item,
        )
    return text.getvalue()


def estimate_record(found: ScoreEstimate, difference: ScoreDifference | None) -> dict:
    """Return an estimate as values that JSON can hold."""
    record = {
        "versions": versions(),
        "source": found.source,
        "scores": found.name,
        "score_is": found.score_is,
        "level": found.level,
        "score": found.score,
        "lower": found.lower,
        "upper": found.upper,
        "n_answer": found.n_answer,
        "n_item": found.n_item,
        "intervals": [_plain(each) for each in found.intervals],
        "categories": [
            {
                "category": plain_id(each.category),
                **_plain(each.interval),
                "n_answer": each.n_answer,
                "n_item": each.n_item,
            }
            for each in found.categories
        ],
        "missing": [plain_id(each) for each in found.missing],
        "notes": list(found.notes),
    }
    if difference is not None:
        record["difference"] = {
            "first": difference.first,
            "second": difference.second,
            "difference": difference.difference,
            "lower": difference.lower,
            "upper": difference.upper,
            "chance_above": difference.chance_above,
            "n_common": difference.n_common,
        }
    return record


def estimate_remarks(
    found: ScoreEstimate, difference: ScoreDifference | None
) -> tuple[str, ...]:
    """Return an estimate in sentences, its notes after it."""
    said = (
        f"{found.n_answer:,} of {found.n_item:,} items answered; scores count "
        f"{found.score_is}.",
        f"Score {found.score:.4f}, {found.level:.0%} interval {found.lower:.4f} to "
        f"{found.upper:.4f}.",
    )
    if difference is not None:
        said += (
            f"{difference.first} less {difference.second}: {difference.difference:+.4f}, "
            f"{difference.level:.0%} interval {difference.lower:+.4f} to "
            f"{difference.upper:+.4f}; the first number is the higher one with "
            f"probability {difference.chance_above:.3f}.",
        )
    return (*said, *found.notes)


def estimate_page(found: ScoreEstimate, difference: ScoreDifference | None) -> str:
    """Return the report of an estimate as one self-contained HTML page."""
    said = estimate_remarks(found, difference)
    first = len(said) - len(found.notes)
    short: list[Block] = [Text("\n\n".join(said[:first]))]
    if found.notes:
        short.append(Listing(found.notes))
    intervals = Table(
        caption=f"The score over all items, with {found.level:.0%} intervals.",
        columns=(
            Column("interval"),
            Column("score", digits=4),
            Column("lower", digits=4),
            Column("upper", digits=4),
        ),
        rows=tuple(
            (each.method, each.score, each.lower, each.upper)
            for each in found.intervals
        ),
        name="intervals",
    )
    bases = Listing(
        tuple(f"{each.method}: {METHODS[each.method]}" for each in found.intervals)
    )
    sections = [Section("In short", short), Section("The score", [intervals, bases])]
    if found.categories:
        parts = Table(
            caption="The score of each category.",
            columns=(
                Column("category"),
                Column("score", digits=4),
                Column("lower", digits=4),
                Column("upper", digits=4),
                Column("answered"),
                Column("items"),
            ),
            rows=tuple(
                (
                    str(each.category),
                    each.interval.score,
                    each.interval.lower,
                    each.interval.upper,
                    each.n_answer,
                    each.n_item,
                )
                for each in found.categories
            ),
            name="by-category",
        )
        sections.append(Section("Categories", [parts]))
    used = ", ".join(f"{name} {number}" for name, number in versions().items())
    footer = f"Made by `irtjax estimate` from {found.source} and {found.name}. {used}."
    return page(f"Score of {found.name}", sections, footer)


def _plain(each: Interval) -> dict[str, str | float]:
    return {
        "interval": each.method,
        "score": each.score,
        "lower": each.lower,
        "upper": each.upper,
    }


def _as_interval(difference: ScoreDifference) -> Interval:
    return Interval(
        "left out", difference.difference, difference.lower, difference.upper
    )
