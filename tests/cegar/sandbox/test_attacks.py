"""Programs written to get out, to lie or to stay: what each comes to, and its neighbour.

They run between programs that must not notice. The conformance list is tested in
`test_laws.py`; these were written after the sandbox, by somebody who had read it.
"""

import pytest

from irtjax.cegar.sandbox import Job, Limits, run_programs

LIMITS = Limits(
    cpu_seconds=0.3,
    program_seconds=3.0,
    wall_seconds=3.0,
    memory_bytes=1 << 28,
    text_bytes=10_000,
    failures=1,
)

FRAMES = """
import sys
def held(name):
    frame = sys._getframe(1)
    while frame is not None:
        if name in frame.f_locals:
            return frame.f_locals[name]
        frame = frame.f_back
"""

VALUE, ERROR, TIMEOUT, CRASH = "value", "error", "timeout", "crash"

# Name: the program, and all that its outcome may be (kind, and what its text holds).
ATTACKS = {
    "an answer of wrong shape": (
        FRAMES + "def f(x):\n    held('channel').send({'kind': 'value'})\n",
        [(CRASH, "")],
    ),
    "a kind of its own": (
        FRAMES + "def f(x):\n    held('channel').send([['value'], 'x'])\n",
        [(CRASH, "")],
    ),
    "an answer nested a million deep": (
        FRAMES
        + "import os, struct\ndef f(x):\n    w = held('channel').word\n"
        + "    b = w + b'[' * 9000\n    os.write(4, struct.pack('>I', len(b)) + b)\n",
        [(CRASH, "")],
    ),
    "a header that promises more than it sends": (
        "import os\ndef f(x):\n    os.write(4, b'\\0\\0\\x20\\0')\n    while True: pass\n",
        [(TIMEOUT, "")],
    ),
    "a header of four gigabytes": (
        "import os\ndef f(x):\n    os.write(4, b'\\xff' * 100)\n    while True: pass\n",
        [(CRASH, "")],
    ),
    "larger limits for itself": (
        FRAMES
        + "def f(x):\n    held('limits').update(text_bytes=1 << 40, cpu_seconds=1e9)\n"
        + "    return 'x' * 50_000\n",
        [(CRASH, "")],
    ),
    "resource limits raised": (
        "import resource\ndef f(x):\n"
        "    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))\n",
        [(ERROR, "Error"), (ERROR, "PermissionError"), (ERROR, "ValueError")],
    ),
    "an exception that will not go": (
        "class E(Exception):\n    def __del__(self):\n        while True: pass\n"
        "def f(x):\n    raise E\n",
        [(TIMEOUT, "")],
    ),
    "an exception with a name of a megabyte": (
        "def f(x):\n    raise type('x' * 1_000_000, (Exception,), {})\n",
        [(CRASH, "")],
    ),
    "a group of exceptions that cannot be raised twice": (
        "class E(BaseException):\n    def __init__(self): raise SystemExit(3)\n"
        "def f(x):\n    raise E\n",
        [(ERROR, "SystemExit")],
    ),
    "a wrong pointer": (
        "import ctypes\ndef f(x):\n    ctypes.string_at(1)\n",
        [(CRASH, "")],
    ),
    "an abort": ("import os\ndef f(x):\n    os.abort()\n", [(CRASH, "")]),
    "a stop": (
        "import signal\ndef f(x):\n    signal.raise_signal(signal.SIGSTOP)\n",
        [(ERROR, "PermissionError"), (ERROR, "OSError")],
    ),
    "arithmetic that cannot be interrupted": (
        "def f(x):\n    return 9 ** 9 ** 9\n",
        [(TIMEOUT, ""), (CRASH, "")],
    ),
    "a pattern that cannot be interrupted": (
        "import re\ndef f(x):\n    return re.match('(a*)*b', 'a' * 40)\n",
        [(TIMEOUT, "")],
    ),
    "an integer whose digits are refused": (
        "def f(x):\n    return 10 ** 5000\n",
        [(VALUE, '{"int":"0x')],
    ),
    "no recursion left": (
        "import sys\ndef f(x):\n    sys.setrecursionlimit(60)\n    return [[[[x]]]]\n",
        [(VALUE, "[[[[1]]]]"), (ERROR, "RecursionError")],
    ),
    "other builtins": (
        "import builtins\ndef f(x):\n"
        "    for n in ('len', 'type', 'sorted', 'any', 'next', 'vars', 'BaseException'):\n"
        "        setattr(builtins, n, None)\n    return {x, 2}\n",
        [(VALUE, '{"set":[1,2]}')],
    ),
    "a tracer of the jail's own functions": (
        "import sys\ndef f(x):\n    def t(*a): raise SystemExit\n"
        "    sys.setprofile(t)\n    return x\n",
        [(CRASH, ""), (ERROR, "SystemExit"), (VALUE, "1")],
    ),
    "a list that changes while it is written": (
        "import gc\nclass D:\n    def __del__(self): a.clear()\na = []\n"
        "def f(x):\n    gc.set_threshold(1)\n    a.extend([[D()] for _ in range(99)])\n"
        "    return [a, D(), a]\n",
        [(VALUE, "["), (CRASH, "")],
    ),
    "memory in one piece": (
        "import mmap\ndef f(x):\n    return len(mmap.mmap(-1, 1 << 40))\n",
        [(ERROR, "OSError"), (ERROR, "PermissionError"), (CRASH, "")],
    ),
    "its jailer's memory": (
        "import ctypes, os\ndef f(x):\n"
        "    libc = ctypes.CDLL(None, use_errno=True)\n"
        "    b = ctypes.create_string_buffer(8)\n"
        "    class V(ctypes.Structure):\n"
        "        _fields_ = [('base', ctypes.c_void_p), ('len', ctypes.c_size_t)]\n"
        "    v = V(ctypes.addressof(b), 8)\n"
        "    n = libc.process_vm_readv(os.getppid(), ctypes.byref(v), 1,\n"
        "                              ctypes.byref(v), 1, 0)\n"
        "    return [n, ctypes.get_errno()]\n",
        [(VALUE, "[-1,1]")],
    ),
    "the other kind of system calls": (
        "import ctypes, os\ndef f(x):\n"
        "    libc = ctypes.CDLL(None, use_errno=True)\n"
        "    return [libc.syscall(0x40000000 + 62, os.getppid(), 9), "
        "ctypes.get_errno()]\n",
        [(VALUE, "[-1,1]")],
    ),
    "a filter of its own": (
        "import ctypes\ndef f(x):\n    return ctypes.CDLL(None).prctl(22, 1, 0, 0, 0)\n",
        [(VALUE, "-1")],
    ),
    "files of processes": (
        "import os\ndef f(x):\n    return [os.path.exists('/proc'), os.listdir('/dev'),\n"
        "            sorted(set(os.listdir('/')) - {'root', 'home', 'opt', 'nix'})]\n",
        [(VALUE, '[false,["null"],[')],
    ),
    "all of the standard input": (
        "import sys\ndef f(x):\n    return sys.stdin.read() + open(0).read()\n",
        [(VALUE, '""')],
    ),
    "an end put off": (
        "import atexit, time\ndef f(x):\n    atexit.register(time.sleep, 1000)\n"
        "    raise SystemExit(0)\n",
        [(ERROR, "SystemExit")],
    ),
    "a result that is thrown away late": (
        "class D:\n    def __del__(self):\n        while True: pass\n"
        "def f(x):\n    return D()\n",
        [(VALUE, '{"object":"D"}')],
    ),
    "a module of the jail": (
        "import jail\ndef f(x):\n    return x\n",
        [(ERROR, "ModuleNotFoundError")],
    ),
    "everything that it can import": (
        "import os, sys\ndef f(x):\n    tried = sys.stdlib_module_names\n"
        "    kept = {'antigravity', 'this', 'idlelib', 'turtle', 'turtledemo', 'tkinter'}\n"
        "    for name in sorted(tried - kept)[:60]:\n        try:\n"
        "            __import__(name)\n        except BaseException:\n            pass\n"
        "    return 1\n",
        [(VALUE, "1"), (TIMEOUT, "")],
    ),
}


@pytest.fixture(scope="module")
def outcomes(jail):
    jobs = []
    for code, _ in ATTACKS.values():
        jobs += [
            Job(code, "f", ((1,),), LIMITS),
            Job(f"{code}\n#", "f", ((1,),), LIMITS),
        ]
    neighbours = [
        Job(f"def f(x):\n    return [x, {n}]", "f", ((1,),)) for n in range(len(jobs))
    ]
    mixed = [job for pair in zip(jobs, neighbours, strict=True) for job in pair]
    found = run_programs(jail, mixed, workers=2)
    assert [o[0].text for o in found[1::2]] == [f"[1,{n}]" for n in range(len(jobs))]
    return dict(zip(ATTACKS, zip(found[::4], found[2::4], strict=True), strict=True))


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_comes_to_nothing(outcomes, name):
    (first,), (second,) = outcomes[name]
    assert any(
        first.kind == kind and first.text.startswith(text)
        for kind, text in ATTACKS[name][1]
    ), first
    assert first == second
