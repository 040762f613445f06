"""Can this leaderboard be trusted? Everything that bears on it, and a verdict."""

import dataclasses
from collections.abc import Callable, Mapping

import jax
import jax.numpy as jnp
import numpy as np

from irtjax.data import (
    BinomialResponses,
    ResponseTable,
    design_graph,
    thinnest_split,
)
from irtjax.irt import MESSAGES, RESULTS, TwoPL
from irtjax.irt.diagnostics import negative_control

from .._counted import with_trials
from .._model_ranker import ModelRanker
from .._ranker import AbstractRanker
from .._registry import RANKERS
from .._remarks import not_comparable
from ._agreement import Expected, agreements, expected, simulated_tables
from ._missing import Missingness, missingness
from ._stability import SplitHalf, split_half
from ._truths import plausible_truths
from ._verdict import Verdict, judge

REPLICATES = 1000
"""Simulated tables, where that many take no more than `MOST_CELLS`."""

FEWEST_REPLICATES = 39
"""The fewest whose second lowest and second highest bound nine tables in ten."""

MOST_CELLS = 2**25
"""Cells of all simulated tables together: some minutes on two cores."""


@dataclasses.dataclass(frozen=True)
class Trust:
    """Whether a leaderboard can be trusted, and what says so.

    Attributes:
        source: the table's name.
        n_system: how many systems.
        n_item: how many items.
        sparsity: share of cells that were not observed.
        gap: difficulty of the hardest item less that of the easiest, in logits, mean
            over plausible truths.
        dispersion: variance of scores without trial counts over that of right/wrong
            answers; None where trials are known.
        expected: of each ranker, on tables simulated like this one.
        replicates: how many tables were simulated.
        missing: how missing cells depend on what is measured; None if none is missing.
        control: chance of as much spread among systems if they did not differ, from
            copies with shuffled columns.
        halves: how steady the first place is over halves of the items.
        not_comparable: which groups of systems cannot be compared, a sentence each.
        verdict: what to do.
        seed: of everything drawn.
        notes: what was assumed, a sentence each.
    """

    source: str
    n_system: int
    n_item: int
    sparsity: float
    gap: float
    dispersion: float | None
    expected: Mapping[str, Expected]
    replicates: int
    missing: Missingness | None
    control: float
    halves: SplitHalf
    not_comparable: tuple[str, ...]
    verdict: Verdict
    seed: int
    notes: tuple[str, ...]

    def to_dict(self) -> dict:
        """Return everything as values that JSON can hold; NaN becomes None."""
        record = {
            field.name: getattr(self, field.name) for field in dataclasses.fields(self)
        }
        record["expected"] = {n: each._asdict() for n, each in self.expected.items()}
        if self.missing is not None:
            effects = self.missing._asdict().items()
            record["missing"] = {name: each._asdict() for name, each in effects}
        record |= {"halves": self.halves._asdict(), "verdict": self.verdict._asdict()}
        return {name: _plain(value) for name, value in record.items()}


def trust(
    table: ResponseTable,
    *,
    rankers: Mapping[str, AbstractRanker] = RANKERS,
    replicates: int | None = None,
    trials: float | int | None = None,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> Trust:
    """Return whether a table's ranking can be trusted, and by which ranker.

    Truths are drawn that the table could have come from, with missing cells modelled
    (`plausible_truths`); from each a table is simulated with the same cells and trials
    and every ranker ranks it. How well each finds the truth there is what to expect of
    it here, as far as a 2PL describes the table.

    Args:
        table: of right and wrong answers, or of scores, which are then taken as shares
            of a number of trials as `rank_table` takes them.
        rankers: what to compare, by name.
        replicates: simulated tables, at least 39. Default: 1,000, fewer for a table
            of more than about 33,000 cells.
        trials: how many trials a score without a count is worth.
        seed: the same seed gives the same result.
        progress: told in a few words what comes next.

    Raises:
        ValueError: for a table without two systems that have data, of categories, or
            too large, or a setting out of range.
    """
    counted = with_trials(table, ModelRanker(TwoPL()), trials)
    responses = counted.responses
    if not isinstance(responses, BinomialResponses):
        raise ValueError(
            f"{table.source}: trust needs right and wrong answers or scores, not "
            f"{type(responses).__name__}."
        )
    n_system, n_item = responses.shape
    graph = design_graph(responses)
    if np.count_nonzero(np.asarray(graph.system_count)) < 2:
        raise ValueError(
            f"{table.source}: at least two systems need results to be ranked."
        )
    count = _replicates(replicates, n_system * n_item, table.source)
    tell = progress or (lambda _: None)
    keys = jax.random.split(jax.random.key(seed), 4)
    tell("drawing truths")
    truths = plausible_truths(responses, draws=count, key=keys[0])
    code = RESULTS(int(truths.code))
    if code is not RESULTS.successful:
        raise ValueError(f"{table.source}: the model's fit failed: {MESSAGES[code]}.")
    ability = truths.truth.system[:, :, 0]
    tables = simulated_tables(truths.truth, responses.trials, key=keys[1])
    found = {
        name: expected(each)
        for name, each in agreements(tables, ability, rankers, progress=tell).items()
    }
    missing = missingness(truths, responses.observed())
    tell("shuffling columns")
    control = _control(responses, keys[2])
    verdict = judge(found, graph, thinnest_split(responses), missing, control)
    tell("splitting items in halves")
    halves = split_half(rankers[verdict.ranker], responses, key=keys[3])
    difficulty = truths.truth.item[:, :, 0]
    gap = jnp.max(difficulty, axis=1) - jnp.min(difficulty, axis=1)
    return Trust(
        source=table.source,
        n_system=n_system,
        n_item=n_item,
        sparsity=graph.sparsity,
        gap=float(jnp.mean(gap)),
        dispersion=counted.dispersion,
        expected=found,
        replicates=count,
        missing=missing,
        control=control,
        halves=halves,
        not_comparable=not_comparable(graph, table.system_ids),
        verdict=verdict,
        seed=seed,
        notes=counted.notes,
    )


def _control(responses: BinomialResponses, key: jax.Array) -> float:
    """Return the negative control's p; 1 where the fit of the data failed."""
    return negative_control(TwoPL(), responses, key=key).p


def _replicates(asked: int | None, n_cell: int, source: str) -> int:
    if asked is not None:
        if asked < FEWEST_REPLICATES:
            raise ValueError(
                f"replicates= must be at least {FEWEST_REPLICATES}, got {asked}."
            )
        return asked
    most = MOST_CELLS // max(n_cell, 1)
    if most < FEWEST_REPLICATES:
        raise ValueError(
            f"{source} has {n_cell:,} cells: simulating it would take too long; pass "
            f"replicates=, at least {FEWEST_REPLICATES}, to do it all the same."
        )
    return min(REPLICATES, most)


def _plain(value):
    """Return nested values as JSON can hold them."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
