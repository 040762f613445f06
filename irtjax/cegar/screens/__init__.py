"""Screens: whether an operator is what it says, found out by changing what it sees."""

from ._screens import SCREENS as SCREENS
from ._screens import Screen as Screen
from ._screens import screen as screen
