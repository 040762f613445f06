"""Write scores.csv, a small made-up evaluation in which the plain average misleads.

Eight systems, twelve items, ten trials a cell. The stronger half was mostly run on the
harder items and the weaker half on the easier ones, as happens when teams choose.
"""

import csv
from pathlib import Path

import numpy as np

SYSTEMS = ("alder", "beech", "cedar", "elm", "fir", "hazel", "larch", "oak")
TRIALS = 10


def main() -> None:
    """Draw the table with a fixed seed and write it beside this file."""
    rng = np.random.default_rng(11)
    ability = np.linspace(2.0, -2.0, len(SYSTEMS))
    difficulty = np.linspace(-2.5, 2.5, 12)
    with open(Path(__file__).with_name("scores.csv"), "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["system", "item", "successes", "trials"])
        for name, theta in zip(SYSTEMS, ability, strict=True):
            fit = np.exp(-(((difficulty - theta) / 1.6) ** 2)) + 0.02
            ran = rng.choice(12, 7, replace=False, p=fit / fit.sum())
            for item in sorted(ran):
                chance = 1 / (1 + np.exp(-1.5 * (theta - difficulty[item])))
                successes = rng.binomial(TRIALS, chance)
                rows.writerow([name, f"task-{item + 1:02d}", successes, TRIALS])


if __name__ == "__main__":
    main()
