"""A judgement in words, each with the figure that it rests on."""

import enum
from collections.abc import Mapping
from typing import NamedTuple

from irtjax.data import DesignGraph, Split

from .._registry import DEFAULT_RANKER
from ._agreement import Expected
from ._missing import Missingness, chance_in_words

CLOSE = 0.005
"""A difference in expected rho that is no reason to leave the default ranker."""

SAFE = 0.02
"""The most that a plain average may lose in expected rho and still be called safe."""

WEAK_LINK = 0.05
"""A share of cells between two parts below which their comparison is a thin one."""

NOTHING = 0.05
"""A chance of so much spread among shuffled copies above which there may be none."""

AVERAGE = "average"


class Level(enum.StrEnum):
    """How much a ranking can carry."""

    not_comparable = "not comparable"
    no_order = "no order to be seen"
    weak = "weak"
    fair = "fair"
    good = "good"


class Verdict(NamedTuple):
    """What to do with a leaderboard.

    Attributes:
        level: in a word.
        ranker: the one to use.
        average_safe: whether the plain average does about as well here; None where
            systems cannot all be compared, so that no ranking is safe.
        reasons: sentences with their figures, the gravest first.
    """

    level: Level
    ranker: str
    average_safe: bool | None
    reasons: tuple[str, ...]


def recommended(expected: Mapping[str, Expected]) -> str:
    """Return the ranker that is expected to do best, the default one where close."""
    able = {name: each.rho for name, each in expected.items() if each.rho == each.rho}
    if not able:
        return DEFAULT_RANKER
    best = max(able, key=lambda name: able[name])
    default = able.get(DEFAULT_RANKER, float("-inf"))
    return DEFAULT_RANKER if default >= able[best] - CLOSE else best


def judge(
    expected: Mapping[str, Expected],
    graph: DesignGraph,
    split: Split,
    missing: Missingness | None,
    control: float,
) -> Verdict:
    """Return the verdict on a table.

    Args:
        expected: of every ranker, by name.
        graph: of the table.
        split: its thinnest.
        missing: None where nothing is.
        control: chance of so much spread of systems among shuffled copies.
    """
    ranker = recommended(expected)
    use = expected[ranker]
    average = expected.get(AVERAGE)
    apart = graph.n_component > 1
    loss = use.rho - average.rho if average is not None else float("nan")
    safe = None if apart else bool(loss <= SAFE)
    reasons = [*_structure(graph, split), *_control(control)]
    reasons.append(
        f"On tables like this one `{ranker}` orders systems with rho {use.rho:.2f} on "
        f"average ({use.rho_lower:.2f} to {use.rho_upper:.2f} in nine of ten), and puts "
        f"the wrong system first {use.top1_miss:.0%} of the time."
    )
    if average is not None and ranker != AVERAGE and not apart:
        says = "loses little here" if loss <= SAFE else "is not safe here"
        reasons.append(
            f"The plain average {says}: rho {average.rho:.2f} on average "
            f"({average.rho_lower:.2f} to {average.rho_upper:.2f})."
        )
    reasons += _missing(missing)
    return Verdict(_level(apart, control, use.rho), ranker, safe, tuple(reasons))


def _level(apart: bool, control: float, rho: float) -> Level:
    if apart:
        return Level.not_comparable
    if control > NOTHING:
        return Level.no_order
    # Written so that a rho that is not a number is weak.
    if not rho >= 0.7:
        return Level.weak
    return Level.good if rho >= 0.9 else Level.fair


def _structure(graph: DesignGraph, split: Split) -> list[str]:
    if graph.n_component > 1:
        return [
            f"Not comparable: the systems fall into {graph.n_component:,} groups that "
            "share no items, and nothing in the table says which group is better."
        ]
    if len(split.link) > 0 and split.conductance < WEAK_LINK:
        return [
            f"Two parts of the table are joined by {len(split.link):,} "
            f"{'cell' if len(split.link) == 1 else 'cells'} alone: how their systems "
            "compare rests on those."
        ]
    return []


def _control(control: float) -> list[str]:
    if control <= NOTHING:
        return []
    return [
        "Shuffling who got which result leaves as much spread among systems in "
        f"{control:.0%} of copies: the table may hold no order at all."
    ]


def _missing(missing: Missingness | None) -> list[str]:
    if missing is None:
        return []
    said = []
    if missing.pairing.sign:
        harder = "harder" if missing.pairing.sign > 0 else "easier"
        chance = max(
            missing.pairing.chance_positive, 1 - missing.pairing.chance_positive
        )
        consequence = (
            "an average is unfair to them" if harder == "harder" else "it flatters them"
        )
        said.append(
            f"Stronger systems ran {harder} items (chance {chance_in_words(chance)}): "
            f"{consequence}."
        )
    if missing.by_ability.sign:
        more = "more" if missing.by_ability.sign > 0 else "fewer"
        said.append(
            f"Stronger systems ran {more} items (rho {missing.by_ability.mean:.2f})."
        )
    if missing.by_difficulty.sign:
        more = "more" if missing.by_difficulty.sign > 0 else "fewer"
        said.append(
            f"Harder items were run by {more} systems "
            f"(rho {missing.by_difficulty.mean:.2f})."
        )
    return said or ["Which cells are missing shows no dependence on how they came out."]
