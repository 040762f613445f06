"""A calibrated bank as a file."""

import hashlib
import json
import os
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._model import AbstractResponseModel
from .._parameter import names
from ._calibration import Calibration
from ._tree import from_json, to_json

FORMAT = "irtjax bank"
VERSION = 1


def save_bank(path: str | os.PathLike[str], bank: Calibration) -> None:
    """Write a bank as JSON, in one move, so that no reader sees half of it.

    Every number comes back to the last bit. A reader that is not `irtjax` finds the
    parameters by name, on their own scale, under `parameters`.

    Args:
        path: replaced if it exists.
        bank: what to write.

    Raises:
        ValueError: if an item's identifier is no text, number, truth value or tuple of
            such, or the model has a setting that is not data.
    """
    for each in bank.item_ids:
        if not _plain(each):
            raise ValueError(
                f"The item identifier {each!r} is a {type(each).__name__}, which JSON "
                "cannot hold: use texts or numbers."
            )
    named = bank.named()
    try:
        body: dict[str, Any] = {
            "model": to_json(bank.model),
            "item_ids": to_json(bank.item_ids),
            "score_is": bank.score_is,
            "trials_from": bank.trials_from,
            "code": bank.code,
            "parameters": {
                "item": {key: to_json(each) for key, each in named.item.items()},
                "shared": {key: to_json(each) for key, each in named.shared.items()},
            },
            "unconstrained": {
                "order": list(names(bank.model.item_parameters)),
                "item": to_json(bank.item),
                "shared": to_json(bank.shared),
                "covariance": to_json(bank.covariance),
            },
            "item_features": to_json(bank.item_features),
        }
    except TypeError as error:
        raise ValueError(f"The bank's model cannot be saved: {error}") from None
    content = {"format": FORMAT, "version": VERSION, "digest": _digest(body)} | body
    target = Path(path)
    text = json.dumps(content, allow_nan=False)
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    beside.write_text(text + "\n", encoding="utf-8")
    beside.replace(target)


def load_bank(path: str | os.PathLike[str]) -> Calibration:
    """Return the bank that `save_bank` wrote.

    The classes that the file names are imported: read files of people that you trust.

    Args:
        path: the file.

    Returns:
        A bank that scores to the last bit as the one saved, in the same precision; in
        the precision that is on, if the saved one is off.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: if it is no bank, of another version, damaged, or of a model that is
            not installed.
    """
    name = Path(path).name
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{name} is damaged or no JSON file: {error}.") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f"{name} is no bank: save one with `save_bank`.")
    version = content.get("version")
    if version != VERSION:
        newer = isinstance(version, int) and version > VERSION
        raise ValueError(
            f"{name} is a bank of version {version!r}, this irtjax reads version "
            f"{VERSION}: "
            + ("update irtjax." if newer else "save it again with this one.")
        )
    header = ("format", "version", "digest")
    body = {key: value for key, value in content.items() if key not in header}
    if content.get("digest") != _digest(body):
        raise ValueError(
            f"{name} is damaged: its content is not what was saved. Save it again."
        )
    try:
        model = from_json(body["model"])
        if not isinstance(model, AbstractResponseModel):
            raise ValueError(f"names {body['model']['_target_']!r}, no response model.")
        parts = body["unconstrained"]
        return Calibration(
            model,
            jnp.asarray(from_json(parts["item"])),
            from_json(parts["shared"]),
            from_json(parts["covariance"]),
            from_json(body["item_features"]),
            from_json(body["item_ids"]),
            body["code"],
            body["score_is"],
            body["trials_from"],
        )
    except ValueError as error:
        raise ValueError(f"{name} {error}") from None


def _plain(each: Hashable) -> bool:
    if isinstance(each, tuple):
        return all(_plain(part) for part in each)
    if isinstance(each, np.generic):
        each = each.item()
    return each is None or isinstance(each, str | int | float | bool)


def _digest(body: dict[str, Any]) -> str:
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
