"""A calibration on another scale."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optimistix as optx
from jaxtyping import Array, Float, PRNGKeyArray

from .._model import AbstractResponseModel
from .._parameter import AbstractPrior, Named, Parameter
from ._calibration import Calibration
from ._curves import Item, log_chances
from ._link import Link, as_items, free_parameters

Scalar = Float[Array, ""]

# Abilities, in logits, at which an item's curve is matched.
_REACH, _NODES = 3.0, 13


class MovedPrior(AbstractPrior):
    """A prior of an ability on a scale with another unit and origin.

    Attributes:
        inner: on the old scale.
        slope: new units in one old unit; positive.
        intercept: the old 0 on the new scale.
    """

    inner: AbstractPrior
    slope: Scalar
    intercept: Scalar

    def log_prob(
        self, value: Scalar, shared: Named, features: Float[Array, " feature"]
    ) -> Scalar:
        old = (value - self.intercept) / self.slope
        return self.inner.log_prob(old, shared, features) - jnp.log(self.slope)

    def sample(
        self,
        shared: Named,
        features: Float[Array, " feature"],
        *,
        key: PRNGKeyArray,
    ) -> Scalar:
        old = self.inner.sample(shared, features, key=key)
        return self.intercept + self.slope * old


def rescale(bank: Calibration, link: Link) -> Calibration:
    r"""Return the bank on the scale that a link leads to.

    Each item's new parameters are those with the old curve: $P'(A \theta + B) =
    P(\theta)$ for every outcome, found by least squares for whatever parameters the
    model has. The abilities' prior moves along. The covariance is carried over by the
    delta method, the link held still: `drift` allows for the link's own error.

    Raises:
        ValueError: if the model has no such items, as a model whose slopes are fixed
            has none for a link with another slope; use `mean_mean` there.
    """
    free, by_free, _ = moved_parameters(bank, link)
    n_item, q = bank.item.shape
    prior = bank.model.system_parameters[0].prior
    model = eqx.tree_at(
        lambda m: m.system_parameters[0].prior,
        bank.model,
        MovedPrior(prior, link.slope, link.intercept),
    )
    return Calibration(
        model,
        jnp.reshape(free[: n_item * q], (q, n_item)).T,
        free[n_item * q :],
        by_free @ bank.covariance @ by_free.T,
        bank.item_features,
        bank.item_ids,
        bank.code,
        bank.score_is,
        bank.trials_from,
    )


def moved_parameters(
    bank: Calibration, link: Link
) -> tuple[
    Float[Array, " free"], Float[Array, "free free"], Float[Array, "free 2"]
]:
    """Return a bank's parameters on a link's scale, and their derivatives.

    Returns:
        The parameters in the order of the bank's covariance, their derivative by the
        old ones, and by the link's slope and intercept.

    Raises:
        ValueError: as `rescale`.
    """
    line = jnp.stack([link.slope, link.intercept])

    def both(free: Float[Array, " free"], line: Float[Array, "2"]):
        items = as_items(bank, free, bank.item_features)
        moved, gap = jax.vmap(lambda item: _move(bank.model, item, line))(items)
        spread = jnp.max(jnp.abs(moved.shared - moved.shared[:1]), initial=0)
        shared = jnp.mean(moved.shared, axis=0)
        flat = jnp.concatenate([jnp.ravel(moved.item.T), shared])
        return flat, (flat, jnp.maximum(jnp.max(gap), spread))

    at = free_parameters(bank)
    (by_free, by_line), (moved, gap) = jax.jit(
        jax.jacfwd(both, (0, 1), has_aux=True)
    )(at, line)
    if not float(gap) < 1e3 * float(jnp.finfo(at.dtype).eps) ** 0.5:
        raise ValueError(
            f"{type(bank.model).__name__} has no item parameters whose curves are those "
            f"of the bank on a scale with slope {float(link.slope):.4g} and intercept "
            f"{float(link.intercept):.4g}: they differ by {float(gap):.2g}. Where "
            "slopes are fixed, link with `mean_mean`."
        )
    return moved, by_free, by_line


def _move(
    model: AbstractResponseModel, item: Item, line: Float[Array, "2"]
) -> tuple[Item, Scalar]:
    """Return the item on the new scale and the largest gap between the two curves."""
    q = item.item.shape[0]
    nodes = jnp.linspace(-_REACH, _REACH, _NODES, dtype=item.item.dtype)

    def gaps(free: Float[Array, " free"], args: tuple[Item, Float[Array, "2"]]):
        old, (slope, intercept) = args
        new = Item(free[:q], free[q:], old.features)
        return jnp.ravel(
            jax.vmap(
                lambda x: log_chances(model, new, slope * x + intercept)
                - log_chances(model, old, x)
            )(nodes)
        )

    still = jax.tree.map(jax.lax.stop_gradient, (item, line))
    start = jnp.concatenate([still[0].item, still[0].shared])
    close = float(jnp.finfo(start.dtype).eps) ** 0.75
    found = optx.least_squares(
        gaps,
        optx.LevenbergMarquardt(rtol=close, atol=close),
        start,
        args=still,
        max_steps=500,
        throw=False,
    ).value
    found = jax.lax.stop_gradient(found)
    # A Gauss-Newton step: exact where the gaps close, and it gives the derivative.
    slopes = jax.jacfwd(gaps)(found, still)
    square = slopes.T @ slopes
    floor = jnp.finfo(square.dtype).eps * jnp.trace(square)
    square = square + floor * jnp.eye(square.shape[0], dtype=square.dtype)
    step = jnp.linalg.solve(square, slopes.T @ gaps(found, (item, line)))
    found = found - step
    left = jnp.max(jnp.abs(gaps(jax.lax.stop_gradient(found), still)))
    return Item(found[:q], found[q:], item.features), left
