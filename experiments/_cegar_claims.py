"""EvalCEGAR's published claims, beside what the same question gave here."""

import polars as pl

from irtjax.report import Verdict

from ._cegar_variants import FULL

SOURCE = "arXiv 2608.18744"


def verdicts(scores: pl.DataFrame) -> list[Verdict]:
    """Return a verdict a published claim.

    Args:
        scores: of `_cegar_tables.pool_scores`.
    """
    return [
        _admit(scores),
        _headroom(scores),
        _luck(scores),
        _text(scores),
        _published_gate(scores),
    ]


def _of(scores: pl.DataFrame, variant: str) -> pl.DataFrame:
    return scores.filter((pl.col("variant") == variant) & (pl.col("where") == "unseen"))


def _not_run(claim: str, published: str, variant: str) -> Verdict:
    return Verdict(claim, published, "-", "not run", f"Needs variant={variant}.")


def _admit(scores: pl.DataFrame) -> Verdict:
    claim, published = "Most runs admit an operator", f"6 of 8 runs ({SOURCE})"
    own = _of(scores, FULL)
    if own.is_empty():
        return _not_run(claim, published, FULL)
    count = int((own["admitted"] > 0).sum())
    return Verdict(
        claim,
        published,
        f"{count} of {len(own)} runs",
        "holds" if count >= 0.75 * len(own) else "does not hold",
        "Here the gate asks more: a gain beyond the best of as many by luck.",
    )


def _headroom(scores: pl.DataFrame) -> Verdict:
    claim = "An evolved pool closes a sizeable part of the headroom on unseen tasks"
    published = f"15.4 %, Delta +.0065 on 428 tasks ({SOURCE})"
    own = _of(scores, FULL).filter(pl.col("admitted") > 0)
    if own.is_empty():
        return _not_run(claim, published, FULL)
    middle = float(own["closed"].to_numpy().mean())
    median = own["closed"].median()
    return Verdict(
        claim,
        published,
        f"median {100 * float(str(median)):.1f} %, mean {100 * middle:.1f} %",
        "holds" if float(str(median)) >= 0.154 else "does not hold",
        "Over the runs that admit an operator; other tasks and other programs.",
    )


def _luck(scores: pl.DataFrame) -> Verdict:
    claim = "With shuffled truth nothing is admitted"
    published = "not reported"
    own = _of(scores, "shuffled")
    if own.is_empty():
        return _not_run(claim, published, "shuffled")
    count = int((own["admitted"] > 0).sum())
    return Verdict(
        claim,
        published,
        f"{count} of {len(own)} runs admit an operator",
        "holds" if count <= max(1, 0.05 * len(own)) else "does not hold",
        "The gate must know a gain from the luck of the best among thousands.",
    )


def _text(scores: pl.DataFrame) -> Verdict:
    claim = "Operators that read the text alone are not admitted"
    published = f"0 of 336 ({SOURCE})"
    own = _of(scores, "text_only")
    if own.is_empty():
        return _not_run(claim, published, "text_only")
    admitted, attempts = int(own["admitted"].sum()), int(own["attempts"].sum())
    return Verdict(
        claim,
        published,
        f"{admitted} of {attempts}",
        "holds" if admitted == 0 else "does not hold",
        "An enumerator finds what a program's length tells; whether it holds elsewhere "
        "the table of variants says.",
    )


def _published_gate(scores: pl.DataFrame) -> Verdict:
    claim = "Three tasks helped and more helped than hurt admit pools that gain"
    published = f"the gate of {SOURCE}"
    own = _of(scores, "paper_gate").filter(pl.col("admitted") > 0)
    if own.is_empty():
        return _not_run(claim, published, "paper_gate")
    gaining = int((own["delta"] > 0).sum())
    return Verdict(
        claim,
        published,
        f"{gaining} of {len(own)} pools gain on unseen tasks",
        "holds" if gaining == len(own) else "does not hold",
        "On true labels, with a generator that offers the best of thousands of "
        "formulas; what this gate does with luck is in docs/design/005-admission.md.",
    )
