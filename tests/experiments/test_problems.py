import numpy as np
import pytest

from experiments._problems import published_tables, random_table, random_tables, stack


@pytest.mark.parametrize(("complete", "n_problem"), [(True, 2250), (False, 2100)])
def test_published_tables_are_all_there(complete, n_problem):
    tables = published_tables(complete=complete)
    assert tables.trials.shape == (n_problem, 10, 10)
    assert np.any(np.all(tables.trials > 0, axis=(1, 2))) == complete


@pytest.mark.parametrize("sparsity", [0.0, 0.5, 0.99])
def test_random_table_is_possible(sparsity):
    rng = np.random.default_rng(0)
    successes, trials = random_table(rng, 40, 30, sparsity=sparsity, trials=7)
    assert set(np.unique(trials)) <= {0.0, 7.0}
    assert np.all((successes >= 0) & (successes <= trials))
    assert np.all(trials.sum(axis=1) > 0)
    # At least one cell a row is kept, so the share may be lower than asked, never far
    # above: five standard deviations of 1,200 draws.
    assert np.mean(trials == 0) <= sparsity + 5 * np.sqrt(0.25 / 1200)


def test_random_tables_repeat_and_differ_by_seed():
    first, again = (random_tables(3, 4, 5, trials=9, seed=1) for _ in range(2))
    other = random_tables(3, 4, 5, trials=9, seed=2)
    np.testing.assert_array_equal(first.successes, again.successes)
    assert not np.array_equal(first.successes, other.successes)
    assert len(first) == len(list(first.each())) == 3


def test_stack_refuses_tables_of_two_sizes():
    with pytest.raises(ValueError, match="same shape"):
        stack([(np.ones((2, 3)), np.ones((2, 3))), (np.ones((2, 4)), np.ones((2, 4)))])
