"""The joint error of any ranker's scores, by leaving out items in turn."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from irtjax.data import AbstractResponses

from ._ranker import AbstractRanker


@eqx.filter_jit
def jackknife_covariance(
    ranker: AbstractRanker,
    responses: AbstractResponses,
    block: Int[Array, " item"],
    n_block: int,
) -> Float[Array, "system system"]:
    r"""Return the covariance of all scores from leaving out blocks of items in turn.

    With $g_j$ blocks in which system $j$ ran something and $d_{bj}$ the change of its
    score when block $b$ is left out, $\Sigma_{jk} = c_j c_k \sum_b d_{bj} d_{bk}$ with
    $c_j^2 = (g_j - 1) / g_j$. For the plain average and one item a block, the diagonal
    is the squared standard error of the mean of the item means, with $n - 1$.

    Items are the clusters because systems are compared on the same items: what an item
    does to all of them cancels in the covariance of a difference.

    Args:
        ranker: any; its `score` is called once a block.
        responses: of one table.
        block: the block of each item, from 0 to `n_block` - 1.
        n_block: at least 2.

    Returns:
        Squared units of the score, positive semidefinite. The row and column of a
        system are NaN if it has data in one block only: its error cannot be seen.

    References:
        Efron & Stein (1981), *The Jackknife Estimate of Variance*; Kott (2001), *The
        Delete-a-Group Jackknife*.
    """
    scores, groups = scores_without(ranker, responses, block, n_block)
    scale = jnp.where(groups > 1, jnp.sqrt((groups - 1) / groups), jnp.nan)
    change = scale[None, :] * (scores - ranker.score(responses)[None, :])
    return change.T @ change


@eqx.filter_jit
def scores_without(
    ranker: AbstractRanker,
    responses: AbstractResponses,
    block: Int[Array, " item"],
    n_block: int,
) -> tuple[Float[Array, "block system"], Float[Array, " system"]]:
    """Return the scores without each block, and each system's number of blocks.

    Args:
        ranker: as for `jackknife_covariance`.
        responses: as there.
        block: as there.
        n_block: as there.
    """
    observed = responses.observed()
    in_block = jax.nn.one_hot(block, n_block, axis=0, dtype=bool)
    ran = jnp.any(in_block[:, None, :] & observed[None, :, :], axis=2)

    def without(left_out: Bool[Array, " item"]) -> Float[Array, " system"]:
        return ranker.score(responses.hide(observed & ~left_out[None, :]))

    scores = jax.lax.map(without, in_block, batch_size=8)
    return scores, jnp.sum(ran, axis=0, dtype=scores.dtype)
