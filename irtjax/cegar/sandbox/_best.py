"""Which sandbox a machine can have."""

import functools
import platform

from ._bubblewrap import Bubblewrap
from ._laws import LAWS
from ._limited import Limited
from ._sandbox import AbstractSandbox
from ._worker import WorkerError

_QUICK = ("fork bomb", "host files", "socket", "killing the parent", "endless loop")
"""Laws that a strange kernel or an old `bwrap` would break."""


def best_sandbox(allow_weaker: bool = False) -> AbstractSandbox:
    """Return the strongest sandbox that holds on this machine.

    Its `isolation` says in words how strong it is. Before a process uses it for the
    first time, the laws that a strange kernel could break are tried, which takes about
    two seconds; `check_sandbox` tries all of them.

    Args:
        allow_weaker: whether `Limited` may be returned where `Bubblewrap` does not hold.

    Raises:
        WorkerError: there is none; the message says what to install.
    """
    if platform.system() != "Linux":
        raise WorkerError(
            f"Untrusted programs can be run on Linux only, not on {platform.system()}."
        )
    try:
        return _tried(Bubblewrap())
    except WorkerError as error:
        if allow_weaker:
            return _tried(Limited())
        raise WorkerError(
            f"Untrusted programs need bubblewrap: {error} Install it (Debian, Ubuntu: "
            "apt-get install bubblewrap; Fedora: dnf install bubblewrap) and let users "
            "make namespaces, or say that a weaker isolation will do."
        ) from None


@functools.cache
def _tried(sandbox: AbstractSandbox) -> AbstractSandbox:
    """Return the sandbox if it keeps those laws that depend on the machine."""
    for name in _QUICK:
        wrong = LAWS[name](sandbox)
        if wrong is not None:
            raise WorkerError(f"{sandbox.name} fails the law on {name}: {wrong}.")
    return sandbox
