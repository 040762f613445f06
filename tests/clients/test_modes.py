"""Replay asks nothing, record asks what is missing, live asks everything."""

import pytest

from irtjax.clients import (
    MODES,
    AbstractTextClient,
    Budget,
    BudgetSpentError,
    ClientError,
    Live,
    Message,
    MissingRecordingError,
    Record,
    Replay,
    Reply,
    Request,
    Usage,
    transcribed,
)


class Counting(AbstractTextClient):
    """Answers with the number of the request; `asked` holds them."""

    asked: list

    def complete(self, request):
        self.asked.append(request)
        return Reply(f"reply {len(self.asked)}", "m", Usage(2, 3))


def request(said):
    return Request("openai", "tiny", (Message("user", said),), {})


def talk(client):
    return [client.complete(request(said)).text for said in ("a", "b", "a")]


def test_a_recorded_run_replays_and_asks_nothing(tmp_path):
    path, live = tmp_path / "t.jsonl", Counting([])
    assert talk(transcribed(path, live, mode="record")) == [
        "reply 1",
        "reply 2",
        "reply 3",
    ]
    content = path.read_bytes()
    assert talk(transcribed(path)) == ["reply 1", "reply 2", "reply 3"]
    assert talk(transcribed(path, live, mode="record")) == [
        "reply 1",
        "reply 2",
        "reply 3",
    ]
    assert len(live.asked) == 3
    assert path.read_bytes() == content


def test_a_stopped_recording_goes_on(tmp_path):
    path, live = tmp_path / "t.jsonl", Counting([])
    with pytest.raises(BudgetSpentError, match="budget of 2 calls is spent"):
        talk(transcribed(path, live, mode="record", budget=Budget(calls=2)))
    assert talk(transcribed(path, live, mode="record")) == [
        "reply 1",
        "reply 2",
        "reply 3",
    ]
    assert [one.messages[0].content for one in live.asked] == ["a", "b", "a"]


def test_a_missing_recording_says_which(tmp_path):
    path, live = tmp_path / "t.jsonl", Counting([])
    client = transcribed(path, live, mode="record")
    client.complete(request("a"))
    replay = transcribed(path)
    with pytest.raises(MissingRecordingError) as caught:
        replay.complete(request("something quite   else " + "z" * 100))
    assert "t.jsonl holds no reply to openai tiny, " in str(caught.value)
    assert "'something quite else zzz" in str(caught.value)
    assert request("something quite   else " + "z" * 100).key()[:12] in str(
        caught.value
    )
    replay.complete(request("a"))
    with pytest.raises(MissingRecordingError, match="asked 2 times"):
        replay.complete(request("a"))


def test_live_keeps_nothing(tmp_path):
    path, live = tmp_path / "t.jsonl", Counting([])
    assert talk(transcribed(path, live, mode="live")) == [
        "reply 1",
        "reply 2",
        "reply 3",
    ]
    assert not path.exists()


def test_tokens_are_counted():
    budget = Budget(tokens=9)
    client = Live(Counting([]), budget)
    client.complete(request("a"))
    client.complete(request("b"))
    assert (budget.spent_calls, budget.spent_tokens) == (2, 10)
    with pytest.raises(
        BudgetSpentError, match="budget of 9 tokens is spent; not asked"
    ):
        client.complete(request("c"))


def test_modes_are_checked(tmp_path):
    assert MODES[0] == "replay"
    with pytest.raises(ValueError, match="one of replay, record, live, got 'relay'"):
        transcribed(tmp_path / "t", mode="relay")
    with pytest.raises(ValueError, match="mode=record asks a model"):
        transcribed(tmp_path / "t", mode="record")
    kinds = [
        type(transcribed(tmp_path / "t", Counting([]), mode=mode)) for mode in MODES
    ]
    assert kinds == [Replay, Record, Live]


def test_a_budget_that_is_spent_is_a_client_error():
    assert issubclass(BudgetSpentError, ClientError)
