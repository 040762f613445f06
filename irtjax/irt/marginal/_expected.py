"""The information that a marginal likelihood is expected to hold."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from irtjax.data import AbstractResponses, BinomialResponses, CategoricalResponses

from .._errors import Uncertainty, inverse
from .._model import Estimate
from .._parameter import constrain
from .._posterior import Posterior
from .._simulate import simulate
from .._uncertainty import AbstractUncertainty
from ._covariance import errors_of
from ._objective import prior_precision
from ._quadrature import AbstractQuadrature, AdaptiveQuadrature

MOST_PATTERNS = 2**14


class MarginalExpected(AbstractUncertainty):
    """Inverse of the expected information, summed over all patterns of answers.

    For a short test that every system took once: 14 items of right and wrong at most.
    `MarginalSimulated` takes any table.

    Attributes:
        quadrature: how abilities are integrated out.

    References:
        Bock & Lieberman (1970), Fitting a response model for n dichotomously scored
        items, Psychometrika 35.
    """

    quadrature: AbstractQuadrature = AdaptiveQuadrature()

    def errors(self, problem: Posterior, estimate: Estimate) -> Uncertainty:
        """Return the standard errors; arguments as for every `AbstractUncertainty`.

        Raises:
            ValueError: if there are too many patterns, the responses are not counts of
                categories, or systems have features of their own.
            EquinoxRuntimeError: if a system answered some items but not all, or an item
                more than once.
        """
        if problem.system_features.shape[1]:
            raise ValueError(
                "The sum over patterns takes systems that are alike; these have "
                "features: use `MarginalSimulated`."
            )
        count = jnp.sum(problem.responses.terms().weight, axis=-1)
        complete, empty = jnp.all(count == 1, axis=1), jnp.all(count == 0, axis=1)
        count = eqx.error_if(
            count,
            ~jnp.all(complete | empty),
            "The sum over patterns needs one observation in every cell: use "
            "`MarginalSimulated`.",
        )
        patterns = all_patterns(problem.responses)
        every = eqx.tree_at(lambda r: r.responses, problem, patterns)
        every = eqx.tree_at(
            lambda r: r.system_features,
            every,
            jnp.zeros((patterns.shape[0], 0), count.dtype),
        )
        start = jnp.zeros((patterns.shape[0], estimate.system.shape[1]), count.dtype)
        at = Estimate(start, estimate.item, estimate.shared)
        chance = jnp.exp(self.quadrature.log_likelihood(every, at))
        score = self.quadrature.exact(every, at).score
        n_complete = jnp.sum(jnp.where(jnp.all(count == 1, axis=1), 1, 0))
        data = n_complete.astype(count.dtype) * jnp.einsum(
            "p,pn,pm->nm", chance, score, score
        )
        found = self.quadrature.exact(problem, estimate)
        covariance = inverse(data + prior_precision(problem, estimate))
        return errors_of(problem.model, estimate, found, covariance)


class MarginalSimulated(AbstractUncertainty):
    """Inverse of the expected information, from tables simulated at the estimate.

    Each drawn table has the observed one's cells and trials, and abilities from their
    prior. The mean outer product of its systems' scores is the expected information up
    to the noise of simulation, which falls with the root of systems times draws.

    Attributes:
        key: what the tables are drawn with.
        n_draw: tables drawn.
        quadrature: how abilities are integrated out.
    """

    key: PRNGKeyArray
    n_draw: int = 64
    quadrature: AbstractQuadrature = AdaptiveQuadrature()

    def errors(self, problem: Posterior, estimate: Estimate) -> Uncertainty:
        weight = problem.responses.terms().weight
        trials = jnp.sum(weight, axis=-1)

        def one(key: PRNGKeyArray) -> Float[Array, "n n"]:
            of_systems, of_cells = jax.random.split(key)
            system = _abilities(problem, estimate, key=of_systems)
            drawn = simulate(
                problem.model,
                Estimate(system, estimate.item, estimate.shared),
                trials,
                n_category=weight.shape[-1],
                system_features=problem.system_features,
                item_features=problem.item_features,
                key=of_cells,
            )
            score = self.quadrature.exact(problem.on(drawn), estimate).score
            return score.T @ score

        draws = jax.lax.map(one, jax.random.split(self.key, self.n_draw))
        spread = jnp.mean(draws, axis=0) + prior_precision(problem, estimate)
        found = self.quadrature.exact(problem, estimate)
        return errors_of(problem.model, estimate, found, inverse(spread))


def all_patterns(responses: AbstractResponses) -> AbstractResponses:
    """Return a table with one system for every pattern of one answer an item.

    Raises:
        ValueError: if there are too many, or the responses are of another kind.
    """
    n_item = responses.shape[1]
    weight = responses.terms().weight
    n_category, dtype = weight.shape[-1], weight.dtype
    if not isinstance(responses, BinomialResponses | CategoricalResponses):
        raise ValueError(
            f"{type(responses).__name__} have no finite list of patterns: use "
            "`MarginalSimulated`."
        )
    if n_category**n_item > MOST_PATTERNS:
        raise ValueError(
            f"{n_item} items of {n_category} categories have more than "
            f"{MOST_PATTERNS} patterns: use `MarginalSimulated`."
        )
    index = np.arange(n_category**n_item)[:, None]
    answer = index // n_category ** np.arange(n_item)[None, :] % n_category
    if isinstance(responses, BinomialResponses):
        return BinomialResponses(
            jnp.asarray(answer, dtype), jnp.ones(answer.shape, dtype)
        )
    chosen = answer[:, :, None] == np.arange(n_category)
    return CategoricalResponses(jnp.asarray(chosen, dtype))


def _abilities(
    problem: Posterior, estimate: Estimate, *, key: PRNGKeyArray
) -> Float[Array, "system p"]:
    model = problem.model
    shared = constrain(model.shared_parameters, estimate.shared)
    columns = [
        jax.vmap(
            lambda key, row, prior=parameter.prior: prior.sample(shared, row, key=key)
        )(
            jax.random.split(jax.random.fold_in(key, k), estimate.system.shape[0]),
            problem.system_features,
        )
        for k, parameter in enumerate(model.system_parameters)
    ]
    return jnp.stack(columns, axis=1).astype(estimate.system.dtype)
