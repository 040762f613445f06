"""Bar 1: the published method, number by number."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from experiments._matrices import NAMES, load_errors
from irtjax.active import ScoreFeature, SourceErrors

from . import Measurement
from ._proeval_environment import proeval_python, published
from ._shared import shared

BUDGET = 100
LIMIT = 1e-10
TIE = 1e-9


class Repeated(NamedTuple):
    """What ours says of another's picks, step by step.

    Attributes:
        estimate: of the mean error after the pick.
        variance: of that estimate.
        behind: how far the pick's gain is from the best there is, as a share of it.
    """

    estimate: Float[Array, " step"]
    variance: Float[Array, " step"]
    behind: Float[Array, " step"]


@eqx.filter_jit
def repeat(
    sources: SourceErrors, outcome: Float[Array, " item"], picks: Int[Array, " step"]
) -> Repeated:
    """Follow given picks under the published method's belief."""
    count = outcome.shape[0]
    weights = jnp.full(count, 1 / count)

    def step(carry, item):
        belief, seen = carry
        gain = jnp.where(seen, -jnp.inf, belief.gain(weights))
        top = jnp.max(gain)
        belief = belief.update(item, outcome[item], jnp.zeros(()))
        total = belief.total(weights)
        behind = jnp.where(top > 0, (top - gain[item]) / jnp.where(top > 0, top, 1), 0)
        return (belief, seen.at[item].set(True)), Repeated(
            total.mean, total.variance, behind
        )

    start = ScoreFeature()(sources), jnp.zeros(count, bool)
    return jax.lax.scan(step, start, picks)[1]


def measure() -> Measurement:
    """Install the package, run it on all targets, and follow its picks."""
    jax.config.update("jax_enable_x64", True)
    folder = shared() / "data" / "matrices"
    matrices = {name: load_errors(name, folder) for name in NAMES}
    with proeval_python() as python:
        theirs = published(python, matrices, BUDGET)
    return judge({name: compare(matrices[name], theirs, name) for name in NAMES})


def compare(
    errors: Float[np.ndarray, "item system"], theirs: dict[str, np.ndarray], name: str
) -> dict[str, float]:
    """Return the largest differences over the targets of one matrix."""
    worst = {"estimate": 0.0, "variance": 0.0, "behind": 0.0}
    for target in range(errors.shape[1]):
        rest = jnp.asarray(np.delete(errors, target, axis=1))
        ours = repeat(
            SourceErrors(rest, jnp.ones(rest.shape, bool)),
            jnp.asarray(errors[:, target]),
            jnp.asarray(theirs[f"{name}_pick"][target]),
        )
        for key in ("estimate", "variance"):
            gap = np.abs(
                np.asarray(getattr(ours, key)) - theirs[f"{name}_{key}"][target]
            )
            worst[key] = max(worst[key], float(gap.max()))
        worst["behind"] = max(worst["behind"], float(np.max(np.asarray(ours.behind))))
    return worst | {
        "targets": errors.shape[1],
        "steps": int(theirs[f"{name}_pick"].shape[1]),
    }


def judge(found: dict[str, dict[str, float]]) -> Measurement:
    """Return the bar's verdict.

    Args:
        found: for each matrix, the largest difference of estimates and of variances,
            and how far the worst pick was from the best item by our gain, as a share.
    """
    fine = all(
        each["estimate"] <= LIMIT
        and each["variance"] <= LIMIT
        and each["behind"] <= TIE
        for each in found.values()
    )
    return {
        "bar": "method=proeval equals the published 0.1.1 given the same picks, and its "
        "picks are the best by our objective up to ties, on all three matrices",
        "command": "scripts/bars 5 1",
        "required": {"estimate": LIMIT, "variance": LIMIT, "behind": TIE},
        "measured": found,
        "passed": bool(found) and fine,
    }
