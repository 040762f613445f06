"""A world without a network: word problems, an exact checker and weak solvers."""

from ._checker import OfflineScorer as OfflineScorer
from ._checker import check as check
from ._generators import Mutation as Mutation
from ._generators import RandomGenerator as RandomGenerator
from ._knobs import Knobs as Knobs
from ._knobs import draw_knobs as draw_knobs
from ._knobs import harder as harder
from ._problem import Operation as Operation
from ._problem import Problem as Problem
from ._problem import carries as carries
from ._problem import draw_problem as draw_problem
from ._problem import knobs_of as knobs_of
from ._solver import WeakSolver as WeakSolver
from ._solver import draw_solver as draw_solver
from ._text import TOPICS as TOPICS
from ._text import question_of as question_of
from ._text import read_problem as read_problem
from ._world import World as World
from ._world import draw_world as draw_world
