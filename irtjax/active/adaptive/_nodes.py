"""A bank at fixed abilities, and how likely each of those is after some answers."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from irtjax.data import BinomialResponses, CategoricalResponses
from irtjax.irt import AbstractCategoricalModel, Calibration
from irtjax.irt.scoring import EAP, SCORES

NODES = 481
REACH = 6.0


class NodeBank(eqx.Module):
    """What every item may answer at every one of a row of abilities.

    Attributes:
        ability: the nodes, evenly spaced, in logits.
        log_prior: how likely each is before any answer; in nats, they sum to 1.
        log_chance: of each outcome, in nats.
        slope: of `log_chance` by the ability.
    """

    ability: Float[Array, " node"]
    log_prior: Float[Array, " node"]
    log_chance: Float[Array, "item outcome node"]
    slope: Float[Array, "item outcome node"]

    def weight(self, counts: Float[Array, "item outcome"]) -> Float[Array, " node"]:
        """Return the posterior probability of each node.

        Args:
            counts: how often each outcome was seen; nothing but 0 for an item that was
                not asked.
        """
        seen = jnp.einsum("io,ion->n", counts, self.log_chance)
        return jax.nn.softmax(self.log_prior + seen)

    def information(self) -> Float[Array, "item node"]:
        """Return the expected information of one answer, per squared logit."""
        return jnp.sum(jnp.exp(self.log_chance) * self.slope**2, axis=1)


def need_outcomes(bank: Calibration) -> int:
    """Return how many outcomes an item of the bank has.

    Raises:
        ValueError: if systems have several abilities or outcomes are a continuum.
    """
    model = bank.model
    if len(model.system_parameters) != 1:
        has = ", ".join(parameter.name for parameter in model.system_parameters)
        raise ValueError(
            f"An adaptive test measures one ability, {type(model).__name__} has {has}."
        )
    if model.response is BinomialResponses:
        return 2
    if isinstance(model, AbstractCategoricalModel):
        return model.n_category
    raise ValueError(
        f"An adaptive test needs answers out of a few, {type(model).__name__} takes "
        f"{model.response.__name__}."
    )


def log_chances(
    bank: Calibration, ability: Float[Array, " node"]
) -> Float[Array, "item outcome node"]:
    """Return the log-probability of every outcome of every item, in nats."""
    model, nothing = bank.model, jnp.zeros(0, ability.dtype)
    outcome = jnp.arange(need_outcomes(bank), dtype=ability.dtype)
    [kind] = model.system_parameters
    shared = {
        parameter.name: parameter.transform.forward(bank.shared[k])
        for k, parameter in enumerate(model.shared_parameters)
    }

    def one(
        item: Float[Array, " q"],
        features: Float[Array, " g"],
        outcome: Float[Array, ""],
        ability: Float[Array, ""],
    ) -> Float[Array, ""]:
        own = {
            parameter.name: parameter.transform.forward(item[k])
            for k, parameter in enumerate(model.item_parameters)
        }
        system = {kind.name: kind.transform.forward(ability)}
        return model.log_prob(outcome, system, own, shared, nothing, features)

    over_nodes = jax.vmap(one, (None, None, None, 0))
    over_outcomes = jax.vmap(over_nodes, (None, None, 0, None))
    over_items = jax.vmap(over_outcomes, (0, 0, None, None))
    return over_items(bank.item, bank.item_features, outcome, ability)


def node_bank(bank: Calibration, nodes: int = NODES) -> NodeBank:
    """Return the bank at abilities that reach six prior standard deviations out.

    Sums over evenly spaced nodes integrate a posterior to rounding once it is as wide
    as two nodes are apart, which is a fortieth of the prior's standard deviation.

    Args:
        bank: with one ability a system.
        nodes: how many.

    Raises:
        ValueError: as `need_outcomes`.
    """
    need_outcomes(bank)
    prior = EAP()(
        bank.model, nothing_seen(bank), bank.items, item_features=bank.item_features
    )
    sd = jnp.sqrt(prior.covariance[0, 0, 0])
    sd = eqx.error_if(
        sd,
        ~(jnp.isfinite(sd) & (sd > 0) & (prior.code[0] == SCORES.no_data)),
        "An adaptive test needs a proper prior of the ability: give the bank's model one.",
    )
    ability = prior.ability[0] + sd * jnp.linspace(-REACH, REACH, nodes, dtype=sd.dtype)
    shared = {
        parameter.name: parameter.transform.forward(bank.shared[k])
        for k, parameter in enumerate(bank.model.shared_parameters)
    }
    [kind] = bank.model.system_parameters
    nothing = jnp.zeros(0, sd.dtype)
    log_prior = jax.vmap(lambda x: kind.prior.log_prob(x, shared, nothing))(ability)
    chance, slope = jax.jvp(
        lambda x: log_chances(bank, x), (ability,), (jnp.ones_like(ability),)
    )
    return NodeBank(ability, jax.nn.log_softmax(log_prior), chance, slope)


def as_responses(
    bank: Calibration, counts: Float[Array, "item outcome"]
) -> BinomialResponses | CategoricalResponses:
    """Return one system's answers as the table of one row that the model takes."""
    if bank.model.response is BinomialResponses:
        return BinomialResponses(counts[None, :, 1], jnp.sum(counts, axis=1)[None])
    return CategoricalResponses(counts[None])


def nothing_seen(bank: Calibration) -> BinomialResponses | CategoricalResponses:
    """Return the table of a system that has answered nothing."""
    shape = len(bank.item_ids), need_outcomes(bank)
    return as_responses(bank, jnp.zeros(shape, bank.item.dtype))


def one_answer(
    counts: Float[Array, "item outcome"],
    item: Int[Array, ""],
    outcome: Float[Array, ""],
) -> Float[Array, "item outcome"]:
    """Return the counts with one more answer.

    Args:
        counts: before.
        item: its position.
        outcome: from 0 to the highest; between two outcomes, a share of each.
    """
    below = jnp.floor(outcome)
    share = outcome - below
    k = below.astype(jnp.int32)
    last = counts.shape[1] - 1
    counts = counts.at[item, k].add(1 - share)
    return counts.at[item, jnp.minimum(k + 1, last)].add(share)
