"""Who writes the offline world's questions: from anchors, or from nothing."""

import numpy as np

from ..generation import AbstractGenerator, Brief, Question
from ._knobs import draw_knobs, harder
from ._problem import draw_problem, knobs_of
from ._text import TOPICS, question_of, read_problem


class Mutation(AbstractGenerator):
    """Writes a question as hard as one of the anchors, or harder in one knob.

    Numbers and topic are new; only the anchor's difficulty is kept. It knows nothing
    of who will be asked.
    """

    def __call__(self, brief: Brief) -> Question | None:
        rng = np.random.default_rng([brief.seed, 1])
        read = [read_problem(anchor.text) for anchor in brief.anchors]
        problems = [problem for problem in read if problem is not None]
        if not problems:
            return None
        anchor = problems[int(rng.integers(len(problems)))]
        knobs = harder(knobs_of(anchor), rng)
        return question_of(draw_problem(brief.topic, knobs, rng))


class RandomGenerator(AbstractGenerator):
    """Writes an everyday question about any topic; the brief is not looked at."""

    def __call__(self, brief: Brief) -> Question | None:
        rng = np.random.default_rng([brief.seed, 2])
        topic = sorted(TOPICS)[int(rng.integers(len(TOPICS)))]
        return question_of(draw_problem(topic, draw_knobs(rng), rng))
