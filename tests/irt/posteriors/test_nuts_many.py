import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.irt import TwoPL
from irtjax.irt.posteriors import NUTS, nuts_many, sample_posterior

from ..cases import stack, table

KEY = jax.random.key(5)
BRIEF = NUTS(chains=2, draws=60, warmup=60)
TABLES = [table(TwoPL(), seed=seed) for seed in range(6)]


@pytest.fixture(scope="module")
def together():
    return nuts_many(TwoPL(), stack(TABLES), sampler=BRIEF, block=4, key=KEY)


def test_a_table_has_the_draws_that_it_has_alone(together):
    for number in (0, 5):
        alone = sample_posterior(
            TwoPL(),
            TABLES[number],
            sampler=BRIEF,
            key=jax.random.fold_in(KEY, number),
        )
        for one, many in zip(
            jax.tree.leaves(alone.value), jax.tree.leaves(together.value), strict=True
        ):
            np.testing.assert_allclose(many[number], one, atol=1e-8)


def test_neighbours_and_order_change_no_bit(together):
    numbers = np.array([5, 2, 0, 3])
    found = nuts_many(
        TwoPL(),
        stack([TABLES[number] for number in numbers]),
        sampler=BRIEF,
        numbers=numbers,
        block=4,
        key=KEY,
    )
    for place, number in enumerate(numbers):
        np.testing.assert_array_equal(
            found.value.item[place], together.value.item[number]
        )
        assert found.code[place] == together.code[number]
    # Another number, other draws of the same table.
    other = nuts_many(
        TwoPL(),
        stack([TABLES[5]] * 4),
        sampler=BRIEF,
        numbers=np.array([5, 6, 7, 8]),
        block=4,
        key=KEY,
    )
    np.testing.assert_array_equal(other.value.item[0], together.value.item[5])
    assert not np.any(other.value.item[1] == other.value.item[0])


def test_every_array_has_a_problem_axis(together):
    assert {leaf.shape[0] for leaf in jax.tree.leaves(together)} == {6}
    assert together.value.system.shape == (6, 2, 60, 6, 1)


def test_bad_calls_are_refused():
    with pytest.raises(ValueError, match="numbers"):
        nuts_many(TwoPL(), stack(TABLES), sampler=BRIEF, numbers=np.arange(2), key=KEY)
    none = jax.tree.map(lambda leaf: jnp.asarray(leaf)[:0], stack(TABLES))
    with pytest.raises(ValueError, match="at least one table"):
        nuts_many(TwoPL(), none, sampler=BRIEF, key=KEY)
