"""Which cell of an incomplete table to run next, for the sake of its ranking."""

from ._belief import CellBelief as CellBelief
from ._belief import cell_belief as cell_belief
from ._choice import CHOICES as CHOICES
from ._choice import AbstractCellChoice as AbstractCellChoice
from ._choice import BridgingFirst as BridgingFirst
from ._choice import CellPicks as CellPicks
from ._choice import ExpectedGain as ExpectedGain
from ._choice import LargestError as LargestError
from ._choice import RandomCells as RandomCells
from ._choice import choose_cells as choose_cells
from ._next import NextCells as NextCells
from ._next import next_cells as next_cells
from ._next import positions_of as positions_of
from ._utility import AbstractUtility as AbstractUtility
from ._utility import AllRanks as AllRanks
from ._utility import OneComparison as OneComparison
from ._utility import TopRanks as TopRanks
