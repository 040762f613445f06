"""The live clients speak to a server on this machine, and the key stays out of it all."""

import pytest

from irtjax.clients import (
    AnthropicClient,
    ClientError,
    Message,
    OpenAIClient,
    Reply,
    Request,
    Usage,
    transcribed,
)

from ._server import serving

KEY = "sk-test-0123456789"
CLIENTS = {
    "openai": (OpenAIClient, "/v1", "OPENAI_API_KEY"),
    "anthropic": (AnthropicClient, "", "ANTHROPIC_API_KEY"),
}


@pytest.fixture(params=sorted(CLIENTS))
def provider(request, monkeypatch):
    """Each provider whose package is installed, with a key in the environment."""
    pytest.importorskip(request.param, reason="needs the extra `clients`")
    for _, _, variable in CLIENTS.values():
        monkeypatch.setenv(variable, KEY)
    return request.param


def client(name, server, **changes):
    kind, path, _ = CLIENTS[name]
    return kind(base_url=server.url + path, timeout=5.0, retries=0, **changes)


def asked(provider, said="hello"):
    messages = (Message("system", "be brief"), Message("user", said))
    return Request(provider, "tiny", messages, {"temperature": 0.0, "max_tokens": 20})


def test_a_request_is_sent_whole_and_its_reply_read(provider):
    with serving() as server:
        reply = client(provider, server).complete(asked(provider))
    stop = {"openai": "stop", "anthropic": "end_turn"}[provider]
    assert reply == Reply("reply 1 to hello", "tiny-1", Usage(7, 3), stop)
    ((path, body, headers),) = server.asked
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("tiny", 0.0, 20)
    if provider == "openai":
        assert path == "/v1/chat/completions"
        assert body["messages"][0] == {"role": "system", "content": "be brief"}
        assert headers["authorization"] == f"Bearer {KEY}"
    else:
        assert path == "/v1/messages"
        assert body["system"] == "be brief"
        assert [message["role"] for message in body["messages"]] == ["user"]
        assert headers["authorization"] == f"Bearer {KEY}"


def test_a_recorded_run_replays_with_no_server_byte_for_byte(provider, tmp_path):
    path = tmp_path / "transcript.jsonl"
    said = ["one", "two", "one"]
    with serving() as server:
        recording = transcribed(path, client(provider, server), mode="record")
        recorded = [recording.complete(asked(provider, each)) for each in said]
        assert len(server.asked) == 3
    content = path.read_bytes()
    replay = transcribed(path)
    assert [replay.complete(asked(provider, each)) for each in said] == recorded
    assert path.read_bytes() == content
    assert KEY.encode() not in content


def test_the_key_is_in_no_message(provider):
    with serving() as server:
        server.fail = True  # its message repeats the headers, key and all
        with pytest.raises(ClientError) as caught:
            client(provider, server).complete(asked(provider))
    assert "refused" in str(caught.value)
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert KEY not in repr(client(provider, server))


def test_a_reply_that_repeats_the_key_is_cleaned(provider):
    with serving(lambda number, said, headers: f"your key is {KEY}") as server:
        reply = client(provider, server).complete(asked(provider))
    assert reply.text == "your key is [key]"


def test_a_request_that_holds_the_key_is_not_sent(provider, tmp_path):
    with serving() as server:
        path = tmp_path / "t.jsonl"
        recording = transcribed(path, client(provider, server), mode="record")
        with pytest.raises(ClientError, match="holds the key itself") as caught:
            recording.complete(asked(provider, f"use {KEY}"))
    assert server.asked == []
    assert not path.exists()
    assert KEY not in str(caught.value)


def test_without_a_key_the_variable_is_named(provider, monkeypatch):
    variable = CLIENTS[provider][2]
    monkeypatch.delenv(variable)
    with pytest.raises(ClientError, match=f"{variable} holds no key"):
        CLIENTS[provider][0]().complete(asked(provider))


def test_a_server_that_is_not_there_is_a_client_error(provider):
    with serving() as server:
        pass
    with pytest.raises(ClientError, match="No reply to"):
        client(provider, server).complete(asked(provider))


def test_another_providers_request_is_refused(provider):
    (other,) = set(CLIENTS) - {provider}
    with pytest.raises(ClientError, match=f"the request is to '{other}'"):
        CLIENTS[provider][0]().complete(asked(other))


def test_a_local_server_of_another_name_keeps_its_recordings_apart(monkeypatch):
    pytest.importorskip("openai", reason="needs the extra `clients`")
    monkeypatch.setenv("LOCAL_KEY", KEY)
    with serving() as server:
        mine = client("openai", server, provider="mine", key_variable="LOCAL_KEY")
        reply = mine.complete(asked("mine"))
    assert reply.text == "reply 1 to hello"
    assert asked("mine").key() != asked("openai").key()


@pytest.mark.parametrize("name", sorted(CLIENTS))
def test_a_missing_package_is_named(name, monkeypatch):
    kind, _, variable = CLIENTS[name]
    monkeypatch.setenv(variable, KEY)
    monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(ClientError, match=r"pip install 'irtjax\[clients\]'"):
        kind().complete(asked(name))
