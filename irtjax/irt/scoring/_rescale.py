"""A calibration on another scale."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optimistix as optx
from jaxtyping import Array, Float, PRNGKeyArray

from .._model import AbstractResponseModel
from .._parameter import AbstractPrior, Named
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
) -> tuple[Float[Array, " free"], Float[Array, "free free"], Float[Array, "free 2"]]:
    """Return a bank's parameters on a link's scale, and their derivatives.

    Returns:
        The parameters in the order of the bank's covariance, their derivative by the
        old ones, and by the link's slope and intercept.

    Raises:
        ValueError: as `rescale`.
    """
    line = jnp.stack([link.slope, link.intercept])
    at = free_parameters(bank)
    items = as_items(bank.model, at, bank.item_features)
    moved, slopes, gaps = _move_all(bank.model, items, line)
    n_item, q = bank.item.shape
    shared = jnp.mean(moved[:, q:], axis=0)
    spread = jnp.max(jnp.abs(moved[:, q:] - shared[None, :]), initial=0)
    gap = jnp.maximum(jnp.max(gaps), spread)
    if not float(gap) < 1e3 * float(jnp.finfo(at.dtype).eps) ** 0.5:
        raise ValueError(
            f"{type(bank.model).__name__} has no item parameters whose curves are those "
            f"of the bank on a scale with slope {float(link.slope):.4g} and intercept "
            f"{float(link.intercept):.4g}: they differ by {float(gap):.2g}. Where "
            "slopes are fixed, link with `mean_mean`."
        )
    by_item, by_shared, by_line = slopes
    # An item depends on its own old parameters and on the shared ones.
    eye = jnp.eye(n_item, dtype=at.dtype)
    own = jnp.einsum("ikm,ij->kimj", by_item[:, :q], eye)
    by_free = jnp.block(
        [
            [
                jnp.reshape(own, (q * n_item, q * n_item)),
                _major(by_shared[:, :q]),
            ],
            [
                jnp.reshape(
                    jnp.transpose(by_item[:, q:], (1, 2, 0)) / n_item, (-1, q * n_item)
                ),
                jnp.mean(by_shared[:, q:], axis=0),
            ],
        ]
    )
    return (
        jnp.concatenate([jnp.ravel(moved[:, :q].T), shared]),
        by_free,
        jnp.concatenate([_major(by_line[:, :q]), jnp.mean(by_line[:, q:], axis=0)]),
    )


def _major(slopes: Float[Array, "item q m"]) -> Float[Array, "q*item m"]:
    flat = (slopes.shape[0] * slopes.shape[1], slopes.shape[2])
    return jnp.reshape(jnp.swapaxes(slopes, 0, 1), flat)


@eqx.filter_jit
def _move_all(model: AbstractResponseModel, items: Item, line: Float[Array, "2"]):
    """Return every item's parameters on the new scale, derivatives and largest gap."""

    def one(item: Item):
        def at(own: Float[Array, " q"], shared: Float[Array, " s"], line):
            moved, gap = _move(model, Item(own, shared, item.features), line)
            return moved, (moved, gap)

        slopes, (moved, gap) = jax.jacfwd(at, (0, 1, 2), has_aux=True)(
            item.item, item.shared, line
        )
        return moved, slopes, gap

    return jax.vmap(one)(items)


def _move(
    model: AbstractResponseModel, item: Item, line: Float[Array, "2"]
) -> tuple[Float[Array, " free"], Scalar]:
    """Return the item's parameters, then the shared ones, and the curves' largest gap."""
    q = item.item.shape[0]
    nodes = jnp.linspace(-_REACH, _REACH, _NODES, dtype=item.item.dtype)

    def gaps(free: Float[Array, " free"], args: tuple[Item, Float[Array, "2"]]):
        old, (slope, intercept) = args
        new = Item(free[:q], free[q:], old.features)
        return jnp.ravel(
            jax.vmap(
                lambda x: (
                    log_chances(model, new, slope * x + intercept)
                    - log_chances(model, old, x)
                )
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
    return found, left
