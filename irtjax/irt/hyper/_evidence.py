"""How probable a table is under a model, its parameters integrated out."""

import abc
from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._blocks import factorise
from .._frozen import frozen
from .._implicit import with_derivative
from .._model import Estimate
from .._newton import BlockNewton
from .._posterior import Posterior
from .._results import FitResult
from .._solver import AbstractSolver


class Evidence(NamedTuple):
    """The probability of a table under a model.

    Attributes:
        log_evidence: in nats; the binomial constants are left out, as in `log_prob`. It
            may be differentiated, once, by anything that the model holds as an array.
        fit: the mode around which it was approximated; read its code first.
    """

    log_evidence: Float[Array, ""]
    fit: FitResult


class AbstractEvidence(eqx.Module):
    r"""Integrates a model's parameters out: $\log \int p(y \mid u)\, p(u)\, du$.

    The priors must be densities: with one that is not normalised the evidence means
    nothing as a function of that prior's settings.
    """

    @abc.abstractmethod
    def __call__(self, problem: Posterior, start: Estimate) -> Evidence:
        """Return the evidence of one table. Pure.

        Args:
            problem: the model, the table and the features.
            start: where the search for the mode begins.
        """


class JointLaplace(AbstractEvidence):
    r"""Laplace's approximation around the mode of all parameters at once.

    $$\log p(y) \approx -F(\hat u) - \tfrac12 \log\det H(\hat u) + \tfrac d2 \log 2\pi$$

    with $F$ minus the log posterior, $H$ its observed information and $d$ the number of
    parameters. It costs one fit and one factorisation, whatever the model and the size.
    With few answers a parameter it takes a spread for smaller than it is. For that of
    the slopes `NestedLaplace` is better there; for that of a system's effects on
    testlets, `irtjax.irt.structure.fit_testlets`.

    Attributes:
        solver: what finds the mode.

    References:
        Tierney & Kadane (1986), Accurate approximations for posterior moments and
        marginal densities, J. Am. Stat. Assoc. 81, eq. 2.2. MacKay (1992), Bayesian
        interpolation, Neural Computation 4, for the use of it.
    """

    solver: AbstractSolver = BlockNewton()

    def __call__(self, problem: Posterior, start: Estimate) -> Evidence:
        fit = self.solver.solve(frozen(problem), frozen(start))
        at, _ = with_derivative(fit.value, fit.stats.objective, problem)
        here = problem.evaluate(at, jnp.ones((), at.system.dtype))
        spread = factorise(here.information).log_determinant()
        size = at.system.size + at.item.size + at.shared.size
        log_evidence = -here.value - 0.5 * spread + 0.5 * size * jnp.log(2 * jnp.pi)
        return Evidence(log_evidence.astype(here.value.dtype), fit)
