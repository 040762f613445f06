import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from irtjax.data import BinomialResponses
from irtjax.irt import (
    RESULTS,
    Estimate,
    ExpectedFisher,
    Fisher,
    Normal,
    Sandwich,
    TwoPL,
    Uncertainty,
    fit,
    fit_many,
    joint_covariance,
    joint_information,
    named,
    parameter_labels,
    posterior,
    simulate,
)
from irtjax.irt._blocks import dense

from .cases import (
    KINDS,
    MODELS,
    N_ITEM,
    N_SYSTEM,
    PlainTwoPL,
    binomial,
    dense_hessian,
    flat,
    point,
    stack,
    table,
)


def _own_scale(model, at):
    """Each parameter on its own scale, in the order of `joint_covariance`."""
    found = named(model, at)
    return jnp.concatenate([jnp.atleast_1d(v) for part in found for v in part.values()])


def _slopes(model, at):
    """How fast each parameter's own scale moves with the unconstrained one."""
    step = 1e-6

    def moved(by):
        return _own_scale(model, jax.tree.map(lambda leaf: leaf + by, at))

    return (moved(step) - moved(-step)) / (2 * step)


def _errors(found: Uncertainty):
    parts = (found.system, found.item, found.shared)
    return jnp.concatenate([jnp.atleast_1d(v) for part in parts for v in part.values()])


@pytest.mark.parametrize("name", [*KINDS, "two_dimensions"])
def test_fisher_inverts_the_dense_hessian(name):
    model = MODELS[name]
    responses = table(model)
    at = fit(model, responses).value
    inverse = np.linalg.inv(dense_hessian(model, responses, at))
    covariance = joint_covariance(model, responses, at)
    scale = np.sqrt(np.outer(np.diagonal(inverse), np.diagonal(inverse)))
    np.testing.assert_allclose(covariance / scale, inverse / scale, atol=1e-6)

    found = Fisher()(model, responses, at)
    expected = np.sqrt(np.diagonal(inverse)) * _slopes(model, at)
    np.testing.assert_allclose(_errors(found), expected, rtol=1e-6)
    ability = inverse[:N_SYSTEM, :N_SYSTEM]
    np.testing.assert_allclose(
        found.ability_covariance, ability, atol=1e-6 * np.diagonal(ability).max()
    )


def test_information_adds_up_over_cells_and_inverts_to_the_expected_errors():
    """Half the cells and the other half, priors counted once."""
    responses = binomial(np.random.default_rng(4), 7, 5, 20)
    at = fit(TwoPL(), responses).value
    whole = joint_information(TwoPL(), responses, at)
    errors = ExpectedFisher()(TwoPL(), responses, at)
    np.testing.assert_allclose(
        np.linalg.inv(whole)[:7, :7], errors.ability_covariance, rtol=1e-8, atol=1e-12
    )
    keep = jnp.asarray(np.random.default_rng(0).random((7, 5)) < 0.5)
    none, one, other = (
        joint_information(TwoPL(), responses.hide(part), at)
        for part in (jnp.zeros_like(keep), keep, ~keep)
    )
    np.testing.assert_allclose(one + other - none, whole, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("size", [(9, 3), (3, 9)], ids=str)
def test_either_side_may_be_eliminated(size):
    responses = binomial(np.random.default_rng(1), *size, 20)
    at = fit(TwoPL(), responses).value
    inverse = np.linalg.inv(dense_hessian(TwoPL(), responses, at))
    found = Fisher()(TwoPL(), responses, at)
    ability = inverse[: size[0], : size[0]]
    np.testing.assert_allclose(found.ability_covariance, ability, rtol=1e-8)
    expected = np.sqrt(np.diagonal(inverse)) * _slopes(TwoPL(), at)
    np.testing.assert_allclose(_errors(found), expected, rtol=1e-6)


@pytest.mark.parametrize("name", ["two_pl", "lapse", "partial_credit"])
def test_sandwich_is_its_formula(name):
    model = MODELS[name]
    responses = table(model)
    at = fit(model, responses).value
    bread = joint_covariance(model, responses, at)
    scores = _cell_products(model, responses, at)
    data = dense(posterior(model, responses).expected_information(at))
    seen = np.any(np.asarray(responses.terms().weight) > 0, axis=-1)
    scores = scores / (1 - np.trace(bread @ data) / np.sum(seen))
    kinds = (model.system_parameters, model.item_parameters, model.shared_parameters)
    rows = (N_SYSTEM, N_ITEM, 1)
    precision = np.concatenate(
        [
            np.full(n, k.prior.sd**-2)
            for kind, n in zip(kinds, rows, strict=True)
            for k in kind
        ]
    )
    expected = bread @ (scores + np.diag(precision)) @ bread
    expected = np.sqrt(np.diagonal(expected)) * _slopes(model, at)
    found = Sandwich()(model, responses, at)
    np.testing.assert_allclose(_errors(found), expected, rtol=1e-6)


def _cell_products(model, responses, at):
    """The sum of outer products of cells' scores, one cell at a time."""
    terms, nothing = responses.terms(), jnp.zeros(0)
    kinds = (model.system_parameters, model.item_parameters, model.shared_parameters)

    def log_prob(parts, outcome):
        values = [
            {p.name: p.transform.forward(u[k]) for k, p in enumerate(kind)}
            for kind, u in zip(kinds, parts, strict=True)
        ]
        return model.log_prob(outcome, *values, nothing, nothing)

    slopes = jax.jit(jax.grad(log_prob))
    total = np.zeros((flat(at).size, flat(at).size))
    for j in range(N_SYSTEM):
        for i in range(N_ITEM):
            outcomes = terms.outcome if terms.outcome.ndim == 1 else terms.outcome[j, i]
            whole = 0.0
            for outcome, weight in zip(outcomes, terms.weight[j, i], strict=True):
                slope = slopes((at.system[j], at.item[i], at.shared), outcome)
                where = Estimate(
                    jnp.zeros_like(at.system).at[j].set(slope[0]),
                    jnp.zeros_like(at.item).at[i].set(slope[1]),
                    slope[2],
                )
                whole = whole + float(weight) * np.asarray(flat(where))
            total += np.outer(whole, whole)
    return total


def test_a_model_known_by_log_prob_alone_has_the_same_errors():
    responses = table(TwoPL())
    at = fit(TwoPL(), responses).value
    for uncertainty in (Fisher(), Sandwich()):
        one = uncertainty(TwoPL(), responses, at)
        other = uncertainty(PlainTwoPL(), responses, at)
        np.testing.assert_allclose(_errors(one), _errors(other), rtol=1e-9)


@pytest.mark.parametrize("uncertainty", [Fisher(), Sandwich()], ids=["fisher", "sand"])
def test_far_from_a_mode_every_error_is_no_number(uncertainty):
    responses, at = table(TwoPL()), point(TwoPL(), seed=8, scale=4.0)
    matrix = dense_hessian(TwoPL(), responses, at)
    assert np.linalg.eigvalsh(matrix)[0] < 0
    found = uncertainty(TwoPL(), responses, at)
    assert jnp.all(jnp.isnan(_errors(found)))
    assert jnp.all(jnp.isnan(found.ability_covariance))
    assert jnp.all(jnp.isnan(joint_covariance(TwoPL(), responses, at)))


def test_labels_name_every_row_of_the_covariance():
    assert parameter_labels(MODELS["one_pl"], (2, 3)) == [
        ("ability", 0),
        ("ability", 1),
        ("difficulty", 0),
        ("difficulty", 1),
        ("difficulty", 2),
        ("discrimination", None),
    ]


def test_without_data_an_error_is_the_priors():
    """Complaint 15: prior mean and prior spread, exactly."""
    responses = table(TwoPL())
    empty = BinomialResponses(
        responses.successes.at[2].set(0), responses.trials.at[2].set(0)
    )
    result = fit(TwoPL(), empty)
    assert result.value.system[2, 0] == 0
    found = Fisher()(TwoPL(), empty, result.value)
    np.testing.assert_allclose(found.system["ability"][2], 1.0, rtol=1e-14)


N_TABLE = 400


@eqx.filter_jit
def _drawn(model, truths, trials, keys):
    return eqx.filter_vmap(lambda truth, key: simulate(model, truth, trials, key=key))(
        truths, keys
    )


@eqx.filter_jit
def _errors_of_each(uncertainty, model, tables, estimates):
    return eqx.filter_vmap(lambda r, at: uncertainty(model, r, at))(tables, estimates)


def _simulated(log_slope_sd):
    """Tables whose truths were drawn from the prior, and their fits."""
    model = TwoPL(log_discrimination=Normal(0.0, log_slope_sd))
    rng = np.random.default_rng(11)
    truths = [
        Estimate(
            jnp.asarray(rng.normal(0, 1, (8, 1))),
            jnp.asarray(rng.normal(0, [2, log_slope_sd], (10, 2))),
            jnp.zeros(0),
        )
        for _ in range(N_TABLE)
    ]
    keys = jax.random.split(jax.random.key(4), N_TABLE)
    tables = _drawn(model, stack(truths), jnp.full((8, 10), 100.0), keys)
    fits = fit_many(model, tables)
    assert np.all(fits.code == RESULTS.successful)
    return model, stack(truths), tables, fits


def _mean_and_error(by_table):
    """Parameters of one table are not independent; tables are."""
    by_table = np.asarray(by_table)
    return by_table.mean(), by_table.std(ddof=1) / np.sqrt(len(by_table))


@pytest.mark.slow
def test_fisher_intervals_hold_what_they_promise():
    """Slopes are nearly known here, so that nothing moves the scale."""
    model, truths, tables, fits = _simulated(0.02)
    errors = _errors_of_each(Fisher(), model, tables, fits.value)
    standard = {
        "ability": (fits.value.system - truths.system)[..., 0]
        / errors.system["ability"],
        "difficulty": (fits.value.item - truths.item)[..., 0]
        / errors.item["difficulty"],
    }
    for name, z in standard.items():
        for level in (0.5, 0.9):
            inside = np.abs(z) < stats.norm.ppf(0.5 + level / 2)
            held, error = _mean_and_error(inside.mean(axis=1))
            assert abs(held - level) < 4 * error, (name, level)


@pytest.fixture(scope="module")
def free_slopes():
    return _simulated(0.5)


@pytest.mark.slow
def test_chances_of_order_come_true(free_slopes):
    """P(i beats j) of the joint covariance is how often i does beat j."""
    model, truths, tables, fits = free_slopes
    errors = _errors_of_each(Fisher(), model, tables, fits.value)
    true, found = (np.asarray(e.system[..., 0]) for e in (truths, fits.value))
    i, j = np.triu_indices(true.shape[1], 1)
    covariance = np.asarray(errors.ability_covariance)
    gap = found[:, i] - found[:, j]
    spread = covariance[:, i, i] + covariance[:, j, j] - 2 * covariance[:, i, j]
    chance = stats.norm.cdf(np.abs(gap) / np.sqrt(spread))
    right = np.sign(gap) == np.sign(true[:, i] - true[:, j])
    assert np.mean(chance < 0.9) > 0.05  # there are pairs that are hard to order
    excess, error = _mean_and_error((right - chance).mean(axis=1))
    assert abs(excess) < 4 * error
    close = chance < 0.9
    by_table = ((right - chance) * close).sum(axis=1) / close.sum() * len(close)
    excess, error = _mean_and_error(by_table)
    assert abs(excess) < 4 * error


@pytest.mark.slow
def test_a_joint_mode_shortens_the_scale_and_keeps_the_order(free_slopes):
    """As `JointMAP` says: the spread of abilities comes out too small by a fifth."""
    _, truths, _, fits = free_slopes
    true, found = (np.asarray(e.system[..., 0]) for e in (truths, fits.value))
    slope = np.sum(true * found) / np.sum(found**2)
    assert 1.15 < slope < 1.4
    rho = [stats.spearmanr(t, f).statistic for t, f in zip(true, found, strict=True)]
    assert np.mean(rho) > 0.97


@pytest.mark.slow
def test_sandwich_is_fisher_on_average_where_the_model_holds(free_slopes):
    model, _, tables, fits = free_slopes
    one, other = (
        _errors_of_each(kind, model, tables, fits.value).system["ability"]
        for kind in (Sandwich(), Fisher())
    )
    ratio, error = _mean_and_error(np.log(np.asarray(one / other)).mean(axis=1))
    # The two agree as tables grow; at 80 cells of 100 trials to a hundredth.
    assert abs(ratio) < 4 * error + 0.01


@pytest.mark.slow
def test_sandwich_sees_what_the_model_misses():
    """Each system has its own strengths and weaknesses, sd 0.5 on an item's logit."""
    rng = np.random.default_rng(5)
    slope = np.linspace(1, 3, 10)
    fixed = slope * (np.linspace(-2, 2, 10)[:, None] - np.linspace(-1.5, 1.5, 10))
    logit = fixed + 0.5 * rng.normal(size=(N_TABLE, 10, 10))
    successes = jnp.asarray(rng.binomial(100, 1 / (1 + np.exp(-logit))), float)
    tables = jax.vmap(BinomialResponses)(successes, jnp.full_like(successes, 100.0))
    fits = fit_many(TwoPL(), tables)
    ability = np.asarray(fits.value.system[..., 0])
    true = np.diff(ability, axis=1).std(axis=0, ddof=1)
    ratio = {}
    for kind in (Fisher(), Sandwich()):
        found = _errors_of_each(kind, TwoPL(), tables, fits.value).ability_covariance
        above, below = np.diagonal(found, 1, 1, 2), np.diagonal(found, 0, 1, 2)
        spread = below[:, 1:] + below[:, :-1] - 2 * above
        ratio[type(kind).__name__] = np.mean(np.sqrt(spread) / true)
    # A standard deviation of N_TABLE tables is known to 1 / sqrt(2 N_TABLE); nine gaps
    # of neighbours are as good as four independent ones.
    tolerance = 4 / np.sqrt(2 * N_TABLE * 4)
    assert abs(ratio["Sandwich"] - 1) < tolerance + 0.03
    assert ratio["Fisher"] < 0.7
