"""Whether responses hold one table or a stack of them, checked with clear messages."""

import jax

from irtjax.data import (
    AbstractResponses,
    BinomialResponses,
    CategoricalResponses,
    LongResponses,
    ScoreResponses,
)

# One table's array and its axes. A user's own kind of responses is taken as it comes.
_AXES: dict[type[AbstractResponses], dict[str, tuple[str, ...]]] = {
    BinomialResponses: {
        "successes": ("system", "item"),
        "trials": ("system", "item"),
    },
    CategoricalResponses: {"counts": ("system", "item", "category")},
    ScoreResponses: {"score": ("system", "item"), "weight": ("system", "item")},
    LongResponses: dict.fromkeys(
        ("system_index", "item_index", "successes", "trials"), ("observation",)
    ),
}


def check_one_table(responses: AbstractResponses) -> None:
    """Raise unless the responses are one table whose arrays agree.

    Raises:
        ValueError: with the shapes got and wanted.
    """
    axes = _AXES.get(type(responses), {})
    for name, wanted in axes.items():
        got = getattr(responses, name).shape
        if len(got) != len(wanted):
            stack = len(got) == len(wanted) + 1
            advice = ": `fit_many` takes a stack of tables" if stack else ""
            raise ValueError(
                f"One table is wanted, `{name}` of shape {_words(wanted)}, got "
                f"{got}{advice}."
            )
    _check_agree(responses, axes)


def is_stacked(responses: AbstractResponses) -> AbstractResponses:
    """Return, in the responses' place, which arrays have a leading problem axis.

    Those that have none are shared by all tables.

    Raises:
        ValueError: if no array has the axis, an array has other axes, or they disagree.
    """
    axes = _AXES.get(type(responses), {})
    for name, wanted in axes.items():
        got = getattr(responses, name).shape
        if len(got) not in (len(wanted), len(wanted) + 1):
            raise ValueError(
                f"A stack of tables is wanted, `{name}` of shape "
                f"{_words(('problem', *wanted))}, got {got}."
            )
    ranks = {name: len(wanted) for name, wanted in axes.items()}
    if ranks and not any(getattr(responses, k).ndim > n for k, n in ranks.items()):
        name, wanted = next(iter(axes.items()))
        raise ValueError(
            f"A stack of tables is wanted, `{name}` of shape "
            f"{_words(('problem', *wanted))}, got {getattr(responses, name).shape}: "
            "`fit` takes one table."
        )
    _check_agree(responses, axes)
    lengths = {
        name: getattr(responses, name).shape[0]
        for name, rank in ranks.items()
        if getattr(responses, name).ndim > rank
    }
    if len(set(lengths.values())) > 1:
        found = " and ".join(f"{n} of `{name}`" for name, n in lengths.items())
        raise ValueError(f"Arrays must hold equally many tables, got {found}.")
    leaves, tree = jax.tree.flatten(responses)
    order = list(axes) or [""] * len(leaves)
    marks = [
        leaf.ndim > ranks[name] if name else True
        for name, leaf in zip(order, leaves, strict=True)
    ]
    return jax.tree.unflatten(tree, marks)


def _check_agree(
    responses: AbstractResponses, axes: dict[str, tuple[str, ...]]
) -> None:
    """Raise unless all arrays have one table's shape, whether it is stacked or not."""
    shapes = {
        name: getattr(responses, name).shape[-len(wanted) :]
        for name, wanted in axes.items()
    }
    if len(set(shapes.values())) > 1:
        found = " and ".join(f"{shape} for `{name}`" for name, shape in shapes.items())
        raise ValueError(f"Arrays of one table must have one shape, got {found}.")


def _words(axes: tuple[str, ...]) -> str:
    return f"({', '.join(axes)})"
