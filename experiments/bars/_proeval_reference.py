"""Numbers from the published package: run by a Python that has `proeval` installed.

`python _proeval_reference.py INPUT.npz OUTPUT.npz BUDGET`: the input holds matrices of
errors, items by systems; every system in turn is the target. The output holds, for each
matrix, picks, estimates and variances of the estimate, target by step.

`python _proeval_reference.py time N M BUDGET` prints the seconds of a plan with its
estimate on a random matrix.
"""

import sys
import time
from importlib.metadata import version

import numpy as np
from proeval.sampler import BQPriorSampler  # pyright: ignore[reportMissingImports]


def evaluate(errors: np.ndarray, budget: int) -> dict[str, np.ndarray]:
    """Return picks, estimates and variances, one row a target."""
    picks, estimates, variances = [], [], []
    for target in range(errors.shape[1]):
        plan = BQPriorSampler().plan(np.delete(errors, target, axis=1), budget)
        found = plan.estimate(errors[list(plan.indices), target])
        picks.append(plan.indices)
        estimates.append(found.estimates)
        variances.append(found.integral_variance)
    return {
        "pick": np.array(picks),
        "estimate": np.array(estimates),
        "variance": np.array(variances),
    }


def seconds(items: int, sources: int, budget: int) -> float:
    """Return how long a plan and its estimates take on a random matrix of errors."""
    generator = np.random.default_rng(0)
    errors = (generator.random((items, sources)) < 0.5).astype(float)
    outcomes = (generator.random(items) < 0.5).astype(float)
    begin = time.perf_counter()
    plan = BQPriorSampler().plan(errors, budget)
    plan.estimate(outcomes[list(plan.indices)])
    return time.perf_counter() - begin


if __name__ == "__main__":
    if sys.argv[1] == "time":
        print(seconds(*map(int, sys.argv[2:5])))
    else:
        given = np.load(sys.argv[1])
        results = {
            f"{name}_{key}": value
            for name in given.files
            for key, value in evaluate(given[name], int(sys.argv[3])).items()
        }
        named = {"version": np.array(version("proeval")), **results}
        np.savez(sys.argv[2], **named)  # pyright: ignore[reportArgumentType]
