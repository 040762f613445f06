"""What maximises an evidence: quasi-Newton for a few numbers, optax for networks."""

import abc
from collections.abc import Callable
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
import optimistix as optx
from jaxtyping import Array, Bool, Float, Int, PyTree

from .._loops import carried_while
from .._model import Estimate
from .._results import RESULTS
from ._evidence import Evidence

Scalar = Float[Array, ""]
# What is minimised, from settings and the start of the fit inside.
Loss = Callable[[PyTree, Estimate], tuple[Scalar, Evidence]]


class Learned(NamedTuple):
    """Settings that a learner ended at.

    Attributes:
        hyper: the settings.
        evidence: at the settings last accepted; of `FirstOrder`, before its last step.
        trace: the loss after each step; not a number after the last.
        steps: how many steps were taken.
        code: one of `RESULTS`.
    """

    hyper: PyTree
    evidence: Evidence
    trace: Float[Array, " step"]
    steps: Int[Array, ""]
    code: Int[Array, ""]


class AbstractLearner(eqx.Module):
    """Minimises a smooth function of settings."""

    @abc.abstractmethod
    def learn(self, loss: Loss, hyper: PyTree, start: Estimate) -> Learned:
        """Return the settings at which the loss is least. Pure.

        Args:
            loss: of settings and of where the fit inside starts; each fit starts where
                the last one ended.
            hyper: the first settings: a pytree of arrays.
            start: of the first fit.
        """


class QuasiNewton(AbstractLearner):
    """BFGS: for up to a few dozen settings.

    It stops where a step changed settings and loss by less than the tolerances, and
    where the next step it would try is shorter: an evidence by quadrature has an
    accuracy below which no step of its gradient need lower it.

    Attributes:
        rtol: relative change of settings and loss at which it stops.
        atol: absolute change.
        max_steps: evaluations of the loss at the most.

    References:
        Nocedal & Wright (2006), *Numerical Optimization*, ch. 6.1.
    """

    rtol: float = 1e-4
    atol: float = 1e-4
    max_steps: int = eqx.field(static=True, default=100)

    def learn(self, loss: Loss, hyper: PyTree, start: Estimate) -> Learned:
        solver = optx.BFGS(self.rtol, self.atol)
        first, aux = jax.eval_shape(loss, hyper, start)
        options: dict[str, Any] = {}
        tags = frozenset()
        state = solver.init(loss, hyper, start, options, first, aux, tags)
        moving, fixed = eqx.partition(state, eqx.is_array)
        trace = jnp.full(self.max_steps, jnp.nan, first.dtype)
        count = jnp.zeros((), jnp.int32)

        def ended(moving, hyper, start, count):
            state = eqx.combine(moving, fixed)
            done, result = solver.terminate(loss, hyper, start, options, state, tags)
            short = (count > 0) & self._is_short(hyper, state.y_eval)
            return done | short, result != optx.RESULTS.successful

        def going(carry):
            moving, hyper, start, _, count = carry
            done, failed = ended(moving, hyper, start, count)
            return ~done & ~failed & (count < self.max_steps)

        def step(carry):
            moving, hyper, start, trace, count = carry
            state = eqx.combine(moving, fixed)
            hyper, state, _ = solver.step(loss, hyper, start, options, state, tags)
            trace = trace.at[count].set(state.f_info.f)
            moving = eqx.filter(state, eqx.is_array)
            return moving, hyper, state.aux.fit.value, trace, count + 1

        carry = (moving, hyper, start, trace, count)
        moving, hyper, start, trace, count = carried_while(going, step, carry)
        state = eqx.combine(moving, fixed)
        done, _ = ended(moving, hyper, start, count)
        finite = jnp.isfinite(trace[jnp.maximum(count - 1, 0)])
        code = jnp.where(
            finite,
            jnp.where(done, RESULTS.successful, RESULTS.max_steps_reached),
            RESULTS.not_finite,
        )
        return Learned(hyper, state.aux, trace, count, code.astype(jnp.int32))

    def _is_short(self, hyper: PyTree, ahead: PyTree) -> Bool[Array, ""]:
        """Return whether the settings to be tried are all but those that are held."""
        near = jax.tree.map(
            lambda old, new: jnp.all(
                jnp.abs(new - old) <= self.atol + self.rtol * jnp.abs(old)
            ),
            hyper,
            ahead,
        )
        return jax.tree.reduce(jnp.logical_and, near, jnp.asarray(True))


class FirstOrder(AbstractLearner):
    """A fixed number of steps of an optax optimiser: for networks.

    There is no test of convergence: read the trace. A step's gradient that is not
    finite ends the learning there, with a code.

    Attributes:
        optimiser: such as `optax.adam(1e-2)`.
        n_step: how many steps are taken.
    """

    optimiser: optax.GradientTransformation = optax.adam(1e-2)
    n_step: int = eqx.field(static=True, default=500)

    def learn(self, loss: Loss, hyper: PyTree, start: Estimate) -> Learned:
        shapes = jax.eval_shape(loss, hyper, start)[1]
        nothing = jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), shapes)

        def step(carry, _):
            hyper, state, start, _, good = carry
            (value, found), slope = jax.value_and_grad(loss, has_aux=True)(hyper, start)
            finite = jnp.isfinite(value)
            for leaf in jax.tree.leaves(slope):
                finite = finite & jnp.all(jnp.isfinite(leaf))
            good = good & finite
            # Optax multiplies numbers of several kinds, which strict promotion forbids.
            with jax.numpy_dtype_promotion("standard"):
                change, moved = self.optimiser.update(slope, state, hyper)
            after = (optax.apply_updates(hyper, change), moved, found.fit.value, found)
            kept = jax.tree.map(
                lambda new, old: jnp.where(good, new, old), after, carry[:-1]
            )
            return (*kept, good), jnp.where(good, value, jnp.nan)

        carry = (hyper, self.optimiser.init(hyper), start, nothing, jnp.asarray(True))
        carry, trace = jax.lax.scan(step, carry, length=self.n_step)
        hyper, _, _, found, good = carry
        code = jnp.where(good, RESULTS.successful, RESULTS.not_finite)
        steps = jnp.sum(jnp.isfinite(trace), dtype=jnp.int32)
        return Learned(hyper, found, trace, steps, code.astype(jnp.int32))
