"""The `irtjax` command: files in, answers, data and pages out."""

from ._common import app as app
from ._compare import compare as compare
from ._estimate import estimate as estimate
from ._evolve import evolve as evolve
from ._fit import fit as fit
from ._judge import judge as judge
from ._main import main as main
from ._next import next_cell as next_cell
from ._plan import plan as plan
from ._rank import rank as rank
from ._score import score as score
from ._trust import trust as trust
