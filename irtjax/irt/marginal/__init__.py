"""Fits that integrate abilities out, and how sure they are."""

from ._estimator import MarginalMAP as MarginalMAP
from ._expected import MarginalExpected as MarginalExpected
from ._expected import MarginalSimulated as MarginalSimulated
from ._laplace import Laplace as Laplace
from ._likelihood import marginal_log_likelihood as marginal_log_likelihood
from ._mean import MarginalMean as MarginalMean
from ._objective import MarginalPosterior as MarginalPosterior
from ._quadrature import AbstractQuadrature as AbstractQuadrature
from ._quadrature import AdaptiveQuadrature as AdaptiveQuadrature
from ._quadrature import FixedQuadrature as FixedQuadrature
from ._quadrature import enough_nodes as enough_nodes
from ._uncertainty import MarginalClusteredSandwich as MarginalClusteredSandwich
from ._uncertainty import MarginalCrossproduct as MarginalCrossproduct
from ._uncertainty import MarginalFisher as MarginalFisher
from ._uncertainty import MarginalSandwich as MarginalSandwich
from ._uncertainty import marginal_covariance as marginal_covariance
