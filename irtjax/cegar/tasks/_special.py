"""Tasks of EvalPlus that plain equality would judge wrongly, as data.

Which tasks these are is a fact of the benchmark, taken from `evalplus/eval/__init__.py`
and `evalplus/eval/_special_oracle.py` of EvalPlus v0.3.1 (Apache-2.0).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

_ORDER_FREE = (2, 7, 111, 140, 232, 249, 579, 769)
_NOT_NONE = (737, 787, 794)

# The height of a pyramid may be that of its apex above the base, not of its faces.
_PYRAMID = """
import math

def surface_Area(base, height):
    slant = math.hypot(base / 2, height)
    return round(base * base + 2 * base * slant)
"""

# Numbers of different length may be compared from their last digits on.
_DIGITS = """
def digit_distance_nums(first, second):
    width = max(len(str(first)), len(str(second)))
    pairs = zip(str(first).zfill(width), str(second).zfill(width))
    return sum(abs(int(left) - int(right)) for left, right in pairs)
"""

SPECIAL: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        **{f"Mbpp/{number}": {"rule": "set"} for number in _ORDER_FREE},
        **{f"Mbpp/{number}": {"rule": "not none"} for number in _NOT_NONE},
        "Mbpp/164": {"rule": "any"},
        "Mbpp/295": {"extra": (0,)},
        "Mbpp/558": {"others": (_DIGITS,)},
        "Mbpp/581": {"others": (_PYRAMID,)},
        "HumanEval/32": {"rule": "root"},
    }
)
"""What an `Oracle` of a task has beside the defaults, by the task's name."""
