"""A loop whose test is taken once a step."""

from collections.abc import Callable
from typing import TypeVar

import jax
from jaxtyping import Array, Bool

_State = TypeVar("_State")


def carried_while(
    going: Callable[[_State], Bool[Array, ""]],
    step: Callable[[_State], _State],
    state: _State,
) -> _State:
    """Return the state at which `going` first fails, as `jax.lax.while_loop` does.

    For tests that compute with floating-point numbers. Under vmap JAX takes a loop's
    test twice: to go on, and to choose which rows move. Compiled in two places, the two
    may round differently; a row that "goes on" in one and "stands" in the other never
    ends. Here the answer is computed once and carried.

    Args:
        going: the test.
        step: one step; keeps shapes and dtypes.
        state: the first state, a pytree of arrays.
    """

    def tested(carry: tuple[_State, Bool[Array, ""]]) -> tuple[_State, Bool[Array, ""]]:
        following = step(carry[0])
        return following, going(following)

    return jax.lax.while_loop(lambda carry: carry[1], tested, (state, going(state)))[0]
