"""EvalPlus's task files: what comes out, and what is said of bad ones."""

import json
from dataclasses import fields, is_dataclass, replace

import pytest

from irtjax.cegar import Case, Check, Task
from irtjax.cegar.tasks import (
    Benchmark,
    Oracle,
    make_cases,
    perturb,
    read_candidates,
    read_evalplus,
    with_inputs,
)
from irtjax.data import DataError

from .written import HUMANEVAL, MBPP, lines


@pytest.mark.parametrize("name", ["tasks.jsonl", "tasks.jsonl.gz"])
def test_both_formats_are_read(tmp_path, name):
    found = read_evalplus(lines(tmp_path / name, [MBPP, HUMANEVAL]))
    assert isinstance(found, Benchmark)
    join, half = found.tasks
    assert join == Task(
        "Mbpp/9001",
        MBPP["prompt"],
        "join",
        (Check("assert join((1,), (2, 3)) == (2, 3, 1)", ((1,), (2, 3))),),
    )
    assert [check.text for check in half.checks] == [
        "assert half(3) == 1.5",
        "assert half(1) == 0.4",
    ]
    assert found.oracles[0].base == (((1,), (2, 3)), ((4,), (0,)))
    assert found.oracles[0].plus == (((), ()), ((1, 2), (1, 3)))
    assert found.oracles[1] == Oracle(
        "HumanEval/9001",
        "half",
        HUMANEVAL["prompt"] + HUMANEVAL["canonical_solution"],
        ((3,), (0,)),
        ((-7.3,), (0.1,)),
    )
    assert found.converted == {"Mbpp/9001": "tuple, tuple"}


def test_special_tasks_have_their_rules(tmp_path):
    rows = [MBPP | {"task_id": name} for name in ("Mbpp/2", "Mbpp/737", "Mbpp/581")]
    rows.append(HUMANEVAL | {"task_id": "HumanEval/32", "atol": 1e-4})
    oracles = read_evalplus(lines(tmp_path / "tasks.jsonl", rows)).oracles
    assert [each.rule for each in oracles] == ["set", "not none", "equal", "root"]
    assert [len(each.others) for each in oracles] == [0, 0, 1, 0]
    assert oracles[3].atol == 1e-4


def test_a_task_without_further_inputs(tmp_path):
    path = lines(tmp_path / "tasks.jsonl", [MBPP | {"plus_input": {}}])
    assert read_evalplus(path).oracles[0].plus == ()


def test_nothing_hidden_is_reached_from_a_case(tmp_path):
    """Walk all that a case holds: no oracle, no reference, no hidden input."""
    found = read_evalplus(lines(tmp_path / "tasks.jsonl", [MBPP]))
    path = lines(
        tmp_path / "programs.jsonl",
        [{"task_id": "Mbpp/9001", "candidates": [{"code": "x", "samples": [[0, 0]]}]}],
    )
    (case,) = make_cases(with_inputs(found.tasks), read_candidates(path))
    seen = []

    def walk(value):
        seen.append(value)
        if is_dataclass(value):
            for each in fields(value):
                walk(getattr(value, each.name))
        elif isinstance(value, dict):
            walk(list(value.items()))
        elif isinstance(value, list | tuple | set):
            for each in value:
                walk(each)

    walk(case)
    assert isinstance(case, Case)
    assert len(seen) > 50
    assert not any(isinstance(value, Oracle) for value in seen)
    texts = " ".join(value for value in seen if isinstance(value, str))
    assert MBPP["canonical_solution"].strip() not in texts
    hidden = replace(found.oracles[0], base=((9, 9),))
    assert with_inputs(found.tasks) == with_inputs(found.tasks)
    assert hidden.base not in seen
    assert found.oracles[0].plus not in seen


def test_inputs_come_from_the_checks_alone(tmp_path):
    other = MBPP | {"base_input": [[[7], [8]]], "canonical_solution": "pass"}
    one, two = (
        with_inputs(read_evalplus(lines(tmp_path / f"{k}.jsonl", [row])).tasks)
        for k, row in enumerate((MBPP, other))
    )
    assert one == two
    assert one[0].inputs == perturb(one[0].checks, task_id="Mbpp/9001")
    assert len(one[0].inputs) == 24
    assert with_inputs(one, number=3)[0].inputs == one[0].inputs[:3]
    assert with_inputs(one, seed=1) != one


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"prompt": 3}, "field 'prompt': it must be a text, got 3."),
        (
            {"entry_point": "a b"},
            "field 'entry_point': 'a b' is not a function's name.",
        ),
        ({"base_input": 1}, "field 'base_input': it must be a list of argument lists"),
        ({"base_input": [[1], 2]}, "field 'base_input[1]': it must be a list of arg"),
        ({"plus_input": "[[1]"}, "field 'plus_input': its text is not JSON"),
        ({"atol": -1}, "field 'atol': it must be a number from 0 up, got -1."),
        (
            {"prompt": "assert join(x) == 1"},
            "field 'prompt': its visible check 'assert join(x) == 1' cannot be worked "
            "out: 'x' is not something a check may hold.",
        ),
    ],
)
def test_a_bad_field_is_named(tmp_path, change, said):
    path = lines(tmp_path / "tasks.jsonl", [HUMANEVAL, MBPP | change])
    with pytest.raises(DataError) as error:
        read_evalplus(path)
    assert str(error.value).startswith("tasks.jsonl, line 2, " + said)


def test_bad_files_are_named(tmp_path):
    path = tmp_path / "tasks.jsonl"
    with pytest.raises(DataError, match="There is no file"):
        read_evalplus(path)
    path.write_text("")
    with pytest.raises(DataError, match=r"tasks\.jsonl holds no task\."):
        read_evalplus(path)
    path.write_text(json.dumps(MBPP) + "\n\n{oh\n")
    with pytest.raises(DataError, match=r"tasks\.jsonl, line 3 is not JSON"):
        read_evalplus(path)
    path.write_text("[1]\n")
    with pytest.raises(DataError, match=r"line 1 is not a JSON object but \[1\]"):
        read_evalplus(path)
    lines(path, [MBPP, MBPP])
    with pytest.raises(DataError, match=r"line 2, .*Mbpp/9001 was there before"):
        read_evalplus(path)
    lines(path, [{key: MBPP[key] for key in MBPP if key != "prompt"}])
    with pytest.raises(DataError, match="'prompt': there is no such field"):
        read_evalplus(path)
    packed = tmp_path / "tasks.jsonl.gz"
    packed.write_bytes(b"no gzip")
    with pytest.raises(DataError, match="cannot be read"):
        read_evalplus(packed)
