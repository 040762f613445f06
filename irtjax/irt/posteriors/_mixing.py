"""Whether chains mixed: rank-normalised R-hat and effective sample sizes."""

from collections.abc import Callable

import jax
import numpy as np
from jaxtyping import Float, PyTree
from numpyro.diagnostics import effective_sample_size, gelman_rubin
from scipy.special import ndtri

from ._sampler import Mixing


def mixing_of(value: PyTree[Float[np.ndarray, "chain draw ..."]]) -> Mixing:
    """Return the diagnostics of one table's draws, computed by NumPy.

    Args:
        value: with leading chain and draw axes; each chain is split in two.

    References:
        Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021), Rank-normalization,
        folding, and localization: an improved R-hat, Bayesian Analysis 16, section 4.
    """
    leaves, structure = jax.tree.flatten(value)
    shapes = [leaf.shape[2:] for leaf in leaves]
    draws = np.concatenate(
        [np.reshape(leaf, (*leaf.shape[:2], -1)) for leaf in leaves], axis=2
    ).astype(np.float64)

    def by_parameter(numbers: Float[np.ndarray, " all"]) -> PyTree:
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
        parts = np.split(numbers, ends[:-1])
        return jax.tree.unflatten(
            structure,
            [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)],
        )

    if draws.shape[1] < 4 or not np.all(np.isfinite(draws)):
        unknown = np.full(draws.shape[2], np.nan)
        return Mixing(*(by_parameter(unknown) for _ in range(3)))
    halves = _split(draws)
    normal = _rank_normalised(halves)
    folded = _rank_normalised(np.abs(halves - np.median(halves, axis=(0, 1))))
    rhat = np.maximum(gelman_rubin(normal), gelman_rubin(folded))
    tails = [
        effective_sample_size(
            (halves <= np.quantile(halves, share, axis=(0, 1))).astype(np.float64)
        )
        for share in (0.05, 0.95)
    ]
    return Mixing(
        by_parameter(rhat),
        by_parameter(effective_sample_size(normal)),
        by_parameter(np.minimum(*tails)),
    )


def worst(numbers: PyTree, of: Callable[[np.ndarray], np.floating]) -> float:
    """Return the largest or smallest number of any parameter."""
    parts = [np.ravel(leaf) for leaf in jax.tree.leaves(numbers)]
    return float(of(np.concatenate(parts)))


def _split(draws: Float[np.ndarray, "chain draw all"]) -> np.ndarray:
    """Return each chain's first and second half as chains of their own."""
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]], axis=0)


def _rank_normalised(
    draws: Float[np.ndarray, "chain draw all"],
) -> Float[np.ndarray, "chain draw all"]:
    """Return the normal quantiles of the ranks over all chains (eq. 14)."""
    flat = draws.reshape(-1, draws.shape[2]).T
    count = flat.shape[1]
    scores = ndtri((np.arange(1, count + 1) - 0.375) / (count + 0.25))
    normal = np.empty_like(flat)
    np.put_along_axis(
        normal, np.argsort(flat, axis=1), np.broadcast_to(scores, flat.shape), axis=1
    )
    return normal.T.reshape(draws.shape)
