"""The whole of trust on small tables: reproducible, honest, refusing what it cannot."""

import json

import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import CategoricalResponses
from irtjax.ranking import RANKERS
from irtjax.ranking.trust import Level, Trust, Verdict, trust

from ..tables import binomial, draw, labelled, scores

FEW = {"average": RANKERS["average"], "pooled_two_pl": RANKERS["pooled_two_pl"]}


def trusted(responses, **settings) -> Trust:
    return trust(labelled(responses), rankers=FEW, replicates=39, **settings)


@pytest.fixture(scope="module")
def good():
    told = []
    found = trusted(draw(0, trials=20, sparsity=0.3, spread=1.5), progress=told.append)
    return found, told


def test_good_data_are_trusted(good):
    found, told = good
    assert isinstance(found.verdict, Verdict)
    assert found.verdict.level is Level.good
    assert found.expected["pooled_two_pl"].rho > 0.9
    assert found.control < 0.05
    assert found.replicates == 39
    assert 0 < found.sparsity < 0.5
    assert found.not_comparable == ()
    assert told[0] == "drawing truths"
    assert set(FEW) <= set(told)


def test_everything_can_be_written(good):
    found, _ = good
    record = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert record["verdict"]["level"] == "good"
    assert set(record["expected"]) == set(FEW)
    assert set(record["missing"]) == {"pairing", "by_ability", "by_difficulty"}


def test_the_same_seed_gives_the_same_and_another_does_not(good):
    found, _ = good
    table = draw(0, trials=20, sparsity=0.3, spread=1.5)
    assert trusted(table).to_dict() == found.to_dict()
    assert trusted(table, seed=1).expected != found.expected


def test_two_blocks_are_not_comparable():
    whole = draw(1, n_system=10, n_item=12, trials=30)
    blocks = np.zeros((10, 12), bool)
    blocks[:5, :6] = blocks[5:, 6:] = True
    found = trusted(whole.hide(jnp.asarray(blocks)))
    assert found.verdict.level is Level.not_comparable
    assert found.verdict.average_safe is None
    assert len(found.not_comparable) == 1
    assert "share no items" in found.verdict.reasons[0]


def test_noise_shows_no_order():
    rng = np.random.default_rng(3)
    trials = np.full((10, 12), 4)
    found = trusted(binomial(rng.binomial(trials, 0.5), trials))
    assert found.verdict.level is Level.no_order
    assert found.missing is None  # nothing is missing
    assert found.control > 0.05


def test_scores_without_trials_are_counted():
    rng = np.random.default_rng(5)
    share = np.clip(
        np.linspace(0.1, 0.9, 10)[:, None] + rng.normal(0, 0.1, (10, 12)), 0, 1
    )
    found = trust(
        labelled(scores(share), trials_from="unknown"), rankers=FEW, replicates=39
    )
    assert found.dispersion is not None
    assert found.dispersion < 1
    assert any("number of trials" in note for note in found.notes)


def test_what_cannot_be_done_is_refused():
    table = draw(0)
    with pytest.raises(ValueError, match="at least 39, got 10"):
        trust(labelled(table), rankers=FEW, replicates=10)
    one = np.zeros((10, 12), bool)
    one[0] = True
    with pytest.raises(ValueError, match=r"test\.csv: at least two systems"):
        trusted(table.hide(jnp.asarray(one)))
    with pytest.raises(ValueError, match="not CategoricalResponses"):
        trusted(CategoricalResponses(jnp.ones((3, 4, 3))))
