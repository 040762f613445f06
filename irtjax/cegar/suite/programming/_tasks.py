"""All programming tasks of the project's own suite."""

from ._arithmetic import TASKS as ARITHMETIC
from ._codes import TASKS as CODES
from ._grids import TASKS as GRIDS
from ._lists import TASKS as LISTS
from ._own_task import OwnTask
from ._strings import TASKS as STRINGS
from ._tables import TASKS as TABLES
from ._times import TASKS as TIMES

OWN_TASKS: tuple[OwnTask, ...] = (
    *LISTS,
    *STRINGS,
    *TIMES,
    *TABLES,
    *GRIDS,
    *ARITHMETIC,
    *CODES,
)
"""Tasks with distinct names."""
