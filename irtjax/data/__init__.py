"""What was observed: responses as arrays, labelled tables, masks and known truths."""

from ._responses import AbstractResponses as AbstractResponses
from ._responses import BinomialResponses as BinomialResponses
from ._responses import CategoricalResponses as CategoricalResponses
from ._responses import LongResponses as LongResponses
from ._responses import ScoreResponses as ScoreResponses
from ._responses import Terms as Terms
