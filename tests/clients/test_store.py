"""Recordings are found again, survive a kill, and are shared by processes."""

import json
import subprocess
import sys

import pytest

from irtjax.clients import ClientError, Message, Reply, Request, TranscriptStore, Usage


def request(said="hello", **parameters):
    return Request("openai", "tiny", (Message("user", said),), parameters)


def test_the_key_does_not_hang_on_the_order_of_parameters():
    one, other = (
        request(temperature=0.0, top_p=1.0),
        request(top_p=1.0, temperature=0.0),
    )
    assert one.key() == other.key()
    assert one.canonical() == (
        '{"messages":[{"content":"hello","role":"user"}],"model":"tiny",'
        '"parameters":{"temperature":0.0,"top_p":1.0},"provider":"openai"}'
    )
    # What `sha256sum` says of that text.
    assert one.key() == (
        "80a2707bbff3d0d8c6dd1d6a201aac72296c285acbec6c85710651ffdc7e2681"
    )


@pytest.mark.parametrize(
    "other",
    [
        Request("anthropic", "tiny", (Message("user", "hello"),), {}),
        Request("openai", "small", (Message("user", "hello"),), {}),
        Request("openai", "tiny", (Message("system", "hello"),), {}),
        Request("openai", "tiny", (Message("user", "hello "),), {}),
        Request("openai", "tiny", (Message("user", "hello"),), {"temperature": 0}),
    ],
)
def test_whatever_a_reply_depends_on_is_in_the_key(other):
    assert other.key() != request().key()


def test_what_json_cannot_hold_is_refused():
    with pytest.raises(ValueError, match="cannot be written as JSON"):
        request(temperature=float("nan"))
    with pytest.raises(ValueError, match="cannot be written as JSON"):
        request(stop={"a"})
    with pytest.raises(ValueError, match="at least one message"):
        Request("openai", "tiny", (), {})


def test_recordings_are_found_by_request_and_occurrence(tmp_path):
    path = tmp_path / "deep" / "transcript.jsonl"
    store = TranscriptStore(path)
    first, second = Reply("a", "tiny-1", Usage(3, 4), "stop"), Reply("ü\n", "tiny-1")
    for reply in (first, second):
        store.add(request(), store.take(request()), reply)
    again = TranscriptStore(path)
    assert len(again) == 2
    assert [again.take(request()) for _ in range(3)] == [0, 1, 2]
    assert [again.find(request(), k) for k in range(3)] == [first, second, None]
    assert again.find(request("other"), 0) is None
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines[0]["key"] == request().key()
    assert lines[0]["request"] == request().plain()
    assert [line["occurrence"] for line in lines] == [0, 1]


def test_a_torn_last_line_is_taken_away(tmp_path):
    path = tmp_path / "transcript.jsonl"
    store = TranscriptStore(path)
    store.add(request(), 0, Reply("a", "m"))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: len(whole) // 2])
    torn = TranscriptStore(path)
    assert len(torn) == 1
    torn.add(request("next"), 0, Reply("b", "m"))
    assert path.read_bytes().startswith(whole)
    assert len(path.read_bytes().splitlines()) == 2
    assert len(TranscriptStore(path)) == 2


def test_a_file_of_nothing_but_a_torn_line_starts_anew(tmp_path):
    path = tmp_path / "transcript.jsonl"
    path.write_bytes(b'{"key": "' + b"a" * 200_000)
    store = TranscriptStore(path)
    assert len(store) == 0
    store.add(request(), 0, Reply("a", "m"))
    assert len(TranscriptStore(path)) == 1


def test_a_damaged_line_is_named(tmp_path):
    path = tmp_path / "transcript.jsonl"
    TranscriptStore(path).add(request(), 0, Reply("a", "m"))
    path.write_bytes(path.read_bytes() + b'{"key": 3}\n')
    with pytest.raises(ClientError, match=r"transcript.jsonl, line 2: .*no recorded"):
        TranscriptStore(path)


WRITER = """
import sys
from irtjax.clients import Message, Reply, Request, TranscriptStore
store = TranscriptStore(sys.argv[1])
for k in range(40):
    made = Request("openai", "tiny", (Message("user", f"{sys.argv[2]} {k}"),), {})
    store.add(made, 0, Reply("x" * 5000, "m"))
"""


def test_processes_may_write_into_one_file(root, tmp_path):
    path = tmp_path / "transcript.jsonl"
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, path, name], cwd=root)
        for name in ("one", "two")
    ]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert len(TranscriptStore(path)) == 80
