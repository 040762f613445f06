"""A language model as a generator: what it is asked, and what is read from its reply."""

import numpy as np
import pytest

from irtjax.cegar import (
    Candidate,
    Case,
    Label,
    Operator,
    Refusal,
    Request,
    Task,
    make_panel,
)
from irtjax.cegar.generators import LanguageModelGenerator, read_operator
from irtjax.clients import (
    AbstractTextClient,
    Budget,
    MissingRecordingError,
    Record,
    Replay,
    Reply,
    TranscriptStore,
)

REPLY = """Here it is:
```python
# answers without a digit
def operator(task, code, ctx):
    return "PASS" if any(c.isdigit() for c in code) else "FLAG"
```
"""

CASES = [Case(Task("a", "What is 1 + 1?"), (Candidate("2", 3), Candidate("too many")))]
PANEL = make_panel(CASES, [[Label(True, True), Label(True, False)]])
OLD = Operator("old", "def operator(task, code):\n    return 'PASS'\n")


class Fixed(AbstractTextClient):
    """Answers every request alike and keeps what it was asked."""

    text: str
    asked: list

    def complete(self, request):
        self.asked.append(request)
        return Reply(self.text, "m")


def request(refused=()):
    pool = np.zeros((0, 2), bool)
    spot = np.arange(2)
    return Request(PANEL, spot, spot[:1], spot[1:], 2, pool, refused, 0)


def generator(client):
    return LanguageModelGenerator(CASES, client, provider="p", model="m", longest=50)


def test_it_is_shown_both_kinds_and_the_refusals():
    client = Fixed(REPLY, [])
    (proposal,) = generator(client).propose(request((Refusal(OLD, "flags no answer"),)))
    assert proposal.operator.defect == "answers without a digit"
    assert proposal.operator.level == 2
    assert proposal.considered.shape == (0, 2)
    said = client.asked[0].messages[-1].content
    for expected in ("RIGHT", "WRONG", "What is 1 + 1?", "too many", "flags no answer",
                     "ctx.peers", OLD.source):  # fmt: skip
        assert expected in said
    assert "ctx.trace" not in said


def test_a_recorded_run_replays_without_a_model(tmp_path):
    store = TranscriptStore(tmp_path / "t.jsonl")
    first = generator(Record(store, Fixed(REPLY, []), Budget())).propose(request())
    again = generator(Replay(TranscriptStore(tmp_path / "t.jsonl"))).propose(request())
    assert again[0].operator == first[0].operator
    with pytest.raises(MissingRecordingError, match="p m"):
        generator(Replay(TranscriptStore(tmp_path / "t.jsonl"))).propose(
            request((Refusal(OLD, "x"),))
        )


@pytest.mark.parametrize(
    "reply", ["no code", "```python\nx = (\n```", "def other(): 1", ""]
)
def test_what_is_no_operator_is_no_proposal(reply):
    assert read_operator(reply, 2) is None
    (proposal,) = generator(Fixed(reply, [])).propose(request())
    assert (proposal.operator.name, proposal.operator.source) == ("unreadable", reply)


def test_two_arguments_mean_level_0():
    found = read_operator("def operator(task, code):\n    return 'PASS'\n", 2)
    assert found is not None
    assert (found.level, found.name) == (0, "unnamed")
