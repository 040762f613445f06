"""Small labelled panels and a bench without a sandbox, for tests."""

import numpy as np

from irtjax.cegar import AbstractBench, Panel


def random_panel(seed=0, tasks=12, answers=6):
    rng = np.random.default_rng(seed)
    task = np.repeat(np.arange(tasks), answers)
    chance = np.repeat(rng.uniform(0.2, 0.9, tasks), answers)
    return Panel(
        task,
        rng.integers(1, 4, len(task)),
        rng.random(len(task)) < chance,
        np.tile(np.arange(answers), tasks),
        tuple(f"t{number}" for number in range(tasks)),
    )


def random_flags(panel, operators, seed=1, right=0.2, wrong=0.4):
    rng = np.random.default_rng(seed)
    chance = np.where(panel.right, right, wrong)
    return rng.random((operators, len(panel.task))) < chance


class TableBench(AbstractBench):
    """Atoms from a table, and operators whose source is a formula over them."""

    values: dict
    dishonest: tuple = ()

    def atoms(self, names):
        return np.stack([self.values[name] for name in names])

    def verdicts(self, operator):
        space = {}
        exec(operator.source, space)
        said = []
        for place in range(len(next(iter(self.values.values())))):
            ctx = {name: column[place] for name, column in self.values.items()}
            answer = space[operator.entry](None, "", *([ctx] if operator.level else []))
            said.append({"FLAG": 1, "PASS": 0, "ABSTAIN": -1}[answer])
        return np.array(said, np.int8)

    def screen(self, operator):
        return "cheats" if operator.name in self.dishonest else None
