"""Scores at the mean of the posterior."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from .._model import Estimate
from .._posterior import Posterior
from ..marginal import AbstractQuadrature, AdaptiveQuadrature
from ._each import each_system
from ._equation import pattern_code
from ._scorer import AbstractScorer
from ._scores import SCORES, SystemScore


class EAP(AbstractScorer):
    r"""The posterior mean, with the posterior standard deviation.

    Finite for every pattern of answers; without data, the prior's. All weights are
    logarithms until the last step, so that a system with thousands of answers, whose
    likelihood is no floating-point number, is scored like any other.

    Attributes:
        quadrature: how the posterior is integrated; nodes that follow each system are
            needed where items are many. Several parameters a system are scored at once.

    References:
        Bock & Mislevy (1982), Adaptive EAP estimation of ability in a microcomputer
        environment, Applied Psychological Measurement 6, eq. 3 and 5.
    """

    quadrature: AbstractQuadrature = AdaptiveQuadrature()

    def score(self, problem: Posterior, items: Estimate) -> SystemScore:
        one = jnp.ones((), items.item.dtype)
        found = self.quadrature.integrate(problem, items, one).systems
        covariance = jnp.einsum("jkf,jlf->jkl", found.spread, found.spread)
        code = each_system(lambda s: pattern_code(s.extremes()), problem, items)
        finite = jnp.all(jnp.isfinite(found.mean), axis=1)
        code = jnp.where(finite, code, SCORES.failed).astype(jnp.int32)
        return SystemScore(found.mean, covariance, code)

    def slopes(
        self, problem: Posterior, items: Estimate, found: SystemScore
    ) -> Float[Array, "system p free"]:
        # The mean's derivative by a parameter is the posterior covariance of the
        # system's parameters and the score by that parameter.
        one = jnp.ones((), items.item.dtype)
        at = self.quadrature.integrate(problem, items, one).systems
        item = jnp.einsum("jpf,jfqi->jpqi", at.spread, at.item_link)
        shared = jnp.einsum("jpf,jfs->jps", at.spread, at.shared_link)
        flat = jnp.reshape(item, (*item.shape[:2], -1))
        return jnp.concatenate([flat, shared], axis=2)
