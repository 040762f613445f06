"""The interface of scoring: systems on items that are fixed."""

import abc

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses

from .._fit import posterior
from .._model import AbstractResponseModel, Estimate
from .._posterior import Posterior
from ._scores import Scores, SystemScore


class AbstractScorer(eqx.Module):
    """Says how able systems are, given items that were calibrated before."""

    @abc.abstractmethod
    def score(self, problem: Posterior, items: Estimate) -> SystemScore:
        """Return every system's score, with a leading system axis. Pure.

        Args:
            problem: the items' model and the systems' answers.
            items: whose `system` is not used.

        Raises:
            ValueError: if the scorer cannot do with the model.
        """

    @abc.abstractmethod
    def slopes(
        self, problem: Posterior, items: Estimate, found: SystemScore
    ) -> Float[Array, "system p free"]:
        """Return the derivative of every score by the items' and shared parameters.

        Args:
            problem: as for `score`.
            items: as for `score`.
            found: what `score` returned.

        Returns:
            The last axis in the order of `item_covariance`; 0 where a score is not
            finite.
        """

    @eqx.filter_jit
    def __call__(
        self,
        model: AbstractResponseModel,
        responses: AbstractResponses,
        items: Estimate,
        *,
        item_covariance: Float[Array, "free free"] | None = None,
        system_features: Float[Array, "system f"] | None = None,
        item_features: Float[Array, "item g"] | None = None,
    ) -> Scores:
        r"""Return the scores of a table's systems. Pure.

        With `item_covariance` $C$ the items' own errors are carried on: a score's
        variance grows by $J C J^\top$ with $J$ the derivative of the score by the item
        and shared parameters, and the scores of two systems become dependent. To first
        order that is the law of total variance.

        Args:
            model: the model of the items.
            responses: of the kind that the model takes; the items in their order.
            items: whose `item` and `shared` are used and whose `system` is not.
            item_covariance: of the items' first parameters, their second ones, ...,
                then the shared ones, unconstrained: see `item_covariance`.
            system_features: what is known of each system, if the model uses it.
            item_features: what is known of each item.

        Returns:
            Scores with a code each, to be read first.

        Raises:
            ValueError: if the parts do not fit together, or the scorer cannot do with
                the model.
        """
        problem = posterior(model, responses, system_features, item_features)
        n_system, n_item = problem.responses.shape
        if items.item.shape[0] != n_item:
            raise ValueError(
                f"The responses have {n_item} items, `items` has {items.item.shape[0]}."
            )
        n_free = items.item.size + items.shared.size
        if item_covariance is not None and item_covariance.shape != (n_free, n_free):
            raise ValueError(
                f"`item_covariance` must be {(n_free, n_free)}, got "
                f"{item_covariance.shape}."
            )
        p = len(model.system_parameters)
        start = jnp.zeros((n_system, p), items.item.dtype)
        items = Estimate(start, items.item, items.shared)
        found = self.score(problem, items)
        if item_covariance is None:
            return Scores(found.value, found.covariance, found.code, None)
        slopes = self.slopes(problem, items, found)
        spread = slopes @ item_covariance
        own = jnp.einsum("jkf,jlf->jkl", spread, slopes)
        ability = spread[:, 0] @ slopes[:, 0].T + jnp.diag(found.covariance[:, 0, 0])
        return Scores(found.value, found.covariance + own, found.code, ability)
