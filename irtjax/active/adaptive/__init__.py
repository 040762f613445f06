"""Adaptive tests: items of a calibrated bank, asked one at a time."""

from ._criterion import CRITERIA as CRITERIA
from ._criterion import AbstractCriterion as AbstractCriterion
from ._criterion import PointInformation as PointInformation
from ._criterion import PosteriorInformation as PosteriorInformation
from ._criterion import PosteriorVariance as PosteriorVariance
from ._exam import Exam as Exam
from ._exam import ExamPath as ExamPath
from ._exam import ExamScore as ExamScore
from ._exam import replay as replay
from ._full_score import FullScore as FullScore
from ._full_score import predict_full_score as predict_full_score
from ._nodes import NodeBank as NodeBank
from ._nodes import node_bank as node_bank
from ._sitting import Sitting as Sitting
