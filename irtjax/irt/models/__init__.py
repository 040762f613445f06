"""Response models: how one observation arises, each a small class."""

from ._asymptotes import FourPL as FourPL
from ._asymptotes import ThreePL as ThreePL
from ._beta_score import BetaScore as BetaScore
from ._dif import DifTwoPL as DifTwoPL
from ._dif import NonuniformDifTwoPL as NonuniformDifTwoPL
from ._fractional import FractionalBernoulli as FractionalBernoulli
from ._graded import GradedResponse as GradedResponse
from ._logistic import OnePL as OnePL
from ._logistic import TwoPL as TwoPL
from ._multidimensional import MultidimensionalTwoPL as MultidimensionalTwoPL
from ._partial_credit import PartialCredit as PartialCredit
from ._pooled import PooledTwoPL as PooledTwoPL
from ._priors import LogitBeta as LogitBeta
from ._priors import SpreadNormal as SpreadNormal
from ._rasch import Rasch as Rasch
from ._rotation import canonical as canonical
from ._rotation import rotated as rotated
from ._rotation import varimax as varimax
from ._slope_intercept import SlopeIntercept as SlopeIntercept
from ._testlet import TestletTwoPL as TestletTwoPL
