"""What a grown pool is and is worth, and what it says of answers, as lines and files."""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from irtjax.cegar import VERDICTS, Archive, Evaluation, Grown, Judged, Pool

from ._lines import separated

_WORDS = {number: word for word, number in VERDICTS.items()}
_GATE = re.compile(r"gains [-+]")
_KINDS = (
    (_GATE, "gains too little, or no more than the best of as many gains by luck"),
    (re.compile(r"flags the same answers"), "flags the same answers as an earlier one"),
    (re.compile(r"flags no answer"), "flags no answer"),
    (re.compile(r"asks for level"), "needs a wider interface than was offered"),
    (re.compile(r"its verdicts are not fixed"), "its verdicts are not fixed"),
)


def unproven_remark() -> str:
    """Return what to say of a pool that was scored on no unseen task."""
    return (
        "No task was held out, so the gain is not proven: judge other answers with labels "
        "(`irtjax judge`), or hold some out."
    )


def gain_remarks(
    found: Evaluation, interval: tuple[float, float], tasks: int, which: str
) -> tuple[str, ...]:
    """Return what a pool is worth on labelled answers, as sentences.

    Args:
        found: by `irtjax.cegar.evaluate`.
        interval: 95 % interval of the gain.
        tasks: that it was scored on.
        which: a word for these tasks, such as "held-out".
    """
    gain = found.gain
    if not gain.headroom > 0:
        return (
            f"None of the {tasks} {which} tasks has right and wrong answers, so there is nothing "
            "to gain: the pool is not proven.",
        )
    lower, upper = interval
    lines = [
        f"On {tasks} {which} tasks a pick is right with chance {gain.accuracy:.4f}, "
        f"{gain.accuracy - gain.delta:.4f} without the pool: Delta {gain.delta:+.4f} "
        f"(95 % interval {lower:+.4f} to {upper:+.4f}), {100 * gain.closed:.1f} % of what "
        "a perfect metric would gain.",
        f"Helped {gain.helped} tasks, hurt {gain.hurt}; flagged {found.flagged} samples, "
        f"{found.flagged_wrong} of them wrong.",
        "Chance of such a gain by luck: as many samples flagged at random "
        f"p {_at_most(found.exact.p_value)} (exact), as many different answers "
        f"p = {found.programs.p_value:.2g} (of {found.programs.draws:,} draws), tasks "
        f"helped or hurt by a coin p = {found.sign:.2g}.",
    ]
    if max(found.exact.p_value, found.programs.p_value) > 0.05:
        lines.append("So luck may have given it: it is not proven.")
    elif lower <= 0:
        lines.append(
            "This is more than luck, but with so few tasks the interval holds 0: on "
            "others the gain may be none."
        )
    return tuple(lines)


def grown_lines(grown: Grown, folder: Path) -> str:
    """Return one tab-separated line an operator of the pool, with its file.

    Args:
        grown: by `irtjax.cegar.grow`.
        folder: where the pool was saved.
    """
    return separated(
        ("operator", "level", "defect", "source"),
        (
            (each.name, each.level, each.defect, folder / f"operator_{number}.py")
            for number, each in enumerate(grown.pool.operators, start=1)
        ),
    )


def grown_remarks(grown: Grown) -> tuple[str, ...]:
    """Return how a run went: what was tried, admitted and refused, and why.

    Args:
        grown: by `irtjax.cegar.grow`.
    """
    run = grown.run
    admitted, chosen = len(run.pool), len(grown.pool.operators)
    counts = refusal_counts(run.archive)
    lines = [
        f"{_many(len(run.rounds), 'round')}, {_many(len(run.archive), 'proposal')}, "
        f"{admitted} admitted; "
        f"the best vote on the {len(grown.panel.task_ids)} training tasks is that of "
        f"{chosen}."
    ]
    lines += [f"Refused {number}: {reason}." for reason, number in counts]
    if not run.rounds:
        lines.append(
            "The first operators, which do not vote, tell all right and wrong answers "
            "apart, so there was no blind spot to start from: begin without them by "
            "first='none'."
        )
    elif not admitted:
        lines.append(
            "No operator was admitted: more labelled tasks with right and wrong answers "
            "are what helps most."
        )
    return tuple(lines)


def refusal_counts(archive: Archive) -> tuple[tuple[str, int], ...]:
    """Return how many attempts were refused for which kind of reason, most first.

    Args:
        archive: of a run.
    """
    counts = Counter(_kind(each.reason) for each in archive if not each.admitted)
    return tuple(counts.most_common())


def pool_report(grown: Grown, proof: Sequence[str]) -> str:
    """Return a pool's report as Markdown: its worth, its sources, all refusals.

    Args:
        grown: by `irtjax.cegar.grow`.
        proof: by `gain_remarks`, or `unproven_remark`.
    """
    parts = [
        "# A pool of operators",
        f"Hash `{grown.pool.hash}`. An answer is rejected when two operators flag it, or "
        "the only one.",
        "## What it is worth",
        *proof,
        "## How it grew",
        *(f"- {line}" for line in grown_remarks(grown)),
    ]
    for number, operator in enumerate(grown.pool.operators, start=1):
        parts += [
            f"## Operator {number}: `{operator.name}`",
            f"Level {operator.level}. {operator.defect}",
            f"```python\n{operator.source}```",
        ]
    parts.append("## Every attempt")
    parts += [
        f"- {'admitted' if each.admitted else 'refused'}, level {each.level}: "
        f"`{_line(each.operator.name)}`: {_line(each.reason)}"
        for each in grown.run.archive
    ]
    return "\n\n".join(parts) + "\n"


def judged_remarks(pool: Pool, found: Sequence[Judged]) -> tuple[str, ...]:
    """Return what a pool did to some answers, as sentences.

    Args:
        pool: frozen.
        found: by `irtjax.cegar.judge_cases`.
    """
    answers = sum(len(each.met) for each in found)
    met = sum(int(each.met.sum()) for each in found)
    rejected = sum(int((each.met & ~each.kept).sum()) for each in found)
    lines = [
        f"A pool of {_many(len(pool.operators), 'operator')}, hash {pool.hash[:12]}; "
        f"{len(found)} tasks, {answers} different answers, {met} of which meet the "
        f"visible checks; {rejected} of these are rejected."
    ]
    lines += [
        f"operator_{number}: {each.name}. {_line(each.defect)}."
        for number, each in enumerate(pool.operators, start=1)
    ]
    trained = set(pool.about.get("training_task_ids", ()))
    known = sum(each.case.task.task_id in trained for each in found)
    if known:
        lines.append(
            f"The pool was grown on {known} of these tasks: what it gains there is no proof."
        )
    none = sum(each.pick is None for each in found)
    if none:
        lines.append(f"{none} tasks have no answer that meets the visible checks.")
    return tuple(lines)


def judged_lines(pool: Pool, found: Sequence[Judged]) -> str:
    """Return one tab-separated line a task; answers are numbered from 1, as in the CSV.

    Args:
        pool: frozen.
        found: by `irtjax.cegar.judge_cases`.
    """
    return separated(
        ("task", "answers", "pick", "kept", "rejected"),
        (
            (
                each.case.task.task_id,
                len(each.met),
                None if each.pick is None else each.pick + 1,
                ",".join(str(n + 1) for n, kept in enumerate(each.kept) if kept),
                _grouped(each),
            )
            for each in found
        ),
    )


def _grouped(each: Judged) -> str:
    """Return which answers are not kept, those with the same reason together."""
    groups: dict[str, list[str]] = {}
    for n in range(len(each.met)):
        if each.kept[n]:
            continue
        names = [f"operator_{place + 1}" for place in each.flagged_by(n)]
        why = " and ".join(names) if each.met[n] else "visible check"
        groups.setdefault(why, []).append(str(n + 1))
    return "; ".join(f"{','.join(those)} ({why})" for why, those in groups.items())


def judged_csv(pool: Pool, found: Sequence[Judged]) -> str:
    """Return one comma-separated line an answer, with every operator's verdict.

    Args:
        pool: frozen.
        found: by `irtjax.cegar.judge_cases`.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    verdicts = [f"operator_{n}" for n in range(1, len(pool.operators) + 1)]
    writer.writerow(
        ("task", "answer", "samples", "meets_checks", *verdicts, "kept", "pick", "reason",
         "text")
    )  # fmt: skip
    for each in found:
        for n, candidate in enumerate(each.case.candidates):
            met = bool(each.met[n])
            said = [_WORDS[int(v)] if met else "" for v in each.verdicts[:, n]]
            writer.writerow(
                (
                    each.case.task.task_id,
                    n + 1,
                    candidate.count,
                    _yes(met),
                    *said,
                    _yes(each.kept[n]),
                    _yes(each.pick == n),
                    _why(pool, each, n),
                    candidate.text,
                )
            )
    return text.getvalue()


def _why(pool: Pool, each: Judged, n: int) -> str:
    """Return what speaks against an answer: a visible check, or operators' defects."""
    if not each.met[n]:
        return "fails a visible check"
    flagging = (pool.operators[place] for place in each.flagged_by(n))
    return " and ".join(f"{one.name} ({_line(one.defect)})" for one in flagging)


def _at_most(p_value: float) -> str:
    """Return a p-value; the exact one is not told below 1e-13."""
    return "<= 1e-13" if p_value <= 1e-13 else f"= {p_value:.2g}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _yes(value: object) -> str:
    return "yes" if value else "no"


def _line(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


def _kind(reason: str) -> str:
    for pattern, kind in _KINDS:
        if pattern.search(reason):
            return kind
    return re.sub(r"\d[\d.,]*", "#", _line(reason))
