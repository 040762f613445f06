"""A scorer that steps in for another, and banks of published parameters."""

import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import OnePL, TwoPL
from irtjax.irt.scoring import EAP, MAP, ML, SCORES, Fallback, bank_from_values


def bank(**more):
    values = {
        "difficulty": jnp.array([-1.0, 0.0, 0.5, 1.5]),
        "discrimination": jnp.array([1.0, 0.5, 2.0, 1.5]),
    }
    return bank_from_values(TwoPL(), ["a", "b", "c", "d"], values, **more)


ANSWERS = BinomialResponses(
    jnp.array([[1.0, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]),
    jnp.array([[1.0, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]]),
)


def test_each_system_has_the_scorer_that_is_finite():
    errors = {"difficulty": jnp.full(4, 0.2)}
    made = bank(errors=errors)

    def scores(scorer):
        return scorer(made.model, ANSWERS, made.items, item_covariance=made.covariance)

    both, first, then = (scores(each) for each in (Fallback(ML(), MAP()), ML(), MAP()))
    assert both.code.tolist() == [
        SCORES.highest,
        SCORES.ordinary,
        SCORES.lowest,
        SCORES.no_data,
    ]
    np.testing.assert_array_equal(both.ability[1], first.ability[1])
    np.testing.assert_array_equal(both.se[1], first.se[1])
    for k in (0, 2, 3):
        np.testing.assert_array_equal(both.ability[k], then.ability[k])
        np.testing.assert_array_equal(both.se[k], then.se[k])
    assert bool(jnp.all(jnp.isfinite(both.ability_covariance)))
    assert isinstance(Fallback().then, EAP)


def test_a_bank_has_the_values_and_errors_that_were_given():
    made = bank(errors={"discrimination": jnp.array([0.1, 0.2, 0.3, 0.4])})
    named = made.named()
    np.testing.assert_allclose(named.item["discrimination"], [1.0, 0.5, 2.0, 1.5])
    np.testing.assert_allclose(named.item["difficulty"], [-1.0, 0.0, 0.5, 1.5])
    spread = jnp.sqrt(jnp.diag(made.covariance))
    np.testing.assert_allclose(spread[:4], 0)
    # By the delta method: an error of log a is that of a over a.
    np.testing.assert_allclose(spread[4:], [0.1, 0.4, 0.15, 0.4 / 1.5])


def test_what_does_not_fit_is_refused():
    for item, more, said in (
        ({"difficulty": jnp.zeros(2)}, {}, "item parameters difficulty, discrim"),
        (
            {"difficulty": jnp.zeros(3), "discrimination": jnp.ones(2)},
            {},
            "2 item identifiers; difficulty",
        ),
        (
            {"difficulty": jnp.zeros(2), "discrimination": jnp.ones(2)},
            {"errors": {"guessing": jnp.zeros(2)}},
            "guessing",
        ),
    ):
        with pytest.raises(ValueError, match=said):
            bank_from_values(TwoPL(), ["a", "b"], item, **more)
    with pytest.raises(ValueError, match="shared parameters discrimination; got none"):
        bank_from_values(OnePL(), ["a"], {"difficulty": jnp.zeros(1)})
