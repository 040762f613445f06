"""Write history.csv and answers.csv: ten systems on 60 items, and a new one on twenty.

The new system, yew, was run on the items that `irtjax plan` chose. On all 60 it would
have got 37 right.
"""

import csv
from pathlib import Path

import numpy as np

from irtjax.active import History
from irtjax.active.pipeline import make_plan
from irtjax.data import read_table

SYSTEMS = (
    "alder",
    "beech",
    "cedar",
    "elm",
    "fir",
    "hazel",
    "larch",
    "oak",
    "pine",
    "rowan",
)
ITEMS = 60
BUDGET = 20


def main() -> None:
    """Draw the tables with a fixed seed and write them beside this file."""
    rng = np.random.default_rng(3)
    folder = Path(__file__).parent
    ability = np.append(np.linspace(1.5, -1.5, len(SYSTEMS)), 0.6)
    difficulty = 1.5 * rng.normal(size=ITEMS)
    chance = 1 / (1 + np.exp(1.5 * (difficulty[:, None] - ability[None, :])))
    right = (rng.random(chance.shape) < chance).astype(int)
    names = [f"task-{k + 1:02d}" for k in range(ITEMS)]
    with open(folder / "history.csv", "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["item", *SYSTEMS])
        rows.writerows(
            [name, *row[:-1]] for name, row in zip(names, right, strict=True)
        )
    table = read_table(folder / "history.csv", systems_in="columns", score_is="success")
    plan = make_plan(History.from_table(table), BUDGET)
    yew = dict(zip(names, right[:, -1].tolist(), strict=True))
    with open(folder / "answers.csv", "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        form = plan.to_csv().splitlines()
        rows.writerow(form[0].split(","))
        for line in form[1:]:
            order, item, _, sampled, history = line.split(",")
            rows.writerow([order, item, yew[item], sampled, history])


if __name__ == "__main__":
    main()
