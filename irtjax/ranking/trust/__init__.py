"""Can a leaderboard be trusted: simulation like it, diagnostics, a verdict."""

from ._agreement import LEVEL as LEVEL
from ._agreement import Agreement as Agreement
from ._agreement import Expected as Expected
from ._agreement import agreements as agreements
from ._agreement import expected as expected
from ._agreement import simulated_tables as simulated_tables
from ._missing import Effect as Effect
from ._missing import Missingness as Missingness
from ._missing import chance_in_words as chance_in_words
from ._missing import missingness as missingness
from ._selection import SelectionTwoPL as SelectionTwoPL
from ._selection import selection_problem as selection_problem
from ._stability import SplitHalf as SplitHalf
from ._stability import split_half as split_half
from ._trust import Trust as Trust
from ._trust import trust as trust
from ._truths import PlausibleTruths as PlausibleTruths
from ._truths import plausible_truths as plausible_truths
from ._verdict import Level as Level
from ._verdict import Verdict as Verdict
from ._verdict import judge as judge
from ._verdict import recommended as recommended
