"""Bar 8: a pool grown on short answers picks better on questions it has never seen."""

import time
from typing import Any

import numpy as np

from irtjax.cegar import (
    FLAG,
    evaluate,
    gain_interval,
    grow,
    make_panel,
    passing,
    pool_verdicts,
)
from irtjax.cegar.operators import Harness
from irtjax.cegar.sandbox import best_sandbox
from irtjax.cegar.suite import short_answer_cases

from . import Measurement

QUESTIONS = 160
SEEDS = (0, 1, 2)
"""Of the questions and of the split; fixed before anything was run."""

TRAINING = 0.6
P_VALUE = 0.001


def measure(questions: int = QUESTIONS, seeds: tuple[int, ...] = SEEDS) -> Measurement:
    """Grow a pool on part of the questions for each seed, freeze it, score the rest.

    Args:
        questions: of each example.
        seeds: of examples, each with a split of its own.
    """
    return judge([grown_and_scored(questions, seed) for seed in seeds])


def judge(measured: list[dict[str, Any]]) -> Measurement:
    """Return the bar's verdict.

    Args:
        measured: for each seed what its pool gained on unseen questions.
    """
    return {
        "bar": "the short-answer example: the loop's pool beats flagging nothing on "
        "unseen questions",
        "command": "scripts/bars 6 8",
        "required": {"delta": "above 0", "p": P_VALUE},
        "measured": measured,
        "passed": bool(measured)
        and all(each["delta"] > 0 and each["p"] <= P_VALUE for each in measured),
    }


def grown_and_scored(questions: int, seed: int) -> dict[str, Any]:
    """Return what a pool grown on the training questions gains on the others.

    Args:
        questions: of the example.
        seed: of the example and of the split.
    """
    begin = time.perf_counter()
    example = short_answer_cases(seed, questions)
    order = np.random.default_rng(seed).permutation(questions)
    cut = int(TRAINING * questions)

    def part(places):
        chosen = sorted(map(int, places))
        return passing(
            [example.cases[n] for n in chosen], [example.labels[n] for n in chosen]
        )

    with Harness(best_sandbox(), seed=seed) as harness:
        training, known = part(order[:cut])
        grown = grow(training, known, harness)
        frozen = grown.pool.hash
        cases, labels = part(order[cut:])
        panel = make_panel(cases, labels)
        verdicts = pool_verdicts(grown.pool.operators, cases, harness)
    found = evaluate(panel, verdicts)
    return {
        "seed": seed,
        "pool": frozen,
        "operators": [operator.name for operator in grown.pool.operators],
        "rounds": len(grown.run.rounds),
        "admitted": len(grown.run.pool),
        "training questions": cut,
        "unseen questions": len(cases),
        "accuracy without": found.gain.accuracy - found.gain.delta,
        "delta": found.gain.delta,
        "interval": gain_interval(panel, verdicts == FLAG),
        "headroom closed": found.gain.closed,
        "helped": found.gain.helped,
        "hurt": found.gain.hurt,
        "p": found.exact.p_value,
        "p, whole answers": found.programs.p_value,
        "p, sign": found.sign,
        "seconds": time.perf_counter() - begin,
    }
