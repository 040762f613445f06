"""Questions have exact answers, and their wrong answers are wrong."""

import datetime
import itertools
import random
import re

import pytest

from irtjax.cegar.suite import Question, ask, word_answer

QUESTIONS = ask(280, random.Random(5))


def test_questions_are_distinct_and_repeat_with_the_seed():
    assert len({question.prompt for question in QUESTIONS}) == 280
    assert ask(280, random.Random(5)) == QUESTIONS


def test_a_slip_is_never_the_answer_and_none_comes_twice():
    for question in QUESTIONS:
        assert (question.answer, question.unit) not in question.slips
        assert len(set(question.slips)) == len(question.slips) >= 3


def test_a_question_that_lists_its_answer_as_wrong_is_refused():
    with pytest.raises(ValueError, match="right answer as a wrong one"):
        Question("How many?", "3", "", (("3", ""),))


def _numbers(question):
    return [int(number) for number in re.findall(r"\d+", question.prompt)]


# Each kind of question is answered here a second time, in another way.
SOLVED = {
    "cycles at": lambda n: sum(n[0] for _ in range(n[1])) - n[0] * n[2],
    "A pen costs": lambda n: n[3] - sum(n[0] - n[1] for _ in range(n[2])),
    "In the evening": lambda n: n[0] + n[2] - n[1],
    "A yard": lambda n: sum(n[0] for _ in range(n[1])) - n[2] ** 2,
    "years younger": lambda n: n[0] + n[2] + n[1],
    "straight fence": lambda n: len(range(0, n[0] + 1, n[1])),
    "A book has": lambda n: len(range(0, n[0], n[1])),
}


@pytest.mark.parametrize("kind", SOLVED)
def test_numbers_are_right(kind):
    asked = [question for question in QUESTIONS if kind in question.prompt]
    assert len(asked) >= 10
    for question in asked:
        numbers = _numbers(question)
        assert int(question.answer) == SOLVED[kind](numbers), question


def test_conversions_are_right():
    factors = {"g": 1000, "m": 1000, "ml": 1000, "minutes": 60}
    asked = [question for question in QUESTIONS if "together?" in question.prompt]
    assert len(asked) >= 10
    for question in asked:
        whole, part = _numbers(question)
        assert int(question.answer) == whole * factors[question.unit] + part


def test_dates_are_right():
    asked = [question for question in QUESTIONS if "Which date" in question.prompt]
    assert len(asked) >= 10
    for question in asked:
        days, start = re.findall(r"is (\d+) days after (.*)\?", question.prompt)[0]
        first = datetime.datetime.strptime(start, "%d %B %Y")
        after = first + datetime.timedelta(days=int(days))
        assert question.answer == f"{after.day} {after:%B}"


def test_weekdays_are_right():
    asked = [question for question in QUESTIONS if "Which weekday" in question.prompt]
    week = [datetime.date(2024, 1, day) for day in range(1, 8)]
    assert len(asked) >= 10
    for question in asked:
        today = re.findall(r"Today is (\w+)\.", question.prompt)[0]
        (days,) = _numbers(question)
        first = next(day for day in week if f"{day:%A}" == today)
        sign = -1 if "ago" in question.prompt else 1
        wanted = first + datetime.timedelta(days=sign * days)
        assert question.answer == f"{wanted:%A}"


def test_times_are_right():
    asked = [question for question in QUESTIONS if "A meeting" in question.prompt]
    assert len(asked) >= 10
    for question in asked:
        hour, minute, length = _numbers(question)
        end = datetime.datetime(2024, 1, 1, hour, minute)
        end += datetime.timedelta(minutes=length)
        assert question.answer == f"{end.hour}:{end.minute:02}"


def test_orders_are_right():
    asked = [question for question in QUESTIONS if "Who is the" in question.prompt]
    assert len(asked) >= 10
    for question in asked:
        above = set()
        for one, how, other in re.findall(
            r"(\w+) is (taller|smaller) than (\w+)", question.prompt
        ):
            above.add((one, other) if how == "taller" else (other, one))
        people = {person for pair in above for person in pair}
        for _ in people:
            above |= {(a, d) for a, b in above for c, d in above if b == c}
        order = sorted(people, key=lambda name: sum(b == name for _, b in above))
        asked_for = re.findall(r"Who is the (.*)\?", question.prompt)[0]
        place = ("tallest", "second tallest", "second smallest", "smallest").index(
            asked_for
        )
        assert question.answer == order[place]


def test_words_and_rows_are_right():
    for question in QUESTIONS:
        if "backwards" in question.prompt:
            word = re.findall(r'"(\w+)"', question.prompt)[0]
            assert question.answer == "".join(reversed(word))
        if "grow evenly" in question.prompt:
            row = _numbers(question)
            row.remove(int(question.answer))
            gaps = [after - before for before, after in itertools.pairwise(row)]
            assert len(set(gaps)) == 2
            assert max(gaps) == 2 * min(gaps)
            assert gaps.count(max(gaps)) == 1


def test_wordings_keep_the_answer():
    draw = random.Random(1)
    texts = {word_answer("12", "km", 0.5, draw) for _ in range(60)}
    assert len(texts) > 8
    assert all("12 km" in text for text in texts)
    assert "12" in word_answer("12", "", 0.0, draw)
