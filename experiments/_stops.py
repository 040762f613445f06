"""One clear line for every way in which settings can be wrong.

Hydra and OmegaConf say what they refused in several lines, each class in its own words.
`explain` turns any of them into one sentence with the nearest name that does exist.
"""

import dataclasses
import re

from hydra.core.config_store import ConfigStore
from hydra.errors import HydraException, MissingConfigException
from omegaconf.errors import OmegaConfBaseException, ValidationError

from ._schema import SettingsError, nearest

SETTINGS_ERRORS = (HydraException, OmegaConfBaseException, SettingsError)


class FailedConditionsError(RuntimeError):
    """Some conditions failed and were recorded as failed; the others are complete."""


def explain(error: Exception, application: str) -> str:
    """Return one sentence that says which setting is wrong and what to write.

    Args:
        error: one of `SETTINGS_ERRORS`.
        application: the name whose dataclass lists the settings that exist.
    """
    if isinstance(error, SettingsError):
        return str(error)
    text, cause = str(error), error.__cause__ or error
    if isinstance(error, MissingConfigException):
        return _missing_option(error, text)
    group = re.search(r"Could not override '([^']+)'\. No match in the defaults", text)
    if group:
        return _no_such_group(group[1], text, application)
    key = re.search(r"(?:override|Key) '([^']+)'", f"{text}\n{cause}")
    if key and not isinstance(cause, ValidationError):
        if "." in key[1]:
            return f"No setting is called '{key[1]}'. To add it write +{key[1]}=..."
        return f"No setting is called '{key[1]}'.{nearest(key[1], known(application))}"
    first = str(cause).splitlines()[0].rstrip(".")
    full_key = re.search(r"full_key: (\S+)", f"{cause}\n{text}")
    if full_key and "is not a ListConfig" in first:
        return (
            f"Setting '{full_key[1]}' is a list, also of one value: write it in "
            f"brackets, '{full_key[1]}=[...]'."
        )
    if full_key:
        return f"Setting '{full_key[1]}': {first[0].lower()}{first[1:]}."
    return f"{first}."


def known(application: str) -> list[str]:
    """Return the names of an application's settings."""
    store = ConfigStore.instance()
    node = store.load(f"{application}_schema.yaml").node
    return [field.name for field in dataclasses.fields(node._metadata.object_type)]


def _missing_option(error: MissingConfigException, text: str) -> str:
    """Say which option of a group does not exist, and which do."""
    missing = str(error.missing_cfg_file)
    group, _, option = missing.rpartition("/")
    options = error.options or re.findall(r"^\t(\S+)$", text, flags=re.MULTILINE)
    if not options:
        return f"There is no settings group or file '{missing}'."
    return f"'{group}' has no option '{option}'.{nearest(option, options)}"


def _no_such_group(name: str, text: str, application: str) -> str:
    """Say how to add a group, or which setting was meant."""
    addition = re.search(r"use (\+\S+)", text)
    if name in ("grid", "debug", "launch") and addition:
        return f"'{name}' is added to the settings: write {addition[1]}."
    return f"No setting is called '{name}'.{nearest(name, known(application))}"
