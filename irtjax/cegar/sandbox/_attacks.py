"""Programs that try what no untrusted program may manage, for the conformance list.

Each defines `attack`. Where nothing else is said it returns a list of what it got away
with, so that an empty list means that it gained nothing.
"""

TRY = """
import os, sys

gained = []

def try_(name, action):
    try:
        result = action()
    except BaseException:
        return None
    if result is not False:
        gained.append(name)
    return result
"""

ENDLESS_LOOP = "def attack():\n    while True:\n        pass\n"

CATCHING = """
import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass

def attack():
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
        finally:
            attack()
"""

WAITING = "import time\n\ndef attack():\n    while True:\n        time.sleep(1000)\n"

MEMORY_BOMB = """
def attack():
    held = []
    while True:
        held.append(bytearray(1 << 22))
"""

ENDLESS_OUTPUT = """
import os, sys

def attack():
    while True:
        print("x" * 100_000)
        print("x" * 100_000, file=sys.stderr)
        os.write(1, b"y" * 100_000)
"""

HUGE_RESULT = "def attack():\n    return 'x' * 50_000_000\n"

FORK_BOMB = (
    TRY
    + """
import _thread, time

def attack():
    for _ in range(300):
        if try_("fork", os.fork) == 0:
            time.sleep(5)
            os._exit(0)
        try_("thread", lambda: _thread.start_new_thread(print, ()))
    try_("spawn", lambda: os.posix_spawn("/bin/sh", ["sh"], {}))
    try_("system", lambda: os.system("exit 0") == 0)
    try_("exec", lambda: os.execv(sys.executable, ["python"]))
    return gained
"""
)

LEFTOVER = (
    TRY
    + """
import _thread, atexit, time

def attack():
    def daemon():
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(20)
                os._exit(0)
    try_("daemon", daemon)
    try_("thread", lambda: _thread.start_new_thread(time.sleep, (1000,)))
    atexit.register(lambda: time.sleep(1000))
    return gained
"""
)

WRITING = (
    TRY
    + """
def attack(name, folders):
    for folder in [*folders, ".", "/", "/tmp", "/dev/shm", "/var/tmp", "/empty", "/dev"]:
        path = folder + "/" + name
        for mode in ("w", "a", "x", "r+"):
            try_("open " + folder, lambda: open(path, mode).write(name))
        try_("mkdir " + folder, lambda: os.mkdir(path))
        try_("symlink " + folder, lambda: os.symlink("/", path))
        try_("mkfifo " + folder, lambda: os.mkfifo(path))
        try_("found " + folder, lambda: os.path.lexists(path))
        for other in ("secret", "kept"):
            there = folder + "/" + other
            try_("remove " + folder, lambda: os.remove(there))
            try_("rename " + folder, lambda: os.rename(there, path))
            try_("chmod " + folder, lambda: os.chmod(there, 0o777))
            try_("truncate " + folder, lambda: os.truncate(there, 0))
    try_("memory file", lambda: os.memfd_create(name))
    return gained
"""
)

READING = (
    TRY
    + """
def attack(folders, word):
    def holds(path):
        with open(path, "rb") as file:
            return word.encode() in file.read(1 << 20)
    for folder in folders:
        try_("read " + folder, lambda: holds(folder + "/secret"))
        try_("list " + folder, lambda: os.listdir(folder))
        try_("stat " + folder, lambda: os.stat(folder))
    for path in ("/etc/passwd", "/etc/hostname", "/proc/self/environ", "/proc/1/cmdline",
                 "/proc/%d/mem" % os.getppid(), "/sys/kernel", "/dev/mem"):
        try_(path, lambda: os.stat(path))
        try_(path, lambda: open(path, "rb"))
    return gained
"""
)

ORACLE = (
    TRY
    + """
import gc

def attack(known, half, other_half):
    word = half + other_half
    for name in os.environ:
        if name not in known:
            gained.append("variable " + name)
    if any(word in argument for argument in sys.argv + sys.orig_argv):
        gained.append("arguments")
    frame = sys._getframe(1)
    while frame is not None:
        for held in list(frame.f_locals.values()) + list(frame.f_globals.values()):
            if type(held) in (str, list, dict, tuple) and word in str(held):
                gained.append("frame")
        frame = frame.f_back
    for held in gc.get_objects():
        if type(held) in (list, tuple, dict):
            for inner in held.values() if type(held) is dict else held:
                if type(inner) is str and inner is not word and word in inner:
                    gained.append("object")
    for file in range(64):
        def readable():
            os.set_blocking(file, False)
            return bool(os.read(file, 10))
        try_("file %d" % file, readable)
        try_("seen %d" % file, lambda: os.get_inheritable(file) in (0, 1) and file > 4)
    return gained
"""
)

NETWORK = (
    TRY
    + """
def attack(port):
    try:
        import socket
    except ImportError:
        return gained
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
            try_("socket", lambda: socket.socket(family, kind))
    try_("pair", socket.socketpair)
    try_("connection", lambda: socket.create_connection(("127.0.0.1", port), 0.1))
    return gained
"""
)

KILLING = (
    TRY
    + """
import resource, signal

def attack():
    parent = os.getppid()
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, 0):
        try_("kill", lambda: os.kill(parent, number))
    for victim in (1, -1, -parent):
        try_("signal", lambda: os.kill(victim, 0))  # may it? Nobody is hurt if it may.
    try_("group", lambda: os.killpg(os.getpgid(parent), signal.SIGKILL))
    try_("by handle", lambda: signal.pidfd_send_signal(os.pidfd_open(parent), 9))
    try_("limits", lambda: resource.prlimit(parent, resource.RLIMIT_CPU, (0, 0)))
    try_("priority", lambda: os.setpriority(os.PRIO_PROCESS, parent, 19))
    try_("affinity", lambda: os.sched_setaffinity(parent, [0]))
    return gained
"""
)

TRACING = (
    TRY
    + """
def attack():
    parent = os.getppid()
    try:
        import ctypes, fcntl
        libc = ctypes.CDLL(None)
    except BaseException:
        return gained
    source, sink = os.pipe()
    # The owner of a file is sent a signal of our choice when there is something to read.
    try_("owner", lambda: fcntl.fcntl(source, fcntl.F_SETOWN, parent))
    try_("signal", lambda: fcntl.fcntl(source, 10, 9))
    try_("ioctl", lambda: fcntl.ioctl(source, 0x8901, parent.to_bytes(4, "little")))
    try_("attach", lambda: libc.ptrace(16, parent, 0, 0) == 0)
    try_("seize", lambda: libc.ptrace(0x4206, parent, 0, 0) == 0)
    try_("kill", lambda: libc.kill(parent, 9) == 0)
    for name, number in (("keys", 248), ("shared memory", 29), ("bpf", 321),
                         ("ring", 425), ("namespace", 272), ("new process", 435)):
        try_(name, lambda: libc.syscall(number, 0, 0, 0, 0, 0, 0) >= 0)
    return gained
"""
)

QUITTING = "import os\n\ndef attack(code):\n    if code:\n        os._exit(code - 1)\n"

RECURSION = """
import sys

def attack(deep):
    if deep:
        sys.setrecursionlimit(10**9)
        class Endless:
            def __getattr__(self, name):
                return getattr(self, name + "x")
        return Endless().x
    return attack(deep)
"""

PICKLING = """
class Trick:
    def __reduce__(self):
        return (eval, ("__import__('os').abort()",))
    __reduce_ex__ = __reduce__
    def __getstate__(self):
        raise SystemExit

def attack(number):
    return [Trick(), {"x": Trick()}, Trick][number]
"""

FORGING = """
import builtins, json, os, struct, sys

def frames():
    frame = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back

def attack(how):
    claim = json.dumps(["value", "\\"forged\\""]).encode()
    framed = struct.pack(">I", len(claim) + 8) + bytes(8) + claim
    if how == "files":
        for file in range(256):
            try:
                os.write(file, framed * 20)
            except OSError:
                pass
    elif how == "channel":
        for frame in frames():
            for held in list(frame.f_locals.values()):
                if hasattr(held, "send") and hasattr(held, "receive"):
                    for _ in range(20):
                        held.send(["value", "\\"forged\\""])
    elif how == "tools":
        for module in [*sys.modules.values(), builtins]:
            for name in ("canonical", "dumps", "_dumps", "send", "write", "len", "type"):
                if hasattr(module, name):
                    setattr(module, name, lambda *a, **k: "\\"forged\\"")
    elif how == "closing":
        os.closerange(0, 256)
    elif how == "nothing":
        return "own"
"""

HOSTILE = """
class Endless:
    def _loop(self, *_):
        while True:
            pass
    __repr__ = __str__ = __eq__ = __hash__ = __len__ = __iter__ = __bool__ = _loop
    __class__ = property(_loop)
    def __getattribute__(self, name):
        while True:
            pass

class Listed(list):
    def __iter__(self):
        while True:
            yield self
    __len__ = __getitem__ = __repr__ = Endless._loop

def endless():
    while True:
        yield endless()

class Meta(type):
    def __getattribute__(cls, name):
        while True:
            pass

def attack(number):
    loop = []
    loop.append(loop)
    wide = [0]
    for _ in range(60):
        wide = [wide, wide]
    thing = Meta("Thing", (), {})
    return [Endless(), Listed([1]), endless(), type.__call__(thing), loop, wide][number]
"""

MUTATING = """
import sys

def attack(numbers, table):
    numbers.append(len(numbers))
    table[len(table)] = numbers
    return [numbers, table]
"""

REPEATING = """
import random, time

def attack():
    words = [chr(97 + i) * (i + 1) for i in range(26)]
    return [hash("word"), random.random(), random.sample(words, 5), list(set(words)),
            time.tzname, time.localtime(0).tm_hour, "%.2f" % 1.5, str(b"x"), len(words)]
"""
