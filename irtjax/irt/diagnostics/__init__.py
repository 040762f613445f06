"""Can a fit be trusted: flags of data and fits, tests of items, systems and models."""

from ._flag import KINDS as KINDS
from ._flag import Flag as Flag
from ._flag import summarise_flags as summarise_flags
from ._flags import flags as flags
from ._local_dependence import Q3 as Q3
from ._local_dependence import q3 as q3
from ._m2 import M2 as M2
from ._m2 import m2 as m2
from ._m2 import rmsea_interval as rmsea_interval
from ._mean_squares import MeanSquares as MeanSquares
from ._mean_squares import item_mean_squares as item_mean_squares
from ._mean_squares import system_mean_squares as system_mean_squares
from ._person_fit import log_likelihood_z as log_likelihood_z
from ._s_x2 import ItemChiSquared as ItemChiSquared
from ._s_x2 import s_x2 as s_x2
from ._summed_scores import summed_score_chances as summed_score_chances
