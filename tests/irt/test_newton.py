import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import optimize

from irtjax.data import BinomialResponses
from irtjax.irt import (
    LBFGS,
    RESULTS,
    AbstractSolver,
    BlockNewton,
    JointMAP,
    TwoPL,
    fit,
    fit_many,
    posterior,
)

from .cases import KINDS, MODELS, apart, flat, point, stack, table, unflat


@pytest.mark.parametrize("name", ["two_pl", "lapse"])
def test_newton_is_lbfgs(name):
    model = MODELS[name]
    responses = table(model)
    newton = fit(model, responses)
    slow = fit(model, responses, estimator=JointMAP(LBFGS()))
    assert newton.code == RESULTS.successful
    assert slow.code == RESULTS.successful
    assert newton.stats.gradient_norm < 1e-8
    np.testing.assert_allclose(newton.stats.objective, slow.stats.objective, rtol=1e-9)
    assert apart(newton.value, slow.value) < 2e-3


@pytest.mark.parametrize("name", KINDS)
def test_newton_is_scipy(name):
    model = MODELS[name]
    responses = table(model)
    newton = fit(model, responses)
    value = posterior(model, responses).value
    both = jax.jit(jax.value_and_grad(lambda x: value(unflat(x, newton.value))))

    def numpy(x):
        found, slope = both(jnp.asarray(x))
        return float(found), np.asarray(slope)

    found = optimize.minimize(
        numpy,
        np.zeros(flat(newton.value).size),
        jac=True,
        method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-8, "maxiter": 10_000},
    )
    np.testing.assert_allclose(newton.stats.objective, found.fun, rtol=1e-10)
    np.testing.assert_allclose(flat(newton.value), found.x, atol=1e-4)


def test_driving_the_steps_by_hand_is_solve():
    problem, solver = posterior(TwoPL(), table(TwoPL())), BlockNewton()
    start = jax.tree.map(jnp.zeros_like, point(TwoPL()))
    state, step = solver.init(problem, start), jax.jit(solver.step)
    lowest = state.here.value
    while not state.done:
        state = step(problem, state)
        assert state.here.value <= lowest + 1e-9
        lowest = state.here.value
    by_hand = solver.finish(problem, state)
    solved = fit(TwoPL(), problem.responses)
    assert by_hand.code == solved.code == RESULTS.successful
    assert by_hand.stats.iterations == solved.stats.iterations
    assert apart(by_hand.value, solved.value) < 1e-10


def test_the_last_step_leaves_an_exact_optimum():
    result = fit(TwoPL(), table(TwoPL()))
    again = BlockNewton().solve(posterior(TwoPL(), table(TwoPL())), result.value)
    assert apart(result.value, again.value) < 1e-11


def test_too_few_steps_say_so():
    solver = JointMAP(BlockNewton(max_steps=2))
    result = fit(TwoPL(), table(TwoPL()), estimator=solver)
    assert result.code == RESULTS.max_steps_reached
    assert result.stats.iterations == 2
    slow = fit(TwoPL(), table(TwoPL()), estimator=JointMAP(LBFGS(max_steps=2)))
    assert slow.code == RESULTS.max_steps_reached


@pytest.mark.parametrize("solver", [BlockNewton(), LBFGS()], ids=["newton", "lbfgs"])
def test_data_that_is_no_number_gets_its_code(solver):
    good = table(TwoPL())
    bad = BinomialResponses(good.successes.at[0, 0].set(jnp.nan), good.trials)
    result = fit(TwoPL(), bad, estimator=JointMAP(solver))
    assert result.code == RESULTS.not_finite


def test_a_gradient_that_is_not_small_is_no_success():
    strict = JointMAP(BlockNewton(gradient_tolerance=0.0, tolerance=1.0))
    result = fit(TwoPL(), table(TwoPL()), estimator=strict)
    assert result.stats.gradient_norm > 1e-11
    assert result.code == RESULTS.stalled


@pytest.mark.parametrize("trials", [1e4, 1e6])
def test_many_trials_converge(trials):
    """The optimum then lies in a narrow, curved valley of the two scales."""
    rng = np.random.default_rng(0)
    ability = rng.normal(size=(32, 6, 1))
    difficulty = rng.normal(size=(32, 1, 5))
    slope = np.exp(0.3 * rng.normal(size=(32, 1, 5)))
    chance = 1 / (1 + np.exp(-slope * (ability - difficulty)))
    run = np.where(rng.random(chance.shape) < 0.3, 0, trials)
    successes = rng.binomial(run.astype(int), chance).astype(float)
    tables = stack(
        [
            BinomialResponses(*map(jnp.asarray, one))
            for one in zip(successes, run, strict=True)
        ]
    )
    fits = fit_many(TwoPL(), tables)
    np.testing.assert_array_equal(fits.code, 0)


class Wrapped(AbstractSolver):
    """A solver of one's own: to tweak ours, wrap it."""

    inner: AbstractSolver = BlockNewton()

    def solve(self, problem, start):
        return self.inner.solve(problem, start)

    def solve_many(self, problem_of, responses, starts, *, size, block):
        return self.inner.solve_many(
            problem_of, responses, starts, size=size, block=block
        )


def test_a_solver_of_ones_own_goes_where_ours_does():
    responses = table(TwoPL())
    ours, own = (
        fit(TwoPL(), responses, estimator=JointMAP(solver)).value
        for solver in (BlockNewton(), Wrapped())
    )
    np.testing.assert_array_equal(own.system, ours.system)
    many = fit_many(TwoPL(), stack([responses]), estimator=JointMAP(Wrapped()))
    np.testing.assert_allclose(many.value.system[0], ours.system, atol=1e-10)
