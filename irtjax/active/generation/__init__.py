"""Failures on questions that do not exist yet: generators, scorers and their loop."""

from ._features import AbstractTextFeatures as AbstractTextFeatures
from ._features import Featured as Featured
from ._features import HashedFeatures as HashedFeatures
from ._hunt import Hunt as Hunt
from ._hunt import Written as Written
from ._hunt import hunt as hunt
from ._language_model import LanguageModelGenerator as LanguageModelGenerator
from ._language_model import LanguageModelScorer as LanguageModelScorer
from ._open_belief import open_belief as open_belief
from ._open_belief import placed as placed
from ._protocols import AbstractGenerator as AbstractGenerator
from ._protocols import AbstractScorer as AbstractScorer
from ._protocols import Brief as Brief
from ._protocols import Question as Question
