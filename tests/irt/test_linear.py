"""A model that is linear in its abilities takes another way to the same numbers."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import (
    AbstractLinearModel,
    AbstractLogitModel,
    Exp,
    Normal,
    Parameter,
    TwoPL,
    posterior,
)
from irtjax.irt.models import FractionalBernoulli, MultidimensionalTwoPL, Rasch

from .cases import ABILITY, DIFFICULTY, MODELS, N_ITEM, point, table

SECOND = Parameter("second_ability", Normal())


class Bent(AbstractLinearModel):
    """Two abilities, and coefficients that bend with everything they may depend on."""

    response = BinomialResponses
    system_parameters: tuple = (ABILITY, SECOND)
    item_parameters: tuple = (DIFFICULTY, Parameter("tilt", Normal(), Exp()))
    shared_parameters: tuple = (
        Parameter("slope", Normal(sd=0.5), Exp()),
        Parameter("bias", Normal()),
    )

    def coefficients(self, item, shared, item_features):
        known = jnp.sum(item_features)
        slope = shared["slope"] * item["tilt"]
        return jnp.stack(
            [
                shared["bias"] * known - slope * item["difficulty"],
                slope,
                jnp.sin(item["tilt"] + item["difficulty"] * shared["bias"]),
            ]
        )


class Alone(AbstractLinearModel):
    """Whatever there is besides abilities, in the intercept; a slope of 1 for each."""

    response = BinomialResponses
    system_parameters: tuple = ()
    item_parameters: tuple = ()
    shared_parameters: tuple = ()

    def coefficients(self, item, shared, item_features):
        ones = jnp.ones(len(self.system_parameters))
        rest = [*item.values(), *shared.values(), jnp.zeros(())]
        return jnp.concatenate([sum(rest)[None], ones])


class AsLogit(AbstractLogitModel):
    """A model known by its log-odds alone."""

    inner: AbstractLinearModel
    system_parameters: tuple
    item_parameters: tuple
    shared_parameters: tuple

    def __init__(self, inner):
        self.inner = inner
        self.system_parameters = inner.system_parameters
        self.item_parameters = inner.item_parameters
        self.shared_parameters = inner.shared_parameters

    @property
    def response(self):
        return self.inner.response

    def logit(self, system, item, shared, system_features, item_features):
        return self.inner.logit(system, item, shared, system_features, item_features)


CASES = {
    "two_pl": TwoPL(),
    "one_pl": MODELS["one_pl"],
    "rasch": Rasch(),
    "fractional": FractionalBernoulli(),
    "three_dimensions": MultidimensionalTwoPL(3),
    "bent": Bent(),
    "only_abilities": Alone((ABILITY, SECOND)),
    "only_items": Alone((), (DIFFICULTY,)),
    "only_shared": Alone((), (), (SECOND,)),
    "abilities_and_shared": Alone((ABILITY,), (), (SECOND,)),
}


@eqx.filter_jit
def _evaluate(model, responses, at, features, share):
    problem = posterior(model, responses, item_features=features)
    return problem.evaluate(at, share), problem.expected_information(at)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("name", CASES)
def test_every_number_is_that_of_the_cells(name, share):
    model = CASES[name]
    responses, at = table(model), point(model, seed=5)
    features = jnp.linspace(-1, 1, N_ITEM)[:, None] if name == "bent" else None
    short, long = (
        _evaluate(kind, responses, at, features, jnp.asarray(share))
        for kind in (model, AsLogit(model))
    )
    for one, other in zip(jax.tree.leaves(short), jax.tree.leaves(long), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("ability", [-2000.0, 2000.0])
def test_extreme_logits_stay_finite(ability):
    model = TwoPL()
    at = eqx.tree_at(
        lambda e: e.system, point(model), jnp.full_like(point(model).system, ability)
    )
    found = _evaluate(model, table(model), at, None, jnp.ones(()))
    for leaf in jax.tree.leaves(found):
        assert jnp.all(jnp.isfinite(leaf))


def test_an_ability_is_taken_as_it_is():
    positive = Parameter("ability", Normal(), Exp())
    with pytest.raises(ValueError, match="leave the transform of ability at Identity"):
        Alone((positive,), (DIFFICULTY,))
