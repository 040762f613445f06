"""Text atoms, read as operators carry them: a function's text and nothing around it."""

from types import SimpleNamespace

import pytest

from irtjax.cegar.atoms import ALL_ATOMS, ATOMS, TEXT_ATOMS
from irtjax.cegar.suite import short_answer_cases

TASK = SimpleNamespace(
    prompt="A yard is 12 m long and 5 m wide. How many square m are left?",
    entry_point="",
    checks=(),
)
PEERS = ["The answer is 60 square m.", "60 square m", "It is 17 m.", "Maybe 34 m?"]


def _measure(name, text, task=TASK, peers=PEERS):
    names = {}
    exec(TEXT_ATOMS[name].source, names)
    return names[name](task, text, SimpleNamespace(peers=peers))


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("answer_characters", " 60 m ", 4),
        ("answer_words", "It is 60 m.", 4),
        ("answer_sentences", "First this. Then 1.5 m!", 2),
        ("answer_numbers", "5 times 12 gives 60", 3),
        ("answer_magnitude", "about 1234.5 m", 4),
        ("answer_magnitude", "none", None),
        ("answer_is_negative", "It is -4 degrees.", 1),
        ("answer_is_negative", "12-4", 0),
        ("answer_is_negative", "no", None),
        ("last_number_from_question", "12 m", 1),
        ("last_number_from_question", "60 m", 0),
        ("last_number_from_question", "all", None),
        ("number_to_question", "60 m", 5),
        ("number_to_question", "many", None),
        ("words_from_question", "The yard: many trees", 2 / 3),
        ("words_from_question", "60 m", None),
        ("asked_unit_given", "60 square m.", 1),
        ("asked_unit_given", "60 m", 0.5),
        ("asked_unit_given", "60", 0),
        ("ends_with_number", "It is 60.", 1),
        ("ends_with_number", "60 m", 0),
        ("hedging_words", "I think it is about 6, maybe.", 3),
        ("refuses", "I cannot tell.", 1),
        ("refuses", "6", 0),
        ("peers_with_same_number", "60 m", 0.5),
        ("peers_with_same_number", "none", None),
        ("peers_with_same_ending", "That makes 60 square m.", 0.5),
        ("peers_with_same_ending", "60 m", 0),
        ("rank_among_endings", "60 square m", 0),
        ("rank_among_endings", "17 m", 1),
        ("rank_among_endings", "99 m", 3),
        ("different_endings", "60 square m.", 3 / 5),
        ("words_with_peers", "60", 0.5),
    ],
)
def test_values_are_those_counted_by_hand(name, text, wanted):
    assert _measure(name, text) == (None if wanted is None else pytest.approx(wanted))


@pytest.mark.parametrize(
    "name", ["peers_with_same_number", "peers_with_same_ending", "words_with_peers"]
)
def test_without_peers_nothing_is_said_of_them(name):
    assert _measure(name, "60 m", peers=[]) is None


def test_no_unit_is_asked_where_no_quantity_is():
    task = SimpleNamespace(prompt="Who is the tallest?", entry_point="", checks=())
    assert _measure("asked_unit_given", "Ada", task) is None


def test_levels_are_read_off_the_text():
    peers = {"peers_with_same_number", "peers_with_same_ending", "rank_among_endings"}
    peers |= {"different_endings", "words_with_peers"}
    assert {TEXT_ATOMS[name].level for name in peers} == {2}
    assert TEXT_ATOMS["answer_words"].level == 0
    assert not any(TEXT_ATOMS[name].behaviour for name in peers)


def test_the_two_kinds_are_apart_and_together_all():
    assert not ATOMS.keys() & TEXT_ATOMS.keys()
    assert {**ATOMS, **TEXT_ATOMS} == ALL_ATOMS


def test_agreement_and_units_tell_something_on_the_example():
    """As in life: right answers are more often in agreement than wrong ones."""
    example = short_answer_cases(0, 60)
    agree = {True: [], False: []}
    for case, labels in zip(example.cases, example.labels, strict=True):
        texts = [candidate.text for candidate in case.candidates for _ in "ab"]
        for candidate, label in zip(case.candidates, labels, strict=True):
            peers = [text for text in texts if text != candidate.text][:16]
            value = _measure("peers_with_same_ending", candidate.text, peers=peers)
            if value is not None:
                agree[label.right].append(value)
    means = {known: sum(values) / len(values) for known, values in agree.items()}
    assert means[True] > means[False] + 0.1
