"""Laplace's approximation over one side of a table, quadrature over the other."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from .._frozen import frozen
from .._model import Estimate
from .._newton import BlockNewton
from .._posterior import Posterior
from .._results import RESULTS, FitResult, FitStats
from .._solver import AbstractSolver
from ._evidence import AbstractEvidence, Evidence
from ._sides import Sides, sides_of

Scalar = Float[Array, ""]
# A row's product rule grows with the power of its number of parameters.
MOST_INTEGRATED = 2


class NestedLaplace(AbstractEvidence):
    r"""Quadrature over each row of the larger side, Laplace over the smaller side.

    The side with more parameters, usually the items', is the one with fewer answers a
    parameter, where a normal approximation is at its worst. Given the other side its
    rows are independent, so each is integrated by Gauss-Hermite nodes around its own
    mode,

    $$-F(x) = \sum_i \log \int p(y_i \mid \beta_i, x)\, p(\beta_i \mid x)\,
    \mathrm d\beta_i + \log p(x),$$

    and Laplace's approximation is left for $x$: the other side and the shared
    parameters. Its information follows from the nodes as that of a mixture does. Cost
    and memory are those of a table `nodes` ** q times as large, q the parameters of
    a row: use `JointLaplace` for the largest tables and for three parameters a row
    and more.

    Attributes:
        nodes: by dimension, at least 3.
        solver: what finds the joint mode, from which the search starts.
        tolerance: length of the last Newton step; never below the square root of the
            precision in use.
        max_steps: Newton steps at the most.

    References:
        Naylor & Smith (1982), Applications of a method for the efficient computation of
        posterior distributions, Appl. Stat. 31, for the nodes. Louis (1982), Finding
        the observed information matrix when using the EM algorithm, J. R. Stat. Soc. B
        44, eq. 3.2, for the information.
    """

    nodes: int = eqx.field(static=True, default=9)
    solver: AbstractSolver = BlockNewton()
    tolerance: float = 1e-6
    max_steps: int = 50

    def __check_init__(self):
        if self.nodes < 3:
            raise ValueError(
                f"`nodes` must be at least 3, got {self.nodes}; without quadrature "
                "use `JointLaplace`."
            )

    def __call__(self, problem: Posterior, start: Estimate) -> Evidence:
        still = frozen(problem)
        joint = self.solver.solve(still, frozen(start))
        sides = sides_of(problem)
        if sides.n_inner > MOST_INTEGRATED:
            raise ValueError(
                f"`NestedLaplace` integrates {MOST_INTEGRATED} parameters a row at the "
                f"most, this model has {sides.n_inner}; use `JointLaplace`."
            )
        state = self._search(still, sides, joint.value)
        spread = _factor(state.here.information)
        nodes = _nodes(still, sides, state.point, state.centre, self.nodes)
        slope = _mixture(problem, sides, state.point, nodes).gradient
        change = slope - jax.lax.stop_gradient(slope)  # zero in value only
        point = state.point - jax.scipy.linalg.cho_solve((spread, True), change)
        here = _mixture(problem, sides, point, nodes)
        log_determinant = 2 * jnp.sum(jnp.log(jnp.diagonal(_factor(here.information))))
        constant = 0.5 * point.shape[0] * jnp.log(2 * jnp.pi)
        log_evidence = -here.value - 0.5 * log_determinant + constant
        value = sides.estimate(state.point, state.centre)
        norm = jnp.max(jnp.abs(state.here.gradient), initial=0)
        code = jnp.where(joint.code == RESULTS.not_finite, joint.code, state.code)
        stats = FitStats(-log_evidence, norm, joint.stats.iterations + state.steps)
        fit = jax.lax.stop_gradient(FitResult(value, code.astype(jnp.int32), stats))
        return Evidence(log_evidence.astype(here.value.dtype), fit)

    def _search(self, problem: Posterior, sides: Sides, start: Estimate) -> "_State":
        point, centre = sides.split(start)
        dtype = point.dtype
        tolerance = jnp.maximum(self.tolerance, jnp.sqrt(jnp.finfo(dtype).eps))

        def look(point, centre):
            centre = _recentred(problem, sides, point, centre)
            nodes = _nodes(problem, sides, point, centre, self.nodes)
            return centre, _mixture(problem, sides, point, nodes)

        def step(state: _State) -> _State:
            diagonal = jnp.diagonal(state.here.information)
            damped = state.here.information + jnp.diag(
                state.damping * (1 + jnp.abs(diagonal))
            )
            move = -jax.scipy.linalg.cho_solve(
                (_factor(damped), True), state.here.gradient
            )
            there = state.point + move
            centre, ahead = look(there, state.centre)
            # The nodes move too, so that values are compared to the rule's accuracy.
            slack = 1e-7 * (1 + jnp.abs(state.here.value))
            taken = jnp.isfinite(ahead.value) & (
                ahead.value <= state.here.value + slack
            )
            length = jnp.max(jnp.abs(move) / (1 + jnp.abs(state.point)), initial=0)
            shift = jnp.max(jnp.abs(centre - state.centre), initial=0)
            last = taken & (length <= tolerance) & (shift <= 1e-3)
            last = last & (state.damping == 0)
            point, centre, here = jax.tree.map(
                lambda new, old: jnp.where(taken, new, old),
                (there, centre, ahead),
                (state.point, state.centre, state.here),
            )
            eased = jnp.where(state.damping < 1e-6, 0, state.damping / 30)
            raised = jnp.where(state.damping > 0, 10 * state.damping, 1e-2)
            steps = state.steps + 1
            stuck = ~taken & (state.damping > 1e8)
            code = jnp.where(
                last, RESULTS.successful, jnp.where(stuck, RESULTS.stalled, state.code)
            )
            return _State(
                point,
                centre,
                here,
                jnp.where(taken, eased, raised).astype(dtype),
                steps,
                last | stuck | (steps >= self.max_steps),
                code.astype(jnp.int32),
            )

        centre, here = look(point, centre)
        state = _State(
            point,
            centre,
            here,
            jnp.zeros((), dtype),
            jnp.zeros((), jnp.int32),
            ~jnp.isfinite(here.value),
            jnp.asarray(RESULTS.max_steps_reached, jnp.int32),
        )
        return jax.lax.while_loop(lambda state: ~state.done, step, state)


class _Mixture(NamedTuple):
    """Minus the log posterior of the outer side, the inner one integrated out."""

    value: Scalar
    gradient: Float[Array, " outer"]
    information: Float[Array, "outer outer"]


class _State(NamedTuple):
    """Where the search stands: the outer side, the inner rows' modes, the damping."""

    point: Float[Array, " outer"]
    centre: Float[Array, "inner k"]
    here: _Mixture
    damping: Scalar
    steps: Int[Array, ""]
    done: Bool[Array, ""]
    code: Int[Array, ""]


class _Nodes(NamedTuple):
    """Where each inner row is evaluated, and the logarithm of what that counts."""

    at: Float[Array, "node inner k"]
    log_weight: Float[Array, "node inner"]


def _recentred(
    problem: Posterior,
    sides: Sides,
    point: Float[Array, " outer"],
    centre: Float[Array, "inner k"],
) -> Float[Array, "inner k"]:
    """Return each inner row's mode, two scoring steps closer."""
    for _ in range(2):
        slope, inverse = sides.conditional(problem, point, centre)
        move = jnp.einsum("kli,li->ik", inverse, slope)
        centre = centre + jnp.clip(jnp.where(jnp.isfinite(move), move, 0), -1, 1)
    return centre


def _nodes(
    problem: Posterior,
    sides: Sides,
    point: Float[Array, " outer"],
    centre: Float[Array, "inner k"],
    n: int,
) -> _Nodes:
    k = centre.shape[1]
    x, w = np.polynomial.hermite_e.hermegauss(n)
    grid = np.stack(np.meshgrid(*[x] * k, indexing="ij"), axis=-1).reshape(-1, k)
    log_w = np.log(np.stack(np.meshgrid(*[w] * k, indexing="ij"), axis=-1))
    # The rule is for the weight exp(-x^2/2), which is taken out again here.
    log_weight = log_w.reshape(-1, k).sum(axis=1) + 0.5 * (grid**2).sum(axis=1)
    inverse = sides.conditional(problem, point, centre)[1]
    root = _root_small(inverse)
    at = centre[None] + jnp.einsum("kli,nl->nik", root, jnp.asarray(grid, centre.dtype))
    size = jnp.log(jnp.einsum("kki->ki", root)).sum(axis=0)
    return _Nodes(at, jnp.asarray(log_weight, centre.dtype)[:, None] + size[None, :])


def _mixture(
    problem: Posterior, sides: Sides, point: Float[Array, " outer"], nodes: _Nodes
) -> _Mixture:
    rows = jax.vmap(lambda at: sides.rows(problem, point, at))(nodes.at)
    logits = rows.value + nodes.log_weight
    share = jax.nn.softmax(logits, axis=0)
    prior = sides.outer_prior(problem, point)
    mean = jnp.einsum("ni,nio->io", share, rows.slope)
    flat = jnp.reshape(rows.slope, (-1, point.shape[0]))
    weighted = flat * jnp.reshape(share, (-1, 1))
    spread = weighted.T @ flat - mean.T @ mean
    bend = sides.bend(point, rows, share) + prior.bend
    return _Mixture(
        -jnp.sum(jax.nn.logsumexp(logits, axis=0)) - prior.value,
        -jnp.sum(mean, axis=0) - prior.slope,
        -bend - spread,
    )


def _factor(matrix: Float[Array, "n n"]) -> Float[Array, "n n"]:
    return jax.lax.linalg.cholesky(matrix, symmetrize_input=False)


def _root_small(blocks: Float[Array, "k k row"]) -> Float[Array, "k k row"]:
    """Return the lower Cholesky factor of blocks of one row or two."""
    if blocks.shape[0] == 1:
        return jnp.sqrt(blocks)
    corner = jnp.sqrt(blocks[0, 0])
    off = blocks[0, 1] / corner
    rest = jnp.sqrt(blocks[1, 1] - off**2)
    top = jnp.stack([corner, jnp.zeros_like(corner)])
    return jnp.stack([top, jnp.stack([off, rest])])
