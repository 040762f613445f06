"""The penalised joint log-likelihood of one table, with its derivatives."""

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses

from ._blocks import Blocks, Vector, factorise
from ._cells import Jet, cell_jet, cell_scores
from ._linear import linear_sums
from ._model import AbstractLinearModel, AbstractResponseModel, Estimate, named
from ._objective import AbstractEvaluation, AbstractObjective
from ._prior_jets import PriorJets, prior_jets
from ._sums import Sums, sum_cells

Scalar = Float[Array, ""]


class Evaluation(AbstractEvaluation):
    """Minus the log posterior at a point, to second order.

    Attributes:
        at: the point.
        value: in nats, constants of the data left out.
        gradient: by the unconstrained parameters.
        information: second derivatives, observed or expected.
    """

    at: Estimate
    value: Scalar
    gradient: Vector
    information: Blocks

    def move(self, damping: Scalar) -> Vector:
        diagonal = self.information.diagonal()
        damped = self.information.add_diagonal(
            jax.tree.map(lambda d: damping * (1 + jnp.abs(d)), diagonal)
        )
        return jax.tree.map(jnp.negative, factorise(damped).solve(self.gradient))


class Posterior(AbstractObjective):
    r"""A model, one table and what is known of its systems and items.

    $$-\sum_{ji} \ell_{ji}(\theta_j, \beta_i, \gamma) - \sum_j \log\pi(\theta_j)
    - \sum_i \log\pi(\beta_i) - \log\pi(\gamma)$$

    Attributes:
        model: the response model.
        responses: the observed cells, as a full table.
        system_features: one row a system; no columns where nothing is known.
        item_features: one row an item.
    """

    model: AbstractResponseModel
    responses: AbstractResponses
    system_features: Float[Array, "system f"]
    item_features: Float[Array, "item g"]

    def on(self, responses: AbstractResponses) -> "Posterior":
        """Return the same problem on another table of its size."""
        return Posterior(
            self.model, responses, self.system_features, self.item_features
        )

    def value(self, at: Estimate) -> Scalar:
        """Return minus the log posterior, in nats, as one differentiable expression."""
        terms = self.responses.terms()
        parameters = named(self.model, at)

        def term(system, item, features, item_features, outcome, weight):
            log_prob = self.model.log_prob(
                outcome, system, item, parameters.shared, features, item_features
            )
            return weight * log_prob

        over_terms = jax.vmap(term, (None, None, None, None, 0, 0))
        outcome_axis = 0 if terms.outcome.ndim == 3 else None
        over_items = jax.vmap(over_terms, (None, 0, None, 0, outcome_axis, 0))
        cells = jax.vmap(over_items, (0, None, 0, None, outcome_axis, 0))(
            parameters.system,
            parameters.item,
            self.system_features,
            self.item_features,
            terms.outcome,
            terms.weight,
        )
        system, item, shared = self.priors(at)
        priors = jnp.sum(system.value) + jnp.sum(item.value) + jnp.sum(shared.value)
        return -jnp.sum(cells) - priors

    def evaluate(self, at: Estimate, observed_share: Scalar) -> Evaluation:
        """Return value, gradient and information in one pass over the table.

        Args:
            at: where.
            observed_share: 1 for the observed information, 0 for the expected one, in
                which the prior's part is the same.
        """
        data = self._log_likelihood(at, observed_share)
        return _with_priors(data, at, *self.priors(at))

    def score_products(self, at: Estimate) -> Blocks:
        """Return the sum over cells of the outer product of their scores.

        Its expectation under the model is the information without the priors' part.
        """
        cell = functools.partial(cell_scores, self.model)
        return jax.tree.map(jnp.negative, self._sum(cell, at).curvature)

    def expected_information(self, at: Estimate) -> Blocks:
        """Return the expected information of the data alone, without the priors."""
        none_observed = jnp.zeros((), at.system.dtype)
        data = self._log_likelihood(at, none_observed)
        return jax.tree.map(jnp.negative, data.curvature)

    def settled(self, at: Estimate) -> Estimate:
        return at

    def solve(self, at: Estimate, right: Vector) -> Vector:
        here = self.evaluate(at, jnp.ones((), at.system.dtype))
        return factorise(here.information).solve(right)

    def idle(
        self, at: Estimate
    ) -> tuple[Float[Array, " system"], Float[Array, " item"]]:
        system, item, _ = self.priors(at)
        return -jnp.sum(system.value, axis=0), -jnp.sum(item.value, axis=0)

    def trials(self) -> Vector:
        """Return how many observations bear on each parameter."""
        weight = jnp.sum(self.responses.terms().weight, axis=-1)
        p, q = len(self.model.system_parameters), len(self.model.item_parameters)
        return Vector(
            jnp.broadcast_to(jnp.sum(weight, axis=1), (p, weight.shape[0])),
            jnp.broadcast_to(jnp.sum(weight, axis=0), (q, weight.shape[1])),
            jnp.broadcast_to(jnp.sum(weight), (len(self.model.shared_parameters),)),
        )

    def _log_likelihood(self, at: Estimate, observed_share: Scalar) -> Sums:
        if isinstance(self.model, AbstractLinearModel):
            return linear_sums(
                self.model, self.responses, at, self.item_features, observed_share
            )
        return self._sum(functools.partial(cell_jet, self.model, observed_share), at)

    def _sum(self, cell: Callable[..., Jet], at: Estimate) -> Sums:
        terms = self.responses.terms()
        outcome_axis = 0 if terms.outcome.ndim == 3 else None
        over_items = jax.vmap(cell, (None, 0, None, None, 0, outcome_axis, 0))
        over_systems = jax.vmap(over_items, (0, None, None, 0, None, outcome_axis, 0))
        cells = over_systems(
            at.system,
            at.item,
            at.shared,
            self.system_features,
            self.item_features,
            terms.outcome,
            terms.weight,
        )
        return sum_cells(cells, at.system.shape[1], at.item.shape[1])

    def priors(self, at: Estimate) -> tuple[PriorJets, PriorJets, PriorJets]:
        """Return the log priors of systems, of items and of the shared parameters."""
        model, shared = self.model, self.model.shared_parameters
        alone, none_known = at.shared[None, :], jnp.zeros((1, 0), at.shared.dtype)
        return (
            prior_jets(
                model.system_parameters,
                at.system,
                shared,
                at.shared,
                self.system_features,
            ),
            prior_jets(
                model.item_parameters, at.item, shared, at.shared, self.item_features
            ),
            prior_jets(shared, alone, (), none_known[0], none_known),
        )


def _with_priors(
    data: Sums,
    at: Estimate,
    system: PriorJets,
    item: PriorJets,
    shared: PriorJets,
) -> Evaluation:
    """Add the priors and change the sign."""
    common = [
        jnp.sum(part, axis=(0, 1))
        for part in (
            system.shared_slope,
            item.shared_slope,
            system.shared_bend,
            item.shared_bend,
        )
    ]
    value = data.value + sum(jnp.sum(part.value) for part in (system, item, shared))
    gradient = Vector(
        data.gradient.system + system.slope,
        data.gradient.item + item.slope,
        data.gradient.shared + common[0] + common[1] + shared.slope[:, 0],
    )
    curvature = Blocks(
        data.curvature.system,
        data.curvature.item,
        data.curvature.shared + common[2] + common[3],
        data.curvature.cross,
        data.curvature.system_shared + system.shared_cross,
        data.curvature.item_shared + item.shared_cross,
    ).add_diagonal(Vector(system.bend, item.bend, shared.bend[:, 0]))
    negated = jax.tree.map(jnp.negative, (value, gradient, curvature))
    return Evaluation(at, *negated)
