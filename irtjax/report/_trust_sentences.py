"""What is found on whether a leaderboard can be trusted, in sentences."""

from irtjax.active.cells import NextCells
from irtjax.ranking.trust import (
    Effect,
    Expected,
    Level,
    Missingness,
    Trust,
    chance_in_words,
)

Helpful = NextCells | str
"""The cells that would help most, or why none are named."""

_LEVELS = {
    Level.not_comparable: "not all systems can be compared.",
    Level.no_order: "no order to be seen: systems may not differ at all.",
    Level.weak: "weak: this table says little of the order.",
    Level.fair: "fair: the order is right in the main, not in detail.",
    Level.good: "good: this table can carry a ranking.",
}


def best_first(found: Trust) -> list[tuple[str, Expected]]:
    """Return rankers in the order of their expected rho; those without one last."""

    def place(ranker: tuple[str, Expected]) -> tuple[bool, float]:
        rho = ranker[1].rho
        return rho != rho, -rho

    return sorted(found.expected.items(), key=place)


def verdict_sentence(found: Trust) -> str:
    """Return the verdict: how much the ranking can carry, and by what to rank."""
    verdict = found.verdict
    level, use = _LEVELS[verdict.level], f"Rank by `{verdict.ranker}`"
    if verdict.average_safe is None:
        return f"Verdict: {level} {use}, and each group by itself."
    if verdict.ranker == "average":
        return f"Verdict: {level} The plain average does as well as any."
    if verdict.average_safe:
        return f"Verdict: {level} {use}; the plain average does about as well here."
    return f"Verdict: {level} {use}, not by the plain average."


def trust_facts(found: Trust) -> tuple[str, ...]:
    """Return what else bears on trust, a sentence each: S, D, what is linked, and so on.

    Args:
        found: of one table.
    """
    n_table = f"{found.replicates:,} simulated tables"
    return (
        f"Sparsity S = {found.sparsity:.2f}: the share of cells without a result.",
        f"Difficulty gap D = {found.gap:.1f} logits from the easiest item to the hardest.",
        *_dispersion(found),
        *(found.not_comparable or ("Connectivity: all systems can be compared.",)),
        f"Negative control: with results shuffled among systems, p = {found.control:.3f} "
        "to see systems this far apart.",
        _halves(found),
        f"Expected values are of {n_table}, seed {found.seed}.",
    )


def helpful_sentences(helpful: Helpful) -> tuple[str, ...]:
    """Return which cells would help most and by how much, or why none are named.

    Args:
        helpful: cells by `irtjax.active.cells.next_cells`, or a reason.
    """
    if isinstance(helpful, str):
        return (f"No cells to run next are named: {helpful}",)
    listed = ", ".join(
        f"{system} on {item} ({value:.2g})"
        for system, item, value in zip(
            helpful.system_ids, helpful.item_ids, helpful.value, strict=True
        )
    )
    return (
        f"Cells that would help most, with the expected gain of each: {listed}.",
        f"Expected misordered pairs, of {helpful.most_error:g}: {helpful.error:.3g} now, "
        f"{helpful.error_after:.3g} once these have been run.",
    )


def effect_rows(missing: Missingness) -> tuple[tuple[str, Effect], ...]:
    """Return each way in which missing cells can depend on results, with its effect."""
    return (
        ("stronger systems ran harder items (log-odds)", missing.pairing),
        ("stronger systems ran more items (rho)", missing.by_ability),
        ("harder items were run by more systems (rho)", missing.by_difficulty),
    )


def missing_sentences(missing: Missingness | None) -> tuple[str, ...]:
    """Return what missing cells depend on, a sentence each."""
    if missing is None:
        return ("Missing cells: none.",)
    return tuple(
        f"Missing cells: {name}: {each.mean:+.2f} ({each.lower:+.2f} to "
        f"{each.upper:+.2f}), above 0 with chance "
        f"{chance_in_words(each.chance_positive)}."
        for name, each in effect_rows(missing)
        if each.lower < each.upper  # else all ran as many: nothing to depend on
    )


def _dispersion(found: Trust) -> tuple[str, ...]:
    if found.dispersion is None:
        return ()
    return (
        f"Dispersion {found.dispersion:.3g}: scores scatter like shares of "
        f"{1 / found.dispersion:.3g} right or wrong answers.",
    )


def _halves(found: Trust) -> str:
    halves = found.halves
    if not halves.splits:
        return "Split halves: the items cannot be split so that both halves rank."
    return (
        f"Split halves: in {halves.agree:.0%} of {halves.splits:,} splits both halves of "
        f"the items put the same system first; {halves.whole:.0%} of halves put first "
        "what the whole table does."
    )
