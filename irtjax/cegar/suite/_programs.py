"""Programs for a task of the suite: right ones in many styles, and changed ones."""

import random

from .changing import random_mutant, restyle
from .programming import OwnTask

RIGHT = 6
"""Right programs that are written for a task."""

MUTANTS = 34
"""Changed programs that are written for a task, before restyling."""

_TWICE = 0.3  # share of the changed programs with a second mistake
_RESTYLED = 0.7  # share of the changed programs that are restyled


def write_programs(task: OwnTask, draw: random.Random) -> tuple[str, ...]:
    """Return distinct programs that try to solve a task; most are wrong.

    The reference solution is the first. Whether one of the others is right is found by
    running it: most rewrites are, most mutants are not.

    Args:
        task: of the suite.
        draw: decides which of the many possible programs.
    """
    programs = {task.source: None}
    for _ in range(4 * RIGHT):
        if len(programs) < RIGHT:
            programs[restyle(task.source, draw)] = None
    target = len(programs) + MUTANTS
    for _ in range(10 * MUTANTS):
        if len(programs) >= target:
            break
        changed = random_mutant(task.source, draw).source
        if draw.random() < _TWICE:
            changed = random_mutant(changed, draw).source
        if draw.random() < _RESTYLED:
            changed = restyle(changed, draw)
        programs[changed] = None
    return tuple(programs)
