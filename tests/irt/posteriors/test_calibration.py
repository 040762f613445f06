import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.irt import Flat, Normal, TwoPL
from irtjax.irt.posteriors import (
    NUTS,
    draw_prior,
    simulation_based_calibration,
    uniformity,
)

KEY = jax.random.key(7)


def test_uniform_places_pass_and_others_do_not():
    rng = np.random.default_rng(0)
    p = [uniformity(rng.random((100, 20))) for _ in range(200)]
    # Cauchy's combination is exact in the tail.
    assert 0.0 <= np.mean(np.asarray(p) < 0.05) < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 200)
    assert uniformity(rng.beta(2, 2, (400, 20))) < 1e-4
    assert uniformity(rng.beta(0.5, 0.5, (400, 20))) < 1e-4
    assert uniformity(rng.random((400, 20)) ** 1.5) < 1e-3


def test_dependent_rows_are_allowed_for():
    rng = np.random.default_rng(1)
    p = [uniformity(np.repeat(rng.random((100, 1)), 20, axis=1)) for _ in range(200)]
    assert np.mean(np.asarray(p) < 0.05) < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 200)


def test_prior_draws_have_the_priors_spread():
    model = TwoPL(difficulty=Normal(1.0, 2.0))
    drawn = draw_prior(model, (4000, 4000), key=KEY)
    error = 5 / np.sqrt(4000)
    assert abs(np.mean(drawn.item[:, 0]) - 1.0) < 2 * error
    for values, sd in ((drawn.system[:, 0], 1.0), (drawn.item[:, 1], 0.5)):
        assert abs(np.std(values) / sd - 1) < error
    with pytest.raises(ValueError, match="flat prior"):
        draw_prior(TwoPL(ability=Flat()), (2, 2), key=KEY)


N_TABLE = 100


def _calibrated(**changed):
    seen = (np.arange(6)[:, None] + np.arange(5)) % 3 > 0
    return simulation_based_calibration(
        TwoPL(),
        (6, 5),
        jnp.asarray(np.where(seen, 10.0, 0.0)),
        N_TABLE,
        sampler=NUTS(chains=2, draws=400, warmup=100),
        key=KEY,
        **changed,
    )


@pytest.mark.slow
def test_posteriors_are_right_on_average():
    found = _calibrated()
    assert min(found.p_value.values()) > 0.01
    assert found.place["ability"].shape == (N_TABLE, 6)
    for name, share in found.coverage.items():
        # Rows of one table depend on each other: at worst they count as one.
        assert abs(share - 0.95) < 4 * np.sqrt(0.95 * 0.05 / N_TABLE), name


@pytest.mark.slow
def test_a_wrong_prior_is_found():
    found = _calibrated(sampled=TwoPL(ability=Normal(0.0, 0.4)))
    assert found.p_value["ability"] < 0.01


def test_no_table_is_refused():
    with pytest.raises(ValueError, match="n_table"):
        simulation_based_calibration(TwoPL(), (2, 2), 1.0, 0, key=KEY)
