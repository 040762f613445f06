"""Minus the log marginal posterior of one table, with its derivatives."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._blocks import Blocks, Vector
from .._dense import cholesky, cholesky_solve
from .._model import Estimate
from .._objective import AbstractEvaluation, AbstractObjective
from .._posterior import Posterior
from ._louis import assembled
from ._quadrature import AbstractQuadrature
from ._reduced import solve

Scalar = Float[Array, ""]


class MarginalEvaluation(AbstractEvaluation):
    r"""Minus the log marginal posterior at a point, to second order.

    The information is $D - \sum_j U_j^\top U_j$, with $D$ the posterior mean of the
    complete data's information and $U_j$ the `link` of one system. As a matrix over
    polynomials of abilities, items and shared parameters it has the blocks $I$, $-U$
    and $D$, and the elimination that serves a joint fit serves here.

    Attributes:
        at: the point, with the systems' posterior means.
        value: in nats.
        gradient: by the unconstrained parameters; 0 for the systems.
        information: its system blocks belong to polynomials of the abilities.
        spread: the coefficients of abilities on those polynomials.
    """

    at: Estimate
    value: Scalar
    gradient: Vector
    information: Blocks
    spread: Float[Array, "system p f"]

    def move(self, damping: Scalar) -> Vector:
        info = self.information
        damped = info.add_diagonal(
            Vector(
                jnp.zeros_like(info.system[0]),
                damping * (1 + jnp.abs(jnp.einsum("kki->ki", info.item))),
                damping * (1 + jnp.abs(jnp.diagonal(info.shared))),
            )
        )
        right = eqx.tree_at(
            lambda g: g.system, self.gradient, jnp.zeros_like(info.system[0])
        )
        step = jax.tree.map(jnp.negative, solve(damped, right))
        # What the abilities' means do, to first order, as the items move.
        means = jnp.einsum("jpf,fj->pj", self.spread, step.system)
        return eqx.tree_at(lambda g: g.system, step, means)


class MarginalPosterior(AbstractObjective):
    r"""Minus the log posterior of items and shared parameters, abilities integrated out.

    $$-\sum_j \log \int e^{\ell_j(\theta, \beta, \gamma)} \pi(\theta \mid \gamma)\,
    \mathrm{d}\theta - \sum_i \log\pi(\beta_i) - \log\pi(\gamma)$$

    Attributes:
        joint: the model, the table and what is known of its systems and items.
        quadrature: how abilities are integrated out.
    """

    joint: Posterior
    quadrature: AbstractQuadrature

    def value(self, at: Estimate) -> Scalar:
        _, item, shared = self.joint.priors(at)
        return (
            -jnp.sum(self.quadrature.log_likelihood(self.joint, at))
            - jnp.sum(item.value)
            - jnp.sum(shared.value)
        )

    def evaluate(self, at: Estimate, observed_share: Scalar) -> MarginalEvaluation:
        """Return value, gradient and information in one pass over nodes and cells.

        Args:
            at: where; `at.system` is where the search for modes starts.
            observed_share: 1 for the observed information of the complete data, 0 for
                the expected one. What the abilities' spread takes from it is exact.
        """
        items, systems = self.quadrature.integrate(self.joint, at, observed_share)
        _, prior, alone = self.joint.priors(at)
        value = (
            -jnp.sum(systems.log_likelihood)
            - jnp.sum(prior.value)
            - jnp.sum(alone.value)
        )
        gradient = Vector(
            jnp.zeros_like(at.system.T),
            -items.item - prior.slope,
            -items.shared
            - jnp.sum(prior.shared_slope, axis=(0, 1))
            - alone.slope[:, 0],
        )
        n_system, _, f = systems.spread.shape
        eye = jnp.eye(f, dtype=value.dtype)[:, :, None]
        information = Blocks(
            jnp.broadcast_to(eye, (f, f, n_system)),
            items.item_information,
            items.shared_information - jnp.sum(prior.shared_bend, axis=(0, 1)),
            -jnp.transpose(systems.item_link, (1, 0, 2, 3)),
            -jnp.transpose(systems.shared_link, (1, 0, 2)),
            items.item_shared_information - prior.shared_cross,
        ).add_diagonal(
            Vector(
                jnp.zeros((f, n_system), value.dtype), -prior.bend, -alone.bend[:, 0]
            )
        )
        point = Estimate(systems.mean, at.item, at.shared)
        return MarginalEvaluation(point, value, gradient, information, systems.spread)

    def settled(self, at: Estimate) -> Estimate:
        one = jnp.ones((), at.item.dtype)
        found = self.quadrature.integrate(self.joint, at, one)
        return Estimate(found.systems.mean, at.item, at.shared)

    def solve(self, at: Estimate, right: Vector) -> Vector:
        """Return the inverse of the exact information times a vector; 0 for systems."""
        found = self.quadrature.exact(self.joint, at)
        information = found.information + prior_precision(self.joint, at)
        flat = jnp.concatenate([jnp.ravel(right.item), right.shared])
        solved = cholesky_solve(cholesky(information), flat[:, None])[:, 0]
        split = right.item.size
        item = jnp.reshape(solved[:split], right.item.shape)
        return Vector(jnp.zeros_like(right.system), item, solved[split:])

    def idle(
        self, at: Estimate
    ) -> tuple[Float[Array, " system"], Float[Array, " item"]]:
        _, item, _ = self.joint.priors(at)
        # A density integrates to 1, whose logarithm is 0.
        return jnp.zeros_like(at.system[:, 0]), -jnp.sum(item.value, axis=0)

    def trials(self) -> Vector:
        return self.joint.trials()


def prior_precision(problem: Posterior, at: Estimate) -> Float[Array, "n n"]:
    """Return minus the second derivatives of the items' and shared log priors."""
    _, item, alone = problem.priors(at)
    q = item.bend.shape[0]
    own = jnp.eye(q, dtype=item.bend.dtype)[:, :, None] * item.bend[:, None, :]
    shared = jnp.diag(alone.bend[:, 0]) + jnp.sum(item.shared_bend, axis=(0, 1))
    return -assembled(own, item.shared_cross, shared)
