"""The 2PL joint posterior in NumPy and its fit by scipy's L-BFGS-B: what we are held to.

Written to be as fast as NumPy lets one fit be, and independent of `irtjax`: nothing here
imports it. The objective also serves as the arbiter between the two.
"""

import time
from collections.abc import Callable

import equinox as eqx
import numpy as np
from jaxtyping import Float
from scipy import optimize

ABILITY_SD, DIFFICULTY_SD, LOG_SLOPE_SD = 1.0, 2.0, 0.5
# Beyond this many logits exp would overflow; a fit never comes near it.
LARGEST_LOGIT = 700.0

Parameters = Float[np.ndarray, " parameter"]
Table = Float[np.ndarray, "system item"]


class Trace(eqx.Module):
    """One fit by L-BFGS-B and every value it met on its way.

    Attributes:
        parameters: ability, difficulty, log discrimination, one after the other.
        value: minus the log posterior there, in nats, constants of the data left out.
        values: the objective of each evaluation, line searches included.
        seconds: from the call to the end of each evaluation.
        total_seconds: of the whole call.
    """

    parameters: Parameters
    value: float
    values: Float[np.ndarray, " evaluation"]
    seconds: Float[np.ndarray, " evaluation"]
    total_seconds: float

    def seconds_to(self, target: float) -> tuple[float, bool]:
        """Return when the objective first was at most `target`, and whether it was.

        A fit that never got there counts with the whole of its time, which is in its
        favour.
        """
        reached = np.flatnonzero(self.values <= target)
        if reached.size:
            return float(self.seconds[reached[0]]), True
        return self.total_seconds, False


def objective(
    successes: Table, trials: Table
) -> Callable[[Parameters], tuple[float, Parameters]]:
    r"""Return the function that gives minus the log posterior and its gradient.

    $$\sum_{ji} n_{ji}\log(1 + e^{-z_{ji}}) + (n_{ji} - y_{ji}) z_{ji} + \tfrac12
    \sum_j\theta_j^2 + \tfrac12\sum_i (b_i/2)^2 + \tfrac12\sum_i(\alpha_i/.5)^2
    + \text{const}, \quad z_{ji} = e^{\alpha_i}(\theta_j - b_i)$$

    with the constant that makes the priors densities.

    Args:
        successes: $y$, from 0 to `trials`.
        trials: $n$; 0 where the system did not run the item.

    Returns:
        A function of ability, difficulty and log discrimination in one array; it
        gives nats, constants of the data left out, and the gradient in the same order.
    """
    n_system, n_item = trials.shape
    failures = trials - successes
    item = slice(n_system, n_system + n_item)
    slope = slice(n_system + n_item, n_system + 2 * n_item)
    precision = np.concatenate(
        [
            np.full(n_system, ABILITY_SD**-2),
            np.full(n_item, DIFFICULTY_SD**-2),
            np.full(n_item, LOG_SLOPE_SD**-2),
        ]
    )
    # What makes the priors densities.
    constant = 0.5 * float(np.sum(np.log(2 * np.pi / precision)))

    def value_and_gradient(x: Parameters) -> tuple[float, Parameters]:
        ability, difficulty, discrimination = x[:n_system], x[item], np.exp(x[slope])
        logits = (ability[:, None] - difficulty) * discrimination
        np.maximum(logits, -LARGEST_LOGIT, out=logits)
        inverse = np.exp(-logits)
        inverse += 1.0
        loss = np.vdot(failures, logits) + np.vdot(trials, np.log(inverse))
        residual = trials / inverse
        residual -= successes
        by_item = residual.sum(axis=0)
        gradient = precision * x
        value = float(loss + 0.5 * np.vdot(gradient, x)) + constant
        gradient[:n_system] += residual @ discrimination
        gradient[item] -= discrimination * by_item
        # The sum over systems of residual x (ability - difficulty), as matrix products.
        gradient[slope] += discrimination * (ability @ residual - difficulty * by_item)
        return value, gradient

    return value_and_gradient


def fit(successes: Table, trials: Table, *, memory: int = 10) -> Trace:
    """Return the joint MAP fit by L-BFGS-B from zero, run until it can do no better.

    Args:
        successes: from 0 to `trials`.
        trials: 0 where the system did not run the item.
        memory: pairs of steps and gradients that L-BFGS-B keeps (its `maxcor`).
    """
    value_and_gradient = objective(successes, trials)
    met: list[tuple[float, float]] = []

    def timed(x: Parameters) -> tuple[float, Parameters]:
        result = value_and_gradient(x)
        met.append((time.perf_counter(), result[0]))
        return result

    begin = time.perf_counter()
    found = optimize.minimize(
        timed,
        np.zeros(trials.shape[0] + 2 * trials.shape[1]),
        jac=True,
        method="L-BFGS-B",
        options={
            "maxcor": memory,
            "ftol": 1e-15,
            "gtol": 1e-9,
            "maxiter": 100_000,
            "maxfun": 100_000,
        },
    )
    total = time.perf_counter() - begin
    seconds, values = np.array(met).T
    return Trace(found.x, float(found.fun), values, seconds - begin, total)
