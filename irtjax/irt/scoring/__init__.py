"""Scoring systems on items that stand still, and putting calibrations on one scale."""

from ._mode import MAP as MAP
from ._mode import ML as ML
from ._mode import WLE as WLE
from ._mode import Jeffreys as Jeffreys
from ._scorer import AbstractScorer as AbstractScorer
from ._scores import SCORE_MESSAGES as SCORE_MESSAGES
from ._scores import SCORES as SCORES
from ._scores import Scores as Scores
from ._scores import SystemScore as SystemScore
from ._system import Extremes as Extremes
from ._system import SystemPosterior as SystemPosterior
