"""ProEval's published claim, beside what the same comparison gave here."""

import polars as pl

from irtjax.report import Verdict

CLAIM = "8-65 times fewer samples within 1 %"
"""arXiv 2604.23099, against its baselines."""

LEAST, MOST = 8, 65


def verdicts(samples: pl.DataFrame) -> list[Verdict]:
    """Return a verdict a matrix, on the published method and on our default.

    Args:
        samples: of `_active_rows.samples_table`.
    """
    said = []
    for matrix in samples["matrix"].unique(maintain_order=True):
        here = {
            row["method"]: row["to_1"]
            for row in samples.filter(pl.col("matrix") == matrix).to_dicts()
        }
        for method in ("proeval", "auto"):
            said.append(_verdict(matrix, method, here))
    return said


def _verdict(matrix: str, method: str, needed: dict[str, int | None]) -> Verdict:
    claim = f"{CLAIM}: {method} on {matrix}"
    if method not in needed or "random" not in needed:
        return Verdict(claim, CLAIM, "-", "not run", "Needs the method and random.")
    ours, random = needed[method], needed["random"]
    if random is None:
        return Verdict(
            claim,
            CLAIM,
            "-",
            "not reproducible",
            "Random sampling does not get within 1 % at any budget that was run.",
        )
    if ours is None:
        return Verdict(
            claim,
            CLAIM,
            f"never; random {random}",
            "does not hold",
            "The method's mean error is above 1 % at the largest budget too.",
        )
    ratio = random / ours
    return Verdict(
        claim,
        CLAIM,
        f"{ratio:.3g} times ({ours} against {random})",
        "holds" if ratio >= LEAST else "does not hold",
        "Smallest budget of the grid from which on the mean error over targets is within "
        "1 %.",
    )
