"""What a model may offer beyond its likelihood. Each is a base class of its own.

A model that has none of these is complete. One that has them is asked for derived
values when errors are reported, for a start when a fit begins, for its number of
categories when a table arrives, for its own draws when a table is simulated.
"""

import abc

import equinox as eqx
from jaxtyping import Array, Float, PRNGKeyArray

from irtjax.data import AbstractResponses

from ._model import AbstractResponseModel, Estimate, Features
from ._parameter import Named


class AbstractDerived(eqx.Module):
    """A model some of whose item properties are functions of its parameters.

    Their errors follow by the delta method: see `derived` and `Uncertainty.derived`.
    """

    @abc.abstractmethod
    def derived(self, item: Named, shared: Named) -> Named:
        """Return one item's derived values by name.

        Args:
            item: the item's parameters by name, each on its own scale.
            shared: those shared by all cells.

        Returns:
            The same names whatever the values; differentiable where they are finite.
        """


class AbstractStart(eqx.Module):
    """A model whose fits begin at a point that is found from the table.

    Needed where the origin is a saddle, such as equal slopes on every dimension.
    """

    @abc.abstractmethod
    def start(self, responses: AbstractResponses) -> Estimate:
        """Return where a fit of one table begins.

        Permuting the table's systems or items must permute the start.
        """


class AbstractScored(eqx.Module):
    """A model that says on which scale its systems are to be compared.

    Where abilities and slopes can be stretched against each other, the spread of
    abilities is known less well than their order, and an ability's error is mostly that
    of the whole scale. A score in which the stretch cancels has no such error.
    """

    @abc.abstractmethod
    def score(self, system: Named, shared: Named) -> Float[Array, ""]:
        """Return one system's score, which increases with its ability.

        Args:
            system: its parameters by name; only the first may be used.
            shared: those shared by all cells.
        """


class AbstractSampled(eqx.Module):
    """A model that draws its outcomes itself, because `log_prob` alone cannot say how.

    A density with atoms and a quasi-likelihood are of that kind.
    """

    @abc.abstractmethod
    def sample(
        self,
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
        *,
        key: PRNGKeyArray,
    ) -> Float[Array, ""]:
        """Return one outcome; arguments as in `log_prob`."""


class AbstractCategoricalModel(AbstractResponseModel):
    """A model of ordered categories that says how many there are."""

    n_category: eqx.AbstractVar[int]
