"""Learning priors from data: evidence, empirical Bayes, priors that use features."""

from ._empirical_bayes import EmpiricalBayes as EmpiricalBayes
from ._empirical_bayes import empirical_bayes as empirical_bayes
from ._evidence import AbstractEvidence as AbstractEvidence
from ._evidence import Evidence as Evidence
from ._evidence import JointLaplace as JointLaplace
from ._learners import AbstractLearner as AbstractLearner
from ._learners import FirstOrder as FirstOrder
from ._learners import Learned as Learned
from ._learners import QuasiNewton as QuasiNewton
from ._nested import NestedLaplace as NestedLaplace
from ._predicted import Linear as Linear
from ._predicted import Predicted as Predicted
