"""Small histories and beliefs that the laws are tried on."""

import jax.numpy as jnp
import numpy as np

from irtjax.active import (
    FinitePopulation,
    LearnedPopulation,
    Matern52,
    PromptFeatures,
    ScoreFeature,
    SourceErrors,
    Target,
    ability_belief,
)

ITEMS, SOURCES = 24, 6


def errors(items=ITEMS, sources=SOURCES, seed=0):
    """Right and wrong answers of systems that differ, on items that differ."""
    generator = np.random.default_rng(seed)
    logit = generator.normal(size=(items, 1)) * 1.5 - generator.normal(size=sources)
    return (generator.random((items, sources)) < 1 / (1 + np.exp(-logit))).astype(float)


def sources_of(matrix):
    return SourceErrors(jnp.asarray(matrix), jnp.ones(matrix.shape, bool))


def target_of(outcome):
    outcome = jnp.asarray(outcome)
    return Target(outcome, jnp.ones(outcome.shape, bool))


def known_ability(items=ITEMS):
    generator = np.random.default_rng(3)
    return ability_belief(
        jnp.asarray(np.exp(generator.normal(size=items) * 0.3)),
        jnp.asarray(generator.normal(size=items)),
        jnp.linspace(-5, 5, 81),
    )


def features(items=ITEMS):
    return jnp.asarray(np.random.default_rng(4).normal(size=(items, 3)))


def beliefs():
    """Every kind of belief, by name, before any answer."""
    history = sources_of(errors())
    return {
        "score_feature": ScoreFeature()(history),
        "finite_population": FinitePopulation()(history),
        "learned_population": LearnedPopulation()(history),
        "kernel": PromptFeatures(features(), Matern52(), 0.1)(history),
        "ability": known_ability(),
    }
