"""The system calls that an untrusted program may make; the kernel refuses all others.

Sent into the jail: standard library alone. There is a list of what is allowed, not of
what is forbidden, so that what a future kernel adds is refused too. In particular there
is no new process or thread, no signal to anybody, no socket, no file opened for writing,
no tracing of another process, no change of limits of another process.

References:
    Linux man-pages, seccomp(2); Linux kernel documentation, "Seccomp BPF".
"""

import ctypes
import errno
import functools
import os
import platform
import struct


def _numbers(text: str) -> dict[str, int]:
    """Return the numbers of system calls, by name."""
    pairs = (pair.split("=") for pair in text.split())
    return {name: int(number) for name, number in pairs}


_X86_64 = _numbers("""
    read=0 write=1 open=2 close=3 stat=4 fstat=5 lstat=6 poll=7 lseek=8 mmap=9
    mprotect=10 munmap=11 brk=12 rt_sigaction=13 rt_sigprocmask=14 rt_sigreturn=15
    ioctl=16 pread64=17 readv=19 writev=20 access=21 pipe=22 select=23 sched_yield=24
    mremap=25 mincore=27 madvise=28 dup=32 dup2=33 nanosleep=35 getitimer=36 getpid=39
    exit=60 uname=63 fcntl=72 getcwd=79 readlink=89 gettimeofday=96 getrlimit=97
    getrusage=98 sysinfo=99 times=100 getuid=102 getgid=104 geteuid=107 getegid=108
    getppid=110 sigaltstack=131 gettid=186 time=201 futex=202 sched_getaffinity=204
    getdents64=217 restart_syscall=219 clock_gettime=228 clock_getres=229
    clock_nanosleep=230 exit_group=231 openat=257 newfstatat=262 readlinkat=267
    faccessat=269 pselect6=270 ppoll=271 set_robust_list=273 dup3=292 pipe2=293
    prlimit64=302 getrandom=318 membarrier=324 statx=332 rseq=334 faccessat2=439
""")

_AARCH64 = _numbers("""
    getcwd=17 dup=23 dup3=24 fcntl=25 ioctl=29 faccessat=48 openat=56 close=57 pipe2=59
    getdents64=61 lseek=62 read=63 write=64 readv=65 writev=66 pread64=67 pselect6=72
    ppoll=73 readlinkat=78 newfstatat=79 fstat=80 exit=93 exit_group=94 futex=98
    set_robust_list=99 nanosleep=101 getitimer=102 clock_gettime=113 clock_getres=114
    clock_nanosleep=115 sched_getaffinity=123 sched_yield=124 restart_syscall=128
    sigaltstack=132 rt_sigaction=134 rt_sigprocmask=135 rt_sigreturn=139 times=153
    uname=160 getrlimit=163 getrusage=165 gettimeofday=169 getpid=172 getppid=173
    getuid=174 geteuid=175 getgid=176 getegid=177 gettid=178 sysinfo=179 brk=214
    munmap=215 mremap=216 mmap=222 mprotect=226 mincore=232 madvise=233 prlimit64=261
    getrandom=278 membarrier=283 statx=291 rseq=293 faccessat2=439
""")

# By machine: what the kernel calls its kind of system calls, and their numbers.
_MACHINES = {"x86_64": (0xC000003E, _X86_64), "aarch64": (0xC00000B7, _AARCH64)}

# Those that look at the file system: refused where it is the host's.
_FILES = {"open", "openat", "stat", "lstat", "newfstatat", "statx", "getdents64"} | {
    "access",
    "faccessat",
    "faccessat2",
    "readlink",
    "readlinkat",
}

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

# Those whose arguments matter: which argument (from 0), how it is tested, with what.
_GUARDED = {
    "open": (1, "clear", [_WRITING]),
    "openat": (2, "clear", [_WRITING]),
    # Who owns a pipe can have the kernel send any signal to another process.
    "fcntl": (1, "among", [0, 1, 2, 3, 4, 1030]),
    "ioctl": (1, "among", [0x5401, 0x5421, 0x5450, 0x5451]),
    "prlimit64": (0, "among", [0]),
}

_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2


def program(machine: str, files: bool) -> bytes:
    """Return the filter that the kernel runs on each system call.

    Args:
        machine: as `platform.machine()` says.
        files: whether files may be opened for reading.

    Raises:
        OSError: the numbers of its system calls are not known here.
    """
    if machine not in _MACHINES:
        raise OSError(f"No filter of system calls for {machine}.")
    kind, numbers = _MACHINES[machine]
    lines = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, kind), (_RETURN, 0, 0, _KILL)]
    lines.append((_LOAD, 0, 0, 0))
    for name, number in numbers.items():
        if name in _FILES and not files:
            continue
        body = _body(name)
        lines += [(_EQUAL, 0, len(body), number), *body]
    lines.append((_RETURN, 0, 0, _REFUSE))
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def _body(name: str) -> list[tuple[int, int, int, int]]:
    """Return what is done with an allowed call."""
    allow, refuse = (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)
    if name not in _GUARDED:
        return [allow]
    place, test, values = _GUARDED[name]
    load = (_LOAD, 0, 0, 16 + 8 * place)  # the lower half: little-endian machines
    if test == "clear":
        return [load, (_ANY_BIT, 0, 1, values[0]), refuse, allow]
    left = range(len(values), 0, -1)
    tests = [
        (_EQUAL, steps, 0, value) for steps, value in zip(left, values, strict=True)
    ]
    return [load, *tests, refuse, allow]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("lines", ctypes.c_char_p)]


@functools.cache
def prepare(files: bool) -> tuple[ctypes.CDLL, _Program]:
    """Make what `install` needs; call it before a fork, so that it is made once.

    Args:
        files: whether files may be opened for reading.

    Raises:
        OSError: this kind of machine is not known.
    """
    code = program(platform.machine(), files)
    return ctypes.CDLL(None, use_errno=True), _Program(len(code) // 8, code)


def install(files: bool) -> None:
    """Put the filter on this process, for good.

    Args:
        files: whether files may be opened for reading.

    Raises:
        OSError: the kernel has no filters, or this kind of machine is not known.
    """
    libc, whole = prepare(files)
    pointer = ctypes.byref(whole)
    zero = ctypes.c_ulong(0)
    one = ctypes.c_ulong(1)
    if libc.prctl(_NO_NEW_PRIVILEGES, one, zero, zero, zero) or libc.prctl(
        _SET_SECCOMP, ctypes.c_ulong(_FILTER), pointer, zero, zero
    ):
        raise OSError(ctypes.get_errno(), "the kernel took no filter of system calls")
