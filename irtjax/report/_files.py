"""Writing a file whole or not at all."""

import os
import uuid
from pathlib import Path


def write_whole(path: str | os.PathLike, content: bytes) -> None:
    """Write a file by one rename, so that no reader ever sees half of it.

    Args:
        path: replaced where it exists, keeping its permissions; through a link, the
            file that it points to.
        content: the whole file.
    """
    target = Path(path).resolve()
    # No process number: two threads share it, as may processes of two machines.
    partial = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    try:
        with open(partial, "xb") as stream:
            if target.exists():
                os.chmod(partial, target.stat().st_mode & 0o777)
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)
