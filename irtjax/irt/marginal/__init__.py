"""Fits that integrate abilities out, and how sure they are."""

from ._estimator import MarginalMAP as MarginalMAP
from ._objective import MarginalPosterior as MarginalPosterior
from ._quadrature import AbstractQuadrature as AbstractQuadrature
from ._quadrature import AdaptiveQuadrature as AdaptiveQuadrature
from ._quadrature import FixedQuadrature as FixedQuadrature
from ._quadrature import enough_nodes as enough_nodes
