"""The ranking and the table it came from as plain data for other programs."""

import platform
from importlib.metadata import PackageNotFoundError, version

from irtjax.data import ResponseTable
from irtjax.ranking import Ranking

FORMAT = 1
"""Goes up when a field is renamed or means something else."""


def ranking_record(ranking: Ranking, table: ResponseTable) -> dict:
    """Return everything that is known of a ranking as values that JSON can hold.

    Ids stay as given: text stays text and numbers stay numbers; ids of other kinds,
    such as dates, are written as text. Systems come best first. What is not known is
    None.

    Args:
        ranking: of `table`.
        table: the same table.
    """
    n_system, n_item = table.responses.shape
    return {
        "format": FORMAT,
        "versions": versions(),
        "n_system": n_system,
        "n_item": n_item,
        "n_observed": table.n_observed(),
        "systems_in": table.systems_in,
        "score_is": table.score_is,
        "trials_from": table.trials_from,
        **ranking.to_dict(),
    }


def versions() -> dict[str, str]:
    """Return the versions that a result depends on."""
    found = {"python": platform.python_version()}
    for package in ("irtjax", "jax", "jaxlib", "equinox", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"  # run from a source tree
    return found
