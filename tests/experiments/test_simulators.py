"""Every simulator draws what it says, and its data do not depend on their company."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from experiments import _draws
from experiments._simulators import (
    GUESSED,
    RESIDUAL_SD,
    SIMULATORS,
    best_responses,
    even_truth,
    guessed_responses,
    random_truth,
    residual_responses,
    two_pl_responses,
)
from irtjax.data import sd_truth

TRUTH = sd_truth(3.0)
N_DRAW = 400
TRIALS = jnp.asarray(100.0)


def settings(**changes):
    given = {
        "simulator": "jax",
        "mask": "assortative",
        "sparsity": 0.5,
        "gap": 3.0,
        "systems": 10,
        "items": 10,
        "trials": 100,
    }
    return {**given, **changes}


def many(responses, observed):
    keys = jax.random.split(jax.random.key(3), N_DRAW)

    @jax.jit
    @jax.vmap
    def one(key):
        return responses(TRUTH, observed, TRIALS, key=key)

    drawn = one(keys)
    return np.asarray(drawn.successes), np.asarray(drawn.trials)


def true_share():
    distance = TRUTH.ability[:, None] - TRUTH.difficulty[None, :]
    return np.asarray(jax.nn.sigmoid(TRUTH.discrimination[None, :] * distance))


@pytest.mark.parametrize(
    ("responses", "share"),
    [
        (two_pl_responses, true_share),
        (guessed_responses, lambda: GUESSED + (1 - GUESSED) * true_share()),
    ],
)
def test_answers_have_their_chances_where_observed_and_nothing_elsewhere(
    responses, share
):
    observed = jnp.arange(100).reshape(10, 10) % 3 > 0
    successes, trials = many(responses, observed)
    assert np.all(trials == np.where(observed, 100, 0))
    assert not successes[:, ~np.asarray(observed)].any()
    expected = share()
    error = np.sqrt(expected * (1 - expected) / (100 * N_DRAW))
    z = (successes.mean(axis=0) / 100 - expected) / error
    # 67 cells: |z| above 4.5 has probability 5e-4 in all.
    assert np.abs(z[np.asarray(observed)]).max() < 4.5


def test_residuals_widen_a_cells_answers_by_what_the_noise_says():
    whole = jnp.ones((10, 10), bool)
    successes, _ = many(residual_responses, whole)
    share, expected = successes / 100, true_share()
    middle = (expected > 0.3) & (expected < 0.7)
    logits = np.log((share + 0.005) / (1 - share + 0.005))
    spread = logits.std(axis=0)[middle]
    # Beside the noise there is the binomial's own spread, about .2 logits at 100 trials.
    np.testing.assert_allclose(spread.mean(), np.hypot(RESIDUAL_SD, 0.22), rtol=0.06)


def test_half_of_the_systems_publish_their_best_scores():
    observed = jnp.arange(100).reshape(10, 10) % 2 == 0
    successes, trials = many(best_responses, observed)
    shown = trials > 0
    assert np.all(shown.sum(axis=2) == np.asarray(observed.sum(axis=1)))
    as_masked = (shown == np.asarray(observed)).all(axis=2)
    # The mask's cells are the best ones by chance now and then, hardly ever of many.
    assert np.all(as_masked.sum(axis=1) >= 5)
    assert as_masked.mean() < 0.6
    biased = ~as_masked
    mean = successes.sum(axis=2) / trials.sum(axis=2)
    # Every system is biased in about half of the draws, and looks better where it is.
    assert np.all(np.abs(biased.mean(axis=0) - 0.5) < 0.15)
    for system in range(2, 8):
        here = biased[:, system]
        assert mean[here, system].mean() > mean[~here, system].mean() + 0.05


def test_truths():
    key, gap = jax.random.key(0), jnp.asarray(3.0)
    even = even_truth(gap, 10, 10, key=key)
    np.testing.assert_array_equal(even.ability, TRUTH.ability)
    drawn = random_truth(gap, 10, 10, key=key)
    assert not np.array_equal(drawn.ability, TRUTH.ability)
    np.testing.assert_array_equal(drawn.difficulty, TRUTH.difficulty)


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_a_data_set_depends_on_its_condition_and_seed_alone(simulator):
    here = settings(simulator=simulator)
    whole = _draws.draw(here, [0, 1, 2, 3])
    some = _draws.draw(here, [3, 1, 2, 0])
    back = np.array([3, 1, 2, 0])
    np.testing.assert_array_equal(
        some.responses.successes, whole.responses.successes[back]
    )
    np.testing.assert_array_equal(some.target, whole.target[back])
    other = _draws.draw({**here, "trials": 50}, [0, 1, 2, 3])
    assert not np.array_equal(other.responses.trials > 0, whole.responses.trials > 0)


def test_simulators_share_no_draws():
    masks = {
        name: np.asarray(
            _draws.draw(settings(simulator=name), [0]).responses.trials > 0
        )
        for name in SIMULATORS
    }
    assert len({mask.tobytes() for mask in masks.values()}) == len(SIMULATORS)
