"""The loop: anchors, a new question, its score, and what that teaches."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from irtjax.active import AbstractAcquisition, LowRankBelief, UpperConfidence
from irtjax.active.failures import TopicBandit

from ._features import AbstractTextFeatures
from ._open_belief import open_belief, placed
from ._protocols import AbstractGenerator, AbstractScorer, Brief, Question


@dataclass(frozen=True)
class Written:
    """A question that was written and scored.

    Attributes:
        question: as it was asked.
        expected: the error that was believed before the answer.
        error: that was seen, from 0 to 1.
    """

    question: Question
    expected: float
    error: float


@dataclass(frozen=True)
class Hunt:
    """What a search by writing questions found.

    Attributes:
        written: every question that was scored, in order.
        unusable: how many briefs came to nothing.
        repeated: how many brought a text that was there already; it was not asked.
        topics: of the bandit, in its order.
        bandit: what is known of the topics.
        belief: after the last answer; first the pool, then the written questions.
    """

    written: tuple[Written, ...]
    unusable: int
    repeated: int
    topics: tuple[str, ...]
    bandit: TopicBandit
    belief: LowRankBelief

    def failures(self) -> float:
        """Return the sum of the errors."""
        return float(sum(one.error for one in self.written))


def hunt(
    pool: Sequence[Question],
    features: AbstractTextFeatures,
    generator: AbstractGenerator,
    scorer: AbstractScorer,
    *,
    rounds: int,
    seed: int,
    start: int = 0,
    anchors: int = 3,
    acquisition: AbstractAcquisition | None = None,
) -> Hunt:
    """Return the failures found by writing questions, one a round.

    First the `start` most promising items of the pool are asked. In each round the
    bandit names a topic; the items of the highest score there, written ones among them,
    are the anchors; the generator writes, the scorer asks, and the answer goes into the
    belief and to the bandit. A new question is there for the belief like any other item:
    it may be an anchor later on.

    Args:
        pool: questions to begin with, of at least one topic.
        features: what to expect of any text.
        generator: writes.
        scorer: runs the system under test.
        rounds: briefs given; each costs one question to the system, or none where
            nothing usable or nothing new came back.
        seed: of the generator's draws.
        start: items of the pool that are asked before the first round.
        anchors: the most that a brief holds.
        acquisition: what makes a good anchor; the largest expected error where None.

    Raises:
        ValueError: the pool is empty, or smaller than `start`.
    """
    if not pool or len(pool) < start:
        raise ValueError(f"A pool of {len(pool)} is too small to ask {start} of it.")
    acquisition = UpperConfidence(0.0) if acquisition is None else acquisition
    topics = tuple(dict.fromkeys(each.topic for each in pool))
    belief = open_belief(features([each.text for each in pool]), rounds)
    state = _State(belief, TopicBandit(len(topics)))
    known = list(pool)
    texts = {each.text for each in pool}
    place = np.arange(len(pool) + rounds)
    asked = np.zeros(len(place), bool)
    for _ in range(start):
        out = jnp.asarray((place >= len(pool)) | asked)
        item = int(jnp.argmax(_scores(acquisition, state.belief, out)))
        (error,) = scorer([known[item]])
        state = _told(state, item, topics.index(known[item].topic), error)
        asked[item] = True
    written, unusable, repeated = [], 0, 0
    for number in range(rounds):
        topic = int(state.bandit.choose())
        out = jnp.asarray(place >= len(known))
        score = np.asarray(_scores(acquisition, state.belief, out))
        best = _anchors(score, known, topics[topic], anchors)
        question = generator(Brief(topics[topic], best, _seed(seed, number)))
        if question is None or question.text in texts:
            unusable += question is None
            repeated += question is not None
            # A topic that brings nothing is not tried for ever.
            state = state._replace(bandit=_rewarded(state.bandit, topic, 0.0))
            continue
        new = len(known)
        belief = _placed(state.belief, jnp.asarray(new), features([question.text]))
        expected = float(belief.mean()[new])
        (error,) = scorer([question])
        # What it is about, should the generator have strayed from the brief.
        about = topics.index(question.topic) if question.topic in topics else topic
        state = _told(_State(belief, state.bandit), new, about, error)
        known.append(question)
        texts.add(question.text)
        written.append(Written(question, expected, float(error)))
    return Hunt(tuple(written), unusable, repeated, topics, state.bandit, state.belief)


class _State(NamedTuple):
    """What was learned so far."""

    belief: LowRankBelief
    bandit: TopicBandit


def _told(state: _State, item: int, topic: int, error: float) -> _State:
    """Return what is known after an answer."""
    belief = _answered(state.belief, jnp.asarray(item), jnp.asarray(float(error)))
    return _State(belief, _rewarded(state.bandit, topic, error))


def _rewarded(bandit: TopicBandit, topic: int, reward: float) -> TopicBandit:
    return bandit.update(jnp.asarray(topic), jnp.asarray(float(reward)))


def _anchors(
    score: Float[np.ndarray, " item"], known: list[Question], topic: str, most: int
) -> tuple[Question, ...]:
    """Return the topic's items of the highest score, and the best of all as the last."""
    order = np.argsort(-score[: len(known)], kind="stable")
    here = [known[k] for k in order if known[k].topic == topic][:most]
    return tuple(here) if here else tuple(known[k] for k in order[:most])


def _seed(seed: int, number: int) -> int:
    return int(np.random.default_rng([seed, number]).integers(2**31))


@eqx.filter_jit
def _scores(
    acquisition: AbstractAcquisition, belief: LowRankBelief, out: Bool[Array, " item"]
) -> Float[Array, " item"]:
    return acquisition(belief, out)


@eqx.filter_jit
def _answered(
    belief: LowRankBelief, item: Int[Array, ""], error: Float[Array, ""]
) -> LowRankBelief:
    return belief.update(item, error, jnp.zeros_like(error))


_placed = jax.jit(placed)
