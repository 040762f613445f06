"""What other systems got wrong: the only thing that a prior may be made from."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float


class SourceErrors(eqx.Module):
    """The errors of the historical systems, as arrays.

    Priors take this type and nothing else, and a target's outcomes have another
    (`irtjax.active.Target`), so that they cannot enter a prior.

    Attributes:
        error: from 0 (right) to 1 (wrong); ignored where not observed.
        observed: where a source ran an item.
    """

    error: Float[Array, "item source"]
    observed: Bool[Array, "item source"]

    @property
    def shape(self) -> tuple[int, int]:
        """Return the numbers of items and sources."""
        return self.error.shape[0], self.error.shape[1]

    def filled(self) -> Float[Array, "item source"]:
        """Return the errors with the missing ones put in.

        A missing cell gets its item's mean over the sources that ran it, moved by how
        much its source errs more than the others on the items that it ran, and clipped
        to [0, 1]. An item that no source ran gets the mean over the other items.
        """
        seen = self.observed.astype(self.error.dtype)
        error = jnp.where(self.observed, self.error, 0)
        count = jnp.sum(seen, axis=1)
        overall = jnp.sum(error) / jnp.maximum(jnp.sum(seen), 1)
        mean = jnp.sum(error, axis=1) / jnp.maximum(count, 1)
        mean = jnp.where(count > 0, mean, overall)
        apart = jnp.sum(seen * (error - mean[:, None]), axis=0)
        shift = apart / jnp.maximum(jnp.sum(seen, axis=0), 1)
        guess = jnp.clip(mean[:, None] + shift[None, :], 0, 1)
        return jnp.where(self.observed, self.error, guess)

    def mean(self) -> Float[Array, " item"]:
        """Return each item's mean error over the sources, missing ones put in."""
        return jnp.mean(self.filled(), axis=1)

    def without(self, source: int | Array) -> "SourceErrors":
        """Return the same errors without one source, whose number may be traced."""
        count = self.shape[1] - 1
        rest = jnp.arange(count)
        rest = rest + (rest >= jnp.asarray(source, rest.dtype)).astype(rest.dtype)
        return SourceErrors(self.error[:, rest], self.observed[:, rest])


class Target(eqx.Module):
    """The outcomes of the system under evaluation, revealed item by item.

    Attributes:
        error: from 0 (right) to 1 (wrong); ignored where not observed.
        observed: where there is an outcome to reveal.
    """

    error: Float[Array, " item"]
    observed: Bool[Array, " item"]
