"""Simulated systems: which answers a pool of systems of different skill would give."""

import math
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from .._task import Candidate

SKILLS: Mapping[str, float] = MappingProxyType(
    {
        "system-a": 2.0,
        "system-b": 1.5,
        "system-c": 1.0,
        "system-d": 0.5,
        "system-e": 0.0,
        "system-f": -0.5,
        "system-g": -1.0,
        "system-h": -2.0,
    }
)
"""Skill of each simulated system, in logits above the average task."""


@dataclass(frozen=True)
class Habits:
    """How the simulated systems answer. Scales are standard deviations.

    Attributes:
        samples: of each system for each task.
        ease: added to every system's skill, in logits.
        difficulty: of tasks, in logits.
        misread: share of tasks that nearly every system misunderstands.
        misreading: what that adds to a task's difficulty, in logits; there, fame counts
            double, since the misunderstanding is a common one.
        luck: of one system with one task, in logits: its samples succeed together.
        fame: of answers, in log weight, shared by all systems: some mistakes are common.
        taste: of one system for answers, in log weight.
    """

    samples: int = 10
    ease: float = 0.5
    difficulty: float = 2.0
    misread: float = 0.2
    misreading: float = 4.0
    luck: float = 1.0
    fame: float = 1.5
    taste: float = 1.0


@dataclass
class Tally:
    """Who gave which answer how often.

    Attributes:
        given: for each answer in the order of its first sample, systems with counts.
    """

    given: dict[str, dict[str, int]] = field(default_factory=dict)

    def add(self, answer: str, system: str) -> None:
        """Count one more sample."""
        counts = self.given.setdefault(answer, {})
        counts[system] = counts.get(system, 0) + 1


def sample_answers(
    right: Sequence[str],
    wrong: Sequence[str],
    draw: random.Random,
    habits: Habits = Habits(),
    distinct_wrong: int = 0,
    tempting: Collection[str] = (),
) -> Tally:
    """Return the answers that the systems of `SKILLS` give to one task.

    A system's sample is right with a probability given by its skill, the task's
    difficulty and its luck with this task. Which right or wrong answer it gives depends
    on fame, which all systems share, and on its own taste.

    Args:
        right: answers known to be right.
        wrong: answers known to be wrong.
        draw: decides.
        habits: scales of what is drawn.
        distinct_wrong: the weakest system goes on until so many different wrong answers
            were given, as far as there are so many.
        tempting: wrong answers that are given e times as often as others.

    Returns:
        Answers with their systems. Where `right` is empty all are wrong, and the other
        way round.

    Raises:
        ValueError: there are no answers at all.
    """
    if not right and not wrong:
        raise ValueError("There are no answers to draw from: give at least one.")
    difficulty = draw.gauss(-habits.ease, habits.difficulty)
    misread = draw.random() < habits.misread
    difficulty += habits.misreading * misread
    spread = habits.fame * (1 + misread)
    fame = {answer: draw.gauss(0.0, spread) for answer in (*right, *wrong)}
    for answer in tempting:
        fame[answer] += 1.0
    tally = Tally()
    weights: dict[str, float] = {}
    for system, skill in SKILLS.items():
        margin = skill - difficulty + draw.gauss(0.0, habits.luck)
        chance = 1.0 / (1.0 + math.exp(-margin))
        weights = {
            answer: math.exp(known + draw.gauss(0.0, habits.taste))
            for answer, known in fame.items()
        }
        for _ in range(habits.samples):
            succeeds = draw.random() < chance
            choice = (right if succeeds else wrong) or right or wrong
            answer = draw.choices(choice, [weights[each] for each in choice])[0]
            tally.add(answer, system)
    weakest = min(SKILLS, key=lambda system: SKILLS[system])
    given_wrong = sum(answer in tally.given for answer in wrong)
    rest = [answer for answer in wrong if answer not in tally.given]
    while rest and given_wrong < distinct_wrong:
        answer = draw.choices(rest, [weights[each] for each in rest])[0]
        rest.remove(answer)
        tally.add(answer, weakest)
        given_wrong += 1
    return tally


def candidates_of(tally: Tally) -> tuple[Candidate, ...]:
    """Return a tally's answers as candidates."""
    return tuple(
        Candidate(answer, sum(counts.values()), counts)
        for answer, counts in tally.given.items()
    )
