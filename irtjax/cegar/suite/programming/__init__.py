"""The programming tasks of the project's own suite, one file for each theme."""

from ._own_task import OwnTask as OwnTask
from ._tasks import OWN_TASKS as OWN_TASKS
