"""Changing programs: mutants, which are mostly wrong, and rewrites, which stay right."""

from ._mutants import Mutant as Mutant
from ._mutants import mutants as mutants
from ._mutants import random_mutant as random_mutant
from ._rewrites import restyle as restyle
