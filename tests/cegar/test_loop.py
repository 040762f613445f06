"""The loop: targets, escalation, screens, gate, in the order they are meant."""

import numpy as np
import pytest

from irtjax.cegar import (
    AbstractGenerator,
    LoopSettings,
    MaximumGate,
    Operator,
    OperatorError,
    Proposal,
    Refusal,
    Request,
    Round,
    Run,
    SelectionGate,
    evolve,
    gain,
)
from irtjax.cegar.generators import ScriptedGenerator

from .panels import TableBench, random_panel

PANEL = random_panel(0, tasks=30)
NOTHING = np.zeros((0, len(PANEL.task)), np.int8)


def written(name, condition, level=1):
    ctx = ", ctx" if level else ""
    source = f"def operator(task, code{ctx}):\n    return {condition}\n"
    return Operator(name, source, level=level)


def flagging(name, column, level=1):
    return written(name, f"'FLAG' if ctx['{column}'] > 0 else 'PASS'", level)


def noise(number):
    operator = flagging(f"n{number}", "noise")
    return Operator(operator.name, f"# {number}\n{operator.source}", level=1)


def bench(**more):
    rng = np.random.default_rng(0)
    seen = (~PANEL.right) & (rng.random(len(PANEL.task)) < 0.8)
    values = {
        "half": (seen & (PANEL.task % 2 == 0)) * 1.0,
        "rest": (seen & (PANEL.task % 2 == 1)) * 1.0,
        "noise": (rng.random(len(PANEL.task)) < 0.3) * 1.0,
        "truth": PANEL.right * 1.0,
    }
    return TableBench(values, **more)


def test_a_pool_grows_and_every_step_is_kept():
    operators = [
        flagging("bad", "truth"),
        flagging("half", "half"),
        flagging("rest", "rest"),
        written("silent", "'PASS'"),
    ]
    seen = []
    run = evolve(
        PANEL, NOTHING, ScriptedGenerator(operators), SelectionGate(), bench(),
        LoopSettings(rounds=12), progress=seen.append,
    )  # fmt: skip
    assert isinstance(run, Run)
    assert [operator.name for operator in run.pool][:1] == ["half"]
    assert run.rounds == seen
    assert isinstance(seen[0], Round)
    assert "gains -" in next(iter(run.archive)).reason
    blind = [entry.blind_samples for entry in run.rounds]
    assert blind == sorted(blind, reverse=True)
    assert blind[-1] < blind[0]
    flags = np.array([verdicts == 1 for verdicts in run.verdicts])
    assert gain(PANEL, flags[:1]).delta > 0


def test_the_interface_widens_after_failures_and_then_gives_up():
    run = evolve(
        PANEL, NOTHING, ScriptedGenerator([noise(n) for n in range(12)]),
        MaximumGate(0.01, 199), bench(), LoopSettings(patience=3, last_level=3),
    )  # fmt: skip
    assert run.pool == []
    assert [entry.level for entry in run.rounds] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert len({entry.target for entry in run.rounds}) == 1
    reasons = [kept.reason for kept in run.archive]
    assert all("same answers as" in reason for reason in reasons[1:])


def test_a_wider_operator_waits_for_its_level():
    operators = [flagging("half", "half", level=3)]
    run = evolve(
        PANEL, NOTHING, ScriptedGenerator(operators), SelectionGate(), bench(),
        LoopSettings(rounds=3),
    )  # fmt: skip
    assert [entry.proposed for entry in run.rounds] == [0, 0, 1]
    assert [operator.name for operator in run.pool] == ["half"]
    narrow = LoopSettings(first_level=1, last_level=1)
    run = evolve(PANEL, NOTHING, Asked(operators[0]), SelectionGate(), bench(), narrow)
    assert run.pool == []
    assert "asks for level 3, offered 1" in next(iter(run.archive)).reason


class Asked(AbstractGenerator):
    """Proposes one operator, whatever is asked, and keeps what it was asked."""

    operator: Operator
    requests: list

    def __init__(self, operator):
        self.operator = operator
        self.requests = []

    def propose(self, request):
        self.requests.append(request)
        if any(refusal.operator == self.operator for refusal in request.refused):
            return []
        return [Proposal(self.operator, np.zeros((0, len(PANEL.task)), bool))]


def test_refusals_come_back_with_their_reason():
    generator = Asked(flagging("half", "half"))
    evolve(
        PANEL, NOTHING, generator, SelectionGate(), bench(dishonest=("half",)),
        LoopSettings(last_level=1, shown=2),
    )  # fmt: skip
    first, second = generator.requests
    assert isinstance(second, Request)
    assert first.refused == ()
    assert second.refused == (Refusal(generator.operator, "cheats"),)
    assert len(first.right) == len(first.wrong) == 2
    assert first.pool.shape == (0, len(PANEL.task))


def test_an_operator_that_cannot_be_used_is_a_refusal():
    class Broken(TableBench):
        def verdicts(self, operator):
            raise OperatorError("its verdicts change between two runs")

    run = evolve(
        PANEL, NOTHING, Asked(flagging("x", "half")), SelectionGate(),
        Broken(bench().values), LoopSettings(last_level=1),
    )  # fmt: skip
    (kept,) = run.archive
    assert not kept.admitted
    assert kept.reason == "its verdicts change between two runs"


def test_free_prompting_asks_about_everything():
    generator = Asked(flagging("half", "half"))
    first = bench().values["rest"].astype(np.int8)[None]
    settings = LoopSettings(rounds=1, targets=False)
    evolve(PANEL, first, generator, SelectionGate(), bench(), settings)
    assert len(generator.requests[0].spot) == len(PANEL.task)


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="levels go from 0 to 3, got 2 to 1"):
        LoopSettings(first_level=2, last_level=1)
    with pytest.raises(ValueError, match="at least 1"):
        LoopSettings(patience=0)
