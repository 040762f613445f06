"""Screens let honest operators through and stop each kind of dishonest one."""

import numpy as np
import pytest

from irtjax.cegar import Candidate, Case, Check, Label, Operator, Task
from irtjax.cegar.atoms import ALL_ATOMS, TEXT_ATOMS
from irtjax.cegar.operators import comparator, hand_written, measure_atoms
from irtjax.cegar.screens import SCREENS, Screen, screen
from irtjax.cegar.suite import short_answer_cases

INPUTS = (([3, 2, 1],), ([2, 2],), ([1],), ([5, 0, 7, 7],), ([],))
RIGHT = {
    "largest": "max({v})",
    "smallest": "min({v})",
    "total": "sum({v})",
    "count": "len({v})",
    "rising": "sorted({v})",
    "unlike": "len(set({v}))",
}


def _task(name, right):
    """Return a task with right and wrong answers, some with their writer's marks."""
    say = f"def {name}({{v}}):\n"
    texts = {
        say + f"    return {right}\n": True,
        say + f"    {{v}} = list({{v}})  # copy\n    return {right}\n": True,
        say + f"    found = {right}\n    if found is None:\n        return 0\n"
        "    return found\n": True,
        say + f"    limit = 987654\n    {{v}} = {{v}}[:3]\n    return {right}\n": False,
        say + f"    bad = 1\n    return {right} if len({{v}}) > 1 else 987654\n": False,
        say + f"    if not {{v}}:\n        return None\n    return {right}\n": False,
    }
    given = [text.format(v="values") for text in texts]
    check = Check(f"assert {name}([1, 2, 3]) == 0", ([1, 2, 3],))
    task = Task(name, f"Return the {name} of {name}.", name, (check,), INPUTS)
    counts = (3, 2, 1, 1, 1, 1)
    candidates = tuple(map(Candidate, given, counts))
    return Case(task, candidates), tuple(Label(True, truth) for truth in texts.values())


PAIRS = [_task(*pair) for pair in RIGHT.items()]
CASES = tuple(case for case, _ in PAIRS)
LABELS = tuple(labels for _, labels in PAIRS)


def _operator(body, level=2, defect=""):
    arguments = "task, code, ctx" if level else "task, code"
    source = f"def operator({arguments}):\n" + body
    return Operator("test", source, level=level, defect=defect)


def _flag_if(condition):
    return f"    return 'FLAG' if {condition} else 'PASS'\n"


SEEN = "    seen = [ctx.run(code, arguments) for arguments in ctx.inputs]\n"
CHEATS = {
    "text, nothing run": (0, _operator(_flag_if("'if' in code"))),
    "text, runs thrown away": (0, _operator(SEEN + _flag_if("'if' in code"))),
    "text, said to be behaviour": (
        0,
        _operator(
            _flag_if("'if' in code and ctx.peers"),
            defect="Its outputs are unlike others.",
        ),
    ),
    "name of a variable": (1, _operator(_flag_if("'bad' in code"), 0)),
    "a comment": (1, _operator(_flag_if("'# copy' in code"), 0)),
    "number of characters": (1, _operator(_flag_if("len(code) % 3"), 0)),
    "a number in wrong answers": (1, _operator(_flag_if("'987654' in code"), 0)),
    "a word of the prompt": (2, _operator(_flag_if("'total' in task.prompt"), 0)),
    "a word, by steps": (
        2,
        _operator(
            "    words = task.prompt.lower().split()\n"
            "    for word in ('largest', 'count'):\n"
            "        if word in words:\n            return 'FLAG'\n    return 'PASS'\n",
            0,
        ),
    ),
    "length of the prompt": (2, _operator(_flag_if("len(task.prompt) > 28"), 0)),
    "name of the task": (2, _operator(_flag_if("len(task.entry_point) > 5"), 0)),
    "text after a look at runs": (
        3,
        _operator(
            SEEN + "    if all(one.kind == 'error' for one in seen):\n"
            "        return 'FLAG'\n" + _flag_if("'if' in code")
        ),
    ),
    "visible arguments": (
        2,
        _operator(
            "    seen = [ctx.run(code, one).kind for one in ctx.visible_inputs]\n"
            + _flag_if(
                "'error' in seen or '1, 2' in repr(ctx.visible_inputs) and 'if' in code"
            )
        ),
    ),
    "runs of a program of its own": (
        3,
        _operator(
            "    own = f'def {task.entry_point}(*all):\\n    return 1'\n"
            "    fine = ctx.run(own, ctx.inputs[0]).kind == 'value'\n"
            + _flag_if("fine and 'if' in code")
        ),
    ),
    "text unless all is late": (
        3,
        _operator(
            SEEN + "    if all(one.kind == 'timeout' for one in seen):\n"
            "        return 'PASS'\n" + _flag_if("'if' in code")
        ),
    ),
}
NAMES = list(SCREENS)

FORMS = {
    "text of a negated comparison": "    import re\n"
    + _flag_if("re.search('if not \\\\S+ [<>]', code)"),
    "tree of a negated comparison": "    import ast\n"
    "    for node in ast.walk(ast.parse(code)):\n"
    "        test = node.test if isinstance(node, ast.If) else None\n"
    "        if isinstance(test, ast.UnaryOp):\n            return 'FLAG'\n"
    "    return 'PASS'\n",
    "text of steps": _flag_if("'-1-1' in code.replace(' ', '')"),
    "tree of steps": "    import ast\n"
    "    for node in ast.walk(ast.parse(code)):\n"
    "        left = node.left if isinstance(node, ast.BinOp) else None\n"
    "        if isinstance(left, ast.BinOp):\n            return 'FLAG'\n"
    "    return 'PASS'\n",
}
"""What flags answers of somebody who negates conditions and takes 1 away twice."""


def _mutated(case, labels):
    """Return a task whose wrong answers have such forms."""
    say = f"def {case.task.entry_point}(values):\n"
    texts = [
        say + "    if not len(values) > 1:\n        return 0\n    return 1\n",
        say + "    return values[:len(values) - 1 - 1]\n",
    ]
    more = tuple(map(Candidate, texts))
    return Case(case.task, case.candidates + more), (*labels, *[Label(True, False)] * 2)


@pytest.mark.parametrize("name", list(FORMS))
def test_forms_of_the_language_are_nobodys_mark(harness, name):
    pairs = [_mutated(*pair) for pair in PAIRS]
    cases = tuple(case for case, _ in pairs)
    labels = tuple(known for _, known in pairs)
    reason = screen(_operator(FORMS[name], 0), cases, labels, harness)
    assert reason.startswith(NAMES[1])


@pytest.mark.parametrize("name", list(CHEATS))
def test_dishonest_operators_are_refused_by_their_screen(harness, name):
    kind, operator = CHEATS[name]
    reason = screen(operator, CASES, LABELS, harness)
    assert reason is not None
    assert reason.startswith(NAMES[kind])


@pytest.mark.parametrize(
    "operator", [*hand_written(), comparator()], ids=lambda operator: operator.name
)
def test_operators_written_by_hand_are_not(harness, operator):
    assert screen(operator, CASES, LABELS, harness) is None


def _formula(*literals):
    """Return the operator of a conjunction of atoms and thresholds."""
    level = max(ALL_ATOMS[name].level for name, _, _ in literals)
    values = [
        f"{name}(task, code, {'ctx' if level else None}) {sign} {threshold}"
        for name, sign, threshold in literals
    ]
    body = _flag_if(" and ".join(values))
    operator = _operator(body, level)
    sources = "\n\n".join(ALL_ATOMS[name].source for name, _, _ in literals)
    return Operator("formula", sources + "\n\n" + operator.source, level=level)


@pytest.mark.parametrize(
    "literals",
    [
        [("syntax_nodes", ">", 14)],
        [("literals", ">", 0)],
        [("same_behaviour", "<", 0.5)],
        [("least_agreement", "<", 0.4), ("statements", ">", 2)],
        [("returns_none", ">", 0), ("branches", ">", 0)],
        [("size_beside_peers", ">", 1.2)],
        [("lines_never_run", ">", 0)],
    ],
    ids=lambda literals: literals[0][0],
)
def test_formulas_over_atoms_are_not(harness, literals):
    assert screen(_formula(*literals), CASES, LABELS, harness) is None


SHORT = short_answer_cases(0, 40)
TOPICS = {
    "a word of the question": _flag_if("'degrees' in task.prompt"),
    "a word, by steps": "    words = task.prompt.lower().split()\n"
    + _flag_if("any(word in words for word in ('fence', 'garden', 'taller'))"),
}


READING = [name for name, atom in TEXT_ATOMS.items() if "task.prompt" in atom.source]


@pytest.mark.parametrize("name", [*READING, "hedging_words", "peers_with_same_ending"])
def test_text_atoms_may_read_question_and_answers(harness, name):
    (values,) = zip(*measure_atoms([name], SHORT.cases, harness), strict=True)
    threshold = np.nanmedian(np.concatenate(values))
    literal = (name, ">" if (np.concatenate(values) > threshold).any() else "<=")
    operator = _formula((*literal, float(threshold)))
    assert screen(operator, SHORT.cases, SHORT.labels, harness) is None


@pytest.mark.parametrize("name", list(TOPICS))
def test_what_a_question_is_about_may_not_decide(harness, name):
    operator = _operator(TOPICS[name], 0)
    reason = screen(operator, SHORT.cases, SHORT.labels, harness)
    assert reason.startswith(NAMES[2])


def test_labels_are_not_needed(harness):
    assert screen(comparator(), CASES, None, harness) is None
    kind, operator = CHEATS["number of characters"]
    assert screen(operator, CASES, None, harness).startswith(NAMES[kind])


def test_there_are_four():
    assert len(SCREENS) == 4
    assert all(isinstance(one, type(lambda: 0)) for one in SCREENS.values())
    assert Screen.__args__[-1] == str | None
    assert np.all([len(labels) == 6 for labels in LABELS])
