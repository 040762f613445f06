"""A bank from item parameters that were published or fitted elsewhere."""

from collections.abc import Hashable, Mapping, Sequence

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._model import AbstractResponseModel, NamedParameters, unnamed
from .._parameter import names, transform_slopes
from ._calibration import Calibration


def bank_from_values(
    model: AbstractResponseModel,
    item_ids: Sequence[Hashable],
    item: Mapping[str, Float[Array, " item"]],
    *,
    errors: Mapping[str, Float[Array, " item"]] | None = None,
    shared: Mapping[str, Float[Array, ""]] | None = None,
) -> Calibration:
    """Return the bank of items whose parameters are known by name.

    Args:
        model: names the parameters; its system parameters' priors are the abilities'.
        item_ids: one an item.
        item: each item parameter on its own scale, such as `difficulty` in logits.
        errors: standard errors on the same scales, by name. They are taken as
            independent, for want of more; a parameter left out counts as known.
        shared: the shared parameters, if the model has any; they count as known.

    Raises:
        ValueError: if a parameter is missing or unknown, or numbers are not one an
            item.
    """
    errors, shared = dict(errors or {}), dict(shared or {})
    wanted = names(model.item_parameters), names(model.shared_parameters)
    for given, known, word in (
        (item, wanted[0], "item"),
        (shared, wanted[1], "shared"),
    ):
        if set(given) != set(known):
            raise ValueError(
                f"{type(model).__name__} has the {word} parameters "
                f"{', '.join(known) or 'none'}; got {', '.join(given) or 'none'}."
            )
    strange = set(errors) - set(wanted[0])
    if strange:
        raise ValueError(f"`errors` has {sorted(strange)}, no parameter of an item.")
    n_item = len(item_ids)
    for name, values in {
        **item,
        **{f"error of {k}": v for k, v in errors.items()},
    }.items():
        if jnp.shape(values) != (n_item,):
            raise ValueError(
                f"There are {n_item} item identifiers; {name} has the shape "
                f"{jnp.shape(values)}."
            )
    rows = {name: jnp.asarray(values, float) for name, values in item.items()}
    alone = {name: jnp.asarray(value, float) for name, value in shared.items()}
    systems = {name: jnp.zeros(0) for name in names(model.system_parameters)}
    at = unnamed(model, NamedParameters(systems, rows, alone), shape=(0, n_item))
    slopes = jax.vmap(lambda row: transform_slopes(model.item_parameters, row))(at.item)
    none = jnp.zeros(n_item)
    spread = jnp.stack([jnp.asarray(errors.get(k, none), float) for k in wanted[0]])
    variance = jnp.ravel((spread / slopes.T) ** 2)
    variance = jnp.concatenate([variance, jnp.zeros(at.shared.shape[0])])
    return Calibration(
        model,
        at.item,
        at.shared,
        jnp.diag(variance),
        jnp.zeros((n_item, 0)),
        tuple(item_ids),
    )
