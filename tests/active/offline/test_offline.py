"""The offline world: text and numbers agree, failures have their cause, seeds decide."""

import dataclasses

import numpy as np
import pytest

from irtjax.active.generation import Brief, Question
from irtjax.active.offline import (
    TOPICS,
    Knobs,
    Mutation,
    OfflineScorer,
    Operation,
    Problem,
    RandomGenerator,
    WeakSolver,
    World,
    carries,
    check,
    draw_knobs,
    draw_problem,
    draw_solver,
    draw_world,
    harder,
    knobs_of,
    question_of,
    read_problem,
)

PERFECT = WeakSolver(carries=9, steps=9, distractors=9, factor=99)


def problem(*operations, start=15, distractors=(), topic="farm"):
    made = tuple(Operation(kind, number) for kind, number in operations)
    return Problem(topic, start, made, tuple(distractors))


def fails(solver, *args, **kwargs):
    (error,) = OfflineScorer(solver)([question_of(problem(*args, **kwargs))])
    return bool(error)


def test_questions_are_read_back_as_they_were_written():
    rng = np.random.default_rng(0)
    for topic in TOPICS:
        for _ in range(20):
            made = draw_problem(topic, draw_knobs(rng), rng)
            question = question_of(made)
            assert read_problem(question.text) == made
            assert question.answer == str(made.answer())
            assert question.topic == topic


def test_other_texts_are_not_this_worlds():
    assert read_problem("What is 2 + 2?") is None
    assert read_problem("The farm has 3 hens. They sing. How many?") is None
    text = question_of(problem(("add", 1))).text
    assert read_problem(text.replace("Then 1 more", "Then one more")) is None
    with pytest.raises(ValueError, match="No word problem of the offline world"):
        check(Question("What is 2 + 2?", "4", "sums"), "4")


def test_the_answer_is_that_of_the_steps():
    made = problem(("add", 7), ("times", 3), ("take", 6), start=5)
    assert made.answer() == (5 + 7) * 3 - 6


def test_the_checker_does_not_believe_the_writer():
    question = question_of(problem(("add", 7)))
    lie = dataclasses.replace(question, answer="999")
    assert check(lie, "The answer is 22.")
    assert not check(lie, "The answer is 999.")
    assert not check(lie, "I do not know.")
    assert check(lie, "First 15, then 22")


@pytest.mark.parametrize(
    ("kind", "value", "number", "run"),
    [
        ("add", 12, 34, 0),
        ("add", 15, 7, 1),
        ("add", 95, 7, 2),
        ("add", 1, 999, 3),
        ("add", 1905, 106, 1),
        ("take", 34, 12, 0),
        ("take", 34, 15, 1),
        ("take", 100, 1, 2),
        ("times", 95, 7, 0),
    ],
)
def test_carries_by_hand(kind, value, number, run):
    assert carries(kind, value, number) == run


def test_nothing_negative_is_carried():
    with pytest.raises(ValueError, match="Nothing here is negative"):
        carries("take", -1, 3)


def test_a_perfect_solver_never_fails():
    world = draw_world(3, questions=60, sources=3)
    assert not OfflineScorer(PERFECT)(world.questions).any()


@pytest.mark.parametrize(
    ("weakness", "hard", "easy"),
    [
        ({"carries": 1}, {"args": [("add", 95)]}, {"args": [("add", 7)]}),
        (
            {"steps": 2},
            {"args": [("add", 1), ("add", 2), ("add", 1)]},
            {"args": [("add", 1), ("add", 2)]},
        ),
        (
            {"distractors": 1},
            {"args": [("add", 1)], "distractors": (4, 5)},
            {"args": [("add", 1)], "distractors": (4,)},
        ),
        ({"factor": 4}, {"args": [("times", 5)]}, {"args": [("times", 4)]}),
    ],
)
def test_each_weakness_fails_what_it_is_about_and_nothing_else(weakness, hard, easy):
    solver = dataclasses.replace(PERFECT, **weakness)
    weak_here = dataclasses.replace(solver, weak_topics=("farm",))

    def on(solver, case):
        return fails(solver, *case["args"], distractors=case.get("distractors", ()))

    assert on(solver, hard)
    assert not on(solver, easy)
    # In a weak topic the limit is one lower; the other topics do not feel it.
    assert on(weak_here, easy)
    elsewhere = dataclasses.replace(solver, weak_topics=("bakery",))
    assert not on(elsewhere, easy)


def test_slips_come_as_often_as_they_say_and_on_the_same_texts():
    solver = dataclasses.replace(PERFECT, slips=0.2, seed=5)
    world = draw_world(1, questions=400, sources=3)
    errors = OfflineScorer(solver)(world.questions)
    assert abs(errors.mean() - 0.2) < 4 * np.sqrt(0.2 * 0.8 / 400)
    np.testing.assert_array_equal(OfflineScorer(solver)(world.questions), errors)
    other = OfflineScorer(dataclasses.replace(solver, seed=6))(world.questions)
    assert (other != errors).any()


def test_a_solver_that_cannot_read_shrugs():
    assert PERFECT.reply("What is love?") == "I do not know."


def test_knobs_have_limits_and_get_harder_one_at_a_time():
    with pytest.raises(ValueError, match="`steps` goes from 1 to 5, got 6"):
        Knobs(6, 1, 0, 0)
    rng = np.random.default_rng(0)
    start = Knobs(2, 2, 1, 1)
    steps = {dataclasses.astuple(harder(start, rng)) for _ in range(200)}
    apart = {sum(step) - 6 for step in steps}
    assert apart == {0, 1}
    assert len(steps) == 5
    top = Knobs(5, 4, 5, 3)
    assert {harder(top, rng) for _ in range(50)} == {top}


def test_problems_have_the_difficulty_that_was_asked():
    rng = np.random.default_rng(1)
    wanted = Knobs(steps=4, digits=3, carries=2, distractors=2)
    found = [knobs_of(draw_problem("museum", wanted, rng)) for _ in range(100)]
    assert {each.steps for each in found} == {4}
    assert {each.distractors for each in found} == {2}
    assert {each.digits for each in found} == {3}
    assert np.mean([each.carries >= 2 for each in found]) > 0.9


def test_a_mutation_keeps_an_anchors_difficulty_or_adds_to_it():
    anchor = question_of(
        draw_problem("farm", Knobs(3, 2, 1, 1), np.random.default_rng(0))
    )
    before = knobs_of(read_problem(anchor.text))
    for seed in range(30):
        made = Mutation()(Brief("bakery", (anchor,), seed))
        after = knobs_of(read_problem(made.text))
        assert made.topic == "bakery"
        assert made.text != anchor.text
        assert after.steps >= before.steps
        assert after.distractors >= before.distractors
    assert Mutation()(Brief("farm", (Question("love?", "no", "x"),), 0)) is None


def test_generators_are_decided_by_the_seed():
    anchor = question_of(problem(("add", 3)))
    for generator in (Mutation(), RandomGenerator()):
        brief = Brief("museum", (anchor,), 4)
        assert generator(brief) == generator(brief)
        assert generator(brief) != generator(dataclasses.replace(brief, seed=5))


def test_worlds_are_decided_by_the_seed_and_mostly_easy():
    one, again = draw_world(2), draw_world(2)
    assert isinstance(one, World)
    assert one.questions == again.questions
    np.testing.assert_array_equal(one.errors, again.errors)
    assert draw_world(3).questions != one.questions
    assert len({question.text for question in one.questions}) == 400
    assert one.errors.shape == (400, 12)
    assert 0.02 < one.errors.mean() < 0.25
    assert one.target not in one.sources
    assert len({draw_solver(seed) for seed in range(5)}) == 5
