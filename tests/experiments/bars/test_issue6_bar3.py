"""The bar on the loop: what passes and what does not."""

import json

import polars as pl

from experiments._cegar_rows import ROW
from experiments._cegar_tables import pool_scores
from experiments.bars import issue6_bar3
from experiments.bars.issue6_bar3 import OTHERS, judge, summed


def scores(variant, training, seeds, admitted=1, closed=0.3, p=1e-6):
    rows = []
    for seed in range(seeds):
        key = {"tasks": "mbpp_plus", "variant": variant, "training": training}
        key |= {"seed": seed}
        rows.append(dict.fromkeys(ROW) | key | {"what": "loop", "admitted": admitted})
        for where in ("unseen", "humaneval_plus"):
            worth = {"where": where, "closed": closed, "delta": closed / 10}
            worth |= {"p_exact": p}
            rows.append(dict.fromkeys(ROW) | key | worth | {"what": "pool"})
            other = worth | {"what": "comparator", "closed": 0.25}
            rows.append(dict.fromkeys(ROW) | key | other)
    return pool_scores(pl.DataFrame(rows, schema=ROW))


def found(**more):
    others = pl.concat([scores(name, 150, 2) for name in OTHERS])
    return {
        "full": scores("full", 150, 8, **more),
        "shuffled": scores("shuffled", 150, 20, admitted=0, closed=0.0),
        "curve": pl.concat([scores("full", size, 8) for size in (75, 225)]),
        "others": others,
    }


def test_the_verdict():
    good = judge(found())
    assert good["passed"]
    assert good["measured"]["shuffled, runs that admit"] == "0 of 20"
    assert set(good["measured"]["curve"]) == {"75", "225"}
    assert not judge(found(admitted=0))["passed"]
    assert not judge(found(closed=0.2))["passed"]
    assert not judge(found(p=0.01))["passed"]
    lucky = found() | {"shuffled": scores("shuffled", 150, 20)}
    assert not judge(lucky)["passed"]
    assert issue6_bar3.SEEDS == 8


def test_runs_that_admit_nothing_have_no_worth():
    none = summed(scores("full", 150, 3, admitted=0))
    assert none["unseen"]["admit"] == 0
    assert none["unseen"]["closed"] == []
    assert none["unseen"]["best closed"] is None
    assert json.loads(json.dumps(none, allow_nan=False)) == none
