"""Integrals by Laplace's method: a normal density fitted at each system's mode."""

import math

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._frozen import frozen
from .._model import Estimate
from .._posterior import Posterior
from ._integrals import Integrals, OfItems, OfSystems
from ._louis import Louis
from ._modes import modes, system_curve
from ._quadrature import AbstractQuadrature
from ._small import cholesky, inverse_lower


class Laplace(AbstractQuadrature):
    """The integral of the normal density that has the mode's height and curvature.

    For systems with three parameters or more, where a product of nodes would be large.
    Exact as items grow in number; the error of a log-likelihood falls as 1 over them.
    Posterior means are taken to be the modes. One node of `AdaptiveQuadrature` gives
    the same log-likelihood, but not the same derivatives: here the nodes move.

    References:
        Tierney & Kadane (1986), Accurate approximations for posterior moments and
        marginal densities, J. American Statistical Association 81, eq. 2.3.
    """

    def log_likelihood(
        self, problem: Posterior, at: Estimate
    ) -> Float[Array, " system"]:
        return _log_likelihood(problem, at, _start(problem, at))

    def integrate(
        self, problem: Posterior, at: Estimate, observed_share: Float[Array, ""]
    ) -> Integrals:
        start = _start(problem, at)
        log_likelihood, back = jax.vjp(lambda u: _log_likelihood(problem, u, start), at)
        (slope,) = back(jnp.ones_like(log_likelihood))
        here = problem.evaluate(Estimate(start.T, at.item, at.shared), observed_share)
        complete = here.information
        _, item, alone = problem.priors(at)
        own = jnp.eye(item.bend.shape[0], dtype=item.bend.dtype)
        within = complete.item + own[:, :, None] * item.bend[:, None, :]
        common = complete.shared + jnp.diag(alone.bend[:, 0])
        common = common + jnp.sum(item.shared_bend, axis=(0, 1))
        scale = _scale(complete.system)
        item_link = -jnp.einsum("mfj,mjqi->jfqi", scale, complete.cross)
        shared_link = -jnp.einsum("mfj,mjs->jfs", scale, complete.system_shared)
        return Integrals(
            OfItems(
                slope.item.T,
                slope.shared,
                within,
                complete.item_shared + item.shared_cross,
                common,
            ),
            OfSystems(
                log_likelihood,
                _moved(problem, at, start).T,
                jnp.transpose(scale, (2, 0, 1)),
                item_link,
                shared_link,
            ),
        )

    def exact(self, problem: Posterior, at: Estimate) -> Louis:
        start = _start(problem, at)
        flat = jnp.concatenate([jnp.ravel(at.item.T), at.shared])
        split = at.item.size

        def unflat(values: Float[Array, " n"]) -> Estimate:
            item = jnp.reshape(values[:split], at.item.shape[::-1]).T
            return Estimate(at.system, item, values[split:])

        def each(values: Float[Array, " n"]) -> Float[Array, " system"]:
            return _log_likelihood(problem, unflat(values), start)

        def total(values: Float[Array, " n"]) -> Float[Array, ""]:
            return jnp.sum(each(values))

        moved, link = (
            _moved(problem, at, start),
            jax.jacfwd(lambda values: _moved(problem, unflat(values), start))(flat),
        )
        scale = _scale(_curve(problem, start, at).information)
        return Louis(
            -jax.hessian(total)(flat),
            jax.jacfwd(each)(flat),
            moved.T,
            jnp.einsum("kfj,lfj->jkl", scale, scale),
            jnp.transpose(link, (1, 0, 2)),
        )


def _start(problem: Posterior, at: Estimate) -> Float[Array, "p system"]:
    return frozen(modes(*frozen((problem, at))).mode)


def _curve(problem: Posterior, system: Float[Array, "p system"], at: Estimate):
    return system_curve(problem, system, at, jnp.ones((), at.item.dtype))


def _scale(information: Float[Array, "p p system"]) -> Float[Array, "p p system"]:
    """Return a factor of each inverse: the factor times its transpose."""
    return jnp.transpose(inverse_lower(cholesky(information)), (1, 0, 2))


def _moved(
    problem: Posterior, at: Estimate, start: Float[Array, "p system"]
) -> Float[Array, "p system"]:
    """Return the modes as a function of the items.

    Two Newton steps from the modes found move them next to nowhere, but their first two
    derivatives are then the modes'.
    """
    system = start
    for _ in range(2):
        here = _curve(problem, system, at)
        scale = _scale(here.information)
        white = jnp.einsum("kfj,kj->fj", scale, here.gradient)
        system = system + jnp.einsum("kfj,fj->kj", scale, white)
    return system


def _log_likelihood(
    problem: Posterior, at: Estimate, start: Float[Array, "p system"]
) -> Float[Array, " system"]:
    here = _curve(problem, _moved(problem, at, start), at)
    factor = cholesky(here.information)
    log_root = jnp.sum(jnp.log(jnp.einsum("kkj->kj", factor)), axis=0)
    constant = 0.5 * start.shape[0] * math.log(2 * math.pi)
    return here.value + constant - log_root
