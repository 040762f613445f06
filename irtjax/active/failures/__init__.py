"""Where a system fails, from few questions: what to ask, and how good a list is."""

from ._acquisitions import NOVEL as NOVEL
from ._acquisitions import FollowingSuperlevel as FollowingSuperlevel
from ._acquisitions import WorthOfFailure as WorthOfFailure
from ._acquisitions import failure_worth as failure_worth
from ._find import Found as Found
from ._find import find_failures as find_failures
from ._methods import FAILURE_METHODS as FAILURE_METHODS
from ._methods import AbstractFailureMethod as AbstractFailureMethod
from ._methods import PriorOrder as PriorOrder
from ._methods import RandomOrder as RandomOrder
from ._methods import Start as Start
from ._methods import Superlevel as Superlevel
from ._methods import Surprising as Surprising
from ._methods import Worthwhile as Worthwhile
from ._metrics import Diversity as Diversity
from ._metrics import FailureCounts as FailureCounts
from ._metrics import diversity as diversity
from ._metrics import failure_counts as failure_counts
from ._metrics import topic_entropy as topic_entropy
from ._select import SELECTIONS as SELECTIONS
from ._select import above_threshold as above_threshold
from ._select import farthest_first as farthest_first
from ._select import top_n as top_n
from ._topics import TopicBandit as TopicBandit
from ._topics import cluster_topics as cluster_topics
