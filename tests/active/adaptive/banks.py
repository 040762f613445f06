"""Banks whose items are known, and a calibrated one with the systems behind it."""

import jax.numpy as jnp
import numpy as np

from irtjax.data import table_from_matrix
from irtjax.irt import MarginalMAP, Normal, Rasch, TwoPL, calibrate
from irtjax.irt.scoring import bank_from_values


def rasch(difficulty):
    """A bank of items that differ in difficulty alone."""
    ids = [f"b{k:+g}" for k in difficulty]
    values = {"difficulty": jnp.asarray(difficulty, float)}
    return bank_from_values(Rasch(), ids, values, shared={"ability_sd": jnp.ones(())})


def two_pl(difficulty, discrimination, **more):
    values = {
        "difficulty": jnp.asarray(difficulty, float),
        "discrimination": jnp.asarray(discrimination, float),
    }
    ids = [f"i{k}" for k in range(len(difficulty))]
    return bank_from_values(TwoPL(), ids, values, **more)


def drawn(seed, n_system, n_item):
    """Abilities, difficulties, slopes and answers of a 2PL, from its default priors."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=n_system)
    difficulty = rng.normal(size=n_item)
    slope = np.exp(0.4 * rng.normal(size=n_item))
    chance = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    answers = (rng.random(chance.shape) < chance).astype(float)
    return ability, difficulty, slope, answers


def calibrated(answers, score_is="success"):
    shown = answers if score_is == "success" else 1 - answers
    table = table_from_matrix(shown, score_is=score_is)
    model = TwoPL(difficulty=Normal(0.0, 1.0), log_discrimination=Normal(0.0, 0.4))
    return calibrate(model, table, estimator=MarginalMAP())
