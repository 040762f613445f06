"""A ranking holds how hard its items are, where the ranker knows."""

import numpy as np

from irtjax.ranking import ItemScale, rank_table

from .tables import draw, labelled


def test_a_ranking_holds_its_items():
    answers = labelled(draw(0, n_system=12, n_item=6, trials=20))
    found = rank_table(answers)
    assert isinstance(found.items, ItemScale)
    easy = np.asarray(answers.responses.mean_score()).mean(axis=0)
    assert np.corrcoef(found.items.difficulty, easy)[0, 1] < -0.9
    assert (found.items.se > 0).all()
    np.testing.assert_array_equal(found.items.n_system, 12)
    record = found.to_dict()["items"]
    assert record[0]["item"] == "i0"
    assert record[0]["difficulty"] == found.items.difficulty[0]
    assert rank_table(answers, ranker="average").items is None
    assert rank_table(answers, ranker="average").to_dict()["items"] is None
