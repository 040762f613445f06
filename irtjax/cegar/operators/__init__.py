"""Operators at work: hostile programs that look at answers, in a jail."""

from ._electorate import electorate as electorate
from ._harness import Harness as Harness
from ._source import refused_source as refused_source
from ._verdicts import Verdicts as Verdicts
from ._verdicts import judge as judge
from ._verdicts import measure_atoms as measure_atoms
from ._verdicts import opinions as opinions
from ._verdicts import run_operators as run_operators
from ._views import View as View
from ._written import comparator as comparator
from ._written import hand_written as hand_written
