import jax
import jax.numpy as jnp
import numpy as np
import pytest

from experiments.bars import issue4_bar7
from experiments.bars._ways import MODELS, Found, drawn, example, moved, ways

GOOD = {
    "model": "2PL",
    "way": "joint",
    "same_bits": True,
    "same_bits_elsewhere": True,
    "permuted": issue4_bar7.DIFFERENCE,
    "float32": issue4_bar7.FLOAT32,
}


@pytest.mark.parametrize(
    ("changes", "passed"),
    [
        ({}, True),
        ({"same_bits": False}, False),
        ({"same_bits_elsewhere": False}, False),
        ({"permuted": 2e-8}, False),
        ({"permuted": None}, False),
        ({"float32": 0.1}, False),
    ],
)
def test_bar_7_falls_where_it_should(changes, passed):
    found = issue4_bar7.judge([GOOD, GOOD | changes])
    assert found["passed"] is passed
    assert found["measured"]["falling_short"] == ([] if passed else ["2PL: joint"])


def test_bar_7_asks_draws_for_their_bits_alone():
    draws = {"model": "2PL", "way": "NUTS", "same_bits": True}
    draws["same_bits_elsewhere"] = True
    assert issue4_bar7.judge([draws])["passed"]
    assert not issue4_bar7.judge([draws | {"same_bits": False}])["passed"]


def test_bar_7_needs_something_to_judge():
    assert not issue4_bar7.judge([])["passed"]


def test_every_model_has_ways_and_an_example():
    for name, model in MODELS.items():
        responses = example(name, (4, 3), key=jax.random.key(0))
        assert isinstance(responses, model.response)
        assert responses.shape == (4, 3)
        assert {"joint", "marginal", "EAP", "MAP"} <= set(ways(name))
    assert "ML" not in ways("two dimensions")
    assert "WLE" in ways("2PL")
    assert {"NUTS", "SVI", "parametric bootstrap"} <= set(drawn("2PL"))


def test_the_largest_gap():
    def found(*values):
        return Found({"value": jnp.asarray(values)}, {}, {}, jnp.asarray(0))

    inf, nan = float("inf"), float("nan")
    gap = issue4_bar7.largest_gap
    assert gap(found(0.5, inf, nan), found(0.5, inf, nan)) == 0
    np.testing.assert_allclose(gap(found(0.5, 10.0), found(0.4, 11.0)), 0.1)
    assert np.isnan(gap(found(0.5), found(nan)))
    assert np.isinf(gap(found(inf), found(0.5)))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["joint", "joint, many", "MAP"])
def test_a_few_ways_keep_the_laws(kind):
    shape = (6, 5)
    responses = example("2PL", shape, key=jax.random.key(1))
    way = ways("2PL")[kind]
    found = way(MODELS["2PL"], responses)
    again = way(MODELS["2PL"], responses)
    assert issue4_bar7.digest(found) == issue4_bar7.digest(again)
    order = np.array([3, 0, 5, 1, 4, 2]), np.array([4, 2, 0, 1, 3])
    other = way(MODELS["2PL"], responses.take(*map(jnp.asarray, order)))
    gap = issue4_bar7.largest_gap(moved(found, *order), other)
    assert gap <= issue4_bar7.DIFFERENCE
    assert issue4_bar7.digest(found) != issue4_bar7.digest(other)
    low = jax.tree.map(lambda leaf: leaf.astype(jnp.float32), responses)
    assert issue4_bar7.largest_gap(found, way(MODELS["2PL"], low)) < issue4_bar7.FLOAT32
