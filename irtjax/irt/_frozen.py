"""Cutting what must not be differentiated."""

from typing import TypeVar

import equinox as eqx
import jax

Tree = TypeVar("Tree")


def frozen(tree: Tree) -> Tree:
    """Return the same values, whose derivatives by anything are 0."""
    return jax.tree.map(
        lambda leaf: jax.lax.stop_gradient(leaf) if eqx.is_array(leaf) else leaf, tree
    )
