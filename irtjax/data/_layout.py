"""Long or wide: which of the two ways of writing a table a frame follows.

Nothing is decided without a reason that the file itself gives (a column's name) or that
the caller gives; each reason taken from the file is returned as a note.
"""

from ._columns import Frame
from ._long import read_long
from ._observations import Reading
from ._options import Options
from ._roles import (
    COUNT_NAMES,
    ITEM_NAMES,
    SCORE_NAMES,
    SYSTEM_NAMES,
    columns_named,
    require_column,
)
from ._wide import read_wide


def understand(frame: Frame, options: Options) -> Reading:
    """Return the observations that a frame holds.

    A frame is long where columns for system, item and result are all named, by the
    caller or by their usual names; otherwise it is wide.

    Raises:
        DataError: where the input leaves open what is what; the message says which
            option settles it.
    """
    for label in options.ignore:
        require_column(frame, "option ignore=", label)
    kept = {k: v for k, v in frame.columns.items() if k not in options.ignore}
    frame = Frame(kept, frame.n_row, frame.source)
    layout = options.layout or ("long" if _looks_long(frame, options) else "wide")
    return read_long(frame, options) if layout == "long" else read_wide(frame, options)


def _looks_long(frame: Frame, options: Options) -> bool:
    system = options.system is not None or columns_named(frame, SYSTEM_NAMES)
    item = options.item is not None or columns_named(frame, ITEM_NAMES)
    named = options.score is not None or options.successes is not None
    result = named or columns_named(frame, SCORE_NAMES + COUNT_NAMES)
    return bool(system and item and result)
