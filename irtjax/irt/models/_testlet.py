"""A logistic model for items that come in clusters."""

from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, BinomialResponses

from .._model import AbstractLogitModel, Features
from .._parameter import AbstractPrior, Exp, Named, Normal, Number, Parameter


class TestletTwoPL(AbstractLogitModel):
    r"""A 2PL in which each system has an effect on each testlet (cluster of items).

    The log-odds are $a_i (\theta_j - b_i + \sum_t x_{it} \gamma_{jt})$ with
    $\gamma_{jt} \sim N(0, \sigma_t^2)$. Item feature $x_{it}$ is 1 where item $i$
    belongs to testlet $t$ and 0 elsewhere: `membership_of` makes them from labels.

    The spreads $\sigma_t$ are settings of the model, not parameters: the joint mode of
    effects and their spread lies at $\sigma_t = 0$ whatever the data. `fit_testlets` in
    `irtjax.irt.structure` learns them with the effects integrated out. A testlet of one
    item has no effect that could be told from chance.

    Attributes:
        system_parameters: `ability` $\theta$, in logits, then `testlet_0`, `testlet_1`,
            ..., the effects $\gamma$, in logits.
        item_parameters: `difficulty` $b$, in logits, and `discrimination` $a > 0$, held
            as its logarithm.
        shared_parameters: none.

    References:
        Bradlow, Wainer & Wang (1999), A Bayesian random effects model for testlets,
        Psychometrika 64, eq. 2. Wainer, Bradlow & Wang (2007), *Testlet Response Theory
        and Its Applications*, for a spread of each testlet's own.
    """

    __test__: ClassVar[bool] = False  # pytest takes the name for a test's

    response: ClassVar[type[AbstractResponses]] = BinomialResponses
    system_parameters: tuple[Parameter, ...]
    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]

    def __init__(
        self,
        n_testlet: int,
        testlet_sd: Number | Float[Array, " testlet"] = 0.5,
        ability: AbstractPrior = Normal(0.0, 1.0),
        difficulty: AbstractPrior = Normal(0.0, 2.0),
        log_discrimination: AbstractPrior = Normal(0.0, 0.5),
    ):
        """Take the priors, each on the unconstrained scale, and the effects' spread.

        Args:
            n_testlet: how many testlets there are.
            testlet_sd: the effects' standard deviation in logits, one for all testlets
                or one for each.
            ability: of the ability.
            difficulty: of an item's difficulty.
            log_discrimination: of the logarithm of an item's slope.
        """
        sd = jnp.broadcast_to(jnp.asarray(testlet_sd), (n_testlet,))
        self.system_parameters = (
            Parameter("ability", ability),
            *(Parameter(f"testlet_{t}", Normal(0.0, sd[t])) for t in range(n_testlet)),
        )
        self.item_parameters = (
            Parameter("difficulty", difficulty),
            Parameter("discrimination", log_discrimination, Exp()),
        )
        self.shared_parameters = ()

    def logit(
        self,
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        n_testlet = len(self.system_parameters) - 1
        if item_features.shape[0] != n_testlet:
            raise ValueError(
                f"A model of {n_testlet} testlets needs as many columns of "
                f"`item_features`, got {item_features.shape[0]}."
            )
        effect = sum(
            (item_features[t] * system[f"testlet_{t}"] for t in range(n_testlet)),
            start=jnp.zeros_like(system["ability"]),
        )
        return item["discrimination"] * (
            system["ability"] - item["difficulty"] + effect
        )
