import pytest

from irtjax.cegar import ABSTAIN, FLAG, PASS, Candidate, Case, Check, Task
from irtjax.cegar.operators import comparator, hand_written, run_operators

CHECK = Check("assert f([3, 1], 5) == [1, 3, 5]", ([3, 1], 5))
TASK = Task(
    "demo/f",
    "Return the values with one more, in rising order.",
    "f",
    (CHECK,),
    (([1, 1], 0), ([9], 9), ([2, 8], -1), ([4, 3, 2], 7), ([], 1)),
)
RIGHT = "def f(values, more):\n    return sorted([*values, more])\n"
# Each has the defect that the operator is named after.
WRONG = {
    "changes while looping": """
def f(values, more):
    for value in values:
        if value < more:
            values.remove(value)
    return sorted([*values, more])
""",
    "fails a visible input": "def f(values, more):\n    return values + more\n",
    "falls off the end": """
def f(values, more):
    if values:
        return sorted([*values, more])
""",
    "first round decides": """
def f(values, more):
    for value in values:
        if value > more:
            return [more, *values]
        else:
            return [*values, more]
    return [more]
""",
    "hard coded answer": """
def f(values, more):
    if values == [3, 1]:
        return [1, 3, 5]
    return values
""",
    "knows the visible outputs": None,
    "order of a set": "def f(values, more):\n    return list({*values, more})\n",
    "prints the answer": "def f(values, more):\n    print(sorted([*values, more]))\n",
    "raises on variants": """
def f(values, more):
    if more < 5 or not values:
        raise ValueError
    return sorted([*values, more])
""",
    "same output for all": "def f(values, more):\n    return [1, 3, 5]\n",
    "shared default": """
def f(values, more, found=[]):
    found.append(more)
    return sorted([*values, *found])
""",
    "skips the first": """
def f(values, more):
    found = [more]
    for i in range(1, len(values)):
        found.append(values[i])
    return sorted(found)
""",
    "swallowed exception": """
def f(values, more):
    try:
        return sorted([*values, more])
    except Exception:
        return []
""",
    "unsteady type": """
def f(values, more):
    return sorted([*values, more]) if len(values) > 1 else more
""",
    "unused parameter": "def f(values, more):\n    return sorted(values)\n",
}


@pytest.fixture(scope="module")
def found(harness):
    texts = [RIGHT, *filter(None, WRONG.values())]
    case = Case(TASK, tuple(Candidate(text, 1 + (text == RIGHT)) for text in texts))
    operators = [*hand_written(), comparator()]
    verdicts = run_operators(operators, [case], harness)
    assert verdicts.refused == {}
    return {
        operator.name: dict(zip(texts, row.tolist(), strict=True))
        for operator, row in zip(operators, verdicts.by_case[0], strict=True)
    }


def test_there_are_ten_of_texts_and_five_of_runs():
    levels = [operator.level for operator in hand_written()]
    assert levels.count(0) == 10
    assert len([level for level in levels if level > 0]) == 5
    assert {operator.name for operator in hand_written()} == set(WRONG)
    assert all(operator.defect.endswith(".") for operator in hand_written())
    assert comparator().level == 2


@pytest.mark.parametrize("name", [n for n, text in WRONG.items() if text])
def test_each_flags_its_own_defect_and_passes_a_right_answer(found, name):
    assert found[name][WRONG[name]] == FLAG
    assert found[name][RIGHT] == PASS


def test_an_answer_that_knows_the_visible_output_is_flagged(harness):
    check = Check("assert area(3, 4) == 12", (3, 4))
    task = Task("demo/area", "The area of a rectangle.", "area", (check,))
    texts = ["def area(a, b):\n    return 12\n", "def area(a, b):\n    return a * b\n"]
    case = Case(task, tuple(map(Candidate, texts)))
    chosen = [o for o in hand_written() if o.name == "knows the visible outputs"]
    verdicts = run_operators(chosen, [case], harness)
    assert verdicts.by_case[0].tolist() == [[FLAG, PASS]]


def test_the_comparator_flags_who_differs_from_more_than_half(harness, largest):
    (verdicts,) = run_operators([comparator()], [largest], harness).by_case
    # Of 8 peers of each, at least 5 return the largest.
    assert verdicts[0].tolist() == [PASS, PASS, FLAG, FLAG, FLAG]


def test_the_comparator_needs_peers(harness):
    task = Task("demo/alone", "?", "f", (CHECK,), TASK.inputs)
    case = Case(task, (Candidate(RIGHT),))
    (verdicts,) = run_operators([comparator()], [case], harness).by_case
    assert verdicts.tolist() == [[ABSTAIN]]
