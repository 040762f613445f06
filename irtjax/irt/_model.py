"""A response model: how one observation arises.

A model is one small class. It names its parameters, with priors and transforms, and
gives the log-probability of one outcome. Likelihoods, information matrices, standard
errors, simulation and rankings follow from those by automatic differentiation.
"""

import abc
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, BinomialResponses, ScoreResponses

from ._parameter import Identity, Named, Parameter, constrain

# Underscored: a system and an item need not have equally many.
Features = Float[Array, " _feature"]


class AbstractResponseModel(eqx.Module):
    """How a response arises: three tuples of parameters and `log_prob`.

    The first system parameter is the one that systems are ranked by, higher is better.
    `response` is the kind of data that the model accepts.
    """

    response: eqx.AbstractClassVar[type[AbstractResponses]]
    system_parameters: eqx.AbstractVar[tuple[Parameter, ...]]
    item_parameters: eqx.AbstractVar[tuple[Parameter, ...]]
    shared_parameters: eqx.AbstractVar[tuple[Parameter, ...]]

    @abc.abstractmethod
    def log_prob(
        self,
        outcome: Float[Array, ""],
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        """Return the log-probability, in nats, of one observation.

        Args:
            outcome: 0 or 1 for binomial responses, the category's index for categorical
                ones, a number in [0, 1] for scores.
            system: the system's parameters by name, each on its own scale.
            item: the item's parameters by name.
            shared: the parameters shared by all cells, by name.
            system_features: what is known of the system; empty where nothing is.
            item_features: what is known of the item; empty where nothing is.

        Returns:
            A finite number with finite derivatives for every finite parameter: prefer
            `jax.nn.log_sigmoid` to `jnp.log` of a probability.
        """


class AbstractLogitModel(AbstractResponseModel):
    """A model of right and wrong whose log-odds of success are a smooth function.

    The derivatives of the likelihood by the log-odds are known in closed form, which
    makes an evaluation three to four times cheaper than differentiating `log_prob`
    twice. A score between right and wrong counts as that share of a success.
    """

    def __check_init__(self):
        if self.response not in (BinomialResponses, ScoreResponses):
            raise ValueError(
                f"{type(self).__name__} gives log-odds of success, which says how right "
                "and wrong answers arise: set its `response` to BinomialResponses or "
                f"ScoreResponses, not {self.response.__name__}."
            )

    @abc.abstractmethod
    def logit(
        self,
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        """Return the log-odds of success, in logits; arguments as in `log_prob`."""

    def log_prob(
        self,
        outcome: Float[Array, ""],
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        logit = self.logit(system, item, shared, system_features, item_features)
        right, wrong = jax.nn.log_sigmoid(logit), jax.nn.log_sigmoid(-logit)
        return outcome * right + (1 - outcome) * wrong


class AbstractLinearModel(AbstractLogitModel):
    r"""A logit model whose log-odds are linear in the system's parameters.

    With $k_0 + \sum_m k_m \theta_{jm}$, where the coefficients $k$ belong to the item,
    an evaluation takes derivatives once an item instead of once a cell, which makes it
    about twice as fast again.
    """

    def __check_init__(self):
        moved = [
            kind.name
            for kind in self.system_parameters
            if not isinstance(kind.transform, Identity)
        ]
        if moved:
            raise ValueError(
                f"{type(self).__name__} is linear in its system parameters as they are: "
                f"leave the transform of {', '.join(moved)} at Identity(), or derive the "
                "model from AbstractLogitModel."
            )

    @abc.abstractmethod
    def coefficients(
        self, item: Named, shared: Named, item_features: Features
    ) -> Float[Array, " k"]:
        """Return the intercept, in logits, and then one slope a system parameter.

        Args:
            item: the item's parameters by name, each on its own scale.
            shared: those shared by all cells, by name.
            item_features: what is known of the item; empty where nothing is.
        """

    def logit(
        self,
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        found = self.coefficients(item, shared, item_features)
        logit = found[0]
        for k, parameter in enumerate(self.system_parameters):
            logit = logit + found[k + 1] * system[parameter.name]
        return logit


class Estimate(eqx.Module):
    """A model's parameters for one table, each on its unconstrained scale.

    Attributes:
        system: one row a system, in the order of `model.system_parameters`.
        item: one row an item, in the order of `model.item_parameters`.
        shared: in the order of `model.shared_parameters`.
    """

    system: Float[Array, "system p"]
    item: Float[Array, "item q"]
    shared: Float[Array, " s"]


class NamedParameters(NamedTuple):
    """Parameters by name, on their own scale (a discrimination, not its logarithm).

    Attributes:
        system: one array over systems for each name.
        item: one array over items for each name.
        shared: one scalar for each name.
    """

    system: dict[str, Float[Array, " system"]]
    item: dict[str, Float[Array, " item"]]
    shared: dict[str, Float[Array, ""]]


def named(model: AbstractResponseModel, estimate: Estimate) -> NamedParameters:
    """Return an estimate's parameters by name, on their own scale."""

    def rows(parameters: tuple[Parameter, ...], values: Float[Array, "row k"]):
        return jax.vmap(lambda row: constrain(parameters, row))(values)

    return NamedParameters(
        rows(model.system_parameters, estimate.system),
        rows(model.item_parameters, estimate.item),
        constrain(model.shared_parameters, estimate.shared),
    )


def unnamed(
    model: AbstractResponseModel,
    parameters: NamedParameters,
    *,
    shape: tuple[int, int] | None = None,
) -> Estimate:
    """Return parameters given by name as an `Estimate`: the inverse of `named`.

    Args:
        model: names the parameters and says in which order they stand.
        parameters: each on its own scale.
        shape: the numbers of systems and items; needed only where a model has no
            parameters of one of them, to tell how many there are.

    Raises:
        KeyError: if a parameter of the model is missing.
    """

    def columns(kind: tuple[Parameter, ...], values: dict, n_row: int):
        if not kind:
            return jnp.zeros((n_row, 0))
        return jnp.stack(
            [jax.vmap(k.transform.inverse)(values[k.name]) for k in kind], axis=-1
        )

    n_system, n_item = (
        next(iter(values.values())).shape[0] if values else rows
        for values, rows in zip(
            (parameters.system, parameters.item), shape or (0, 0), strict=True
        )
    )
    shared = [
        k.transform.inverse(parameters.shared[k.name]) for k in model.shared_parameters
    ]
    return Estimate(
        columns(model.system_parameters, parameters.system, n_system),
        columns(model.item_parameters, parameters.item, n_item),
        jnp.stack(shared) if shared else jnp.zeros(0),
    )


def origin(
    model: AbstractResponseModel, shape: tuple[int, int], dtype: jnp.dtype
) -> Estimate:
    """Return the estimate in which every parameter has its own `start`."""

    def starts(parameters: tuple[Parameter, ...]) -> Float[Array, " k"]:
        return jnp.asarray([parameter.start for parameter in parameters], dtype)

    system, item = starts(model.system_parameters), starts(model.item_parameters)
    return Estimate(
        jnp.broadcast_to(system, (shape[0], system.shape[0])),
        jnp.broadcast_to(item, (shape[1], item.shape[0])),
        starts(model.shared_parameters),
    )
