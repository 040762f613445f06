"""Topics: which there are, and which to look into next."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import scipy.cluster.vq
from jaxtyping import Array, Float, Int, ScalarLike


class TopicBandit(eqx.Module):
    r"""UCB1 over topics: $\bar r_k + c \sqrt{\ln n / n_k}$, untried ones first.

    Attributes:
        tries: $n_k$, how often each topic was tried.
        reward: the sum of what its tries brought, each from 0 to 1.
        explore: $c$, how much being little known counts; $\sqrt 2$ is the published one.

    References:
        Auer, Cesa-Bianchi & Fischer (2002), Finite-time analysis of the multiarmed
        bandit problem, Machine Learning 47, figure 1.
    """

    tries: Int[Array, " topic"]
    reward: Float[Array, " topic"]
    explore: Float[Array, ""]

    def __init__(self, topics: int, explore: ScalarLike = 2**0.5):
        """Start with nothing tried."""
        self.tries = jnp.zeros(topics, int)
        self.reward = jnp.zeros(topics, float)
        self.explore = jnp.asarray(explore, float)

    def index(self) -> Float[Array, " topic"]:
        """Return each topic's upper confidence bound, infinite where it is untried."""
        tried = self.tries > 0
        count = jnp.where(tried, self.tries, 1).astype(self.reward.dtype)
        whole = jnp.maximum(jnp.sum(self.tries), 1).astype(self.reward.dtype)
        width = self.explore * jnp.sqrt(jnp.log(whole) / count)
        return jnp.where(tried, self.reward / count + width, jnp.inf)

    def choose(self) -> Int[Array, ""]:
        """Return the topic to try next, the first of several equal ones."""
        return jnp.argmax(self.index())

    def update(self, topic: Int[Array, ""], reward: Float[Array, ""]) -> "TopicBandit":
        """Return the bandit after a try.

        Args:
            topic: that was tried.
            reward: from 0 to 1; 1 for a failure found.
        """
        return eqx.tree_at(
            lambda b: (b.tries, b.reward),
            self,
            (self.tries.at[topic].add(1), self.reward.at[topic].add(reward)),
        )


def cluster_topics(
    feature: Float[np.ndarray, "item feature"], count: int, *, seed: int
) -> Int[np.ndarray, " item"]:
    """Return a topic for each item, by k-means on its features.

    Args:
        feature: of the items, such as an embedding.
        count: of the topics; a few may come out empty where items coincide.
        seed: of the first centres.
    """
    whitened = np.asarray(feature, float)
    _, label = scipy.cluster.vq.kmeans2(
        whitened, count, minit="++", rng=np.random.default_rng(seed), missing="warn"
    )
    return label.astype(int)
