"""Two steps in a pipeline: plan the items to run, then estimate from what came back."""

from ._answers import Answers as Answers
from ._answers import answers_from as answers_from
from ._answers import read_answers as read_answers
from ._difference import ScoreDifference as ScoreDifference
from ._difference import score_difference as score_difference
from ._estimate import METHODS as METHODS
from ._estimate import CategoryScore as CategoryScore
from ._estimate import Interval as Interval
from ._estimate import ScoreEstimate as ScoreEstimate
from ._estimate import estimate_score as estimate_score
from ._items import categories_of as categories_of
from ._plan import Plan as Plan
from ._plan import fingerprint as fingerprint
from ._plan import make_plan as make_plan
from ._plan import next_item as next_item
