"""The judge baseline: language models that give verdicts as operators do."""

from ._judge import Judge as Judge
from ._judge import judge_panel as judge_panel
from ._judge import judges as judges
from ._judge import read_verdict as read_verdict
from ._wordings import WORDINGS as WORDINGS
from ._wordings import Wording as Wording
