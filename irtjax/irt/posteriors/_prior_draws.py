"""Parameters drawn from a model's priors."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from .._model import AbstractResponseModel, Estimate
from .._parameter import Parameter, constrain


def draw_prior(
    model: AbstractResponseModel,
    shape: tuple[int, int],
    *,
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
    key: PRNGKeyArray,
) -> Estimate:
    """Return one draw of every parameter from its prior, unconstrained.

    Args:
        model: whose priors are drawn from; all must be proper.
        shape: how many systems and items.
        system_features: passed to the priors of systems.
        item_features: passed to the priors of items.
        key: the same key gives the same bits.

    Raises:
        ValueError: if a prior has no draws.
    """
    n_system, n_item = shape
    keys = jax.random.split(key, 3)
    nothing = jnp.zeros(0)
    alone = [
        kind.prior.sample({}, nothing, key=each)
        for kind, each in zip(
            model.shared_parameters,
            jax.random.split(keys[0], len(model.shared_parameters)),
            strict=True,
        )
    ]
    shared = jnp.stack(alone) if alone else jnp.zeros(0)
    by_name = constrain(model.shared_parameters, shared)

    def rows(
        kinds: tuple[Parameter, ...],
        count: int,
        features: Float[Array, "row f"] | None,
        key: PRNGKeyArray,
    ) -> Float[Array, "row k"]:
        if features is None:
            features = jnp.zeros((count, 0))

        def row(its_own: Float[Array, " f"], key: PRNGKeyArray):
            each = jax.random.split(key, len(kinds))
            return jnp.stack(
                [
                    kind.prior.sample(by_name, its_own, key=each[k])
                    for k, kind in enumerate(kinds)
                ]
            )

        if not kinds:
            return jnp.zeros((count, 0))
        return jax.vmap(row)(features, jax.random.split(key, count))

    return Estimate(
        rows(model.system_parameters, n_system, system_features, keys[1]),
        rows(model.item_parameters, n_item, item_features, keys[2]),
        shared,
    )
