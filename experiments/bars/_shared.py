"""The folder of published data that some bars read, beside the repository."""

import os
from pathlib import Path

from ._sweep_process import ROOT


def shared() -> Path:
    """Return `$IRTJAX_SHARED`, else `shared` beside the repository.

    Raises:
        FileNotFoundError: if it is not there, with the variable to set.
    """
    folder = Path(os.environ.get("IRTJAX_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        raise FileNotFoundError(
            f"This bar needs the folder of published data, and {folder} is none: set "
            "IRTJAX_SHARED."
        )
    return folder
