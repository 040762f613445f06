r"""A model of what was observed together with how it came out.

Where strong systems were run on hard items, which cells are missing says something of
abilities and difficulties. A posterior that takes the missing cells for an accident
then draws the systems together, and promises more of a plain average than it gives. So
the table of observed cells gets a likelihood of its own, tied to the outcomes by one
number $\gamma$.
"""

from typing import ClassVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from irtjax.data import AbstractResponses, BinomialResponses, CategoricalResponses
from irtjax.irt import AbstractResponseModel, Normal, Parameter, TwoPL, posterior
from irtjax.irt._model import Features
from irtjax.irt._parameter import Named
from irtjax.irt._posterior import Posterior

ABSENT, PRESENT, FAILURE, SUCCESS = range(4)
"""What a cell counts: whether it was observed, and its outcomes."""


class SelectionTwoPL(AbstractResponseModel):
    r"""The 2PL of outcomes and a logistic model of which cells were observed.

    $$\operatorname{logit} P(\text{observed}) = r_j + c_i + \gamma\, \theta_j b_i$$

    with $r_j + c_i$ from how often the system and the item were observed, given as
    features. A positive $\gamma$ says that stronger systems ran harder items, 0 that
    within these frequencies what is missing does not depend on either. The two parts
    add their log-likelihoods; the four "categories" are not one distribution, so the
    model fits and samples but does not simulate.

    Attributes:
        system_parameters: those of `TwoPL`.
        item_parameters: those of `TwoPL`.
        shared_parameters: `selection` $\gamma$, in log-odds per squared logit.

    References:
        Holman & Glas (2005), Modelling non-ignorable missing-data mechanisms with item
        response theory models, British J. Mathematical and Statistical Psychology 58.
    """

    response: ClassVar[type[AbstractResponses]] = CategoricalResponses
    system_parameters: tuple[Parameter, ...]
    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]

    def __init__(self, outcomes: TwoPL = TwoPL()):
        """Take the model of outcomes, whose priors hold here too."""
        self.system_parameters = outcomes.system_parameters
        self.item_parameters = outcomes.item_parameters
        self.shared_parameters = (Parameter("selection", Normal(0.0, 1.0)),)

    def log_prob(
        self,
        outcome: Float[Array, ""],
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        ability, difficulty = system["ability"], item["difficulty"]
        response = item["discrimination"] * (ability - difficulty)
        usual = system_features[0] + item_features[0]
        selection = usual + shared["selection"] * ability * difficulty
        logit = jnp.where(outcome < FAILURE, selection, response)
        affirmed = (outcome == PRESENT) | (outcome == SUCCESS)
        return jax.nn.log_sigmoid(jnp.where(affirmed, logit, -logit))


def selection_problem(responses: BinomialResponses) -> Posterior:
    """Return the joint posterior of one table's parameters and of what is missing.

    A table with every cell observed has nothing to say of the missing ones and counts
    its outcomes alone. So does one of separate blocks: strong systems on hard items and
    weak ones on easy items would explain the blocks entirely, and no outcome could say
    that it is not so. Pure.
    """
    observed = responses.observed()
    seen = observed.astype(responses.trials.dtype)
    matters = (jnp.any(~observed) & ~_in_blocks(observed)).astype(seen.dtype)
    successes = jnp.where(observed, responses.successes, 0)
    counts = jnp.stack(
        [
            (1 - seen) * matters,
            seen * matters,
            responses.trials - successes,
            successes,
        ],
        axis=-1,
    )
    # Half a cell on either side keeps the log-odds of full and empty rows finite.
    rows, columns, whole = (
        jax.scipy.special.logit((jnp.sum(seen, axis=axis) + 0.5) / (count + 1))
        for axis, count in ((1, seen.shape[1]), (0, seen.shape[0]), (None, seen.size))
    )
    return posterior(
        SelectionTwoPL(),
        CategoricalResponses(counts),
        (rows - whole)[:, None],
        columns[:, None],
    )


def _in_blocks(observed: Bool[Array, "system item"]) -> Bool[Array, ""]:
    """Return whether two groups of at least two systems each share no item.

    Every system starts with a number of its own and takes the smallest of those it
    shares an item with, until nothing changes.
    """
    n_system = observed.shape[0]
    own = jnp.arange(n_system)

    def spread(label: Int[Array, " system"]) -> Int[Array, " system"]:
        of_item = jnp.min(
            jnp.where(observed, label[:, None], n_system), axis=0, initial=n_system
        )
        shared = jnp.where(observed, of_item[None, :], n_system)
        return jnp.minimum(label, jnp.min(shared, axis=1, initial=n_system))

    def moved(labels: tuple[Int[Array, " system"], Int[Array, " system"]]):
        before, after = labels
        return jnp.any(before != after)

    _, label = jax.lax.while_loop(
        moved, lambda labels: (labels[1], spread(labels[1])), (own - 1, own)
    )
    sizes = jnp.zeros(n_system, own.dtype).at[label].add(1)
    return jnp.sum(sizes >= 2) >= 2
