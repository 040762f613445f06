"""A pool's verdicts as a table of responses, so that operators can be ranked."""

from collections.abc import Sequence

import jax.numpy as jnp
import numpy as np
from jaxtyping import Int

from irtjax.data import BinomialResponses, ResponseTable

from ._operator import ABSTAIN, FLAG
from ._panel import Panel


def verdict_table(
    panel: Panel,
    verdicts: Int[np.ndarray, "operator candidate"],
    names: Sequence[str],
) -> ResponseTable:
    """Return who was right about which answer: operators are systems, answers items.

    A success is a verdict that agrees with the label: a flag on a wrong answer, a pass
    on a right one. An abstention is a cell that was not observed. Equal answers get equal
    verdicts, so each distinct answer is one item with one trial.

    Args:
        panel: labelled answers.
        verdicts: of the operators.
        names: of the operators, distinct.

    Raises:
        ValueError: names are not distinct, or not one for each operator.
    """
    said = verdicts != ABSTAIN
    agrees = said & ((verdicts == FLAG) == ~panel.right)
    items = [
        f"{panel.task_ids[task]}#{place}"
        for task, place in zip(panel.task, panel.candidate, strict=True)
    ]
    kind = jnp.result_type(float)
    return ResponseTable(
        BinomialResponses(jnp.asarray(agrees, kind), jnp.asarray(said, kind)),
        tuple(names),
        tuple(items),
        "verdicts",
        "success",
        "rows",
        "declared: 1",
    )
