"""Logistic models in which items may be harder, or sharper, for one group."""

from typing import ClassVar

from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, BinomialResponses

from .._model import AbstractLogitModel, Features
from .._parameter import AbstractPrior, Exp, Named, Normal, Parameter


class DifTwoPL(AbstractLogitModel):
    r"""A 2PL with uniform differential item functioning between two groups.

    The log-odds are $a_i (\theta_j + g_j \mu - b_i - g_j d_i)$ where $g_j$, the first
    system feature, is 1 in the focal group and 0 in the reference group.

    Adding a number to the impact and to every shift changes no log-odds: the data speak
    of differences of shifts alone, and the prior around 0 chooses the level. `dif` in
    `irtjax.irt.structure` tests items against the others for that reason.

    Attributes:
        system_parameters: `ability` $\theta$ within the group, in logits. A system of
            the focal group stands at $\theta_j + \mu$ on the common scale.
        item_parameters: `difficulty` $b$ for the reference group, in logits;
            `discrimination` $a > 0$, held as its logarithm; `shift` $d$, in logits: how
            much harder the item is for the focal group at equal ability.
        shared_parameters: `impact` $\mu$, in logits: the focal group's mean less the
            reference group's.

    References:
        Thissen, Steinberg & Wainer (1993), Detection of differential item functioning
        using the parameters of item response models, in Holland & Wainer, *Differential
        Item Functioning*. Bechger & Maris (2015), A statistical test for differential
        item pair functioning, Psychometrika 80, for what is identified.
    """

    response: ClassVar[type[AbstractResponses]] = BinomialResponses
    system_parameters: tuple[Parameter, ...]
    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]

    def __init__(
        self,
        ability: AbstractPrior = Normal(0.0, 1.0),
        difficulty: AbstractPrior = Normal(0.0, 2.0),
        log_discrimination: AbstractPrior = Normal(0.0, 0.5),
        shift: AbstractPrior = Normal(0.0, 1.0),
        impact: AbstractPrior = Normal(0.0, 2.0),
    ):
        """Take the priors, each on the unconstrained scale."""
        self.system_parameters = (Parameter("ability", ability),)
        self.item_parameters = (
            Parameter("difficulty", difficulty),
            Parameter("discrimination", log_discrimination, Exp()),
            Parameter("shift", shift),
        )
        self.shared_parameters = (Parameter("impact", impact),)

    def logit(
        self,
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        focal = _focal(system_features)
        above = system["ability"] - item["difficulty"]
        return item["discrimination"] * (
            above + focal * (shared["impact"] - item["shift"])
        )


class NonuniformDifTwoPL(AbstractLogitModel):
    r"""A 2PL whose difficulties and slopes may both differ between two groups.

    The log-odds are $a_i e^{g_j c_i} (\theta_j + g_j \mu - b_i - g_j d_i)$; all else is
    as in `DifTwoPL`. The abilities' spread is the same in both groups, which fixes the
    level of the slopes' shifts.

    Attributes:
        system_parameters: `ability` $\theta$ within the group, in logits.
        item_parameters: `difficulty`, `discrimination` and `shift` as in `DifTwoPL`,
            and `slope_shift` $c$: logarithm of the slope in the focal group over that
            in the reference group.
        shared_parameters: `impact` $\mu$, in logits.

    References:
        Mellenbergh (1982), Contingency table models for assessing item bias, J. Educ.
        Stat. 7, for the distinction; otherwise as `DifTwoPL`.
    """

    response: ClassVar[type[AbstractResponses]] = BinomialResponses
    system_parameters: tuple[Parameter, ...]
    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]

    def __init__(
        self,
        ability: AbstractPrior = Normal(0.0, 1.0),
        difficulty: AbstractPrior = Normal(0.0, 2.0),
        log_discrimination: AbstractPrior = Normal(0.0, 0.5),
        shift: AbstractPrior = Normal(0.0, 1.0),
        slope_shift: AbstractPrior = Normal(0.0, 0.5),
        impact: AbstractPrior = Normal(0.0, 2.0),
    ):
        """Take the priors, each on the unconstrained scale."""
        self.system_parameters = (Parameter("ability", ability),)
        self.item_parameters = (
            Parameter("difficulty", difficulty),
            Parameter("discrimination", log_discrimination, Exp()),
            Parameter("shift", shift),
            Parameter("slope_shift", slope_shift, Exp()),
        )
        self.shared_parameters = (Parameter("impact", impact),)

    def logit(
        self,
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        focal = _focal(system_features)
        ratio = 1 + focal * (item["slope_shift"] - 1)
        above = system["ability"] - item["difficulty"]
        return (
            item["discrimination"]
            * ratio
            * (above + focal * (shared["impact"] - item["shift"]))
        )


def _focal(system_features: Features) -> Float[Array, ""]:
    if system_features.shape[0] == 0:
        raise ValueError(
            "A model of group differences needs `system_features` whose first column "
            "is 1 in the focal group and 0 in the reference group; got none."
        )
    return system_features[0]
