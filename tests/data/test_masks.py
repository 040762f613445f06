"""Laws of every mask, and agreement with NumPy's weighted choice, drawn in a loop."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import (
    ALWAYS,
    MCAR,
    Anti,
    Assortative,
    EasyOnly,
    FixedWeights,
    Truth,
    TwoBlocks,
    sd_truth,
)

MASKS = [Assortative(), MCAR(), Anti(), EasyOnly()]
mask_law = pytest.mark.parametrize("mask", MASKS, ids=lambda mask: type(mask).__name__)


N_DRAW = 2000  # of every test, so that each mask compiles once
_draw_many = jax.jit(
    jax.vmap(
        lambda mask, truth, sparsity, key: mask(truth, sparsity, key=key),
        in_axes=(None, None, None, 0),
    )
)


def _draws(mask, truth, sparsity, seed=0):
    keys = jax.random.split(jax.random.key(seed), N_DRAW)
    return np.asarray(_draw_many(mask, truth, jnp.asarray(sparsity), keys))


def _reference(weight, sparsity, rng):
    """Return one mask by the written procedure, one choice at a time."""
    n_system, n_item = weight.shape
    weight = weight / weight.sum()
    observed = np.zeros(weight.shape, bool)
    for j in range(n_system):
        p = weight[j] / weight[j].sum()
        observed[j, rng.choice(n_item, 2, replace=False, p=p)] = True
    for i in range(n_item):
        short = 3 - observed[:, i].sum()
        if short > 0:
            free = np.flatnonzero(~observed[:, i])
            p = weight[free, i] / (weight[free, i].sum() + 1e-20)
            observed[rng.choice(free, short, replace=False, p=p), i] = True
    left = max(round(n_system * n_item * (1 - sparsity)), 2 * n_system) - observed.sum()
    if left > 0:
        free = np.flatnonzero(~observed)
        p = weight.reshape(-1)[free] / (weight.reshape(-1)[free].sum() + 1e-20)
        observed.reshape(-1)[rng.choice(free, left, replace=False, p=p)] = True
    return observed


@mask_law
@pytest.mark.parametrize("sparsity", [0.05, 0.3, 0.5, 0.7, 0.95])
def test_counts(mask, sparsity):
    draws = _draws(mask, sd_truth(3.0), sparsity)
    assert draws.sum(axis=2).min() >= 2
    assert draws.sum(axis=1).min() >= 3
    total, target = draws.sum(axis=(1, 2)), max(round(100 * (1 - sparsity)), 20)
    # Above the target only where the smallest numbers, at most 20 + 30 cells, need it.
    assert np.all((total == target) | ((total > target) & (total <= 50)))
    if target >= 50:
        assert np.all(total == target)


@mask_law
def test_everything_is_observed_at_no_sparsity(mask):
    assert _draws(mask, sd_truth(3.0), 0.0).all()


@mask_law
@pytest.mark.parametrize("sparsity", [0.3, 0.7])
def test_inclusion_agrees_with_the_written_procedure(mask, sparsity):
    n_reference, n_batch = 1000, 10
    truth = sd_truth(3.0)
    weight = np.asarray(mask.weight(truth))
    rng = np.random.default_rng(0)
    reference = np.mean(
        [_reference(weight, sparsity, rng) for _ in range(n_reference)], axis=0
    )
    batches = [_draws(mask, truth, sparsity, seed) for seed in range(n_batch)]
    ours = np.mean(batches, axis=(0, 1))
    variance = ours * (1 - ours) * (1 / n_reference + 1 / (n_batch * N_DRAW))
    # 100 cells: |z| above 4.5 has probability 7e-4 in all if the laws agree. A cell
    # that is nearly always in or out has the variance of one that differs in one draw.
    z = (ours - reference) / np.sqrt(np.maximum(variance, 1 / n_reference**2))
    assert np.abs(z).max() < 4.5


def test_draws_follow_the_kind():
    truth, sparsity = sd_truth(3.0), 0.6
    easy, hard = slice(0, 3), slice(7, 10)
    share = {
        type(mask).__name__: _draws(mask, truth, sparsity).mean(axis=0)
        for mask in MASKS
    }
    assert share["Assortative"][9, hard].mean() > share["Assortative"][9, easy].mean()
    assert share["Anti"][9, hard].mean() < share["Anti"][9, easy].mean()
    assert share["EasyOnly"][:, hard].mean() < share["EasyOnly"][:, easy].mean()
    np.testing.assert_allclose(share["MCAR"].mean(axis=0), 0.4, atol=0.05)


@mask_law
def test_a_batch_equals_a_loop_and_a_key_its_draw(mask):
    truth = sd_truth(2.0)
    batch = _draws(mask, truth, 0.5)
    keys = jax.random.split(jax.random.key(0), N_DRAW)
    for k in (0, 1, N_DRAW - 1):
        np.testing.assert_array_equal(batch[k], mask(truth, 0.5, key=keys[k]))
    np.testing.assert_array_equal(batch, _draws(mask, truth, 0.5))


@mask_law
def test_single_precision_keeps_the_counts(mask):
    truth = jax.tree.map(lambda x: x.astype(jnp.float32), sd_truth(3.0))
    draws = _draws(mask, truth, 0.5)
    assert np.all(draws.sum(axis=(1, 2)) == 50)
    assert draws.sum(axis=1).min() >= 3


@mask_law
def test_other_shapes(mask):
    truth = Truth(jnp.linspace(-1, 1, 7), jnp.linspace(-1, 1, 23), jnp.ones(23))
    draws = _draws(mask, truth, 0.4)
    assert draws.shape == (N_DRAW, 7, 23)
    assert np.all(draws.sum(axis=(1, 2)) == round(7 * 23 * 0.6))


def test_too_few_systems_are_refused():
    truth = Truth(jnp.zeros(2), jnp.zeros(4), jnp.ones(4))
    with pytest.raises(ValueError, match="at least 3 systems and 2 items, got 2 and 4"):
        MCAR()(truth, 0.5, key=jax.random.key(0))


@pytest.mark.parametrize("sparsity", [0.5, 0.49, 0.42, 0.3])
@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64])
def test_two_blocks_are_whole_before_anything_lies_between(sparsity, dtype):
    truth = jax.tree.map(lambda x: x.astype(dtype), sd_truth(3.0))
    draws = _draws(TwoBlocks(), truth, sparsity)
    between = np.concatenate([draws[:, :5, 5:], draws[:, 5:, :5]], axis=1)
    assert draws[:, :5, :5].all()
    assert draws[:, 5:, 5:].all()
    bridges = round(100 * (1 - sparsity)) - 50
    assert np.all(between.sum(axis=(1, 2)) == bridges)
    # Bridges fall evenly: 50 cells, so |z| above 4.5 has probability 3e-4 in all.
    share = bridges / 50
    error = np.sqrt(share * (1 - share) / N_DRAW)
    assert np.abs(between.mean(axis=0) - share).max() <= 4.5 * error


def test_two_blocks_of_odd_sizes_and_thinned():
    truth = Truth(jnp.linspace(-1, 1, 7), jnp.linspace(-1, 1, 9), jnp.ones(9))
    within = np.asarray(TwoBlocks().weight(truth)) > 0
    assert within[:4, :5].all()
    assert within[4:, 5:].all()
    assert within.sum() == 20 + 12
    draws = _draws(TwoBlocks(), truth, 0.55)
    assert not draws[:, ~within].any()
    # Every item of the second block needs all three systems, so a few draws have more.
    assert draws.sum(axis=(1, 2)).min() == round(63 * 0.45)


def test_fixed_weights_say_which_cells_come_first_and_last():
    truth = Truth(jnp.linspace(-1, 1, 8), jnp.linspace(-1, 1, 6), jnp.ones(6))
    weights = jnp.ones((8, 6)).at[0].set(0.0).at[0, :3].set(ALWAYS)
    draws = _draws(FixedWeights(weights), truth, 0.4)
    assert draws[:, 0, :3].all()
    assert not draws[:, 0, 3:].any()
    others = draws[:, 1:].mean(axis=0)
    np.testing.assert_allclose(others, (round(48 * 0.6) - 3) / 42, atol=0.08)
