r"""What a fit says of the cells that were not run yet, and what running one changes.

Around the mode, the information about abilities $\theta$ and shared parameters, with
the items' parameters $\beta_i$ eliminated, is $S = A - \sum_i C_i D_i^{-1} C_i^\top$
with $D_i$ the information within item $i$ and $C_i$ that between it and the rest. One
observation of system $j$ on item $i$, whose log-odds have the derivatives $a$ by the
abilities and shared parameters and $g$ by $\beta_i$ and whose outcome has the variance
$v = p (1 - p)$, changes it by one rank:

$$S' = S + h\, w w^\top, \quad w = a - C_i D_i^{-1} g, \quad
h = v / (1 + v\, g^\top D_i^{-1} g).$$

So $\Sigma = S^{-1}$ is brought up to date, and every cell's worth computed, by products
of matrices of the size of the abilities; no matrix over items is ever formed.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from irtjax.data import AbstractResponses
from irtjax.irt import (
    AbstractLogitModel,
    AbstractResponseModel,
    Estimate,
    Parameter,
    posterior,
)

Scalar = Float[Array, ""]


class CellBelief(eqx.Module):
    """Abilities with their joint error, and what each cell would tell about them.

    Attributes:
        ability: one a system, in logits.
        covariance: of the abilities, then of the shared parameters, unconstrained.
        link: what an item's parameters explain of the rest: $C_i D_i^{-1}$.
        inner: inverse information of an item's parameters, the rest known.
        by_ability: derivative of a cell's log-odds by its ability.
        by_item: the same by its item's parameters.
        by_shared: the same by the shared parameters.
        information: of one evaluation, about the log-odds; per squared logit.
        observed: where the table has a result.
    """

    ability: Float[Array, " system"]
    covariance: Float[Array, "outer outer"]
    link: Float[Array, "item outer q"]
    inner: Float[Array, "item q q"]
    by_ability: Float[Array, "system item"]
    by_item: Float[Array, "system item q"]
    by_shared: Float[Array, "system item s"]
    information: Float[Array, "system item"]
    observed: Bool[Array, "system item"]

    @property
    def ability_covariance(self) -> Float[Array, "system system"]:
        """Return the abilities' joint covariance, in squared logits."""
        n_system = self.ability.shape[0]
        return self.covariance[:n_system, :n_system]

    def strength(self) -> Float[Array, "system item"]:
        """Return what is left of a cell's information once its item is estimated."""
        within = jnp.einsum("jiq,iqr,jir->ji", self.by_item, self.inner, self.by_item)
        return self.information / (1 + self.information * within)

    def quadratic(
        self, matrix: Float[Array, "outer outer"]
    ) -> Float[Array, "system item"]:
        r"""Return $w^\top M w$ of every cell for a symmetric matrix $M$."""
        n_system = self.ability.shape[0]
        a, g, s = self.by_ability, self.by_item, self.by_shared
        own = jnp.diagonal(matrix)[:n_system]
        side, corner = matrix[:n_system, n_system:], matrix[n_system:, n_system:]
        outer = a**2 * own[:, None]
        outer = outer + 2 * a * jnp.einsum("js,jis->ji", side, s)
        outer = outer + jnp.einsum("jis,st,jit->ji", s, corner, s)
        turned = jnp.einsum("mn,inq->imq", matrix, self.link)
        mixed = a * jnp.einsum("ijq,jiq->ji", turned[:, :n_system], g)
        mixed = mixed + jnp.einsum("jis,isq,jiq->ji", s, turned[:, n_system:], g)
        inner = jnp.einsum("inq,inr->iqr", self.link, turned)
        return outer - 2 * mixed + jnp.einsum("jiq,iqr,jir->ji", g, inner, g)

    def gain(
        self, weights: Float[Array, "system system"]
    ) -> Float[Array, "system item"]:
        r"""Return by how much $\mathrm{tr}(L \Sigma)$ falls if a cell is run once.

        Args:
            weights: $L$, symmetric and positive semidefinite.
        """
        n_system = self.ability.shape[0]
        part = self.covariance[:, :n_system]
        strength = self.strength()
        spread = self.quadratic(self.covariance)
        fallen = self.quadratic(part @ weights @ part.T)
        return strength * fallen / (1 + strength * spread)

    def update(self, system: Int[Array, ""], item: Int[Array, ""]) -> "CellBelief":
        """Return the belief once a cell has been run, whatever comes out.

        To the order that errors have, what is known after a result does not depend on
        the result.
        """
        g, inner = self.by_item[system, item], self.inner[item]
        w = -self.link[item] @ g
        w = w.at[system].add(self.by_ability[system, item])
        w = w.at[self.ability.shape[0] :].add(self.by_shared[system, item])
        moved, known = self.covariance @ w, inner @ g
        v = self.information[system, item]
        h = v / (1 + v * (g @ known))
        covariance = self.covariance - h / (1 + h * (w @ moved)) * jnp.outer(
            moved, moved
        )
        return eqx.tree_at(
            lambda b: (b.covariance, b.link, b.inner, b.observed),
            self,
            (
                covariance,
                self.link.at[item].add(h * jnp.outer(w, known)),
                self.inner.at[item].add(-h * jnp.outer(known, known)),
                self.observed.at[system, item].set(True),
            ),
        )


def cell_belief(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    trials: Scalar | float | int = 1.0,
) -> CellBelief:
    """Return what a fit of one table says of its cells. Pure.

    Args:
        model: of right and wrong answers, with one ability a system.
        responses: the table that was fitted.
        estimate: the fit's value.
        trials: how many answers one evaluation of a cell gives.

    Raises:
        ValueError: if the model gives no log-odds or has several abilities.
    """
    if not isinstance(model, AbstractLogitModel):
        raise ValueError(
            "Choosing cells needs a model that gives log-odds of success, not "
            f"{type(model).__name__}."
        )
    if len(model.system_parameters) != 1:
        raise ValueError(
            "Choosing cells needs one ability a system; "
            f"{type(model).__name__} has {len(model.system_parameters)}."
        )
    problem = posterior(model, responses)
    one = jnp.ones((), estimate.system.dtype)
    blocks = problem.evaluate(estimate, one).information
    side = blocks.system_shared[0]
    outer = jnp.block([[jnp.diag(blocks.system[0, 0]), side], [side.T, blocks.shared]])
    cross = jnp.concatenate(
        [blocks.cross[0], jnp.transpose(blocks.item_shared, (2, 0, 1))], axis=0
    )
    cross = jnp.transpose(cross, (2, 0, 1))
    inner = jnp.linalg.inv(jnp.transpose(blocks.item, (2, 0, 1)))
    link = jnp.einsum("inq,iqr->inr", cross, inner)
    left = outer - jnp.einsum("inq,imq->nm", link, cross)
    factor = jax.scipy.linalg.cho_factor(left, lower=True)
    covariance = jax.scipy.linalg.cho_solve(factor, jnp.eye(left.shape[0]))
    logit, (by_system, by_item, by_shared) = _log_odds(model, estimate)
    chance = jax.nn.sigmoid(logit)
    return CellBelief(
        estimate.system[:, 0],
        covariance,
        link,
        inner,
        by_system[:, :, 0],
        by_item,
        by_shared,
        trials * chance * (1 - chance),
        responses.observed(),
    )


def _log_odds(
    model: AbstractLogitModel, estimate: Estimate
) -> tuple[Float[Array, "system item"], tuple[Float[Array, "system item _"], ...]]:
    """Return every cell's log-odds and their derivatives, unconstrained."""
    nothing = jnp.zeros(0, estimate.system.dtype)

    def cell(
        system: Float[Array, " p"], item: Float[Array, " q"], shared: Float[Array, " s"]
    ) -> Scalar:
        return model.logit(
            _by_name(model.system_parameters, system),
            _by_name(model.item_parameters, item),
            _by_name(model.shared_parameters, shared),
            nothing,
            nothing,
        )

    both = jax.value_and_grad(cell, (0, 1, 2))
    over_items = jax.vmap(both, (None, 0, None))
    over_systems = jax.vmap(over_items, (0, None, None))
    return over_systems(estimate.system, estimate.item, estimate.shared)


def _by_name(
    kinds: tuple[Parameter, ...], row: Float[Array, " _"]
) -> dict[str, Scalar]:
    return {kind.name: kind.transform.forward(row[k]) for k, kind in enumerate(kinds)}
