import jax.numpy as jnp
import numpy as np
import pytest
from scipy.optimize import minimize

from irtjax.irt import OnePL, TwoPL
from irtjax.irt.scoring import (
    Calibration,
    drift,
    haebara,
    mean_mean,
    mean_sigma,
    rescale,
    stocking_lord,
)

SLOPE, INTERCEPT = 1.3, -0.4
LINKS = (mean_mean, mean_sigma, stocking_lord, haebara)
N = 10


def bank(difficulty, log_slope, *, sd=0.1, ids=None, model=None):
    """A bank of 2PL items whose parameters have one error each."""
    n = len(difficulty)
    return Calibration(
        model or TwoPL(),
        jnp.asarray(np.stack([difficulty, log_slope], axis=1)),
        jnp.zeros(0),
        jnp.eye(2 * n) * sd**2,
        jnp.zeros((n, 0)),
        tuple(range(n)) if ids is None else ids,
    )


@pytest.fixture(scope="module")
def planted():
    """Ten items on two scales: the second calibration's unit is 1.3 logits."""
    rng = np.random.default_rng(0)
    difficulty, log_slope = rng.normal(size=N), 0.3 * rng.normal(size=N)
    return (
        bank(difficulty, log_slope),
        bank((difficulty - INTERCEPT) / SLOPE, log_slope + np.log(SLOPE)),
    )


@pytest.fixture(scope="module")
def noisy(planted):
    """The same with errors of the size that the covariances say."""
    rng = np.random.default_rng(3)
    return tuple(
        bank(*(np.asarray(b.item) + 0.1 * rng.normal(size=(N, 2))).T) for b in planted
    )


@pytest.mark.parametrize("link", LINKS)
def test_exact_on_parameters_without_noise(planted, link):
    found = link(*planted)
    np.testing.assert_allclose(found.slope, SLOPE, rtol=1e-12)
    np.testing.assert_allclose(found.intercept, INTERCEPT, rtol=1e-12)
    assert 0 < float(found.slope_se) < 0.2
    assert 0 < float(found.intercept_se) < 0.2


def test_a_rescaled_bank_is_the_reference(planted):
    reference, other = planted
    moved = rescale(other, mean_mean(reference, other))
    np.testing.assert_allclose(moved.item, reference.item, atol=1e-12)
    prior = moved.model.system_parameters[0].prior
    nothing = jnp.zeros(0)
    here = prior.log_prob(jnp.asarray(1.2), {}, nothing)
    old = (1.2 - INTERCEPT) / SLOPE
    expected = -0.5 * old**2 - 0.5 * np.log(2 * np.pi) - np.log(SLOPE)
    np.testing.assert_allclose(here, expected, rtol=1e-12)


def _curves(item, ability):
    return 1 / (1 + np.exp(-np.exp(item[:, 1:]) * (ability[None, :] - item[:, :1])))


@pytest.mark.parametrize("link", [stocking_lord, haebara])
def test_curve_links_by_a_plain_search(noisy, link):
    reference, other = (np.asarray(b.item) for b in noisy)
    nodes = np.linspace(-4, 4, 41)
    weight = np.exp(-(nodes**2) / 2)

    def loss(x):
        here = _curves(reference, nodes)
        there = _curves(other, (nodes - x[1]) / x[0])
        gap = here - there
        gap = gap.sum(axis=0) if link is stocking_lord else gap
        return np.sum(weight * gap**2)

    best = minimize(
        loss, [1.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-15}
    )
    found = link(*noisy)
    np.testing.assert_allclose([found.slope, found.intercept], best.x, atol=1e-6)


def test_mean_links_by_their_formulas(noisy):
    reference, other = (np.asarray(b.item) for b in noisy)
    slope = np.std(reference[:, 0]) / np.std(other[:, 0])
    found = mean_sigma(*noisy)
    np.testing.assert_allclose(found.slope, slope, rtol=1e-10)
    intercept = reference[:, 0].mean() - slope * other[:, 0].mean()
    np.testing.assert_allclose(found.intercept, intercept, rtol=1e-10)
    slope = np.exp(other[:, 1]).mean() / np.exp(reference[:, 1]).mean()
    np.testing.assert_allclose(mean_mean(*noisy).slope, slope, rtol=1e-10)


@pytest.mark.parametrize("link", [mean_sigma, haebara])
def test_errors_of_a_link_by_differences(noisy, link):
    reference, other = noisy
    found = link(reference, other)
    step = 1e-5
    for k, (name, free) in enumerate((("by_reference", 3), ("by_other", N + 2))):
        ends = []
        for h in (-step, step):
            pair = [reference, other]
            item = pair[k].item.at[free % N, free // N].add(h)
            pair[k] = bank(*np.asarray(item).T)
            moved = link(*pair)
            ends.append(np.array([moved.slope, moved.intercept]))
        slopes = (ends[1] - ends[0]) / (2 * step)
        np.testing.assert_allclose(
            getattr(found, name)[:, free], slopes, rtol=1e-5, atol=1e-7
        )
    both = np.concatenate([found.by_reference, found.by_other], axis=1)
    np.testing.assert_allclose(found.covariance, 0.01 * both @ both.T, rtol=1e-10)


def test_common_items_are_found_by_their_names(planted):
    reference, other = planted
    shuffled = other.select([3, 7, 1, 0, 9])
    extra = bank(
        [*np.asarray(shuffled.item[:, 0]), 5.0],
        [*np.asarray(shuffled.item[:, 1]), 1.0],
        ids=(*shuffled.item_ids, "new"),
    )
    found = stocking_lord(reference, extra)
    assert found.item_ids == (0, 1, 3, 7, 9)
    np.testing.assert_allclose(found.slope, SLOPE, rtol=1e-10)


def test_an_item_that_drifted_is_flagged(noisy):
    reference, other = noisy
    steady = drift(reference, other, haebara(reference, other))
    assert 4 not in steady.moved_ids()
    shifted = bank(*np.asarray(other.item.at[4, 0].add(1.2)).T)
    found = drift(reference, shifted, haebara(reference, shifted))
    # Of the others, as many as chance flags; the test below counts them.
    assert 4 in found.moved_ids()
    assert int(np.argmin(found.p_value)) == 4
    assert float(found.p_value[4]) < 1e-6
    others = [each for each in range(N) if each != 4]
    cut = haebara(reference, shifted.select(others))
    clean = haebara(reference, other.select(others))
    np.testing.assert_allclose(cut.slope, clean.slope, rtol=1e-10)


@pytest.mark.slow
def test_drift_flags_as_often_as_it_says():
    """With no drift, any flag at level .2 comes up in about a fifth of the pairs."""
    rng = np.random.default_rng(5)
    difficulty, log_slope = rng.normal(size=N), 0.3 * rng.normal(size=N)
    true = np.stack([difficulty, log_slope], axis=1)
    flagged, z = 0, []
    for _ in range(100):
        pair = [bank(*(true + 0.1 * rng.normal(size=(N, 2))).T) for _ in range(2)]
        found = drift(*pair, mean_mean(*pair), level=0.2)
        flagged += bool(found.moved_ids())
        z.append(np.asarray(found.difference / found.se))
    # Binomial with 100 draws at .2: 4 standard errors are .16. Holm is conservative.
    assert 0.04 <= flagged / 100 <= 0.36
    # 2,000 standardised differences, dependent within a pair.
    np.testing.assert_allclose(np.std(z), 1, atol=0.08)


def test_one_slope_for_all_items():
    """A shared slope moves with the scale, whatever the items."""
    rng = np.random.default_rng(2)
    difficulty = rng.normal(size=N)

    def one_pl(difficulty, log_slope):
        return Calibration(
            OnePL(),
            jnp.asarray(difficulty)[:, None],
            jnp.asarray([log_slope]),
            jnp.eye(N + 1) * 0.01,
            jnp.zeros((N, 0)),
            tuple(range(N)),
        )

    reference = one_pl(difficulty, 0.2)
    other = one_pl((difficulty - INTERCEPT) / SLOPE, 0.2 + np.log(SLOPE))
    moved = rescale(other, mean_mean(reference, other))
    np.testing.assert_allclose(moved.item, reference.item, atol=1e-12)
    np.testing.assert_allclose(moved.shared, reference.shared, atol=1e-12)
    # The shared slope's variance is carried over: it is a logarithm, so unchanged.
    np.testing.assert_allclose(moved.covariance[-1, -1], 0.01, rtol=1e-8)
    np.testing.assert_allclose(
        np.diagonal(moved.covariance)[:N], 0.01 * SLOPE**2, rtol=1e-8
    )


def test_what_cannot_be_linked_is_said(planted):
    reference, other = planted
    with pytest.raises(ValueError, match="must share 2 items or more, they share 0"):
        mean_sigma(reference, bank([0.0], [0.0], ids=("x",)))
    one = Calibration(
        OnePL(),
        reference.item[:, :1],
        jnp.zeros(1),
        jnp.eye(N + 1),
        jnp.zeros((N, 0)),
        reference.item_ids,
    )
    with pytest.raises(
        ValueError, match="one model can be linked, got TwoPL and OnePL"
    ):
        stocking_lord(reference, one)
    with pytest.raises(ValueError, match="made from other items"):
        drift(reference, other, mean_mean(reference, other.select([1, 2, 3])))
