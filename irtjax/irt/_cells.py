"""One cell's log-likelihood with its first and second derivatives.

The parameters that a cell depends on are few (three for 2PL), so derivatives are taken
one scalar at a time in forward mode: every step stays an elementwise operation that a
compiler fuses over the whole table, and what does not depend on a parameter costs
nothing.
"""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ._model import AbstractLogitModel, AbstractResponseModel, Features
from ._parameter import constrain

Scalar = Float[Array, ""]
Row = list[Scalar]
Value = Float[Array, "*value"]  # one number, or one for each term of a cell


class Jet(NamedTuple):
    """A scalar function's value, gradient and upper triangle of second derivatives.

    Attributes:
        value: the function.
        first: one derivative a parameter.
        second: `second[k][l]` is the derivative by parameters k and k + l.
    """

    value: Scalar
    first: Row
    second: list[Row]


def jet(function: Callable[..., Value], at: Row) -> Jet:
    """Return a function of scalars with all its first and second derivatives."""

    def derivative(inner: Callable[..., Value], k: int) -> Callable[..., Value]:
        def along(*point: Scalar) -> Value:
            def line(x: Scalar) -> Value:
                return inner(*point[:k], x, *point[k + 1 :])

            return jax.jvp(line, (point[k],), (jnp.ones_like(point[k]),))[1]

        return along

    n = len(at)
    first = [derivative(function, k) for k in range(n)]
    return Jet(
        function(*at),
        [slope(*at) for slope in first],
        [[derivative(first[k], m)(*at) for m in range(k, n)] for k in range(n)],
    )


def cell_jet(
    model: AbstractResponseModel,
    observed_share: Scalar,
    system: Float[Array, " p"],
    item: Float[Array, " q"],
    shared: Float[Array, " s"],
    system_features: Features,
    item_features: Features,
    outcome: Float[Array, " term"],
    weight: Float[Array, " term"],
) -> Jet:
    r"""Return one cell's log-likelihood and derivatives by its p + q + s parameters.

    Args:
        model: the response model.
        observed_share: 1 for the observed second derivatives, 0 for their expectation
            under the model (minus the Fisher information, never positive).
        system: the system's parameters, unconstrained; `item` and `shared` likewise.
        item: the item's.
        shared: those of all cells.
        system_features: passed to the model.
        item_features: passed to the model.
        outcome: the outcomes that the cell's terms count.
        weight: how often each was seen; a cell whose weights are all 0 adds exactly
            zero.

    Returns:
        The jet, in nats. The second derivatives are what `observed_share` asks for.
    """
    p, q = len(model.system_parameters), len(model.item_parameters)

    def unpack(*flat: Scalar):
        return (
            constrain(model.system_parameters, flat[:p]),
            constrain(model.item_parameters, flat[p : p + q]),
            constrain(model.shared_parameters, flat[p + q :]),
            system_features,
            item_features,
        )

    flat = [*system, *item, *shared]
    if isinstance(model, AbstractLogitModel):
        logit = jet(lambda *u: model.logit(*unpack(*u)), flat)
        trials, successes = jnp.sum(weight), jnp.sum(weight * outcome)
        return _through_logit(logit, successes, trials, observed_share)

    def log_prob(*u: Scalar) -> Float[Array, " term"]:
        return jax.vmap(lambda o: model.log_prob(o, *unpack(*u)))(outcome)

    return _through_outcomes(jet(log_prob, flat), weight, observed_share)


def binomial_slopes(
    logit: Value, successes: Value, trials: Value
) -> tuple[Value, Value, Value]:
    """Return a binomial log-likelihood, its slope and its weight, each a cell's.

    Args:
        logit: the log-odds of success.
        successes: from 0 to `trials`.
        trials: 0 where nothing was observed.

    Returns:
        The log-likelihood in nats, constants of the data left out; its derivative by the
        logit; and minus its second derivative, which is its expectation too.
    """
    decay = jnp.exp(-jnp.abs(logit))
    likely = 1 / (1 + decay)
    positive = logit >= 0
    success = jnp.where(positive, likely, decay * likely)
    # Half the cost of `log1p`, and as exact next to what it is added to.
    value = trials * jnp.log(likely) - jnp.abs(logit) * jnp.where(
        positive, trials - successes, successes
    )
    return value, successes - trials * success, trials * decay * likely * likely


def _through_logit(
    logit: Jet, successes: Scalar, trials: Scalar, observed_share: Scalar
) -> Jet:
    """Chain the binomial log-likelihood, whose derivatives by the logit are known."""
    value, residual, spread = binomial_slopes(logit.value, successes, trials)
    bend = observed_share * residual
    first, n = logit.first, len(logit.first)
    return Jet(
        value,
        [residual * slope for slope in first],
        [
            [
                bend * logit.second[k][m - k] - spread * first[k] * first[m]
                for m in range(k, n)
            ]
            for k in range(n)
        ],
    )


def _through_outcomes(
    log_prob: Jet, weight: Float[Array, " term"], observed_share: Scalar
) -> Jet:
    """Sum over the cell's terms; expected curvature is minus the score's variance."""
    # A score on a continuum has one term: the outer product of the observed score.
    every = jnp.sum(weight) * jnp.exp(log_prob.value)
    expected = every if weight.shape[0] > 1 else weight
    n = len(log_prob.first)
    return Jet(
        jnp.sum(weight * log_prob.value),
        [jnp.sum(weight * slope) for slope in log_prob.first],
        [
            [
                jnp.sum(
                    observed_share * weight * log_prob.second[k][m - k]
                    - (1 - observed_share)
                    * expected
                    * log_prob.first[k]
                    * log_prob.first[m]
                )
                for m in range(k, n)
            ]
            for k in range(n)
        ],
    )


def cell_scores(
    model: AbstractResponseModel,
    system: Float[Array, " p"],
    item: Float[Array, " q"],
    shared: Float[Array, " s"],
    system_features: Features,
    item_features: Features,
    outcome: Float[Array, " term"],
    weight: Float[Array, " term"],
) -> Jet:
    """Return the outer product of a cell's score, all its observations summed.

    Arguments are those of `cell_jet`. The jet's value and first derivatives are zero;
    its second ones hold minus the product, so that it assembles like an information
    matrix.
    """
    expected = jnp.zeros((), weight.dtype)  # the second derivatives are not used
    slopes = cell_jet(
        model,
        expected,
        system,
        item,
        shared,
        system_features,
        item_features,
        outcome,
        weight,
    ).first
    nothing = jnp.zeros((), weight.dtype)
    n = len(slopes)
    return Jet(
        nothing,
        [nothing] * n,
        [[-slopes[k] * slopes[m] for m in range(k, n)] for k in range(n)],
    )
