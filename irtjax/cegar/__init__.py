"""Metrics grown from their own blind spots: pools of small operators and their proof."""

from ._levels import LEVELS as LEVELS
from ._levels import OBSERVATIONS as OBSERVATIONS
from ._levels import PEERS as PEERS
from ._levels import Level as Level
from ._observation import Observation as Observation
from ._operator import ABSTAIN as ABSTAIN
from ._operator import FLAG as FLAG
from ._operator import PASS as PASS
from ._operator import VERDICTS as VERDICTS
from ._operator import Operator as Operator
from ._panel import Panel as Panel
from ._panel import make_panel as make_panel
from ._task import Candidate as Candidate
from ._task import Case as Case
from ._task import Check as Check
from ._task import Label as Label
from ._task import Task as Task
