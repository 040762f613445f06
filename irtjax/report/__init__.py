"""Figures and the self-contained HTML report, from stored results only."""

from ._blocks import Cell as Cell
from ._blocks import Column as Column
from ._blocks import Figure as Figure
from ._blocks import Listing as Listing
from ._blocks import Section as Section
from ._blocks import Table as Table
from ._blocks import Text as Text
from ._blocks import Verdict as Verdict
from ._diagnostics_page import diagnostics_page as diagnostics_page
from ._draw import save_png as save_png
from ._files import write_whole as write_whole
from ._heat_maps import heat_maps as heat_maps
from ._item_curves import item_curves_figure as item_curves_figure
from ._leaderboard import leaderboard_figure as leaderboard_figure
from ._line_bands import line_bands as line_bands
from ._moves import moves as moves
from ._page import page as page
from ._ranking_page import ranking_page as ranking_page
from ._ranking_record import ranking_record as ranking_record
from ._ranking_record import versions as versions
from ._ranking_table import ranking_table as ranking_table
from ._table_heat_map import table_heat_map as table_heat_map
from ._terminal import drawn_table as drawn_table
from ._terminal import remarks as remarks
from ._terminal import tab_separated as tab_separated
