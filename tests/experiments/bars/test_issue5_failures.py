"""The bars on failures and encoders judge as they say, by figures made up here."""

import gzip
import json

import numpy as np
import polars as pl
import pytest

from experiments._failure_rows import OFFLINE, ROW
from experiments.bars import issue5_bar4, issue5_bar6


def runs(**changes):
    figures = {
        ("gqa", "failures"): (97, 0),
        ("gqa", "surprise"): (90, 10),
        ("gqa", "novelty"): (40, 40),
        ("gqa", "superlevel"): (55, 20),
        ("gqa", "superlevel_published"): (50, 23),
        ("gqa", "prior_mean"): (98, 0),
        ("gqa", "random"): (47, 10),
        (OFFLINE, "writing"): (60, 30),
        (OFFLINE, "writing_blindly"): (40, 20),
        (OFFLINE, "random_questions"): (15, 5),
    }
    figures |= {tuple(key.split("-")): value for key, value in changes.items()}
    zero = dict.fromkeys(ROW, 0.0) | {
        "target": 0,
        "asked": 100,
        "failed": [],
        "new": [],
    }
    rows = [
        zero
        | {"where": where, "method": method, "seed": seed, "failures": a, "novel": b}
        for (where, method), (a, b) in figures.items()
        for seed in range(2)
    ]
    return pl.DataFrame(rows, schema=ROW, strict=False)


def test_bar_4_passes_and_says_what_was_found():
    found = issue5_bar4.judge(runs())
    assert found["passed"]
    assert found["measured"]["written against random questions"] == 4.0
    assert (
        found["measured"]["worlds in which writing found 3 times as many"] == "2 of 2"
    )
    json.dumps(found)


@pytest.mark.parametrize(
    "changes",
    [
        {"gqa-failures": (94, 0)},
        {"gqa-novelty": (19, 19), "gqa-superlevel_published": (50, 15)},
        {"gqa-superlevel_published": (50, 41)},
        {"offline-random_questions": (21, 5)},
    ],
)
def test_bar_4_fails_on_each_count(changes):
    found = issue5_bar4.judge(runs(**changes))
    assert not found["passed"]
    assert list(found["measured"]["held"].values()).count(False) == 1


GOOD = {"raw": -0.8, "raw_fitted": -0.7, "tuned": -0.6, "recovered": 0.9, "apart": 1e-5}


def test_bar_6_judges_every_seed():
    real = {"hashed linear": [{"raw": -1.0, "raw_fitted": -0.5, "tuned": -0.6}]}
    assert issue5_bar6.judge({"linear": [GOOD, GOOD]}, real, (3, 2))["passed"]
    for change in (
        {"raw_fitted": -0.5},
        {"raw": -0.5},
        {"recovered": 0.4},
        {"apart": 2e-3},
    ):
        found = issue5_bar6.judge({"linear": [GOOD, GOOD | change]}, real, (3, 2))
        assert not found["passed"]
    json.dumps(found)


def test_real_prompts_are_read(tmp_path):
    def write(name, rows):
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt") as stream:
            stream.writelines(json.dumps(row) + "\n" for row in rows)

    ids = ["t1", "t2"]
    write("MbppPlus", [{"task_id": k, "prompt": f"do {k}"} for k in ids])
    samples = [[[0, 0], [1, 0]], [[0, 1]]]
    write(
        "candidates_mbpp",
        [{"task_id": k, "candidates": [{"samples": s} for s in samples]} for k in ids],
    )
    right, wrong = {"vis": 1, "base": 1, "plus": 1}, {"vis": 1, "base": 0}
    write("labels_mbpp", [{"task_id": k, "labels": [right, wrong]} for k in ids])
    texts, error = issue5_bar6.real_prompts(tmp_path)
    assert texts == ["do t1", "do t2"]
    np.testing.assert_allclose(error, [[0.5, 0.0]] * 2)


def test_embeddings_that_are_installed_are_used():
    found = issue5_bar6.embeddings(["one text", "another"])
    assert found["hashed_ngrams"].shape == (2, 512)
