"""What was observed: responses as arrays, labelled tables, masks and known truths."""

from . import published as published
from ._graph import DesignGraph as DesignGraph
from ._graph import design_graph as design_graph
from ._graph import observed_cells as observed_cells
from ._load import read_table as read_table
from ._load import table_from_frame as table_from_frame
from ._load import table_from_matrix as table_from_matrix
from ._masks import MCAR as MCAR
from ._masks import AbstractMask as AbstractMask
from ._masks import Anti as Anti
from ._masks import Assortative as Assortative
from ._masks import EasyOnly as EasyOnly
from ._merge import DENSE_CELLS as DENSE_CELLS
from ._responses import AbstractResponses as AbstractResponses
from ._responses import BinomialResponses as BinomialResponses
from ._responses import CategoricalResponses as CategoricalResponses
from ._responses import LongResponses as LongResponses
from ._responses import ScoreResponses as ScoreResponses
from ._responses import Terms as Terms
from ._source import DataError as DataError
from ._split import Split as Split
from ._split import thinnest_split as thinnest_split
from ._table import ResponseTable as ResponseTable
from ._truth import Truth as Truth
from ._truth import difficulty_gap as difficulty_gap
from ._truth import sd_truth as sd_truth
