"""Written questions enter the belief, answers teach it, and recordings replay the hunt."""

import dataclasses
import json

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.active import LowRankBelief, PriorMean, SourceErrors
from irtjax.active.encoders import TunedFeatures
from irtjax.active.generation import (
    AbstractGenerator,
    AbstractScorer,
    AbstractTextFeatures,
    Brief,
    Featured,
    HashedFeatures,
    Hunt,
    LanguageModelGenerator,
    LanguageModelScorer,
    Question,
    Written,
    hunt,
    open_belief,
    placed,
)
from irtjax.clients import AbstractTextClient, Reply, transcribed


class Lengths(AbstractTextFeatures):
    """One direction: longer texts are harder; the words "a" and "b" are two others."""

    def __call__(self, texts):
        length = jnp.array([len(text) / 20 for text in texts])
        kind = jnp.array(
            [[text.startswith("a"), text.startswith("b")] for text in texts]
        )
        return Featured(
            jnp.clip(length, 0.0, 1.0),
            jnp.where(kind, 0.4, 0.0),
            jnp.full(len(texts), 0.05),
        )


class Numbered(AbstractGenerator):
    """Writes the topic and the brief's seed; every third brief comes to nothing."""

    heard: list

    def __call__(self, brief):
        self.heard.append(brief)
        if len(self.heard) % 3 == 0:
            return None
        return Question(f"{brief.topic}{len(self.heard) % 7}", "1", brief.topic)


class FailsA(AbstractScorer):
    """Fails whatever starts with "a"."""

    def __call__(self, questions):
        return np.array([float(each.text.startswith("a")) for each in questions])


POOL = tuple(Question(f"{topic}-{k}", "1", topic) for k in range(3) for topic in "abc")


def test_the_belief_has_room_and_what_is_placed_knows_what_was_learned():
    features = Lengths()
    pool = ["a-1", "b-1", "a-2"]
    belief = open_belief(features(pool), 2)
    assert isinstance(belief, LowRankBelief)
    np.testing.assert_allclose(belief.mean(), [0.15, 0.15, 0.15, 0, 0])
    np.testing.assert_allclose(belief.variance()[3:], 0)
    told = belief.update(jnp.asarray(0), jnp.asarray(1.0), jnp.asarray(0.0))
    new = features(["a-3", "b-3"])
    first = placed(told, jnp.asarray(3), Featured(*(part[:1] for part in new)))
    both = placed(first, jnp.asarray(4), Featured(*(part[1:] for part in new)))
    # As if the two had been there from the start.
    whole = open_belief(features([*pool, "a-3", "b-3"]), 0)
    whole = whole.update(jnp.asarray(0), jnp.asarray(1.0), jnp.asarray(0.0))
    np.testing.assert_allclose(both.mean(), whole.mean(), atol=1e-12)
    np.testing.assert_allclose(both.variance(), whole.variance(), atol=1e-12)
    assert both.mean()[3] > 0.5 > both.mean()[4]


def found(**changes):
    heard = []
    settings = {"rounds": 30, "seed": 1} | changes
    return hunt(POOL, Lengths(), Numbered(heard), FailsA(), **settings), heard


def test_every_round_is_accounted_for():
    result, heard = found()
    assert isinstance(result, Hunt)
    assert len(heard) == 30
    assert result.unusable == 10
    assert len(result.written) + result.unusable + result.repeated == 30
    assert result.repeated > 0
    texts = [one.question.text for one in result.written]
    assert len(set(texts)) == len(texts)
    assert not set(texts) & {each.text for each in POOL}
    assert int(jnp.sum(result.bandit.tries)) == 30


def test_written_questions_enter_the_belief_and_become_anchors():
    result, heard = found()
    mean = result.belief.mean()
    for k, one in enumerate(result.written):
        assert isinstance(one, Written)
        assert mean[len(POOL) + k] == pytest.approx(one.error)
    own = {one.question.text for one in result.written}
    assert any(anchor.text in own for brief in heard for anchor in brief.anchors)
    # What is learned of the first tells of the later ones.
    of_a = [one.expected for one in result.written if one.question.text[0] == "a"]
    assert of_a[-1] > 0.9 > of_a[0]


def test_the_bandit_goes_where_failures_are():
    result, heard = found()
    topics = [brief.topic for brief in heard]
    assert set(topics[:3]) == {"a", "b", "c"}
    assert topics.count("a") > topics.count("b")
    assert all(
        anchor.topic == brief.topic for brief in heard for anchor in brief.anchors
    )
    assert result.failures() == sum(one.error for one in result.written)


def test_items_of_the_pool_may_be_asked_first():
    result, heard = found(start=9, rounds=2)
    np.testing.assert_allclose(
        result.belief.mean()[:9], [float(each.text[0] == "a") for each in POOL]
    )
    assert heard[0].topic == "a"
    assert int(jnp.sum(result.bandit.tries)) == 11
    with pytest.raises(ValueError, match="too small to ask 10"):
        found(start=10)


def test_the_same_seed_finds_the_same():
    (one, _), (again, _), (other, heard) = found(), found(), found(seed=2)
    assert one.written == again.written
    assert heard[0].seed != found()[1][0].seed
    assert len(other.written) == len(one.written)


def test_the_acquisition_chooses_the_anchors():
    score = jnp.arange(11.0)
    _, heard = found(acquisition=PriorMean(score), anchors=1, rounds=2)
    assert [brief.anchors[0].text for brief in heard] == ["a-2", "b-2"]


def test_hashed_features_are_trained_on_the_sources():
    rng = np.random.default_rng(0)
    hard = rng.random(80) < 0.5
    texts = [
        f"{'prove' if one else 'recite'} {word}"
        for one, word in zip(hard, rng.integers(10**6, size=80), strict=True)
    ]
    error = np.where(
        hard[:, None], rng.random((80, 5)) < 0.9, rng.random((80, 5)) < 0.1
    )
    sources = SourceErrors(jnp.asarray(error * 1.0), jnp.ones((80, 5), bool))
    features = HashedFeatures.trained(texts, sources, seed=0, width=128)
    new = features(["prove 12", "recite 12"])
    assert new.mean[0] > new.mean[1] + 0.3
    assert new.feature.shape == (2, 16)
    assert jnp.all(new.residual > 0)
    curved = eqx.tree_at(
        lambda f: f.encoder,
        features,
        TunedFeatures(128, form="rbf", key=__import__("jax").random.key(0)),
    )
    with pytest.raises(ValueError, match="needs an encoder with a linear kernel"):
        curved(["prove"])


class Scripted(AbstractTextClient):
    """Replies with what the script says, in order."""

    script: list
    heard: list

    def complete(self, request):
        self.heard.append(request)
        return Reply(self.script[len(self.heard) - 1], "tiny-1")


def writer(client):
    return LanguageModelGenerator(client, "openai", "tiny", {"temperature": 1.0})


BRIEF = Brief("sums", (Question("2 + 2?", "4", "sums"),), 0)


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ('{"question": " 3 + 9? ", "answer": "12"}', ("3 + 9?", "12")),
        ('Sure:\n```json\n{"question": "1?", "answer": "1"}\n```', ("1?", "1")),
        ("I would rather not.", None),
        ('{"question": "3 + 9?"}', None),
        ('{"question": "3 + 9?", "answer": 12}', None),
        ('{"question": "", "answer": "12"}', None),
        ("[1, 2]", None),
        ("{not json}", None),
    ],
)
def test_a_models_question_is_read_or_counted_as_unusable(reply, read):
    client = Scripted([reply], [])
    question = writer(client)(BRIEF)
    assert question == (Question(*read, "sums") if read else None)
    (asked,) = client.heard
    assert "Topic: sums" in asked.messages[1].content
    assert "Question: 2 + 2?\nAnswer: 4" in asked.messages[1].content


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ("12", 0),
        ("First 3, then 9.\nThe answer is 12.", 0),
        ("12.0", 0),
        ("21", 1),
        ("12 or 13\n13", 1),
        ("", 1),
        ("no idea", 1),
    ],
)
def test_a_models_answers_are_compared(reply, error):
    scorer = LanguageModelScorer(Scripted([reply], []), "openai", "tiny", {})
    assert scorer([Question("3 + 9?", "12", "sums")]).tolist() == [error]


def test_words_are_compared_without_case():
    scorer = LanguageModelScorer(Scripted(["It is\nParis."], []), "openai", "tiny", {})
    assert scorer([Question("Capital?", "paris", "towns")]).tolist() == [0]


def test_a_recorded_hunt_replays_to_the_byte(tmp_path):
    script = []
    for k in range(8):
        script.append(json.dumps({"question": f"{'ab'[k % 2]}{k}", "answer": f"{k}"}))
        script.append(str(k if k % 3 else k + 1))

    def run(client):
        scorer = LanguageModelScorer(client, "openai", "solver", {})
        result = hunt(POOL, Lengths(), writer(client), scorer, rounds=8, seed=0)
        return json.dumps([dataclasses.asdict(one) for one in result.written])

    path = tmp_path / "hunt.jsonl"
    live = Scripted(script, [])
    recorded = run(transcribed(path, live, mode="record"))
    content = path.read_bytes()
    assert run(transcribed(path)) == recorded
    assert path.read_bytes() == content
    assert len(live.heard) == 16
