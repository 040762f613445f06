"""Which items to run next, and what a system's score is from few of them."""

from ._acquisition import AbstractAcquisition as AbstractAcquisition
from ._belief import AbstractBelief as AbstractBelief
from ._belief import AbstractPrior as AbstractPrior
from ._belief import Total as Total
from ._design import AbstractDesign as AbstractDesign
from ._history import FEWEST_SOURCES as FEWEST_SOURCES
from ._history import History as History
from ._history import SplitTarget as SplitTarget
from ._history import split_target as split_target
from ._sources import SourceErrors as SourceErrors
from ._sources import Target as Target
