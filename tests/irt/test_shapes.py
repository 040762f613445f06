import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.irt import Fisher, TwoPL, fit, fit_many

from .cases import MODELS, N_ITEM, N_SYSTEM, point, stack, table

N_PROBLEM = 3


def _with(responses, **arrays):
    """Responses with other arrays, unchecked as a stack by `jax.tree.map` is."""
    for name, value in arrays.items():
        responses = eqx.tree_at(lambda r, n=name: getattr(r, n), responses, value)
    return responses


@pytest.fixture(scope="module")
def one():
    return table(TwoPL())


@pytest.fixture(scope="module")
def many():
    return stack([table(TwoPL(), seed=k) for k in range(N_PROBLEM)])


def test_a_stack_given_to_fit(many):
    message = (
        r"`successes` of shape \(system, item\), got \(3, 6, 5\): `fit_many` takes"
    )
    with pytest.raises(ValueError, match=message):
        fit(TwoPL(), many)
    with pytest.raises(ValueError, match=message):
        Fisher()(TwoPL(), many, point(TwoPL()))


@pytest.mark.parametrize("name", ["two_pl", "partial_credit", "beta_score"])
def test_one_table_given_to_fit_many(name):
    model = MODELS[name]
    with pytest.raises(
        ValueError, match=r"of shape \(problem, system, item.*: `fit` take"
    ):
        fit_many(model, table(model))


def test_arrays_that_disagree(one, many):
    message = (
        r"must have one shape, got \(6, 5\) for `successes` and \(6, 4\) for `trials`"
    )
    with pytest.raises(ValueError, match=message):
        fit(TwoPL(), _with(one, trials=one.trials[:, :-1]))
    with pytest.raises(ValueError, match=message):
        fit_many(TwoPL(), _with(many, trials=many.trials[:, :, :-1]))
    with pytest.raises(ValueError, match="got 3 of `successes` and 2 of `trials`"):
        fit_many(TwoPL(), _with(many, trials=many.trials[:2]))


def test_arrays_of_another_rank(one):
    with pytest.raises(ValueError, match=r"got \(5,\)\."):
        fit(TwoPL(), _with(one, successes=one.successes[0], trials=one.trials[0]))
    with pytest.raises(
        ValueError, match=r"A stack of tables is wanted.*got \(1, 1, 6, 5\)"
    ):
        fit_many(TwoPL(), _with(one, successes=one.successes[None, None]))


@pytest.mark.parametrize("block", [2, None])
def test_trials_that_all_tables_share(one, many, block):
    """To the last bit what comes of one copy a table, the last block's filling too."""
    right = jnp.minimum(many.successes, one.trials[None])
    shared = _with(many, successes=right, trials=one.trials)
    copied = _with(
        many, successes=right, trials=jnp.broadcast_to(one.trials, right.shape)
    )
    assert right.shape == (N_PROBLEM, N_SYSTEM, N_ITEM)
    for left, other in zip(
        jax.tree.leaves(fit_many(TwoPL(), shared, block=block)),
        jax.tree.leaves(fit_many(TwoPL(), copied, block=block)),
        strict=True,
    ):
        np.testing.assert_array_equal(left, other)
