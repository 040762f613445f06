"""What a sandbox is, and what all of them start."""

import abc
import os
import sys

import equinox as eqx

from ._limits import Limits
from ._worker import Worker

# All that the interpreter is told; outcomes depend on it.
ENVIRONMENT = {
    "PATH": "/nowhere",
    "HOME": "/",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUTF8": "1",
}

_ECHO = "import jail\njail.serve(lambda message: message)\n"

FLAGS = ("-s", "-S", "-P", "-B")


class AbstractSandbox(eqx.Module):
    """A way to run untrusted programs, in processes that are not ours."""

    name: eqx.AbstractVar[str]
    isolation: eqx.AbstractVar[str]

    def reach(self) -> Worker:
        """Return a jailed interpreter that says back what it is told.

        Raises:
            WorkerError: the jail does not start.
        """
        return self.start(_ECHO, Limits())

    @abc.abstractmethod
    def start(self, script: str, limits: Limits) -> Worker:
        """Return a jailed interpreter that runs a trusted script.

        The script finds the module `jail` (`serve`, `run_program`, `Child`, `canonical`,
        `parse`) and the names `limits` (the plain form of `Limits`) and `files` (whether
        programs may open files for reading). It must call `jail.serve(handle)`, which
        passes it each message that the worker is asked, and must run whatever is
        untrusted in a `jail.Child` or by `jail.run_program`.

        Args:
            script: Python text.
            limits: for the script to hand on.

        Raises:
            WorkerError: the jail does not start.
        """


def interpreter() -> str:
    """Return the path of the Python that is run: this one, outside any environment."""
    base = getattr(sys, "_base_executable", None) or sys.executable
    return os.path.realpath(base)
