"""A model around another one, with known values in place of some parameters."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, PRNGKeyArray

from irtjax.data import AbstractResponses

from .._model import AbstractLogitModel, AbstractResponseModel, Features
from .._parameter import AbstractPrior, Named, Parameter, Scalar


class _Known(eqx.Module):
    """The shared parameters' known values, and where the items' stand.

    An item's features are its own, then one truth value and one known value, both for
    each of its parameters.
    """

    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]
    shared: Float[Array, " s"]
    shared_held: Bool[Array, " s"]

    def share(self, shared: Named) -> Named:
        """Return the shared parameters with the known ones put in."""
        return {
            kind.name: jnp.where(
                self.shared_held[k],
                kind.transform.forward(self.shared[k]),
                shared[kind.name],
            )
            for k, kind in enumerate(self.shared_parameters)
        }

    def split(
        self, features: Features
    ) -> tuple[Features, Float[Array, " q"], Float[Array, " q"]]:
        """Return an item's own features, what is held of it, and the known values."""
        q = len(self.item_parameters)
        own = features.shape[0] - 2 * q
        return features[:own], features[own : own + q], features[own + q :]

    def items(self, item: Named, features: Features) -> tuple[Named, Features]:
        """Return an item's parameters with the known ones put in, and its features."""
        own, held, values = self.split(features)
        return {
            kind.name: jnp.where(
                held[k] > 0.5, kind.transform.forward(values[k]), item[kind.name]
            )
            for k, kind in enumerate(self.item_parameters)
        }, own


class _ItemPrior(AbstractPrior):
    """An item parameter's prior; a place holder around the value where it is known.

    The place holder has curvature 1, so that a solver leaves a parameter on which
    nothing else depends at exactly its value, where the place holder is 0.
    """

    inner: AbstractPrior
    known: _Known
    position: int = eqx.field(static=True)

    def log_prob(self, value: Scalar, shared: Named, features: Features) -> Scalar:
        own, held, values = self.known.split(features)
        prior = self.inner.log_prob(value, self.known.share(shared), own)
        holder = -0.5 * (value - values[self.position]) ** 2
        return jnp.where(held[self.position] > 0.5, holder, prior)

    def sample(self, shared: Named, features: Features, *, key: PRNGKeyArray) -> Scalar:
        own, held, values = self.known.split(features)
        drawn = self.inner.sample(self.known.share(shared), own, key=key)
        return jnp.where(held[self.position] > 0.5, values[self.position], drawn)


class _SystemPrior(AbstractPrior):
    """A system parameter's prior that sees the known shared parameters."""

    inner: AbstractPrior
    known: _Known

    def log_prob(self, value: Scalar, shared: Named, features: Features) -> Scalar:
        return self.inner.log_prob(value, self.known.share(shared), features)

    def sample(self, shared: Named, features: Features, *, key: PRNGKeyArray) -> Scalar:
        return self.inner.sample(self.known.share(shared), features, key=key)


class _SharedPrior(AbstractPrior):
    """A shared parameter's prior; a place holder around the value if it is known."""

    inner: AbstractPrior
    value: Scalar
    held: Bool[Array, ""]

    def log_prob(self, value: Scalar, shared: Named, features: Features) -> Scalar:
        prior = self.inner.log_prob(value, shared, features)
        return jnp.where(self.held, -0.5 * (value - self.value) ** 2, prior)

    def sample(self, shared: Named, features: Features, *, key: PRNGKeyArray) -> Scalar:
        drawn = self.inner.sample(shared, features, key=key)
        return jnp.where(self.held, self.value, drawn)


class HeldPlain(AbstractResponseModel):
    """Any model with known values in place of some parameters; see `hold`."""

    inner: AbstractResponseModel
    known: _Known
    system_parameters: tuple[Parameter, ...]
    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]

    @property
    def response(self) -> type[AbstractResponses]:
        """What the inner model accepts."""
        return self.inner.response

    def log_prob(
        self,
        outcome: Float[Array, ""],
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        item, own = self.known.items(item, item_features)
        shared = self.known.share(shared)
        return self.inner.log_prob(outcome, system, item, shared, system_features, own)


class HeldLogit(AbstractLogitModel):
    """A logit model with known values in place of some parameters; see `hold`."""

    inner: AbstractLogitModel
    known: _Known
    system_parameters: tuple[Parameter, ...]
    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]

    @property
    def response(self) -> type[AbstractResponses]:
        """What the inner model accepts."""
        return self.inner.response

    def logit(
        self,
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        item, own = self.known.items(item, item_features)
        shared = self.known.share(shared)
        return self.inner.logit(system, item, shared, system_features, own)


HeldModel = HeldPlain | HeldLogit


def hold_model(
    model: AbstractResponseModel,
    shared: Float[Array, " s"],
    shared_held: Bool[Array, " s"],
) -> HeldModel:
    """Return the model around `model`, of its own kind."""
    known = _Known(model.item_parameters, model.shared_parameters, shared, shared_held)
    system = tuple(
        _with_prior(kind, _SystemPrior(kind.prior, known))
        for kind in model.system_parameters
    )
    item = tuple(
        _with_prior(kind, _ItemPrior(kind.prior, known, k))
        for k, kind in enumerate(model.item_parameters)
    )
    alone = tuple(
        _with_prior(kind, _SharedPrior(kind.prior, shared[k], shared_held[k]))
        for k, kind in enumerate(model.shared_parameters)
    )
    parts = {
        "known": known,
        "system_parameters": system,
        "item_parameters": item,
        "shared_parameters": alone,
    }
    if isinstance(model, AbstractLogitModel):
        return HeldLogit(inner=model, **parts)
    return HeldPlain(inner=model, **parts)


def _with_prior(kind: Parameter, prior: AbstractPrior) -> Parameter:
    return eqx.tree_at(lambda k: k.prior, kind, prior)
