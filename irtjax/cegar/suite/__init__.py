"""The project's own tasks, programs and short answers, so that the loop runs anywhere."""

from .programming import OWN_TASKS as OWN_TASKS
from .programming import OwnTask as OwnTask
