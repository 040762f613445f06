"""Figures and the self-contained HTML report, from stored results only."""

from ._blocks import Cell as Cell
from ._blocks import Column as Column
from ._blocks import Figure as Figure
from ._blocks import Listing as Listing
from ._blocks import Section as Section
from ._blocks import Table as Table
from ._blocks import Text as Text
from ._blocks import Verdict as Verdict
from ._draw import save_png as save_png
from ._files import write_whole as write_whole
from ._heat_maps import heat_maps as heat_maps
from ._line_bands import line_bands as line_bands
from ._page import page as page
