"""How likely errors are under an encoder's prior."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.active import AbstractKernel, Linear, SourceErrors

from ._encoder import AbstractEncoder


def gram(
    kernel: AbstractKernel, feature: Float[Array, "item feature"]
) -> Float[Array, "item item"]:
    """Return the covariance of every pair of items, in squared errors.

    Args:
        kernel: of the features.
        feature: of the items.
    """
    row = jax.vmap(kernel, in_axes=(None, 0))
    return jax.vmap(row, in_axes=(0, None))(feature, feature)


def log_score(
    mean: Float[Array, " item"],
    covariance: Float[Array, "item item"],
    noise: Float[Array, ""],
    errors: SourceErrors,
) -> Float[Array, ""]:
    r"""Return the mean log density of systems' errors, in nats an observed error.

    For one system $-\frac12 (r^\top G^{-1} r + \log|G| + n \log 2\pi)$ with
    $G = K + \sigma^2 I$ over the items that it ran.

    Args:
        mean: expected errors.
        covariance: $K$, in squared errors.
        noise: $\sigma^2$, positive.
        errors: of any systems on these items.
    """
    eye = jnp.eye(mean.shape[0], dtype=mean.dtype)
    seen = errors.observed.astype(mean.dtype)
    error = jnp.where(errors.observed, errors.error.astype(mean.dtype), 0)

    def one(system: tuple[Float[Array, " item"], Float[Array, " item"]]):
        error, seen = system
        # An item that was not run is a row of the identity: it adds nothing.
        both = seen[:, None] * seen[None, :]
        whole = both * covariance + jnp.where(seen > 0, noise, 1)[:, None] * eye
        lower = jnp.linalg.cholesky(whole)
        apart = seen * (error - mean)
        solved = jax.scipy.linalg.solve_triangular(lower, apart, lower=True)
        log_root = jnp.sum(jnp.log(jnp.diagonal(lower)))
        half = jnp.sum(seen) * jnp.log(2 * jnp.asarray(jnp.pi, mean.dtype)) / 2
        return -jnp.sum(jnp.square(solved)) / 2 - log_root - half

    # One system after the other: their factorisations are not independent calls.
    each = jax.lax.map(one, (error.T, seen.T))
    return jnp.sum(each) / jnp.maximum(jnp.sum(seen), 1)


def complete_log_score(
    mean: Float[Array, " item"],
    covariance: Float[Array, "item item"],
    noise: Float[Array, ""],
    error: Float[Array, "item system"],
) -> Float[Array, ""]:
    """Return `log_score` where every system ran every item: one factorisation for all."""
    count = mean.shape[0]
    lower = jnp.linalg.cholesky(covariance + noise * jnp.eye(count, dtype=mean.dtype))
    apart = error.astype(mean.dtype) - mean[:, None]
    solved = jax.scipy.linalg.solve_triangular(lower, apart, lower=True)
    log_root = jnp.sum(jnp.log(jnp.diagonal(lower)))
    quadratic = jnp.mean(jnp.sum(jnp.square(solved), axis=0))
    half = count * jnp.log(2 * jnp.asarray(jnp.pi, mean.dtype)) / 2
    return (-quadratic / 2 - log_root - half) / count


def linear_log_score(
    mean: Float[Array, " item"],
    root: Float[Array, "item feature"],
    noise: Float[Array, ""],
    errors: SourceErrors,
) -> Float[Array, ""]:
    """Return `log_score` with the covariance `root @ root.T`, features squared a system.

    Args:
        mean: expected errors.
        root: of the covariance, in errors; few columns.
        noise: variance around the features, positive.
        errors: of any systems on these items.
    """
    eye = jnp.eye(root.shape[1], dtype=mean.dtype)
    seen = errors.observed.astype(mean.dtype)
    error = jnp.where(errors.observed, errors.error.astype(mean.dtype), 0)

    def one(system: tuple[Float[Array, " item"], Float[Array, " item"]]):
        error, seen = system
        shown, apart = seen[:, None] * root, seen * (error - mean)
        # The matrix determinant and inversion lemmas, features by features.
        lower = jnp.linalg.cholesky(eye + shown.T @ shown / noise)
        solved = jax.scipy.linalg.solve_triangular(lower, shown.T @ apart, lower=True)
        quadratic = apart @ apart - solved @ solved / noise
        count = jnp.sum(seen)
        log_root = jnp.sum(jnp.log(jnp.diagonal(lower)))
        return -quadratic / noise / 2 - log_root - count * _log_width(noise)

    # One system after the other: their factorisations are not independent calls.
    each = jax.lax.map(one, (error.T, seen.T))
    return jnp.sum(each) / jnp.maximum(jnp.sum(seen), 1)


def _log_width(noise: Float[Array, ""]) -> Float[Array, ""]:
    return jnp.log(2 * jnp.asarray(jnp.pi, noise.dtype) * noise) / 2


def encoder_log_score(
    encoder: AbstractEncoder,
    embedding: Float[Array, "item embedding"],
    errors: SourceErrors,
    complete: bool,
) -> Float[Array, ""]:
    """Return an encoder's log score in the cheapest way.

    Args:
        encoder: the prior.
        embedding: of the items.
        errors: of any systems on them.
        complete: whether every system ran every item.
    """
    mean, feature, kernel = (
        encoder.mean(embedding),
        encoder.feature(embedding),
        encoder.kernel(),
    )
    if isinstance(kernel, Linear):
        root = jnp.sqrt(kernel.variance).astype(mean.dtype) * feature
        return linear_log_score(mean, root, encoder.noise(), errors)
    covariance = gram(kernel, feature)
    if complete:
        return complete_log_score(mean, covariance, encoder.noise(), errors.error)
    return log_score(mean, covariance, encoder.noise(), errors)


@eqx.filter_jit
def log_score_of(
    encoder: AbstractEncoder,
    embedding: Float[Array, "item embedding"],
    errors: SourceErrors,
) -> Float[Array, ""]:
    """Return an encoder's mean log density of systems' errors, in nats an error.

    Args:
        encoder: the prior.
        embedding: of the items.
        errors: of any systems on them, such as some that it was not trained on.
    """
    return encoder_log_score(encoder, embedding, errors, False)
