"""The weaker way, for machines without `bwrap`: a plain child that the kernel filters."""

import equinox as eqx

from ._limits import Limits
from ._sandbox import ENVIRONMENT, FLAGS, AbstractSandbox, interpreter
from ._worker import LOADER, Worker


class Limited(AbstractSandbox):
    """A filter of system calls and resource limits on each program, and nothing else.

    Programs lie in the host's own files, processes and network, with the rights of the
    user who runs this. All that keeps them from using those is that the kernel refuses
    the calls: none opens or looks for a file, so a program can import no module but the
    usual ones, which are loaded beforehand. A single call that the filter should not
    allow would be a way out, where `Bubblewrap` has a second wall.
    """

    name: str = eqx.field(default="limited", static=True)
    isolation: str = eqx.field(
        default="weaker: a filter of system calls and resource limits alone; the host's "
        "files, processes and network lie behind nothing else",
        static=True,
    )

    def start(self, script: str, limits: Limits) -> Worker:
        command = [interpreter(), *FLAGS, "-c", LOADER]
        return Worker(command, ENVIRONMENT, script, limits.plain(), alone=False)
