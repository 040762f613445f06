"""What a way of evaluating is: from sources and a target's answers to estimates."""

import abc
from typing import NamedTuple

import equinox as eqx
from jaxtyping import Array, Float, PRNGKeyArray

from ._sources import SourceErrors, Target


class Estimates(NamedTuple):
    """Estimates of a target's mean error, one a budget.

    Attributes:
        mean: in errors.
        half_width: of the 95 % interval around it, in errors.
    """

    mean: Float[Array, " budget"]
    half_width: Float[Array, " budget"]


class AbstractEvaluation(eqx.Module):
    """Chooses items, looks at their outcomes and estimates the mean error.

    For comparing on record: of the target it may look at the outcomes of the items that
    it has chosen, and at nothing else. All items count alike and have an outcome.
    """

    @abc.abstractmethod
    def __call__(
        self,
        sources: SourceErrors,
        target: Target,
        budgets: tuple[int, ...],
        *,
        key: PRNGKeyArray,
    ) -> Estimates:
        """Return an estimate for every budget. Pure; `jax.vmap` over targets and keys.

        Args:
            sources: of the other systems.
            target: reveals the outcomes.
            budgets: ascending numbers of items.
            key: of whatever is drawn.
        """
