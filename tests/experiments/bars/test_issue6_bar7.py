"""The bar on recorded runs, at a reduced size."""

import shutil
import socket

import pytest

from experiments.bars.issue6_bar7 import KEY, Stand, judge, measure, no_network
from irtjax.clients import Message, Request

needs_jail = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap"
)


@needs_jail
def test_a_small_run_replays():
    found = measure(2)
    assert found["passed"], found["measured"]
    assert found["measured"]["proposals"] > 0


def test_the_verdict():
    good = {
        "exchanges": 9,
        "equal bytes": [True] * 3,
        "recordings unchanged": True,
        "sockets opened": 0,
        "missing recording says": "holds no reply to openai writer-1, 0123456789ab: 'x'",
        "key found": 0,
    }
    assert judge(good)["passed"]
    for worse in (
        {"exchanges": 0},
        {"equal bytes": [True, False, True]},
        {"recordings unchanged": False},
        {"sockets opened": 1},
        {"missing recording says": "no reply"},
        {"key found": 1},
    ):
        assert not judge(good | worse)["passed"]


def test_every_address_is_refused():
    with no_network() as tried, socket.socket() as one:
        with pytest.raises(OSError, match="no network"):
            one.connect(("127.0.0.1", 9))
        assert tried == [("127.0.0.1", 9)]


def test_the_stand_answers_all_models_and_never_a_key():
    for model in ("writer-1", "judge-1"):
        request = Request("openai", model, (Message("user", "Answer:\nabc"),))
        reply = Stand().complete(request)
        assert KEY not in reply.text
        assert ("def operator" in reply.text) == (model == "writer-1")
