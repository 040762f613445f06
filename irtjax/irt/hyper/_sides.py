"""A table seen from its smaller side: rows of the larger one given the rest."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._blocks import invert_small
from .._cells import Jet, cell_jet
from .._model import Estimate
from .._posterior import Posterior
from .._prior_jets import PriorJets, prior_jets

Scalar = Float[Array, ""]


class Rows(NamedTuple):
    """Each inner row's log posterior at one value, with derivatives by the outer side.

    Attributes:
        value: its cells and its own prior, in nats.
        slope: by every outer and shared parameter.
        own: second derivatives within an outer row.
        shared: second derivatives by an outer row's parameter and a shared one.
        common: second derivatives within the shared parameters.
    """

    value: Float[Array, " inner"]
    slope: Float[Array, "inner all_outer"]
    own: Float[Array, "p p inner outer"]
    shared: Float[Array, "p s inner outer"]
    common: Float[Array, "s s inner"]


class Prior(NamedTuple):
    """The log prior of the outer side and of the shared parameters, to second order."""

    value: Scalar
    slope: Float[Array, " all_outer"]
    bend: Float[Array, "all_outer all_outer"]


class Sides(eqx.Module):
    """Which side of a table is integrated (inner) and which is not (outer).

    The outer side's parameters and the shared ones make up one vector,
    parameter-major, the shared ones last.

    Attributes:
        items_inner: whether items are integrated.
        n_inner: parameters of an inner row.
        n_outer: parameters of an outer row, and the number of such rows.
        n_shared: shared parameters.
    """

    items_inner: bool = eqx.field(static=True)
    n_inner: int = eqx.field(static=True)
    n_outer: tuple[int, int] = eqx.field(static=True)
    n_shared: int = eqx.field(static=True)

    def split(
        self, estimate: Estimate
    ) -> tuple[Float[Array, " all_outer"], Float[Array, "inner k"]]:
        """Return the outer and shared parameters as a vector, and the inner rows."""
        outer, inner = estimate.system, estimate.item
        if not self.items_inner:
            outer, inner = inner, outer
        return jnp.concatenate([jnp.ravel(outer.T), estimate.shared]), inner

    def estimate(
        self, point: Float[Array, " all_outer"], inner: Float[Array, "inner k"]
    ) -> Estimate:
        """Return what `split` took apart."""
        size = self.n_outer[0] * self.n_outer[1]
        outer, shared = jnp.reshape(point[:size], self.n_outer).T, point[size:]
        if self.items_inner:
            return Estimate(outer, inner, shared)
        return Estimate(inner, outer, shared)

    def conditional(
        self,
        problem: Posterior,
        point: Float[Array, " all_outer"],
        inner: Float[Array, "inner k"],
        observed_share: Scalar,
    ) -> tuple[Float[Array, "k inner"], Float[Array, "k k inner"]]:
        """Return each inner row's score, and the inverse of its information.

        Args:
            problem: the table.
            point: the outer side.
            inner: the rows.
            observed_share: 1 for the observed information, 0 for the expected one.
        """
        cells = self._cells(problem, point, inner, observed_share)
        prior = self._inner_prior(problem, point, inner)
        at = self._inner_places(len(cells.first))
        slope = [jnp.sum(cells.first[k], axis=1) for k in at]
        bend = [[-jnp.sum(_second(cells, k, m), axis=1) for m in at] for k in at]
        eye = jnp.eye(len(at), dtype=inner.dtype)[:, :, None]
        information = jnp.stack([jnp.stack(row) for row in bend])
        information = information - eye * prior.bend[None, :, :]
        return jnp.stack(slope) + prior.slope, invert_small(information)

    def rows(
        self,
        problem: Posterior,
        point: Float[Array, " all_outer"],
        inner: Float[Array, "inner k"],
    ) -> Rows:
        """Return the inner rows' log posteriors, to second order in the outer side."""
        cells = self._cells(problem, point, inner, jnp.ones((), inner.dtype))
        prior = self._inner_prior(problem, point, inner)
        count, n = inner.shape[0], len(cells.first)
        inside = self._inner_places(n)
        common = range(n - self.n_shared, n)
        outside = [k for k in range(n - self.n_shared) if k not in inside]

        def packed(rows, columns, of):
            return jnp.stack([jnp.stack([of(k, m) for m in columns]) for k in rows])

        slopes = [cells.first[k] for k in outside]
        own = packed(outside, outside, lambda k, m: _second(cells, k, m))
        mixed = jnp.zeros((len(outside), 0, *cells.value.shape), inner.dtype)
        within = jnp.zeros((0, 0, count), inner.dtype)
        if self.n_shared:
            shared = jnp.stack([jnp.sum(cells.first[k], 1) for k in common], axis=1)
            slopes.append(shared + jnp.sum(prior.shared_slope, axis=0))
            mixed = packed(outside, common, lambda k, m: _second(cells, k, m))
            within = packed(
                common, common, lambda k, m: jnp.sum(_second(cells, k, m), axis=1)
            )
            bend = jnp.sum(prior.shared_bend, axis=0)
            within = within + jnp.transpose(bend, (1, 2, 0))
        value = jnp.sum(cells.value, axis=1) + jnp.sum(prior.value, axis=0)
        return Rows(value, jnp.concatenate(slopes, axis=1), own, mixed, within)

    def bend(
        self,
        point: Float[Array, " all_outer"],
        rows: Rows,
        share: Float[Array, "node inner"],
    ) -> Float[Array, "all_outer all_outer"]:
        """Return the rows' second derivatives, weighted over nodes, as one matrix."""
        p, n = self.n_outer
        own = jnp.einsum("ni,npqio->pqo", share, rows.own)
        eye = jnp.eye(n, dtype=point.dtype)
        left = own[:, :, :, None] * eye[None, None, :, :]
        left = jnp.reshape(jnp.transpose(left, (0, 2, 1, 3)), (p * n, p * n))
        if not self.n_shared:
            return left
        mixed = jnp.einsum("ni,npsio->pos", share, rows.shared)
        mixed = jnp.reshape(mixed, (p * n, self.n_shared))
        common = jnp.einsum("ni,nsti->st", share, rows.common)
        return jnp.block([[left, mixed], [mixed.T, common]])

    def outer_prior(
        self, problem: Posterior, point: Float[Array, " all_outer"]
    ) -> Prior:
        """Return the log prior of the outer side and the shared parameters."""
        model = problem.model
        at = self.estimate(point, jnp.zeros((0, self.n_inner), point.dtype))
        if self.items_inner:
            kinds, values, features = (
                model.system_parameters,
                at.system,
                problem.system_features,
            )
        else:
            kinds, values, features = (
                model.item_parameters,
                at.item,
                problem.item_features,
            )
        of_rows = prior_jets(
            kinds, values, model.shared_parameters, at.shared, features
        )
        nothing = jnp.zeros(0, point.dtype)
        alone = prior_jets(
            model.shared_parameters,
            at.shared[None, :],
            (),
            nothing,
            jnp.zeros((1, 0), point.dtype),
        )
        shared_slope = jnp.sum(of_rows.shared_slope, axis=(0, 1)) + alone.slope[:, 0]
        slope = jnp.concatenate([jnp.ravel(of_rows.slope), shared_slope])
        bend = jnp.diag(jnp.ravel(of_rows.bend))
        if self.n_shared:
            cross = jnp.reshape(of_rows.shared_cross, (-1, self.n_shared))
            common = jnp.sum(of_rows.shared_bend, axis=(0, 1))
            common = common + jnp.diag(alone.bend[:, 0])
            bend = jnp.block([[bend, cross], [cross.T, common]])
        return Prior(jnp.sum(of_rows.value) + jnp.sum(alone.value), slope, bend)

    def _inner_places(self, n: int) -> range:
        """Return where a cell's jet has the inner row's parameters."""
        end = n - self.n_shared
        return (
            range(end - self.n_inner, end) if self.items_inner else range(self.n_inner)
        )

    def _inner_prior(
        self,
        problem: Posterior,
        point: Float[Array, " all_outer"],
        inner: Float[Array, "inner k"],
    ) -> PriorJets:
        model = problem.model
        shared = point[self.n_outer[0] * self.n_outer[1] :]
        kinds = model.item_parameters if self.items_inner else model.system_parameters
        features = (
            problem.item_features if self.items_inner else problem.system_features
        )
        return prior_jets(kinds, inner, model.shared_parameters, shared, features)

    def _cells(
        self,
        problem: Posterior,
        point: Float[Array, " all_outer"],
        inner: Float[Array, "inner k"],
        observed_share: Scalar,
    ) -> Jet:
        """Return every cell's jet, inner rows first."""
        at = self.estimate(point, inner)
        terms = problem.responses.terms()
        outcome_axis = 0 if terms.outcome.ndim == 3 else None

        def cell(system, item, features, item_features, outcome, weight):
            return cell_jet(
                problem.model,
                observed_share,
                system,
                item,
                at.shared,
                features,
                item_features,
                outcome,
                weight,
            )

        over_items = jax.vmap(cell, (None, 0, None, 0, outcome_axis, 0))
        cells = jax.vmap(over_items, (0, None, 0, None, outcome_axis, 0))(
            at.system,
            at.item,
            problem.system_features,
            problem.item_features,
            terms.outcome,
            terms.weight,
        )
        return jax.tree.map(jnp.transpose, cells) if self.items_inner else cells


def sides_of(problem: Posterior) -> Sides:
    """Return the sides of a table, the one with more parameters integrated."""
    model = problem.model
    p, q = len(model.system_parameters), len(model.item_parameters)
    n_system, n_item = problem.responses.shape
    items_inner = p * n_system <= q * n_item
    return Sides(
        items_inner,
        q if items_inner else p,
        (p, n_system) if items_inner else (q, n_item),
        len(model.shared_parameters),
    )


def _second(cells: Jet, k: int, m: int) -> Float[Array, "inner outer"]:
    return cells.second[min(k, m)][abs(k - m)]
