"""What all bootstraps share: refits of tables drawn anew, in one batch."""

import abc

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from irtjax.data import AbstractResponses

from .._draw_intervals import spread_of
from .._errors import Uncertainty
from .._estimator import AbstractEstimator
from .._fit import posterior
from .._fit_many import block_size
from .._model import AbstractResponseModel, Estimate
from .._posterior import Posterior
from .._results import RESULTS
from .._uncertainty import AbstractUncertainty


class Refits(eqx.Module):
    """Fits of tables drawn anew.

    Attributes:
        value: unconstrained, with a leading draw axis; not a number where the fit
            failed, and for parameters that the draws say nothing about.
        code: one of `RESULTS` a draw.
        failed: how many fits failed and are left out.
    """

    value: Estimate
    code: Int[Array, " draw"]
    failed: Int[Array, ""]


class AbstractBootstrap(AbstractUncertainty):
    """Errors from refits: draw a table like the one at hand, fit it, and again.

    Standard errors are standard deviations over the refits that succeeded;
    `quantile_intervals` of `refits` gives percentile intervals. Draw number b uses
    `fold_in(key, b)`: more draws leave the first ones as they are.

    Attributes:
        estimator: what fits; the one that made the estimate.
        n_draw: refits.
        key: the same key gives the same bits. Give each table of a batch its own.
    """

    estimator: eqx.AbstractVar[AbstractEstimator]
    n_draw: eqx.AbstractVar[int]
    key: eqx.AbstractVar[PRNGKeyArray]

    @abc.abstractmethod
    def redraw(
        self, problem: Posterior, estimate: Estimate, *, key: PRNGKeyArray
    ) -> AbstractResponses:
        """Return one table like the problem's. Pure."""

    @abc.abstractmethod
    def known(self, value: Estimate) -> Estimate:
        """Return refits with what the draws say nothing about not a number."""

    def errors(self, problem: Posterior, estimate: Estimate) -> Uncertainty:
        return spread_of(problem.model, self._refits(problem, estimate).value)

    @eqx.filter_jit
    def refits(
        self,
        model: AbstractResponseModel,
        responses: AbstractResponses,
        estimate: Estimate,
        *,
        system_features: Float[Array, "system f"] | None = None,
        item_features: Float[Array, "item g"] | None = None,
    ) -> Refits:
        """Return the fits of `n_draw` tables drawn anew. Pure.

        They are fitted in blocks, so that memory does not grow with `n_draw`.

        Args:
            model: the model that was fitted.
            responses: the table that it was fitted to.
            estimate: the fit's value.
            system_features: as given to `fit`.
            item_features: as given to `fit`.

        Raises:
            ValueError: if the parts do not fit together, or the table cannot be drawn
                in this way.
        """
        problem = posterior(model, responses, system_features, item_features)
        return self._refits(problem, estimate)

    def _refits(self, problem: Posterior, estimate: Estimate) -> Refits:
        block = min(block_size(*problem.responses.shape), self.n_draw)
        n_block = -(-self.n_draw // block)

        def fit_block(numbers: Int[Array, " draw"]):
            tables = jax.vmap(
                lambda number: self.redraw(
                    problem, estimate, key=jax.random.fold_in(self.key, number)
                )
            )(numbers)
            fits = self.estimator.estimate_many(
                problem, tables, size=jnp.asarray(block, jnp.int32), block=block
            )
            return fits.value, fits.code

        numbers = jnp.reshape(jnp.arange(n_block * block), (n_block, block))
        value, code = jax.tree.map(
            lambda leaf: jnp.reshape(leaf, (numbers.size, *leaf.shape[2:]))[
                : self.n_draw
            ],
            jax.lax.map(fit_block, numbers),
        )
        fine = code == RESULTS.successful

        def kept(leaf: Array) -> Array:
            mask = jnp.reshape(fine, (-1,) + (1,) * (leaf.ndim - 1))
            return jnp.where(mask, leaf, jnp.nan)

        return Refits(
            self.known(jax.tree.map(kept, value)), code, jnp.sum(~fine, dtype=jnp.int32)
        )


def without_features(problem: Posterior, name: str) -> None:
    """Check that rows may be drawn anew: features would have to go with them.

    Raises:
        ValueError: if the problem has features.
    """
    if problem.system_features.shape[1] or problem.item_features.shape[1]:
        raise ValueError(
            f"{name} draws rows anew and cannot carry features along; use "
            "ParametricBootstrap."
        )


def unknown_like(leaf: Array) -> Array:
    """Return not a number in every place."""
    return jnp.full_like(leaf, jnp.nan)
