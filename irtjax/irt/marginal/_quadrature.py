"""How abilities are integrated out: where the nodes lie and what they weigh."""

import abc
import itertools
import math

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._frozen import frozen
from .._model import Estimate
from .._posterior import Posterior
from ._integrals import Integrals, integrate, node_log_likelihood
from ._louis import Louis, louis
from ._modes import modes
from ._nodes import Nodes


class AbstractQuadrature(eqx.Module):
    """Integrates over each system's own parameters."""

    @abc.abstractmethod
    def log_likelihood(
        self, problem: Posterior, at: Estimate
    ) -> Float[Array, " system"]:
        """Return each system's log-likelihood, its own parameters integrated out.

        One differentiable expression, in nats.

        Args:
            problem: the model and the table.
            at: the items and shared parameters; `at.system` is where a search for the
                systems' modes starts.

        Raises:
            ValueError: if a system has more parameters than the rule can take.
        """

    @abc.abstractmethod
    def integrate(
        self, problem: Posterior, at: Estimate, observed_share: Float[Array, ""]
    ) -> Integrals:
        """Return the log-likelihood to second order, and the systems' moments.

        Arguments and errors are those of `log_likelihood`.

        Args:
            problem: the model and the table.
            at: the items and shared parameters.
            observed_share: 1 for the observed complete information, 0 for the expected.
        """

    @abc.abstractmethod
    def exact(self, problem: Posterior, at: Estimate) -> Louis:
        """Return the log-likelihood's exact second derivatives, as a dense matrix.

        Arguments and errors are those of `log_likelihood`.
        """


class AbstractNodeQuadrature(AbstractQuadrature):
    """A weighted sum over nodes."""

    @abc.abstractmethod
    def nodes(self, problem: Posterior, at: Estimate) -> Nodes:
        """Return every system's nodes; arguments as for `log_likelihood`."""

    def log_likelihood(
        self, problem: Posterior, at: Estimate
    ) -> Float[Array, " system"]:
        return node_log_likelihood(problem, at, self.nodes(problem, at))

    def integrate(
        self, problem: Posterior, at: Estimate, observed_share: Float[Array, ""]
    ) -> Integrals:
        nodes = self.nodes(problem, at)
        return integrate(problem, at, nodes, observed_share, 2)

    def exact(self, problem: Posterior, at: Estimate) -> Louis:
        return louis(problem, at, self.nodes(problem, at))


class AdaptiveQuadrature(AbstractNodeQuadrature):
    """Gauss-Hermite nodes around each system's own mode, as wide as its own posterior.

    A posterior narrows as items grow in number, and its nodes with it, so a table of
    1,000 items needs fewer nodes than one of 5. For two parameters a system, the
    product of the rule with itself along the axes of the posterior's ellipse.

    Attributes:
        n_node: along each parameter; by default what `enough_nodes` says.

    References:
        Liu & Pierce (1994), A note on Gauss-Hermite quadrature, Biometrika 81. Naylor &
        Smith (1982), Applications of a method for the efficient computation of
        posterior distributions, Applied Statistics 31.
    """

    n_node: int | None = None

    def __check_init__(self):
        if self.n_node is not None and not 1 <= self.n_node <= 100:
            raise ValueError(f"`n_node` must be from 1 to 100, got {self.n_node}.")

    def nodes(self, problem: Posterior, at: Estimate) -> Nodes:
        p = at.system.shape[1]
        n_node = self.n_node or enough_nodes(problem.responses.shape[1])
        points, log_weight = _hermite(n_node, p)
        found = modes(*frozen((problem, at)))
        scaled = jnp.sqrt(2.0).astype(at.system.dtype) * found.scale
        moved = jnp.einsum("kmj,nm->jnk", scaled, jnp.asarray(points, scaled.dtype))
        width = jnp.sum(jnp.log(jnp.einsum("kkj->kj", scaled)), axis=0)
        return Nodes(
            found.mode.T[:, None, :] + moved,
            width[:, None] + jnp.asarray(log_weight, scaled.dtype)[None, :],
        )


class FixedQuadrature(AbstractNodeQuadrature):
    """Equally spaced nodes, the same for all systems.

    Many programs integrate so. It is exact to many digits for a short test and fails
    without a sign on a long one, whose posteriors fall between two nodes.

    Attributes:
        n_node: along each parameter.
        reach: the outermost nodes lie at this value and its negative, unconstrained.
    """

    n_node: int = 61
    reach: float = 6.0

    def __check_init__(self):
        if not (self.n_node >= 2 and self.reach > 0):
            raise ValueError(
                "Fixed nodes need `n_node` >= 2 and `reach` > 0, got "
                f"{self.n_node} and {self.reach}."
            )

    def nodes(self, problem: Posterior, at: Estimate) -> Nodes:
        n_system, p = at.system.shape
        _check_dimension(p)
        line = np.linspace(-self.reach, self.reach, self.n_node)
        points = np.array(list(itertools.product(line, repeat=p)))
        step = p * math.log(line[1] - line[0])
        dtype = at.system.dtype
        return Nodes(
            jnp.broadcast_to(jnp.asarray(points, dtype), (n_system, *points.shape)),
            jnp.full((n_system, len(points)), step, dtype),
        )


def enough_nodes(n_item: int) -> int:
    """Return how many adaptive nodes a table with so many items is given by default."""
    return 15 if n_item < 50 else 9 if n_item < 300 else 7


def _hermite(n_node: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    """Return points and log weights for the integral of a function of p parameters."""
    _check_dimension(p)
    x, w = np.polynomial.hermite.hermgauss(n_node)
    points = np.array(list(itertools.product(x, repeat=p)))
    logs = np.array(list(itertools.product(np.log(w) + x**2, repeat=p)))
    return points, logs.sum(axis=1)


def _check_dimension(p: int) -> None:
    if p > 2:
        raise ValueError(
            f"A system has {p} parameters, and a product of nodes takes at most 2: use "
            "`Laplace()`."
        )
