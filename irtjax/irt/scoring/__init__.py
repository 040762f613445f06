"""Scoring systems on items that stand still, and putting calibrations on one scale."""

from ._bank import load_bank as load_bank
from ._bank import save_bank as save_bank
from ._calibration import Calibration as Calibration
from ._calibration import calibrate as calibrate
from ._calibration import item_covariance as item_covariance
from ._calibration import score_table as score_table
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
