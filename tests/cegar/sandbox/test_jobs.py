"""Programs run in a jail: what they show, whatever they do."""

from irtjax.cegar import Observation
from irtjax.cegar.sandbox import Bubblewrap, Job, Limits, run_programs

TIGHT = Limits(cpu_seconds=0.2, wall_seconds=5.0, memory_bytes=1 << 28)


def _run(code, *inputs, **more):
    job = Job(code, "f", inputs or ((1,),), TIGHT, **more)
    return run_programs(Bubblewrap(), [job], workers=1)[0]


def test_values_errors_and_timeouts_in_one_program():
    code = "def f(x):\n    if x == 'loop':\n        while True: pass\n    return [x, 1 / x]\n"
    assert _run(code, (2,), ("loop",), (0,), ("a",), (4,)) == [
        Observation("value", "[2,0.5]"),
        Observation("timeout"),
        Observation("error", "ZeroDivisionError"),
        Observation("error", "TypeError"),
        Observation("value", "[4,0.25]"),
    ]
