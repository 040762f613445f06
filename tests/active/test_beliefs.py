"""Laws that every belief keeps, each against a slow reference."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.active import (
    RBF,
    AbilityBelief,
    AbstractBelief,
    AbstractKernel,
    AbstractPrior,
    FinitePopulation,
    FittedAbility,
    KernelBelief,
    LearnedPopulation,
    Linear,
    LowRankBelief,
    Matern52,
    PromptFeatures,
    ScoreFeature,
    Total,
    learn_population,
    population_features,
    principal_features,
    score_features,
)

from .cases import ITEMS, SOURCES, beliefs, errors, features, sources_of

NAMES = (
    "score_feature",
    "finite_population",
    "learned_population",
    "kernel",
    "ability",
)
GAUSSIAN = tuple(name for name in NAMES if name != "ability")
WEIGHTS = jnp.asarray(np.random.default_rng(1).dirichlet(np.ones(ITEMS)))
PICKS = jnp.array([3, 17, 0, 8])
OUTCOMES = jnp.array([1.0, 0.0, 1.0, 0.0])
NONE = jnp.zeros(4)


@pytest.fixture(scope="module")
def all_beliefs():
    return beliefs()


def summary(belief):
    total = belief.total(WEIGHTS)
    return [belief.mean(), belief.variance(), total.mean, total.variance]


def close(one, other, tolerance=1e-9):
    return all(
        np.allclose(a, b, rtol=0, atol=tolerance)
        for a, b in zip(summary(one), summary(other), strict=True)
    )


def followed(belief, picks, outcomes, noise):
    for answer in zip(picks, outcomes, noise, strict=True):
        belief = belief.update(*answer)
    return belief


# A noisy verdict on an ability weighs by the mean when it comes in.
@pytest.mark.parametrize(
    ("name", "noise"),
    [*((name, 0.0) for name in NAMES), *((name, 0.07) for name in GAUSSIAN)],
)
def test_answers_at_once_are_answers_in_turn(all_beliefs, name, noise):
    belief = all_beliefs[name]
    assert isinstance(belief, AbstractBelief)
    noise = jnp.full(4, noise)
    at_once = belief.condition(PICKS, OUTCOMES, noise)
    assert close(at_once, followed(belief, PICKS, OUTCOMES, noise))
    back = belief.condition(PICKS[::-1], OUTCOMES[::-1], noise)
    assert close(at_once, back)


@pytest.mark.parametrize("name", NAMES)
def test_infinite_noise_is_no_answer(all_beliefs, name):
    belief = all_beliefs[name]
    noise = jnp.array([0.0, jnp.inf, 0.0, jnp.inf])
    picks = PICKS.at[3].set(PICKS[0])  # a pick left out may repeat another
    found = belief.condition(picks, OUTCOMES, noise)
    assert close(found, belief.condition(PICKS[::2], OUTCOMES[::2], NONE[::2]))
    assert close(belief.update(PICKS[0], OUTCOMES[0], jnp.asarray(jnp.inf)), belief)


@pytest.mark.parametrize("name", GAUSSIAN)
def test_the_gain_is_what_the_variance_falls_by(all_beliefs, name):
    belief = all_beliefs[name].update(PICKS[0], OUTCOMES[0], jnp.asarray(0.0))
    gain = belief.gain(WEIGHTS)
    for item in range(0, ITEMS, 5):
        after = belief.update(jnp.asarray(item), jnp.asarray(1.0), jnp.asarray(0.0))
        fall = belief.total(WEIGHTS).variance - after.total(WEIGHTS).variance
        assert np.isclose(gain[item], fall, rtol=1e-8, atol=1e-12)


def test_the_gain_about_an_ability_is_the_fall_to_expect(all_beliefs):
    belief = all_beliefs["ability"].update(PICKS[0], OUTCOMES[0], jnp.asarray(0.0))
    gain, chance = belief.gain(WEIGHTS), belief.mean()
    for item in (1, 5, 9):
        after = [
            belief.update(jnp.asarray(item), jnp.asarray(y), jnp.asarray(0.0)).total(
                WEIGHTS
            )
            for y in (0.0, 1.0)
        ]
        expected = (1 - chance[item]) * after[0].variance
        expected += chance[item] * after[1].variance
        fall = belief.total(WEIGHTS).variance - expected
        assert np.isclose(gain[item], fall, rtol=1e-6)


@pytest.mark.parametrize("name", ["finite_population", "learned_population", "ability"])
def test_with_everything_answered_the_total_is_known(all_beliefs, name):
    outcome = jnp.asarray(errors(seed=5)[:, 0])
    everything = jnp.arange(ITEMS)
    found = all_beliefs[name].condition(everything, outcome, jnp.zeros(ITEMS))
    total = found.total(WEIGHTS)
    assert np.allclose(found.mean(), outcome, atol=1e-14)
    assert np.isclose(total.mean, WEIGHTS @ outcome, atol=1e-14)
    assert abs(total.variance) < 1e-14
    assert np.allclose(found.gain(WEIGHTS), 0, atol=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_many_at_once_equal_a_loop(all_beliefs, name):
    belief = all_beliefs[name]
    outcomes = jnp.stack([OUTCOMES, 1 - OUTCOMES])
    many = eqx.filter_vmap(lambda y: summary(belief.condition(PICKS, y, NONE)))(
        outcomes
    )
    for k in range(2):
        one = summary(belief.condition(PICKS, outcomes[k], NONE))
        assert all(np.allclose(a[k], b) for a, b in zip(many, one, strict=True))


@pytest.mark.parametrize(
    "prior", [ScoreFeature(), FinitePopulation(), LearnedPopulation()]
)
def test_permuting_items_permutes_beliefs(prior):
    assert isinstance(prior, AbstractPrior)
    matrix, order = errors(), np.random.default_rng(2).permutation(ITEMS)
    here = prior(sources_of(matrix)).condition(PICKS, OUTCOMES, NONE)
    place = jnp.asarray(np.argsort(order))[PICKS]
    there = prior(sources_of(matrix[order])).condition(place, OUTCOMES, NONE)
    assert np.allclose(here.mean()[order], there.mean(), atol=1e-9)
    assert np.allclose(here.variance()[order], there.variance(), atol=1e-9)


def dense(belief):
    """Mean and covariance over all items, and the same of the answers to them."""
    shared = belief.feature @ belief.covariance @ belief.feature.T
    return np.asarray(belief.offset), np.asarray(shared) + np.diag(belief.residual)


@pytest.mark.parametrize("name", ["score_feature", "finite_population"])
@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_low_rank_is_a_gaussian_process_on_all_items(all_beliefs, name, noise):
    belief = all_beliefs[name]
    assert isinstance(belief, LowRankBelief)
    mean, covariance = dense(belief)
    picks, outcomes = np.asarray(PICKS), np.asarray(OUTCOMES)
    seen = covariance[np.ix_(picks, picks)] + (noise + float(belief.noise)) * np.eye(4)
    weight = covariance[:, picks] @ np.linalg.inv(seen)
    expected = mean + weight @ (outcomes - mean[picks])
    left = covariance - weight @ covariance[picks]
    found = belief.condition(PICKS, OUTCOMES, jnp.full(4, noise))
    total = found.total(WEIGHTS)
    assert isinstance(total, Total)
    assert np.allclose(found.mean(), expected, atol=1e-10)
    assert np.allclose(found.variance(), np.diag(left), atol=1e-10)
    assert np.isclose(total.variance, WEIGHTS @ left @ WEIGHTS, atol=1e-12)


@pytest.mark.parametrize("name", ["score_feature", "finite_population"])
def test_repeated_verdicts_are_one_of_less_noise(all_beliefs, name):
    belief = all_beliefs[name]
    item = jnp.asarray(4)
    own = float(belief.noise)
    twice = followed(belief, [item] * 2, jnp.array([1.0, 0.0]), jnp.array([0.2, 0.2]))
    once = belief.update(item, jnp.asarray(0.5), jnp.asarray((0.2 + own) / 2 - own))
    assert close(twice, once)


def test_score_features_are_the_sources_covariance():
    matrix = errors()
    mean, feature = score_features(sources_of(matrix))
    assert np.allclose(mean, matrix.mean(axis=1))
    assert np.allclose(feature @ feature.T, np.cov(matrix), atol=1e-12)


def test_the_first_direction_alone_moves_the_total():
    found = population_features(sources_of(errors()))
    means = np.asarray(found.feature).mean(axis=0)
    assert np.allclose(means[1:SOURCES], 0, atol=1e-12)
    assert np.isclose(means[0] ** 2, errors().mean(axis=0).var(ddof=1))


def test_the_sources_totals_vary_as_believed():
    """Before any answer the shared part of a total's variance is the sources' own."""
    belief = FinitePopulation(own=(0.0, 0.0, 0.0), remainder=(0.0, 0.0))(
        sources_of(errors())
    )
    weights = jnp.full(ITEMS, 1 / ITEMS)
    expected = errors().mean(axis=0).var(ddof=1)
    assert np.isclose(belief.total(weights).variance, expected)


def test_learned_variances_find_what_was_planted():
    generator = np.random.default_rng(6)
    items, sources = 1500, 12
    base = np.clip(generator.normal(0.5, 0.15, (items, 1)), 0.2, 0.8)
    noisy = base + generator.normal(size=(items, sources)) * 0.1
    learned = learn_population(sources_of(noisy))
    variance = FinitePopulation.of(learned, population_features(sources_of(noisy)))
    # A source's remainder is its own noise beside that of the others' mean.
    assert np.isclose(np.mean(variance.residual), 0.01 * (1 + 1 / sources), rtol=0.15)
    assert learned.other < 0.2  # the others' deviations foretell nothing
    thinned = learn_population(sources_of(noisy), items=700)
    assert np.allclose(thinned.remainder, learned.remainder, rtol=0.3, atol=2e-3)


@pytest.mark.parametrize(
    ("kernel", "at_two"),
    [
        (RBF(2.0, 3.0), 3 * np.exp(-0.5)),
        (Matern52(2.0, 3.0), 3 * (1 + 5**0.5 + 5 / 3) * np.exp(-(5**0.5))),
        (Linear(3.0), 0.0),
    ],
)
def test_kernels_at_a_known_distance(kernel, at_two):
    assert isinstance(kernel, AbstractKernel)
    here, there = jnp.array([0.0, 0.0]), jnp.array([2.0, 0.0])
    assert np.isclose(kernel(here, there), at_two)
    assert np.all(np.isfinite(jax.grad(kernel)(there, there)))


def test_prompt_features_start_from_the_sources_mean():
    belief = PromptFeatures(features(), RBF())(sources_of(errors()))
    assert isinstance(belief, KernelBelief)
    assert np.allclose(belief.mean(), errors().mean(axis=1))
    with pytest.raises(ValueError, match="features of 5 items"):
        PromptFeatures(features(5))(sources_of(errors()))


def test_principal_features_have_length_one_and_keep_neighbours():
    embedding = np.random.default_rng(0).normal(size=(30, 8)) * np.arange(8, 0, -1)
    found = np.asarray(principal_features(jnp.asarray(embedding), 4))
    assert found.shape == (30, 4)
    assert np.allclose(np.linalg.norm(found, axis=1), 1)
    centred = embedding - embedding.mean(axis=0)
    left, size, _ = np.linalg.svd(centred, full_matrices=False)
    scores = (left * size)[:, :4]
    scores /= np.linalg.norm(scores, axis=1, keepdims=True)
    assert np.allclose(found @ found.T, scores @ scores.T, atol=1e-9)


def test_an_ability_is_found_and_items_are_fitted():
    matrix = errors(items=60, sources=20, seed=9)
    belief = FittedAbility()(sources_of(matrix))
    assert isinstance(belief, AbilityBelief)
    everything = jnp.arange(60)
    means = [
        belief.condition(everything, jnp.asarray(matrix[:, k]), jnp.zeros(60))
        .ability()
        .mean
        for k in range(20)
    ]
    assert np.corrcoef(means, matrix.mean(axis=0))[0, 1] < -0.95
    assert np.isclose(belief.density().sum(), 1)


def test_fisher_information_is_the_logistic_models(all_beliefs):
    belief = all_beliefs["ability"]
    error = np.asarray(belief.error[:, 40])  # at ability 0, the mean before any answer
    slope = np.asarray(belief.slope[:, 40])
    assert np.allclose(belief.information(), slope**2 / (error * (1 - error)))
    curves = belief.slope**2 / (belief.error * (1 - belief.error))
    assert np.allclose(belief.expected_information(), curves @ belief.density())


def test_32_bits_agree():
    low = jax.tree.map(
        lambda leaf: leaf.astype(jnp.float32) if leaf.dtype == jnp.float64 else leaf,
        sources_of(errors()),
    )
    high = LearnedPopulation()(sources_of(errors())).condition(PICKS, OUTCOMES, NONE)
    found = LearnedPopulation()(low).condition(
        PICKS, OUTCOMES.astype(jnp.float32), NONE.astype(jnp.float32)
    )
    assert found.mean().dtype == jnp.float32
    assert np.allclose(found.mean(), high.mean(), atol=1e-3)
    assert np.allclose(found.variance(), high.variance(), atol=1e-3)
