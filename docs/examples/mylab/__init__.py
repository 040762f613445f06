"""A laboratory's own response model, kept in a package of its own."""

from typing import ClassVar

import jax
import jax.numpy as jnp

from irtjax.data import BinomialResponses
from irtjax.irt import AbstractResponseModel, Exp, Interval, Normal, Parameter


class LapseTwoPL(AbstractResponseModel):
    r"""A 2PL in which, with probability $\lambda$, an answer is a coin's flip.

    A right answer has probability $\lambda/2 + (1 - \lambda)\,\sigma(a_i (\theta_j -
    b_i))$, with $\lambda$ the same for all systems and items.
    """

    response: ClassVar = BinomialResponses
    system_parameters: tuple = (Parameter("ability", Normal()),)
    item_parameters: tuple = (
        Parameter("difficulty", Normal(sd=2.0)),
        Parameter("discrimination", Normal(sd=0.5), Exp()),
    )
    shared_parameters: tuple = (Parameter("lapse", Normal(-2.0), Interval(0.0, 0.5)),)

    def log_prob(self, outcome, system, item, shared, system_features, item_features):
        """Return the log-probability of one answer: 1 right, 0 wrong."""
        logit = item["discrimination"] * (system["ability"] - item["difficulty"])
        deliberate = jax.nn.log_sigmoid(jnp.where(outcome > 0.5, logit, -logit))
        lapse = shared["lapse"]
        return jnp.logaddexp(deliberate + jnp.log1p(-lapse), jnp.log(lapse / 2))
