"""Language models as judges: what they are asked, what is read, and how they compose."""

import numpy as np
import pytest

from irtjax.cegar import (
    ABSTAIN,
    FLAG,
    PASS,
    Candidate,
    Case,
    Check,
    Label,
    Task,
    evaluate,
    gain,
    make_panel,
    verdict_table,
)
from irtjax.cegar.judges import (
    WORDINGS,
    Judge,
    Wording,
    judge_panel,
    judges,
    read_verdict,
)
from irtjax.clients import (
    AbstractTextClient,
    Budget,
    MissingRecordingError,
    Record,
    Replay,
    Reply,
    TranscriptStore,
)

CHECK = Check("assert add(1, 2) == 3", (1, 2))
CASES = [
    Case(
        Task(f"t{n}", f"Add two numbers, please ({n}).", "add", (CHECK,)),
        (
            Candidate("def add(a, b):\n    return a + b\n", 2),
            Candidate("def add(a, b):\n    return 3\n", 3),
        ),
    )
    for n in range(6)
]
LABELS = [[Label(True, True), Label(True, False)]] * len(CASES)
BASELINE = judges("p", ["m-1", "m-2"], parameters={"temperature": 0.0})


class Reader(AbstractTextClient):
    """Knows a constant when it sees one; the second model never commits itself."""

    asked: list

    def complete(self, request):
        self.asked.append(request)
        if request.model == "m-2":
            return Reply("Hard to say.", request.model)
        wrong = "return 3" in request.messages[-1].content
        return Reply(f"Let me see.\n{'FLAG' if wrong else 'PASS'}", request.model)


def test_the_baseline_is_two_models_by_two_wordings():
    assert len(BASELINE) == 4
    assert len({judge.name for judge in BASELINE}) == 4
    assert {judge.wording.name for judge in BASELINE} == set(WORDINGS)
    assert all("FLAG" in wording.system for wording in WORDINGS.values())
    with pytest.raises(ValueError, match="`wordings` must be"):
        judges("p", ["m"], ["rudely"])


def test_it_is_shown_the_task_its_examples_and_the_answer_alone():
    judge = Judge("p", "m", Wording("short", "Judge."))
    request = judge.request(CASES[0].task, "def add(a, b): ...")
    said = request.messages[-1].content
    for expected in ("Add two numbers", CHECK.text, "def add(a, b): ..."):
        assert expected in said
    assert (
        "Examples" not in judge.request(Task("q", "Why?"), "So.").messages[-1].content
    )


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("FLAG", FLAG),
        ("It returns 3.\n\n**FLAG**\n", FLAG),
        ("Verdict: PASS.", PASS),
        ("FLAG\nno, rather\nPASS", PASS),
        ("ABSTAIN", ABSTAIN),
        ("I would FLAG this", ABSTAIN),
        ("", ABSTAIN),
    ],
)
def test_the_last_line_is_the_verdict(reply, verdict):
    assert read_verdict(reply) == verdict


def test_verdicts_replay_and_compose_with_a_pools(tmp_path):
    path = tmp_path / "t.jsonl"
    live = Reader([])
    first = judge_panel(BASELINE, CASES, Record(TranscriptStore(path), live, Budget()))
    again = judge_panel(BASELINE, CASES, Replay(TranscriptStore(path)))
    np.testing.assert_array_equal(first, again)
    assert len(live.asked) == 4 * 12
    assert first.dtype == np.int8
    np.testing.assert_array_equal(first[2:], ABSTAIN)
    panel = make_panel(CASES, LABELS)
    np.testing.assert_array_equal(first[0] == FLAG, ~panel.right)
    pool = np.where(panel.right, PASS, FLAG).astype(np.int8)[None]
    together = np.concatenate([pool, first])
    assert gain(panel, together == FLAG).accuracy == 1.0
    assert evaluate(panel, first[:1], draws=20).exact.p_value < 0.01
    table = verdict_table(panel, together, ["pool", *(j.name for j in BASELINE)])
    assert float(table.responses.trials.sum()) == 3 * 12
    with pytest.raises(MissingRecordingError, match="p m-3"):
        judge_panel(judges("p", ["m-3"]), CASES, Replay(TranscriptStore(path)))


def test_no_answers_are_no_columns():
    assert judge_panel(BASELINE, [], Reader([])).shape == (4, 0)
