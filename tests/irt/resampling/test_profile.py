import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import optimize, stats

from irtjax.data import BinomialResponses
from irtjax.irt import RESULTS, Flat, ProfileIntervals, TwoPL, fit, posterior

from ..cases import MODELS, flat, table, unflat


def _profile_ends(model, responses, at, k, level):
    """The two ends by scipy, on the unconstrained scale."""
    problem = posterior(model, responses)
    both = jax.jit(jax.value_and_grad(lambda x: problem.value(unflat(x, at))))
    mode = np.asarray(flat(at))
    free = np.arange(mode.size) != k
    best = float(both(mode)[0])
    fall = stats.chi2.ppf(level, 1) / 2

    def excess(held):
        def inner(rest):
            x = mode.copy()
            x[k], x[free] = held, rest
            value, slope = both(x)
            return float(value), np.asarray(slope)[free]

        found = optimize.minimize(
            inner, mode[free], jac=True, method="BFGS", options={"gtol": 1e-9}
        )
        return found.fun - best - fall

    return (
        optimize.brentq(excess, mode[k] - 9, mode[k], xtol=1e-10),
        optimize.brentq(excess, mode[k], mode[k] + 9, xtol=1e-10),
    )


@pytest.fixture(scope="module")
def lopsided():
    """A table on one of whose items everybody is always right."""
    responses = table(TwoPL())
    return BinomialResponses(
        responses.successes.at[:, 2].set(responses.trials[:, 2]), responses.trials
    )


@pytest.mark.parametrize(
    ("parameter", "first"), [("ability", 0), ("difficulty", 6), ("discrimination", 11)]
)
def test_ends_agree_with_scipy(lopsided, parameter, first):
    at = fit(TwoPL(), lopsided).value
    rows = jnp.array([2, 0])
    found = ProfileIntervals(level=0.9)(TwoPL(), lopsided, at, parameter, rows)
    assert np.all(found.code == RESULTS.successful)
    assert not np.any(found.lower_open | found.upper_open)
    forward = np.exp if parameter == "discrimination" else np.asarray
    for place, row in enumerate(rows):
        ends = _profile_ends(TwoPL(), lopsided, at, first + int(row), 0.9)
        np.testing.assert_allclose(
            [found.lower[place], found.upper[place]], forward(ends), rtol=1e-5
        )


def test_a_shared_parameter_has_a_profile():
    model = MODELS["one_pl"]
    responses = table(model)
    at = fit(model, responses).value
    found = ProfileIntervals()(
        model, responses, at, "discrimination", jnp.zeros(1, int)
    )
    ends = _profile_ends(model, responses, at, 11, 0.95)
    np.testing.assert_allclose([found.lower[0], found.upper[0]], np.exp(ends), 1e-5)


def test_where_nothing_stops_the_likelihood_a_side_is_open(lopsided):
    model = TwoPL(difficulty=Flat())
    at = fit(model, lopsided).value
    found = ProfileIntervals()(model, lopsided, at, "difficulty", jnp.array([2, 0]))
    assert found.lower_open[0]
    assert found.lower[0] == -np.inf
    assert not found.upper_open[0]
    assert np.isfinite(found.upper[0])
    assert not found.lower_open[1]
    assert not found.upper_open[1]


def test_an_unknown_parameter_is_refused(lopsided):
    at = fit(TwoPL(), lopsided).value
    with pytest.raises(ValueError, match="difficulty"):
        ProfileIntervals()(TwoPL(), lopsided, at, "guessing", jnp.array([0]))
