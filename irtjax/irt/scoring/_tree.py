"""A model and its settings as JSON, and back."""

import dataclasses
import importlib
import math
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

TARGET = "_target_"
_FLOATS = ("nan", "inf", "-inf")


def to_json(value: Any) -> Any:
    """Return a tree of modules, arrays, numbers, texts and containers as JSON values.

    A module becomes its class's name under `_target_` beside its fields; a tuple a
    list; an array its type, shape and values, which come back to the last bit.

    Raises:
        TypeError: if there is anything else in it, such as a function.
    """
    if isinstance(value, eqx.Module):
        fields = {
            field.name: to_json(getattr(value, field.name))
            for field in dataclasses.fields(value)
        }
        return {TARGET: public_name(type(value))} | fields
    if isinstance(value, jax.Array | np.ndarray):
        host = np.asarray(value)
        return {
            "dtype": host.dtype.name,
            "shape": list(host.shape),
            "values": _flat(host),
        }
    if isinstance(value, np.generic):
        return to_json(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple | list):
        return [to_json(each) for each in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": {key: to_json(each) for key, each in value.items()}}
    raise TypeError(f"A {type(value).__name__} cannot be written as JSON: {value!r}.")


def from_json(value: Any) -> Any:
    """Return what `to_json` was given; lists come back as tuples.

    Arrays of a precision that is switched off come in the one that is on.

    Raises:
        ValueError: if a class is not known, or its fields are others.
    """
    if isinstance(value, list):
        return tuple(from_json(each) for each in value)
    if not isinstance(value, dict):
        return value
    if TARGET in value:
        return _module(value)
    if set(value) == {"float"} and value["float"] in _FLOATS:
        return float(value["float"])
    if set(value) == {"dict"}:
        return {key: from_json(each) for key, each in value["dict"].items()}
    if set(value) == {"dtype", "shape", "values"}:
        # Texts such as "nan" are numbers to NumPy as well.
        host = np.array(value["values"], object).astype(value["dtype"])
        host = host.reshape(value["shape"])
        return jnp.asarray(host, jax.dtypes.canonicalize_dtype(host.dtype))
    raise ValueError(f"is no value that a bank holds: {sorted(value)}.")


def public_name(cls: type) -> str:
    """Return the shortest dotted path, free of underscores if may be, to a class."""
    parts = cls.__module__.split(".")
    for length in range(1, len(parts) + 1):
        path = parts[:length]
        if any(part.startswith("_") for part in path):
            break
        if getattr(importlib.import_module(".".join(path)), cls.__name__, None) is cls:
            return ".".join([*path, cls.__name__])
    return f"{cls.__module__}.{cls.__qualname__}"


def _flat(host: np.ndarray) -> list[Any]:
    """Return the entries, those that JSON has no number for as texts."""
    flat = host.ravel().tolist()
    if host.dtype.kind == "f" and not np.all(np.isfinite(host)):
        return [each if math.isfinite(each) else str(each) for each in flat]
    return flat


def _module(value: dict[str, Any]) -> eqx.Module:
    name = value[TARGET]
    path, _, attribute = name.rpartition(".")
    try:
        cls = getattr(importlib.import_module(path), attribute)
    except (ImportError, AttributeError, ValueError):
        raise ValueError(
            f"names {name!r}, which this installation does not have: install or import "
            "the package that defines it."
        ) from None
    if not (isinstance(cls, type) and issubclass(cls, eqx.Module)):
        raise ValueError(f"names {name!r}, which is no model, prior or transform.")
    given = {key: from_json(each) for key, each in value.items() if key != TARGET}
    fields = {field.name for field in dataclasses.fields(cls)}
    if set(given) != fields:
        raise ValueError(
            f"has the settings {sorted(given)} for {name}, which has {sorted(fields)} "
            "here: it was written by another version of that class."
        )
    # As when JAX rebuilds a module from its leaves: its initialiser, which takes other
    # arguments than its fields, is not called again.
    made = object.__new__(cls)
    for key, each in given.items():
        object.__setattr__(made, key, each)
    return made
