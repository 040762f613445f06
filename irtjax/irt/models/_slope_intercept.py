"""The two-parameter logistic model with a slope on the whole real line."""

from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, BinomialResponses

from .._model import AbstractLinearModel, Features
from .._parameter import AbstractPrior, Named, Normal, Parameter
from .._traits import AbstractDerived


class SlopeIntercept(AbstractLinearModel, AbstractDerived):
    r"""Two-parameter logistic model, log-odds $d_i + a_i \theta_j$, any slope.

    An item that weaker systems pass more often gets a negative slope instead of one
    pressed against 0. Fits begin at slope 1 and the default prior is centred there,
    which settles the sign of the scale: turning all slopes and abilities round has the
    same likelihood.

    Derived: `difficulty` $b = -d / a$, in logits, which runs off to either side as the
    slope nears 0, and so does its error.

    Attributes:
        system_parameters: `ability` $\theta$, in logits.
        item_parameters: `intercept` $d$, in logits, and `slope` $a$.
        shared_parameters: none.

    References:
        Bock & Aitkin (1981), Marginal maximum likelihood estimation of item parameters,
        Psychometrika 46.
    """

    response: ClassVar[type[AbstractResponses]] = BinomialResponses
    system_parameters: tuple[Parameter, ...]
    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]

    def __init__(
        self,
        ability: AbstractPrior = Normal(0.0, 1.0),
        intercept: AbstractPrior = Normal(0.0, 3.0),
        slope: AbstractPrior = Normal(1.0, 1.0),
    ):
        """Take the three priors."""
        self.system_parameters = (Parameter("ability", ability),)
        self.item_parameters = (
            Parameter("intercept", intercept),
            Parameter("slope", slope, start=1.0),
        )
        self.shared_parameters = ()

    def coefficients(
        self, item: Named, shared: Named, item_features: Features
    ) -> Float[Array, " k"]:
        return jnp.stack([item["intercept"], item["slope"]])

    def derived(self, item: Named, shared: Named) -> Named:
        return {"difficulty": jnp.negative(item["intercept"] / item["slope"])}
