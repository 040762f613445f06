"""Every subset, against brute force."""

import itertools

import numpy as np
import pytest

from irtjax.cegar import (
    Subsets,
    count_subsets,
    gain,
    rejected,
    score_subsets,
    subset_deltas,
)

from .panels import random_flags, random_panel


def test_every_subset_scores_as_brute_force_says():
    panel = random_panel(0)
    flags = random_flags(panel, 7)
    found = score_subsets(panel, flags, size=4)
    changes = subset_deltas(panel, flags, size=4)
    assert isinstance(found, Subsets)
    assert len(found.member) == len(changes) == count_subsets(7, 4)
    ratio = panel.count[~panel.right].sum() / panel.count[panel.right].sum()
    place = 0
    for size in range(1, 5):
        for subset in itertools.combinations(range(7), size):
            out = rejected(flags[list(subset)])
            true = panel.count[out & ~panel.right].sum()
            false = panel.count[out & panel.right].sum()
            assert tuple(found.member[place][:size]) == subset
            assert found.true_flags[place] == true
            assert found.false_flags[place] == false
            assert found.objective[place] == true - ratio * false
            delta = gain(panel, flags[list(subset)]).delta
            assert changes[place] == pytest.approx(delta, abs=1e-14)
            place += 1


def test_the_best_subset_is_the_first_of_the_best():
    panel = random_panel(1)
    flags = np.concatenate([random_flags(panel, 3), ~panel.right[None]])
    assert score_subsets(panel, flags).best() == (3,)
    twice = np.concatenate([flags, ~panel.right[None]])
    assert score_subsets(panel, twice, size=1).best() == (3,)


def test_the_number_of_subsets_of_the_paper():
    """35 operators and subsets of up to 6, as the paper's experiments count them."""
    assert count_subsets(35, 6) == 2_007_327
    assert count_subsets(36, 6) == 2_391_495


def test_nothing_to_compose_is_said():
    panel = random_panel(1)
    with pytest.raises(ValueError, match="holds no operator"):
        score_subsets(panel, random_flags(panel, 0))
    with pytest.raises(ValueError, match="both kinds"):
        score_subsets(
            panel._replace(right=np.ones_like(panel.right)), random_flags(panel, 2)
        )
