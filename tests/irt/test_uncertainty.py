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
    Fisher,
    Sandwich,
    TwoPL,
    fit,
    fit_many,
    joint_covariance,
    named,
    parameter_labels,
    simulate,
)

from .cases import (
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

EVERY = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())


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


def _errors(found):
    parts = (found.system, found.item, found.shared)
    return jnp.concatenate([jnp.atleast_1d(v) for part in parts for v in part.values()])


@EVERY
def test_fisher_inverts_the_dense_hessian(model):
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


@EVERY
def test_sandwich_is_its_formula(model):
    responses = table(model)
    at = fit(model, responses).value
    bread = joint_covariance(model, responses, at)
    scores = _single_scores(model, responses, at)
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


def _single_scores(model, responses, at):
    """The sum of outer products of single observations' scores, one cell at a time."""
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
            for outcome, weight in zip(outcomes, terms.weight[j, i], strict=True):
                slope = slopes((at.system[j], at.item[i], at.shared), outcome)
                where = Estimate(
                    jnp.zeros_like(at.system).at[j].set(slope[0]),
                    jnp.zeros_like(at.item).at[i].set(slope[1]),
                    slope[2],
                )
                score = np.asarray(flat(where))
                total += float(weight) * np.outer(score, score)
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


@eqx.filter_jit
def _drawn(truths, trials, keys):
    return eqx.filter_vmap(
        lambda truth, key: simulate(TwoPL(), truth, trials, key=key)
    )(truths, keys)


@pytest.fixture(scope="module")
def simulated():
    """Fits of tables whose truths were drawn from the prior, with both errors."""
    n, (n_system, n_item) = 600, (8, 10)
    rng = np.random.default_rng(11)
    truths = stack(
        [
            Estimate(
                jnp.asarray(rng.normal(0, 1, (n_system, 1))),
                jnp.asarray(rng.normal(0, [2, 0.5], (n_item, 2))),
                jnp.zeros(0),
            )
            for _ in range(n)
        ]
    )
    keys = jax.vmap(jax.random.fold_in, (None, 0))(jax.random.key(4), jnp.arange(n))
    tables = _drawn(truths, jnp.full((n_system, n_item), 100.0), keys)
    fits = fit_many(TwoPL(), tables)
    assert np.all(fits.code == RESULTS.successful)

    def errors(uncertainty):
        one = lambda r, at: uncertainty(TwoPL(), r, at)  # noqa: E731
        return eqx.filter_jit(eqx.filter_vmap(one))(tables, fits.value)

    return truths, fits, errors(Fisher()), errors(Sandwich())


@pytest.mark.slow
def test_fisher_intervals_hold_what_they_promise(simulated):
    truths, fits, fisher, _ = simulated
    inside = {
        "ability": (fits.value.system - truths.system)[..., 0]
        / fisher.system["ability"],
        "difficulty": (fits.value.item - truths.item)[..., 0]
        / fisher.item["difficulty"],
    }
    for name, z in inside.items():
        for level in (0.5, 0.9):
            held = np.abs(z) < stats.norm.ppf(0.5 + level / 2)
            # Parameters of one table are not independent: their tables are.
            by_table = held.mean(axis=1)
            error = by_table.std(ddof=1) / np.sqrt(len(by_table))
            # Joint modes understate the spread a little at 100 trials a cell: 2 points.
            assert abs(by_table.mean() - level) < 4 * error + 0.02, (name, level)


@pytest.mark.slow
def test_sandwich_is_fisher_on_average_where_the_model_holds(simulated):
    _, _, fisher, sandwich = simulated
    ratio = np.log(sandwich.system["ability"] / fisher.system["ability"])
    by_table = np.mean(np.asarray(ratio), axis=1)
    error = by_table.std(ddof=1) / np.sqrt(len(by_table))
    assert abs(by_table.mean()) < 4 * error + 0.02
