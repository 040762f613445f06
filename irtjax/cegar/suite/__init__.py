"""The project's own tasks, programs and short answers, so that the loop runs anywhere."""

from ._own_cases import OWN_LIMITS as OWN_LIMITS
from ._own_cases import OwnCases as OwnCases
from ._own_cases import own_cases as own_cases
from ._short_answers import short_answer_cases as short_answer_cases
from ._short_answers import write_answer_lines as write_answer_lines
from ._systems import SKILLS as SKILLS
from ._systems import Habits as Habits
from ._systems import Tally as Tally
from ._systems import sample_answers as sample_answers
from .changing import Mutant as Mutant
from .changing import mutants as mutants
from .changing import random_mutant as random_mutant
from .changing import restyle as restyle
from .programming import OWN_TASKS as OWN_TASKS
from .programming import OwnTask as OwnTask
from .questions import Question as Question
from .questions import ask as ask
from .questions import word_answer as word_answer
