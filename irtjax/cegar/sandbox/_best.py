"""Which sandbox a machine can have."""

import platform

from ._bubblewrap import Bubblewrap
from ._limited import Limited
from ._limits import Limits
from ._sandbox import AbstractSandbox
from ._worker import WorkerError

_IDLE = "import jail\njail.serve(lambda message: message)\n"


def best_sandbox(allow_weaker: bool = False) -> AbstractSandbox:
    """Return the strongest sandbox that starts on this machine.

    Its `isolation` says in words how strong it is.

    Args:
        allow_weaker: whether `Limited` may be returned where `Bubblewrap` does not start.

    Raises:
        WorkerError: there is none; the message says what to install.
    """
    if platform.system() != "Linux":
        raise WorkerError(
            f"Untrusted programs can be run on Linux only, not on {platform.system()}."
        )
    try:
        return _started(Bubblewrap())
    except WorkerError as error:
        if allow_weaker:
            return _started(Limited())
        raise WorkerError(
            f"Untrusted programs need bubblewrap: {error} Install it (Debian, Ubuntu: "
            "apt-get install bubblewrap; Fedora: dnf install bubblewrap) and let users "
            "make namespaces, or say that a weaker isolation will do."
        ) from None


def _started(sandbox: AbstractSandbox) -> AbstractSandbox:
    with sandbox.start(_IDLE, Limits()):
        return sandbox
