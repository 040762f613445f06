"""Bradley-Terry strengths from the items that two systems share."""

from typing import ClassVar, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.scipy.linalg
from jaxtyping import Array, Bool, Float

from irtjax.data import AbstractResponses
from irtjax.irt import RESULTS, carried_while

from ._ranker import TABLES_AT_ONCE, AbstractRanker, RankerScores

_MAX_STEPS = 50
_PAIRS_AT_ONCE = 2**15  # of systems, in the tables that are solved together
_HALVINGS = 30


def pairwise_wins(
    outcome: Float[Array, "system item"], observed: Bool[Array, "system item"]
) -> Float[Array, "system system"]:
    """Return on how many shared items the row's system did better than the column's.

    A tie counts half for each. The comparison is bit by bit, which is exact for ratios
    of counts: division rounds equal fractions to equal numbers.
    """
    n_system = outcome.shape[0]

    def add_item(
        wins: Float[Array, "system system"],
        item: tuple[Float[Array, " system"], Bool[Array, " system"]],
    ) -> tuple[Float[Array, "system system"], None]:
        value, seen = item
        share = 0.5 + 0.5 * jnp.sign(value[:, None] - value[None, :])
        return wins + jnp.where(seen[:, None] & seen[None, :], share, 0), None

    # One item at a time: all at once would need system x system x item numbers.
    wins, _ = jax.lax.scan(
        add_item,
        jnp.zeros((n_system, n_system), outcome.dtype),
        (outcome.T, observed.T),
    )
    return wins * (1 - jnp.eye(n_system, dtype=wins.dtype))


class Strengths(NamedTuple):
    """Penalised maximum-likelihood strengths.

    Attributes:
        strength: in logits; 0 for a system without a comparison.
        decrement: the squared Newton decrement at the solution, in nats: twice how far
            the objective could still fall.
    """

    strength: Float[Array, " system"]
    decrement: Float[Array, ""]


def bradley_terry_strengths(
    wins: Float[Array, "system system"], prior_sd: Float[Array, ""]
) -> Strengths:
    r"""Return the strengths $s$ that best explain who beat whom.

    Minimises $-\sum_{jl} w_{jl} \log\sigma(s_j - s_l) + \sum_j s_j^2 / (2 \tau^2)$ by
    Newton steps, halved until the objective falls. Convex, and finite also for a system
    that won or lost every comparison. The strengths of a group of systems that were
    compared only with each other sum to 0, so groups are never ordered by evidence.

    Args:
        wins: $w$, how often the row beat the column; half a tie each.
        prior_sd: $\tau$, in logits.

    References:
        Bradley & Terry (1952), *Rank Analysis of Incomplete Block Designs*; Caron &
        Doucet (2012), *Efficient Bayesian Inference for Generalized Bradley-Terry
        Models*, for what the prior does to separable data.
    """
    games = wins + wins.T
    precision = 1 / prior_sd**2

    def objective(strength: Float[Array, " system"]) -> Float[Array, ""]:
        log_chance = jax.nn.log_sigmoid(strength[:, None] - strength[None, :])
        return 0.5 * precision * jnp.sum(strength**2) - jnp.sum(wins * log_chance)

    def newton(
        strength: Float[Array, " system"],
    ) -> tuple[Float[Array, " system"], Float[Array, ""]]:
        chance = jax.nn.sigmoid(strength[:, None] - strength[None, :])
        gradient = precision * strength - jnp.sum(wins - games * chance, axis=1)
        coupling = games * chance * (1 - chance)
        hessian = jnp.diag(jnp.sum(coupling, axis=1) + precision) - coupling
        step = jax.scipy.linalg.solve(hessian, gradient, assume_a="pos")
        return step, jnp.sum(gradient * step)

    # The objective is known to about this much: no lower decrement means anything.
    enough = jnp.finfo(wins.dtype).eps * (1 + jnp.sum(games))

    def unfinished(state: tuple[Array, Array, Array, Array]) -> Bool[Array, ""]:
        _, _, decrement, count = state
        return (decrement > enough) & (count < _MAX_STEPS)

    def advance(
        state: tuple[Array, Array, Array, Array],
    ) -> tuple[Array, Array, Array, Array]:
        strength, step, _, count = state
        now = objective(strength)

        def too_long(halving: tuple[Array, Array]) -> Bool[Array, ""]:
            length, tried = halving
            return (objective(strength - length * step) > now) & (tried < _HALVINGS)

        length, _ = carried_while(
            too_long,
            lambda halving: (halving[0] / 2, halving[1] + 1),
            (jnp.ones((), wins.dtype), jnp.zeros((), jnp.int32)),
        )
        strength = strength - length * step
        return (strength, *newton(strength), count + 1)

    start = jnp.zeros(wins.shape[0], wins.dtype)
    strength, step, decrement, _ = carried_while(
        unfinished, advance, (start, *newton(start), jnp.zeros((), jnp.int32))
    )
    # One more full step: equal to the last digits whatever ran beside it in a batch.
    return Strengths(strength - step, decrement)


class BradleyTerry(AbstractRanker):
    """Strengths from wins, losses and ties on the items that two systems both ran.

    How much better a system did on an item is not used, nor is its number of trials.
    Takes responses of any kind; the score is in logits, and NaN for a system that
    shares no item with another.

    Attributes:
        prior_sd: standard deviation, in logits, of the normal prior on every strength.
            It keeps a system that won everything finite, and it alone places groups of
            systems that share no item: see the notes of a `Ranking`.
    """

    scale: ClassVar[str] = "strength, logits"
    prior_sd: float | Float[Array, ""] = 3.0

    def score(self, responses: AbstractResponses) -> Float[Array, " system"]:
        """Return one strength a system; NaN throughout if the solve failed."""
        strength, solved = _solve(self, responses)
        return jnp.where(solved, strength, jnp.nan)

    def score_many(self, responses: AbstractResponses) -> RankerScores:
        return _solve_many(self, responses)


def _solve(
    ranker: BradleyTerry, responses: AbstractResponses
) -> tuple[Float[Array, " system"], Bool[Array, ""]]:
    """Return the strengths of one table and whether the solver converged."""
    wins = pairwise_wins(responses.mean_score(), responses.observed())
    found = bradley_terry_strengths(wins, jnp.asarray(ranker.prior_sd, wins.dtype))
    compared = jnp.sum(wins + wins.T, axis=1) > 0
    close = found.decrement <= jnp.sqrt(jnp.finfo(wins.dtype).eps)
    return jnp.where(compared, found.strength, jnp.nan), close


@eqx.filter_jit
def _solve_many(ranker: BradleyTerry, responses: AbstractResponses) -> RankerScores:
    """Return the strengths of a batch of tables with the codes of their solves."""
    # Large systems of equations are solved fastest one by one, small ones together.
    n_system = jax.vmap(lambda one: one.observed())(responses).shape[1]
    at_once = max(1, min(TABLES_AT_ONCE, _PAIRS_AT_ONCE // n_system**2))
    strength, solved = jax.lax.map(
        lambda one: _solve(ranker, one), responses, batch_size=at_once
    )
    code = jnp.where(solved, RESULTS.successful, RESULTS.max_steps_reached)
    return RankerScores(strength, code.astype(jnp.int32))
