"""Results as values that JSON can hold."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from irtjax.ranking import plain_id


def json_value(value: Any) -> Any:
    """Return a result as values that JSON can hold; NaN and infinities become None.

    Data classes and named tuples become objects, arrays and tuples lists; what JSON has
    no kind for, such as a date, becomes text.

    Args:
        value: a result of this library, or a part of one.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {each.name: json_value(getattr(value, each.name)) for each in fields}
    if isinstance(value, tuple) and (names := getattr(value, "_fields", ())):
        return {name: json_value(each) for name, each in zip(names, value, strict=True)}
    if isinstance(value, Mapping):
        return {str(name): json_value(each) for name, each in value.items()}
    if isinstance(value, tuple | list | np.ndarray):
        return [json_value(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None else plain_id(value)


def rows_of(columns: Any) -> list[dict[str, Any]]:
    """Return a named tuple of columns as one record a row, in JSON's values.

    Args:
        columns: equally long arrays or tuples.
    """
    return [
        dict(zip(columns._fields, map(json_value, row), strict=True))
        for row in zip(*columns, strict=True)
    ]
