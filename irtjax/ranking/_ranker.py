"""What a ranker is: a table in, one score a system out."""

import abc
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from irtjax.data import AbstractResponses
from irtjax.irt import RESULTS


class RankerScores(NamedTuple):
    """The scores of a batch of problems, each with the code of its solve.

    Attributes:
        score: higher is better; NaN for a system with nothing observed.
        code: one of `irtjax.irt.RESULTS`; where it is not `successful` the score is
            where the solver stopped, not an answer.
    """

    score: Float[Array, "problem system"]
    code: Int[Array, " problem"]


class AbstractRanker(eqx.Module):
    """A way to turn incomplete results into one number a system.

    A ranker of your own needs `score` and, where nothing can fail, the one line
    `return closed_form_scores(self, responses)` for `score_many`. `scale` says in a few
    words what the score is, for the axis of a figure.
    """

    scale: eqx.AbstractClassVar[str]

    @abc.abstractmethod
    def score(self, responses: AbstractResponses) -> Float[Array, " system"]:
        """Return one score a system from one table.

        Args:
            responses: the kinds that a ranker takes are said in its own docstring.

        Returns:
            Higher is better, on the ranker's own scale. NaN for a system with no data.
        """

    @abc.abstractmethod
    def score_many(self, responses: AbstractResponses) -> RankerScores:
        """Return the scores of a batch of tables, called from the host.

        Args:
            responses: as for `score`, each array with a leading `problem` axis.
        """


# Tables worked on at the same time: large enough to keep a processor's vector units
# busy, small enough that a hundred thousand tables need no more memory than these.
TABLES_AT_ONCE = 1024


@eqx.filter_jit
def closed_form_scores(
    ranker: AbstractRanker, responses: AbstractResponses
) -> RankerScores:
    """Return the scores of a batch of tables from a ranker that cannot fail.

    Args:
        ranker: its `score` is called on one table at a time, under `jax.vmap`.
        responses: each array with a leading `problem` axis.

    Returns:
        Scores with code 0 throughout.
    """
    score = jax.lax.map(ranker.score, responses, batch_size=TABLES_AT_ONCE)
    return RankerScores(score, jnp.full(score.shape[0], RESULTS.successful, jnp.int32))
