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
    parameters. Its information follows from the nodes as that of a mixture does. A
    derivative follows the nodes too, and so is that of the value as computed. Cost
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
        sides = sides_of(problem)
        if sides.n_inner > MOST_INTEGRATED:
            raise ValueError(
                f"`NestedLaplace` integrates {MOST_INTEGRATED} parameters a row at the "
                f"most, this model has {sides.n_inner}; use `JointLaplace`."
            )
        still = frozen(problem)
        joint = self.solver.solve(still, frozen(start))
        state = self._search(still, sides, joint.value)

        def looked(point: Float[Array, " outer"]) -> _Mixture:
            centre = _followed(problem, sides, point, state.centre)
            nodes = _nodes(problem, sides, point, centre, self.nodes)
            return _mixture(problem, sides, point, nodes)

        first = looked(state.point)
        still_first = frozen(first)
        change = first.gradient - still_first.gradient  # zero in value only
        # In a chain, not side by side: see docs/design/002-batches.md.
        point = state.point - _solved(still_first.information, change)
        here = looked(point)
        log_determinant = 2 * jnp.sum(jnp.log(jnp.diagonal(_factor(here.information))))
        constant = 0.5 * point.shape[0] * jnp.log(2 * jnp.pi)
        log_evidence = -here.value - 0.5 * log_determinant + constant
        value = sides.estimate(state.point, state.centre)
        norm = jnp.max(jnp.abs(first.gradient), initial=0)
        code = jnp.where(joint.code == RESULTS.not_finite, joint.code, state.code)
        stats = FitStats(-log_evidence, norm, joint.stats.iterations + state.steps)
        fit = jax.lax.stop_gradient(FitResult(value, code.astype(jnp.int32), stats))
        return Evidence(log_evidence.astype(here.value.dtype), fit)

    def _search(self, problem: Posterior, sides: Sides, start: Estimate) -> "_State":
        point, centre = sides.split(start)
        dtype = point.dtype
        tolerance = jnp.maximum(self.tolerance, jnp.sqrt(jnp.finfo(dtype).eps))

        def step(state: _State) -> _State:
            centre = _recentred(problem, sides, state.point, state.centre)
            nodes = _nodes(problem, sides, state.point, centre, self.nodes)
            here = _mixture(problem, sides, state.point, nodes)
            scale = 1 + jnp.abs(jnp.diagonal(here.information))
            damped = here.information + jnp.diag(state.damping * scale)
            move = -_solved(damped, here.gradient)
            there = state.point + move
            # On the same nodes, so that a decrease is the objective's, not the rule's.
            value = _mixture(problem, sides, there, nodes).value
            slack = 8 * jnp.finfo(dtype).eps * (1 + jnp.abs(here.value))
            taken = value <= here.value + slack
            length = jnp.max(jnp.abs(move) / (1 + jnp.abs(state.point)), initial=0)
            shift = jnp.max(jnp.abs(centre - state.centre), initial=0)
            last = taken & (length <= tolerance) & (shift <= tolerance)
            last = last & (state.damping == 0)
            steps = state.steps + 1
            stuck = ~taken & (state.damping > 1e8)
            broken = ~jnp.isfinite(here.value)
            eased = jnp.where(state.damping < 1e-6, 0, state.damping / 30)
            raised = jnp.where(state.damping > 0, 10 * state.damping, 1e-2)
            code = jnp.where(stuck, RESULTS.stalled, state.code)
            code = jnp.where(last, RESULTS.successful, code)
            code = jnp.where(broken, RESULTS.not_finite, code)
            return _State(
                jnp.where(taken, there, state.point),
                jnp.where(broken, state.centre, centre),
                jnp.where(taken, eased, raised).astype(dtype),
                steps,
                last | stuck | broken | (steps >= self.max_steps),
                code.astype(jnp.int32),
            )

        state = _State(
            point,
            centre,
            jnp.zeros((), dtype),
            jnp.zeros((), jnp.int32),
            jnp.asarray(False),
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
    expected = jnp.zeros((), centre.dtype)

    def closer(_, centre: Float[Array, "inner k"]) -> Float[Array, "inner k"]:
        slope, inverse = sides.conditional(problem, point, centre, expected)
        move = jnp.einsum("kli,li->ik", inverse, slope)
        return centre + jnp.clip(jnp.where(jnp.isfinite(move), move, 0), -1, 1)

    return jax.lax.fori_loop(0, 2, closer, centre)


def _followed(
    problem: Posterior,
    sides: Sides,
    point: Float[Array, " outer"],
    centre: Float[Array, "inner k"],
) -> Float[Array, "inner k"]:
    """Return the rows' modes as they are, with their derivatives."""
    observed = jnp.ones((), centre.dtype)
    slope, inverse = sides.conditional(problem, point, centre, observed)
    change = slope - jax.lax.stop_gradient(slope)
    return centre + jnp.einsum("kli,li->ik", jax.lax.stop_gradient(inverse), change)


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
    expected = jnp.zeros((), centre.dtype)
    inverse = sides.conditional(problem, point, centre, expected)[1]
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


def _solved(
    matrix: Float[Array, "n n"], right: Float[Array, " n"]
) -> Float[Array, " n"]:
    return jax.scipy.linalg.cho_solve((_factor(matrix), True), right)


def _root_small(blocks: Float[Array, "k k row"]) -> Float[Array, "k k row"]:
    """Return the lower Cholesky factor of blocks of one row or two."""
    if blocks.shape[0] == 1:
        return jnp.sqrt(blocks)
    corner = jnp.sqrt(blocks[0, 0])
    off = blocks[0, 1] / corner
    rest = jnp.sqrt(blocks[1, 1] - off**2)
    top = jnp.stack([corner, jnp.zeros_like(corner)])
    return jnp.stack([top, jnp.stack([off, rest])])
