"""A small ranking whose every number was chosen by hand, and its table."""

import dataclasses

import jax.numpy as jnp
import numpy as np

from irtjax.data import BinomialResponses, ResponseTable
from irtjax.ranking import Ranking

NAN = float("nan")


def table() -> ResponseTable:
    """Five systems on four items; `b` ran only the two easy ones, `none` nothing."""
    trials = np.array(
        [[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]], float
    )
    successes = np.array(
        [[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0]], float
    )
    return ResponseTable(
        BinomialResponses(jnp.asarray(successes), jnp.asarray(trials)),
        system_ids=("007", "<b> & [red]", 3, "d", "none"),
        item_ids=("w", "x", "y", "z"),
        source="small.csv",
        score_is="success",
        systems_in="rows",
        trials_from="binary scores",
        notes=("Identifiers were taken from column 'name'.",),
    )


def ranking(**changes) -> Ranking:
    """Rank that table: 007 first, `b` down from the top of the plain means."""
    separable = np.zeros((5, 5), bool)
    separable[0, 3] = separable[3, 0] = True
    numbers = {
        "score": [1.5, 0.75, 0.25, -1.0, NAN],
        "se": [0.5, 0.75, 0.5, 0.5, NAN],
        "lower": [0.5, -0.75, -0.75, -2.0, NAN],
        "upper": [2.5, 2.25, 1.25, 0.0, NAN],
        "rank": [1, 2, 3, 4, NAN],
        "rank_lower": [1, 1, 1, 2, 1],
        "rank_upper": [2, 4, 4, 4, 5],
        "joint_rank_lower": [1, 1, 1, 2, 1],
        "joint_rank_upper": [3, 4, 4, 4, 5],
        "p_best": [0.625, 0.25, 0.125, 0.0, NAN],
        "plain_mean": [0.75, 1.0, 0.5, 0.25, NAN],
        "plain_se": [0.1, 0.0, 0.1, 0.1, NAN],
        "plain_lower": [0.5, 0.5, 0.25, 0.0, NAN],
        "plain_upper": [1.0, 1.0, 0.75, 0.5, NAN],
        "plain_rank": [2, 1, 3, 4, NAN],
    }
    made = Ranking(
        **{name: np.array(values, float) for name, values in numbers.items()},
        system_ids=table().system_ids,
        source="small.csv",
        ranker="two_pl",
        scale="ability in logits",
        level=0.95,
        seed=3,
        p_beats=np.full((5, 5), 0.5),
        separable=separable,
        tie_group=np.array([1, 1, 1, 2, 0]),
        n_item=np.array([4, 2, 4, 4, 0]),
        component=np.array([0, 0, 0, 0, -1]),
        flags=((), ("barely measured", "all right"), (), (), ("no data",)),
        constant_items=("w", "z"),
        codes={"successful": 1},
        dispersion=None,
        trials=None,
        band_lower=None,
        band_upper=None,
        method="Scores were chosen by hand.",
        notes=("Identifiers were taken from column 'name'.", "A note of the analysis."),
        warnings=("No data: none.",),
        not_comparable=("Nothing links none with 007.",),
    )
    return dataclasses.replace(made, **changes)
