"""The likelihood of a testlet model, its effects integrated out one testlet at a time."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import BinomialResponses

# How far nodes reach, in standard deviations of what they integrate.
REACH = 4.5


class Items(NamedTuple):
    """Item parameters of a testlet model.

    Attributes:
        difficulty: in logits.
        log_slope: logarithm of the slope.
    """

    difficulty: Float[Array, " item"]
    log_slope: Float[Array, " item"]


def bifactor_log_likelihood(
    items: Items,
    testlet_sd: Float[Array, ""],
    responses: BinomialResponses,
    membership: Float[Array, "item testlet"],
    *,
    n_ability: int,
    n_effect: int,
) -> Float[Array, ""]:
    r"""Return the marginal log-likelihood of a 2PL with testlet effects.

    Given the ability the testlets are independent, so that

    $$L_j = \int \prod_t \Big[ \int \prod_{i \in t} p(y_{ji} \mid \theta + \gamma)\,
    \phi(\gamma / \sigma)\, \mathrm d\gamma / \sigma \Big] \phi(\theta)\,
    \mathrm d\theta$$

    takes two-dimensional integrals however many testlets there are.

    Args:
        items: the items' parameters.
        testlet_sd: of the effects, in logits; at 0 the model is the plain 2PL.
        responses: right answers out of trials.
        membership: 1 where the item belongs to the testlet; an item belongs to one at
            the most.
        n_ability: equally spaced nodes for the ability, whose prior is standard normal.
        n_effect: the same for an effect.

    Returns:
        Nats, the binomial constants left out.

    References:
        Gibbons & Hedeker (1992), Full-information item bi-factor analysis, Psychometrika
        57, eq. 8.
    """
    dtype = responses.trials.dtype
    slope, free = jnp.exp(items.log_slope), 1 - jnp.sum(membership, axis=1)
    ability, log_ability = _rule(n_ability, dtype)
    effect, log_effect = _rule(n_effect, dtype)
    successes = jnp.where(responses.trials > 0, responses.successes, 0)

    def at_ability(theta: Float[Array, ""]) -> Float[Array, " system"]:
        def at_effect(gamma: Float[Array, ""]) -> Float[Array, "system testlet"]:
            logit = slope * (theta + gamma - items.difficulty)
            cells = successes * logit[None, :]
            cells = cells - responses.trials * jax.nn.softplus(logit)[None, :]
            return cells @ membership

        alone = slope * (theta - items.difficulty)
        cells = successes @ (free * alone)
        cells = cells - responses.trials @ (free * jax.nn.softplus(alone))
        within = jax.vmap(at_effect)(testlet_sd * effect)
        mixed = jax.nn.logsumexp(within + log_effect[:, None, None], axis=0)
        return cells + jnp.sum(mixed, axis=1)

    given = jax.vmap(at_ability)(ability)
    return jnp.sum(jax.nn.logsumexp(given + log_ability[:, None], axis=0))


def _rule(
    n: int, dtype: jnp.dtype
) -> tuple[Float[Array, " node"], Float[Array, " node"]]:
    """Return equally spaced nodes and the logarithms of their normal shares."""
    at = jnp.linspace(-REACH, REACH, n, dtype=dtype)
    return at, jax.nn.log_softmax(-0.5 * at**2)
