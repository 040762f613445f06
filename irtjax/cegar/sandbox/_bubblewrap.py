"""The jail made of Linux namespaces."""

import functools
import glob
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import equinox as eqx

from ._limits import Limits
from ._sandbox import ENVIRONMENT, FLAGS, AbstractSandbox, interpreter
from ._serve import PRELOADED
from ._worker import LOADER, Worker, WorkerError


class Bubblewrap(AbstractSandbox):
    """Linux namespaces by `bwrap`, and a filter of system calls on each program.

    Inside there is no network, no process of the host, and of the host's files only the
    interpreter, its standard library and the system libraries that these use, all
    read-only. Nothing can be written at all.
    """

    name: str = eqx.field(default="bubblewrap", static=True)
    isolation: str = eqx.field(
        default="namespaces (files, processes, network, users), a filter of system "
        "calls and resource limits",
        static=True,
    )

    def start(self, script: str, limits: Limits) -> Worker:
        bwrap = shutil.which("bwrap")
        if bwrap is None:
            raise WorkerError("bwrap is not installed.")
        command = [bwrap, *_namespaces(), interpreter(), *FLAGS, "-c", LOADER]
        return Worker(command, {}, script, limits.plain(), alone=True)


@functools.cache
def _namespaces() -> tuple[str, ...]:
    """Return what `bwrap` is told."""
    libraries = sorted(_libraries())
    shown = [interpreter(), *libraries]
    for library in libraries:
        # Others know it by the shorter names that point to it.
        names = glob.glob(library.split(".so")[0] + ".so*")
        shown += [
            n for n in names if os.path.islink(n) and os.path.realpath(n) == library
        ]
    shown += glob.glob("/lib64/ld-*.so*") + glob.glob("/lib/ld-*.so*")
    folders = {sysconfig.get_path("stdlib"), _platform_library()}
    arguments = ["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
    for name, value in ENVIRONMENT.items():
        arguments += ["--setenv", name, value]
    places = sorted({str(Path(library).parent) for library in libraries})
    arguments += ["--setenv", "LD_LIBRARY_PATH", ":".join(places)]
    for folder in sorted(folders):
        arguments += ["--ro-bind", folder, folder]
        for extra in ("site-packages", "dist-packages"):
            if (Path(folder) / extra).is_dir():
                hidden = f"{folder}/{extra}"
                arguments += ["--tmpfs", hidden, "--remount-ro", hidden]
    for file in shown:
        arguments += ["--ro-bind", file, file]
    arguments += ["--dev-bind", "/dev/null", "/dev/null", "--dir", "/empty"]
    arguments += ["--chdir", "/empty", "--remount-ro", "/"]
    arguments += ["--uid", "65534", "--gid", "65534", "--cap-drop", "ALL"]
    arguments += ["--hostname", "jail"]
    return tuple(arguments)


def _libraries() -> set[str]:
    """Return the shared libraries of the interpreter and of what programs import."""
    text = f"for name in {[*PRELOADED, 'ctypes', 'resource', 'select']}:\n"
    text += "    __import__(name)\nprint(open('/proc/self/maps').read())"
    listed = subprocess.run(
        [interpreter(), *FLAGS, "-c", text],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        env=ENVIRONMENT,
    )
    paths = {line.split(maxsplit=5)[-1] for line in listed.stdout.splitlines() if line}
    kept = {path for path in paths if path.startswith("/") and ".so" in path}
    return {p for p in kept if not p.startswith(_platform_library() + "/")}


def _platform_library() -> str:
    """Return the folder of the standard library's compiled modules."""
    # Within a virtual environment the plain answer names a folder of that.
    base = {"platbase": sys.base_exec_prefix}
    return sysconfig.get_path("platstdlib", vars=base)
