"""A paragraph on methods that a text can take over."""

from irtjax.data import ResponseTable
from irtjax.ranking import Ranking

from ._ranking_record import versions

REFERENCES = (
    "Rank intervals and simultaneous comparisons: Mogstad, Romano, Shaikh & Wilhelm "
    "(2024), Inference for Ranks, Review of Economic Studies 91.",
    "Plain means: Wilson (1927), Journal of the American Statistical Association 22, "
    "with the effective count of Korn & Graubard (1998), Survey Methodology 24.",
)
"""What the paragraph refers to."""


def citation(ranking: Ranking, table: ResponseTable) -> str:
    """Return how a ranking was made, as a paragraph for a text that uses it.

    Args:
        ranking: of `table`.
        table: the same table.
    """
    n_system, n_item = table.responses.shape
    coverage = table.n_observed() / (n_system * n_item)
    counted = (
        f"Scores without a number of trials counted as {ranking.trials:.3g} answers "
        "each. "
        if ranking.trials is not None
        else ""
    )
    groups = int(ranking.tie_group.max(initial=0))
    return (
        f"We ranked {n_system:,} systems on {n_item:,} items ({coverage:.1%} of the "
        f"cells observed) with irtjax {versions()['irtjax']} (ranker {ranking.ranker}, "
        f"seed {ranking.seed}). {ranking.method} {counted}Intervals have "
        f"{ranking.level:.0%} coverage; {groups:,} groups of systems are told apart when "
        "all pairs are compared at once (Mogstad et al., 2024). Plain means carry Wilson "
        "intervals clustered by item (Wilson, 1927; Korn & Graubard, 1998)."
    )
