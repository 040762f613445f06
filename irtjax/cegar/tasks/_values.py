"""What a program returned, read back in a process where it never ran."""

from typing import Any

from .._observation import Observation
from ..sandbox import parse


class Unreadable:
    """Stands for a text that is no value; equal to nothing but itself."""


def value_of(observation: Observation) -> Any:
    """Return the value of an observation whose kind is "value", in fresh containers.

    The text was written beside an untrusted program: what cannot be read is a value of
    its own that equals no expected one.

    Args:
        observation: of a call that returned.
    """
    try:
        return parse(observation.text)
    except ValueError:
        return Unreadable()
