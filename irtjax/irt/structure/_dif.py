"""Which items are harder for one group than for another, at equal ability."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from irtjax.data import AbstractResponses

from .._estimator import AbstractEstimator
from .._fit import fit
from .._model import AbstractResponseModel
from .._parameter import names
from ..marginal import MarginalMAP, marginal_covariance
from ..models import DifTwoPL

# Rounds in which flagged items leave the set that the others are compared with.
ROUNDS = 10


class Dif(eqx.Module):
    """What was found of every item's difference between two groups.

    Attributes:
        effect: the item's shift less the anchors' mean shift, on the unconstrained
            scale (logits for `shift`, a logarithm for `slope_shift`).
        se: its standard error.
        p: of no difference, two-sided; not a number where the fit has no errors.
        flagged: whether the false discovery rate allows to call the item different.
        anchor: the items against whose mean the others were compared.
        impact: the focal group's mean ability less the reference group's, in logits,
            with the anchors' mean shift taken to be 0.
        code: the fit's, one of `RESULTS`.
    """

    effect: Float[Array, " item"]
    se: Float[Array, " item"]
    p: Float[Array, " item"]
    flagged: Bool[Array, " item"]
    anchor: Bool[Array, " item"]
    impact: Float[Array, ""]
    code: Int[Array, ""]


@eqx.filter_jit
def dif(
    responses: AbstractResponses,
    focal: Bool[Array, " system"],
    *,
    model: AbstractResponseModel = DifTwoPL(),
    parameter: str = "shift",
    rate: Float[Array, ""] | float = 0.05,
    estimator: AbstractEstimator = MarginalMAP(),
    covariance: Callable[..., Float[Array, "all all"]] = marginal_covariance,
) -> Dif:
    r"""Test every item for a difference between two groups of systems.

    All shifts are estimated in one fit. They are known up to a common number, so each
    is compared with the mean over *anchors*, with the error of that very difference: at
    first the half of the items nearest to the median, then all that are not flagged, in
    ten rounds. No item has to be named as fair beforehand; but if most items differ the
    same way, the minority is what stands out.

    Flags control the false discovery rate at `rate` (Benjamini-Hochberg). With
    `JointMAP` and `joint_covariance` much the same items are flagged, but effects and
    errors are short by the scale's shrinkage. The whole covariance matrix of the
    parameters is formed.

    Args:
        responses: of the kind that the model takes.
        focal: which systems are in the focal group.
        model: with an item parameter named by `parameter` and a shared one `impact`.
        parameter: `shift`, or `slope_shift` of `NonuniformDifTwoPL`.
        rate: the share of false flags among flags that is put up with.
        estimator: of the fit.
        covariance: of the fit's parameters, called and ordered as `marginal_covariance`.

    Returns:
        One row an item, with a code to read first.

    Raises:
        ValueError: as `fit`, or if the model has no such parameter.

    References:
        Candell & Drasgow (1988), An iterative procedure for linking metrics and
        assessing item bias, Appl. Psych. Meas. 12, for the rounds. Benjamini & Hochberg
        (1995), Controlling the false discovery rate, J. R. Stat. Soc. B 57.
    """
    kinds = names(model.item_parameters)
    if parameter not in kinds or "impact" not in names(model.shared_parameters):
        raise ValueError(
            f"`dif` needs a model with an item parameter {parameter!r} and a shared "
            f"parameter 'impact'; {type(model).__name__} has the item parameters "
            f"{kinds}."
        )
    column = kinds.index(parameter)
    n_system, n_item = responses.shape
    first = len(model.system_parameters) * n_system + column * n_item
    weights = responses.terms().weight
    features = focal.astype(weights.dtype)[:, None]
    result = fit(model, responses, estimator=estimator, system_features=features)
    spread = covariance(model, responses, result.value, system_features=features)
    own = spread[first : first + n_item, first : first + n_item]
    shift = result.value.item[:, column]

    def compared(anchor: Bool[Array, " item"]):
        weight = anchor.astype(shift.dtype)
        weight = weight / jnp.sum(weight)  # never empty: see `purified`
        pooled = own @ weight
        variance = jnp.diagonal(own) - 2 * pooled + weight @ pooled
        effect, se = shift - weight @ shift, jnp.sqrt(variance)
        return effect, se, jax.scipy.special.erfc(jnp.abs(effect / se) / jnp.sqrt(2))

    def purified(_, anchor: Bool[Array, " item"]) -> Bool[Array, " item"]:
        fair = ~_discoveries(compared(anchor)[2], rate)
        return jnp.where(jnp.any(fair), fair, anchor)

    off = jnp.abs(shift - jnp.median(shift))
    anchor = jax.lax.fori_loop(0, ROUNDS, purified, off <= jnp.median(off))
    effect, se, p = compared(anchor)
    level = jnp.mean(shift, where=anchor) if parameter == "shift" else 0.0
    place = names(model.shared_parameters).index("impact")
    return Dif(
        effect,
        se,
        p,
        _discoveries(p, rate),
        anchor,
        result.value.shared[place] - level,
        result.code,
    )


def _discoveries(
    p: Float[Array, " item"], rate: Float[Array, ""] | float
) -> Bool[Array, " item"]:
    """Return which hypotheses Benjamini and Hochberg's rule rejects."""
    n = p.shape[0]
    ordered = jnp.sort(p)
    passes = ordered <= rate * jnp.arange(1, n + 1, dtype=p.dtype) / n
    largest = jnp.max(jnp.where(passes, ordered, -1))
    return p <= largest
