"""Atoms: single numbers read off an answer, of which operators are built."""

from ._registry import ALL_ATOMS as ALL_ATOMS
from ._registry import ATOMS as ATOMS
from ._registry import TEXT_ATOMS as TEXT_ATOMS
from ._registry import Atom as Atom
from ._registry import atoms_of as atoms_of
from ._seen import Context as Context
from ._seen import Shown as Shown
from ._seen import Value as Value
