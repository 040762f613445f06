"""Draws from posteriors: numpyro's NUTS and SVI for any response model."""

from ._arviz import to_arviz as to_arviz
from ._calibration import CalibrationCheck as CalibrationCheck
from ._calibration import (
    simulation_based_calibration as simulation_based_calibration,
)
from ._calibration import uniformity as uniformity
from ._nuts import NUTS as NUTS
from ._nuts import NUTSTrace as NUTSTrace
from ._nuts_many import nuts_many as nuts_many
from ._prior_draws import draw_prior as draw_prior
from ._sample import sample_posterior as sample_posterior
from ._sampler import SAMPLING as SAMPLING
from ._sampler import SAMPLING_MESSAGES as SAMPLING_MESSAGES
from ._sampler import AbstractSampler as AbstractSampler
from ._sampler import Draws as Draws
from ._sampler import Mixing as Mixing
from ._sampler import SampleResult as SampleResult
from ._spread import PosteriorSpread as PosteriorSpread
from ._svi import SVI as SVI
from ._svi import SVITrace as SVITrace
from ._walks import short_walk as short_walk
from ._whitening import Whitening as Whitening
from ._whitening import whitening_at as whitening_at
