"""Tasks in EvalPlus's formats, small and made here."""

import gzip
import json

MBPP = {
    "task_id": "Mbpp/9001",
    "prompt": '"""\nWrite a function that joins two tuples, larger first.\n'
    'assert join((1,), (2, 3)) == (2, 3, 1)\n"""\n',
    "entry_point": "join",
    "canonical_solution": "\ndef join(a, b):\n    return max(a, b) + min(a, b)\n",
    "base_input": [[[1], [2, 3]], [[4], [0]]],
    "plus_input": "[[[], []], [[1, 2], [1, 3]]]",
    "atol": 0,
    "contract": "\n  assert isinstance(a, tuple)\n",
    "assertion": "\nassert join((1,), (2, 3)) == (2, 3, 1)\nassert join((4,), (0,)) == (4, 0)\n",
}

HUMANEVAL = {
    "task_id": "HumanEval/9001",
    "prompt": "def half(x: float) -> float:\n"
    '    """Half of a number.\n    >>> half(3)\n    1.5\n    half(1) => 0.4\n    """\n',
    "entry_point": "half",
    "canonical_solution": "    return x / 2\n",
    "test": "def check(candidate):\n    assert candidate(3) == 1.5\n",
    "contract": "",
    "base_input": [[3], [0]],
    "plus_input": [[-7.3], [0.1]],
    "atol": 0,
}

PROGRAMS = {
    "Mbpp/9001": [
        "def join(a, b):\n    return max(a, b) + min(a, b)\n",
        "def join(a, b):\n    return b + a\n",
        "def join(a, b):\n    return max(a, b) + min(a, b) if a and b else None\n",
        "def join(a, b):\n    return a + b\n",
        "def join(a, b):\n    while True: pass\n",
        "def join(a, b:\n",
    ],
    "HumanEval/9001": [
        "def half(x):\n    return x / 2\n",
        "def half(x):\n    return x * 0.5000000001\n",
        "def half(x):\n    return abs(x) / 2\n",
        "def half(x):\n    return 1.5\n",
    ],
}

# For each program whether it meets the visible checks, is right on base and on plus.
EXPECTED = {
    "Mbpp/9001": [
        (True, True, True),
        (True, False, None),
        (True, True, False),
        (False, None, None),
        (False, None, None),
        (False, None, None),
    ],
    "HumanEval/9001": [
        (True, True, True),
        (False, None, None),
        (True, True, False),
        (True, False, None),
    ],
}


def lines(path, rows):
    """Write rows as JSON lines, packed where the name ends in .gz."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)
    return path
