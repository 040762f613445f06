"""Histories and new systems of a known truth."""

import numpy as np

from irtjax.active import History
from irtjax.active.pipeline import answers_from


def scores(n_system=16, n_item=120, *, seed=0):
    """Right and wrong answers of systems that differ in ability, items in difficulty."""
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(size=n_system), 1.5 * rng.normal(size=n_item)
    chance = 1 / (1 + np.exp(difficulty[:, None] - ability[None, :]))
    return (rng.random(chance.shape) < chance).astype(float)


def history(matrix, score_is="success", **more):
    ids = more.pop("item_ids", [f"q{k:03}" for k in range(matrix.shape[0])])
    sources = [f"s{k}" for k in range(matrix.shape[1])]
    return History.from_array(
        matrix, score_is=score_is, item_ids=ids, source_ids=sources, **more
    )


def answered(past, plan, target, **more):
    """Return a plan's answers by a system whose score on every item is known."""
    place = {each: k for k, each in enumerate(past.item_ids)}
    found = {each: float(target[place[each]]) for each in plan.item_ids}
    drawn = dict(zip(plan.item_ids, plan.sampled.tolist(), strict=True))
    return answers_from(past, found, sampled=drawn, **more)
