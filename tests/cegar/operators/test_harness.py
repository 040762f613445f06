import pytest

from irtjax.cegar import ABSTAIN, FLAG, PASS, Operator, Task
from irtjax.cegar.operators import Harness, run_operators
from irtjax.cegar.operators._call import Call
from irtjax.cegar.sandbox import WorkerError


def _verdicts(harness, case, body, level=2):
    """Return one operator's verdicts on a case, and why it is refused."""
    source = f"def operator(task, code{', ctx' if level else ''}):\n" + body
    found = run_operators([Operator("test", source, level=level)], [case], harness)
    return found.by_case[0][0].tolist(), found.refused.get(0)


@pytest.mark.parametrize(
    "body",
    [
        "    return 'flag'\n",
        "    return 1\n",
        "    return ['FLAG']\n",
        "    pass\n",
        "    raise KeyError('FLAG')\n",
        "    raise SystemExit\n",
        "    return operator(task, code)\n",
    ],
)
def test_whatever_is_no_verdict_is_an_abstention(harness, largest, body):
    assert _verdicts(harness, largest, body, 0) == ([ABSTAIN] * 5, None)


def test_observations_are_those_of_the_programs(harness, largest):
    body = (
        "    seen = [ctx.run(code, arguments) for arguments in ctx.inputs]\n"
        "    shown = [ctx.run(code, arguments).text for arguments in ctx.visible_inputs]\n"
        "    kinds = [one.kind for one in seen]\n"
        "    right = kinds == ['value'] * 3 + ['error'] and shown == ['3']\n"
        "    return 'FLAG' if right and seen[0].text == '3' else 'PASS'\n"
    )
    assert _verdicts(harness, largest, body) == ([FLAG, FLAG, PASS, PASS, PASS], None)


def test_runs_that_nobody_made_before_are_made_on_request(harness, largest):
    body = (
        "    own = [ctx.run(code, ([n, 7, 1],)).text for n in (5, 9)]\n"
        "    changed = code.replace('max', 'min')\n"
        "    less = ctx.run(changed, ctx.visible_inputs[0]).text\n"
        "    return 'FLAG' if own == ['7', '9'] and less == '1' else 'PASS'\n"
    )
    verdicts, refused = _verdicts(harness, largest, body)
    assert (verdicts, refused) == ([FLAG, PASS, PASS, PASS, PASS], None)


def test_traces_tell_which_lines_ran(harness, largest):
    body = (
        "    known = ctx.trace(code, ctx.visible_inputs[0])\n"
        "    asked = ctx.trace(code, ([1, 1],))\n"
        "    return 'FLAG' if known == asked == {2: 1} else 'PASS'\n"
    )
    verdicts, refused = _verdicts(harness, largest, body, 3)
    assert (verdicts, refused) == ([FLAG, FLAG, FLAG, PASS, PASS], None)


@pytest.mark.parametrize(
    ("level", "member", "there"),
    [
        (1, "run", True),
        (1, "peers", False),
        (1, "inputs", False),
        (2, "peers", True),
        (2, "inputs", True),
        (2, "trace", False),
        (3, "trace", True),
    ],
)
def test_a_level_offers_what_it_says_and_no_more(
    harness, largest, level, member, there
):
    body = f"    ctx.{member}\n    return 'PASS'\n"
    expected = PASS if there else ABSTAIN
    assert _verdicts(harness, largest, body, level)[0] == [expected] * 5


def test_an_operator_sees_the_task_and_its_peers_and_no_label(harness, largest):
    body = (
        "    fine = task.prompt.startswith('Return') and task.entry_point == 'largest'\n"
        "    fine = fine and task.checks == ('assert largest([1, 2, 3]) == 3',)\n"
        "    others = 8 == len(ctx.peers) and code.count('max') in (0, 1)\n"
        "    return 'FLAG' if fine and others else 'PASS'\n"
    )
    assert _verdicts(harness, largest, body) == ([FLAG] * 5, None)


def test_what_one_call_changes_the_next_does_not_see(harness, largest):
    body = (
        "    first = ctx.inputs[0][0]\n"
        "    fresh = first == [3, 2, 1]\n"
        "    first.append(9)\n"
        "    changed = ctx.run(code, ctx.inputs[0]).text\n"
        "    return 'FLAG' if fresh and changed == '9' else 'PASS'\n"
    )
    # The third answer returns the last number, the fourth waits for ever.
    assert _verdicts(harness, largest, body)[0] == [FLAG, FLAG, FLAG, PASS, PASS]


def test_observations_are_rationed(harness, largest, monkeypatch):
    monkeypatch.setattr("irtjax.cegar.operators._call.OBSERVATIONS", 3)
    again = "    for n in range(99):\n        ctx.run(code, ctx.inputs[n % {}])\n"
    three, four = (again.format(n) + "    return 'PASS'\n" for n in (3, 4))
    assert _verdicts(harness, largest, three)[0] == [PASS] * 5
    assert _verdicts(harness, largest, four)[0] == [ABSTAIN] * 5
    asked = (
        "    for n in range(9):\n        ctx.run(code, ([1, n],))\n    return 'PASS'\n"
    )
    assert _verdicts(harness, largest, asked)[0] == [ABSTAIN] * 5


@pytest.mark.parametrize(
    "body",
    [
        "    while True:\n        pass\n",
        "    import os\n    os._exit(0)\n",
        "    import os\n    os.kill(os.getppid(), 9)\n    while True:\n        pass\n",
        "    import os\n    os.write(4, b'x' * 99)\n    return 'FLAG'\n",
        "    x = [0]\n    while True:\n        x += x\n",
        "    import os\n    while True:\n        os.fork()\n",
    ],
)
def test_a_hostile_operator_hurts_only_itself(harness, largest, body):
    hostile = Call("def operator(task, code):\n" + body, "operator", 0)
    fine = Call("def operator(task, code):\n    return 'FLAG'\n", "operator", 0)
    views = harness.show([largest], 0)
    ((bad, good),) = harness.ask([hostile, fine], views)
    assert good.values == (1.0,) * 5
    assert bad.values == (None,) * 5


def test_numbers_in_one_process_do_not_share_their_end(harness, largest):
    calls = [
        Call(f"def f(task, code, ctx):\n    {body}\n", "f", 0, True)
        for body in (
            "return 1",
            "while True: pass",
            "return len(code) > 0",
            "return 'a'",
        )
    ]
    ((one, endless, two, text),) = harness.ask(calls, harness.show([largest], 0))
    assert one.values == two.values == (1.0,) * 5
    assert endless.values == text.values == (None,) * 5
    assert endless.wrong == {"timeout": 3}  # and given up


def test_what_was_said_is_kept_by_content(harness, largest):
    class Broken(type(harness.sandbox)):
        def start(self, script, limits):
            raise WorkerError("no jail")

    call = Call("def f(task, code):\n    return 'FLAG'  # kept\n", "f", 0)
    views = harness.show([largest], 0)
    first = harness.ask([call], views)
    quick = harness.operator_limits
    limits = {"program_limits": quick, "operator_limits": quick}
    with Harness(Broken(), harness.cache, **limits) as other:
        assert other.ask([call], views) == first
        changed = Call(call.source + "\n", "f", 0)
        with pytest.raises(WorkerError, match="no jail"):
            other.ask([changed], views)


def test_too_many_inputs_are_refused_with_a_reason(harness, largest):
    inputs = tuple(([n],) for n in range(99))
    task = Task("demo/many", "?", "largest", largest.task.checks, inputs)
    with pytest.raises(ValueError, match="99 perturbed inputs"):
        harness.show([type(largest)(task, largest.candidates)], 2)
    with pytest.raises(ValueError, match="at least 1"):
        Harness(harness.sandbox, workers=0)
