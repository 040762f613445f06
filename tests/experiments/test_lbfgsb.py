import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import log_expit

from experiments import _lbfgsb
from experiments._problems import random_table


def _table(n_system, n_item, seed=0, trials=20):
    rng = np.random.default_rng(seed)
    return random_table(rng, n_system, n_item, sparsity=0.4, trials=trials)


def _plain(x, successes, trials):
    """The objective as its equation reads, cell by cell."""
    n_system, n_item = trials.shape
    ability, difficulty, log_slope = np.split(x, [n_system, n_system + n_item])
    priors = [(ability, 1.0), (difficulty, 2.0), (log_slope, 0.5)]
    total = -sum(np.sum(stats.norm(0, sd).logpdf(part)) for part, sd in priors)
    for j in range(n_system):
        for i in range(n_item):
            z = np.exp(log_slope[i]) * (ability[j] - difficulty[i])
            right, wrong = successes[j, i], trials[j, i] - successes[j, i]
            total -= right * log_expit(z) + wrong * log_expit(-z)
    return total


@pytest.mark.parametrize("scale", [0.0, 0.5, 3.0])
def test_value_is_the_equation(scale):
    table = _table(6, 4)
    x = scale * np.random.default_rng(1).normal(size=14)
    value, _ = _lbfgsb.objective(*table)(x)
    assert value == pytest.approx(_plain(x, *table), rel=1e-13)


@pytest.mark.parametrize("scale", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("shape", [(6, 4), (5, 9)])
def test_gradient_matches_differences(scale, shape):
    value_and_gradient = _lbfgsb.objective(*_table(*shape))
    x = scale * np.random.default_rng(2).normal(size=shape[0] + 2 * shape[1])
    step = 1e-5
    differences = [
        (value_and_gradient(x + d)[0] - value_and_gradient(x - d)[0]) / (2 * step)
        for d in step * np.eye(x.size)
    ]
    # The third derivatives are below about 20 x 9 trials; the step squares them away.
    np.testing.assert_allclose(value_and_gradient(x)[1], differences, atol=1e-5)


def test_far_logits_stay_finite():
    value, gradient = _lbfgsb.objective(*_table(6, 4))(np.full(14, -8.0) * 1e3)
    assert np.isfinite(value)
    assert np.all(np.isfinite(gradient))
    x = np.concatenate([np.full(6, -300.0), np.full(4, 300.0), np.full(4, 3.0)])
    assert np.isfinite(_lbfgsb.objective(*_table(6, 4))(x)[0])


@pytest.mark.parametrize("memory", [10, 30])
def test_fit_reaches_what_newton_reaches(memory):
    table = _table(8, 6)
    trace = _lbfgsb.fit(*table, memory=memory)
    value_and_gradient = _lbfgsb.objective(*table)
    # An independent method on the same function: trust-region with a BFGS matrix.
    other = optimize.minimize(
        value_and_gradient, np.zeros(20), jac=True, method="BFGS", tol=1e-7
    )
    assert trace.value == pytest.approx(other.fun, rel=1e-10)
    assert np.max(np.abs(value_and_gradient(trace.parameters)[1])) < 1e-3


def test_trace_finds_the_first_value_at_the_target():
    trace = _lbfgsb.fit(*_table(8, 6))
    assert np.all(np.diff(trace.seconds) > 0)
    assert trace.values.min() == pytest.approx(trace.value, rel=1e-13)
    middle = np.sort(trace.values)[trace.values.size // 2]
    seconds, reached = trace.seconds_to(middle)
    assert reached
    first = np.flatnonzero(trace.values <= middle)[0]
    assert seconds == trace.seconds[first]
    assert np.all(trace.values[:first] > middle)


def test_trace_that_falls_short_counts_whole():
    trace = _lbfgsb.fit(*_table(8, 6))
    assert trace.seconds_to(trace.values.min() - 1.0) == (trace.total_seconds, False)
