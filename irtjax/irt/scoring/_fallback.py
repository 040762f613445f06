"""A scorer that steps in where another has no finite answer."""

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from .._model import Estimate
from .._posterior import Posterior
from ._eap import EAP
from ._mode import ML
from ._scorer import AbstractScorer
from ._scores import SystemScore


class Fallback(AbstractScorer):
    """One scorer's answer, and another's where that is not finite.

    A system whose answers are all right has no most likely ability. By default it gets
    its posterior mean; the code goes on saying that every answer was the highest.

    Attributes:
        first: asked first.
        then: asked where the first has no finite score or error.
    """

    first: AbstractScorer = ML()
    then: AbstractScorer = EAP()

    def score(self, problem: Posterior, items: Estimate) -> SystemScore:
        first, then = (each.score(problem, items) for each in (self.first, self.then))
        finite = _finite(first)
        return SystemScore(
            jnp.where(finite[:, None], first.value, then.value),
            jnp.where(finite[:, None, None], first.covariance, then.covariance),
            jnp.where(finite, first.code, then.code),
        )

    def slopes(
        self, problem: Posterior, items: Estimate, found: SystemScore
    ) -> Float[Array, "system p free"]:
        first, then = (each.score(problem, items) for each in (self.first, self.then))
        slopes = [
            scorer.slopes(problem, items, score)
            for scorer, score in ((self.first, first), (self.then, then))
        ]
        return jnp.where(_finite(first)[:, None, None], *slopes)


def _finite(score: SystemScore) -> Bool[Array, " system"]:
    value = jnp.all(jnp.isfinite(score.value), axis=1)
    return value & jnp.all(jnp.isfinite(score.covariance), axis=(1, 2))
