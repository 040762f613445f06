"""Files of results: found below a folder, parsed, and named as the user knows them."""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from .._source import DataError


def files_below(path: Path, pattern: str) -> list[Path]:
    """Return a file itself, or the files of a folder whose names match, in order.

    Args:
        path: a file or a folder.
        pattern: a regular expression for the whole path below the folder, with "/".

    Raises:
        DataError: if there is no such file or folder, or the folder has no match.
    """
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise DataError(f"{path}: there is no such file or folder.")
    found = [
        each
        for each in sorted(path.rglob("*"))
        if re.fullmatch(pattern, each.relative_to(path).as_posix()) and each.is_file()
    ]
    if not found:
        raise DataError(f"{path}: the folder holds no file of this format.")
    return found


def shown(file: Path, root: Path) -> str:
    """Return a file's name in messages: below the folder that the user named."""
    return file.name if file == root else file.relative_to(root).as_posix()


def load_json(file: Path, name: str) -> Any:
    """Return a JSON file's content.

    Raises:
        DataError: if it is not JSON, with line and column.
    """
    try:
        return json.loads(file.read_bytes())
    except json.JSONDecodeError as error:
        raise DataError(
            f"{name}, line {error.lineno}, column {error.colno}: not valid JSON "
            f"({error.msg})."
        ) from None
    except UnicodeDecodeError:
        raise DataError(f"{name}: not UTF-8 text.") from None
    except RecursionError:
        raise DataError(f"{name}: lists are nested too deeply to be read.") from None


def need(record: Any, key: str, kind: type, name: str) -> Any:
    """Return `record[key]`, which must be there and of a kind.

    Raises:
        DataError: if it is not, with the file's name and the key.
    """
    value = record.get(key) if isinstance(record, dict) else None
    if not isinstance(value, kind):
        words = {dict: "an object", list: "a list", str: "text"}[kind]
        raise DataError(
            f"{name}: the key {key!r} must hold {words}, and does not. Is this file of "
            "the format that it was read as? Pass format= to say which."
        )
    return value


def choose(
    offered: Iterable[str], wanted: Sequence[str], option: str, what: str
) -> str:
    """Return the one thing on offer, or the first wanted that is on offer.

    Args:
        offered: what the files hold.
        wanted: the caller's, in order of preference; empty = not said.
        option: the name of the caller's option.
        what: whose they are, for messages.

    Raises:
        DataError: if nothing is said and there are several, or none is on offer.
    """
    names = sorted(set(offered))
    listed = ", ".join(names) or "none"
    if not wanted and len(names) == 1:
        return names[0]
    for each in wanted:
        if each in names:
            return each
    if wanted:
        missing = " or ".join(repr(each) for each in wanted)
        raise DataError(
            f"{what} has no {option} {missing}; there is: {listed}. Name one of these "
            f"with {option}=."
        )
    raise DataError(
        f"{what} has several: {listed}. Name the one to use with {option}=."
        if names
        else f"{what} has no {option} that holds a score."
    )


def as_names(given: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return one name, several or none as a tuple."""
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else tuple(given)


def counted(count: int, word: str) -> str:
    """Return "1 file" or "3 files"."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
