"""How good a list of failures is: how many, how new, how varied."""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from ._acquisitions import NOVEL


class FailureCounts(NamedTuple):
    """What was found, in failures; an error between 0 and 1 counts as that share of one.

    Attributes:
        failures: among all picks.
        novel: among those on items that most sources get right.
        surprise: each failure times the share of the sources that get its item right.
    """

    failures: Float[Array, ""]
    novel: Float[Array, ""]
    surprise: Float[Array, ""]


def failure_counts(
    item: Int[Array, " pick"],
    outcome: Float[Array, " pick"],
    source_error: Float[Array, " item"],
) -> FailureCounts:
    """Return how many failures a search found.

    Args:
        item: what was asked.
        outcome: the errors, from 0 to 1.
        source_error: the sources' mean error on each item.
    """
    known = source_error[item]
    return FailureCounts(
        jnp.sum(outcome),
        jnp.sum(jnp.where(known <= NOVEL, outcome, 0)),
        jnp.sum(outcome * (1 - known)),
    )


def topic_entropy(
    topic: Int[Array, " pick"], outcome: Float[Array, " pick"], count: int
) -> Float[Array, ""]:
    """Return how evenly the failures lie over all topics.

    Args:
        topic: of each pick, from 0 to `count - 1`.
        outcome: the errors, from 0 to 1.
        count: of all topics there are, whether anything was found in them or not; at
            least 2.

    Returns:
        From 0, all in one topic or nothing found, to 1, evenly over all topics.
    """
    mass = jnp.zeros(count, outcome.dtype).at[topic].add(outcome)
    whole = jnp.sum(mass)
    share = mass / jnp.where(whole > 0, whole, 1)
    logs = jnp.log(jnp.where(share > 0, share, 1))
    return -jnp.sum(share * logs) / jnp.log(jnp.asarray(count, outcome.dtype))


class Diversity(NamedTuple):
    r"""How varied items are.

    Attributes:
        vendi: the effective number of different items, from 1 to their number; 0 for
            none.
        log_det: $\log\det(I + G)$ of their similarities $G$, in nats; 0 for none.
    """

    vendi: Float[Array, ""]
    log_det: Float[Array, ""]


def diversity(
    feature: Float[Array, "pick feature"], weight: Float[Array, " pick"]
) -> Diversity:
    r"""Return how varied some of the picks are.

    Similarity is the cosine of features, $G$ its matrix over the picks. The Vendi score
    is $e^H$ with $H$ the entropy of the eigenvalues of $G$ divided by the number of
    picks. Both grow when an item unlike the others joins; $n$ equal items score
    $1$ and $\log(1 + n)$, $n$ orthogonal ones $n$ and $n \log 2$.

    Args:
        feature: of the picks; a row of zeros is like nothing, not even itself.
        weight: 1 for a pick that counts, 0 for one that does not; the error, where
            failures count by how wrong they are.

    References:
        Friedman & Dieng (2023), The Vendi score, TMLR, definition 3.1. Kulesza & Taskar
        (2012), Determinantal point processes for machine learning, section 2.
    """
    length = jnp.linalg.norm(feature, axis=1, keepdims=True)
    unit = feature / jnp.where(length > 0, length, 1)
    # One factorisation gives both: the eigenvalues of G are the squares of these.
    value = jnp.linalg.svd(jnp.sqrt(weight)[:, None] * unit, compute_uv=False)
    square = jnp.square(value)
    whole = jnp.sum(square)
    share = square / jnp.where(whole > 0, whole, 1)
    entropy = -jnp.sum(share * jnp.log(jnp.where(share > 0, share, 1)))
    vendi = jnp.where(whole > 0, jnp.exp(entropy), 0)
    return Diversity(vendi, jnp.sum(jnp.log1p(square)))
