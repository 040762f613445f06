"""The interface of scoring: systems one at a time, items fixed."""

import abc

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses

from .._fit import posterior
from .._model import AbstractResponseModel, Estimate
from ._scores import Scores, SystemScore
from ._system import SystemPosterior


class AbstractScorer(eqx.Module):
    """Says how able a system is, given items that were calibrated before."""

    @abc.abstractmethod
    def score(self, system: SystemPosterior) -> SystemScore:
        """Return one system's score, differentiable by the items. Pure.

        Raises:
            ValueError: if the scorer cannot do with the model.
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
        n_item, q = items.item.shape
        if n_item != problem.responses.shape[1]:
            raise ValueError(
                f"The responses have {problem.responses.shape[1]} items, `items` has "
                f"{n_item}."
            )
        terms = problem.responses.terms()
        n_free = n_item * q + items.shared.shape[0]
        if item_covariance is not None and item_covariance.shape != (n_free, n_free):
            raise ValueError(
                f"`item_covariance` must be {(n_free, n_free)}, got "
                f"{item_covariance.shape}."
            )

        def one(item, shared, outcome, weight, features) -> SystemScore:
            if outcome.ndim == 1:
                outcome = outcome[None, :]
            system = SystemPosterior(
                model, outcome, weight, item, shared, features, problem.item_features
            )
            return self.score(system)

        outcome_axis = 0 if terms.outcome.ndim == 3 else None
        rows = (terms.outcome, terms.weight, problem.system_features)
        axes = (None, None, outcome_axis, 0, 0)
        fixed = (items.item, items.shared)
        scores = jax.vmap(one, axes)(*fixed, *rows)
        if item_covariance is None:
            return Scores(scores.value, scores.covariance, scores.code, None)

        by_items = jax.jacrev(lambda *all: one(*all).value, argnums=(0, 1))
        item_slope, shared_slope = jax.vmap(by_items, axes)(*fixed, *rows)
        item_slope = jnp.swapaxes(item_slope, 2, 3)  # parameter-major
        slopes = jnp.concatenate(
            [jnp.reshape(item_slope, (*item_slope.shape[:2], n_item * q)), shared_slope],
            axis=2,
        )
        # An infinite score does not move with the items.
        slopes = jnp.where(jnp.isfinite(scores.value)[:, :, None], slopes, 0)
        spread = slopes @ item_covariance
        own = jnp.einsum("jkf,jlf->jkl", spread, slopes)
        ability = spread[:, 0] @ slopes[:, 0].T + jnp.diag(scores.covariance[:, 0, 0])
        return Scores(scores.value, scores.covariance + own, scores.code, ability)
