"""`irtjax evolve` and `irtjax judge` as a user meets them."""

import csv
import json
from pathlib import Path

import pytest

from irtjax import cli
from irtjax.cegar import Archive, load_pool
from irtjax.cegar.sandbox import Bubblewrap, WorkerError
from irtjax.report import (
    gain_remarks,
    grown_lines,
    grown_remarks,
    judged_csv,
    judged_lines,
    judged_remarks,
    pool_report,
    refusal_counts,
    unproven_remark,
)

from .commands import done, refused, rows_of, run

# Every file of what a command prints is tested through the command.
PRINTED = (gain_remarks, grown_lines, grown_remarks, judged_csv, judged_lines)
PRINTED += (judged_remarks, pool_report, refusal_counts, unproven_remark)

TASKS, SAMPLES = "tasks.jsonl", ("one.jsonl", "two.jsonl", "three.jsonl")


@pytest.fixture(scope="module", autouse=True)
def _bubblewrap():
    try:
        Bubblewrap().reach().close()
    except WorkerError as error:
        pytest.skip(f"no bubblewrap: {error}")


def lines(path, rows):
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def programs():
    """Ten tasks: two systems add k, one fails on odd numbers."""
    tasks, one, two, labels = [], [], [], []
    for k in range(1, 11):
        name = f"plus_{k}"
        head = f"def {name}(n):\n"
        prompt = f'"""\nAdd {k} to a number.\nassert {name}(2) == {2 + k}\n"""\n'
        tasks.append(
            {
                "task_id": f"T/{k}",
                "prompt": prompt,
                "entry_point": name,
                "canonical_solution": f"{head}    return n + {k}\n",
                "base_input": [[0], [5]],
                "plus_input": [[-3], [40]],
                "atol": 0,
            }
        )
        right = f"{head}    return n + {k}\n"
        wrong = f"{head}    return n + {k} + n % 2\n"
        one.append({"task_id": f"T/{k}", "solution": right})
        two.append({"task_id": f"T/{k}", "solution": f"{head}    return {k} + n\n"})
        labels += [
            {"task_id": f"T/{k}", "solution": text, "label": text != wrong}
            for text in (right, two[-1]["solution"], wrong)
        ]
    wrongs = [
        {"task_id": t["task_id"], "solution": row["solution"]}
        for t, row in zip(tasks, labels[2::3], strict=True)
    ]
    for path, rows in zip(SAMPLES, (one, two, wrongs), strict=True):
        lines(path, rows)
    lines(TASKS, tasks)
    lines("labels.jsonl", labels)


GROW = ("--gate", "selection", "--rounds", 4)


def test_a_pool_of_programs_grows_and_judges(programs):
    """Labels come from the tasks' hidden half; nothing of it is needed to judge."""
    result = done("evolve", TASKS, *SAMPLES, "--out", "pool", *GROW)
    rows = rows_of(result.stdout)
    pool = load_pool(Path("pool"))
    assert [Path(row["source"]).read_text() for row in rows] == [
        operator.source for operator in pool.operators
    ]
    assert "namespaces" in result.stderr
    assert "On 4 held-out tasks" in result.stderr
    assert "Delta +0.3333" in result.stderr
    assert len(Archive.load(Path("pool/archive.jsonl"))) > 0
    report = Path("pool/report.md").read_text()
    assert pool.hash in report
    assert pool.operators[0].source in report
    shown = [
        {name: row[name] for name in ("task_id", "prompt", "entry_point")}
        for row in map(json.loads, Path(TASKS).read_text().splitlines())
    ]
    lines("shown.jsonl", shown)
    result = done("judge", "pool", "shown.jsonl", *SAMPLES, "--out", "verdicts.csv")
    assert "Delta" not in result.stderr
    assert "grown on 6 of these tasks" in result.stderr
    rows = rows_of(result.stdout)
    assert [row["kept"] for row in rows] == ["1,2"] * 10
    assert all(row["pick"] in "12" for row in rows)
    assert all(row["rejected"].startswith("3 (operator_1") for row in rows)
    with open("verdicts.csv", newline="") as stream:
        answers = list(csv.DictReader(stream))
    assert len(answers) == 30
    for answer in answers:
        wrong = answer["answer"] == "3"
        assert (answer["operator_1"] == "FLAG") == wrong
        assert (pool.operators[0].name in answer["reason"]) == wrong
    again = done("judge", "pool", "shown.jsonl", *SAMPLES, "--labels", "labels.jsonl")
    assert again.stdout == result.stdout
    assert "On 10 labelled tasks" in again.stderr
    assert "Delta +0.3333" in again.stderr


def test_labels_come_from_a_file_and_a_pool_is_never_overwritten(programs):
    arguments = ("evolve", TASKS, *SAMPLES, "--labels", "labels.jsonl", *GROW)
    result = done(*arguments, "--out", "pool", "--hold-out", 0)
    assert "not proven" in result.stderr
    before = Path("pool/pool.json").read_bytes()
    assert "holds pool.json already" in refused(*arguments, "--out", "pool")
    assert Path("pool/pool.json").read_bytes() == before
    assert load_pool(Path("pool")).about["answers"] == "programs"
    assert "was grown on programs" in refused("judge", "pool", _words())


def _words():
    lines("words.jsonl", [{"question": "1 + 1?", "answer": "2"}])
    return "words.jsonl"


def test_chance_grows_nothing():
    """Whether an answer is right has nothing to do with it: exit code 1 and no operator."""
    rows = [
        {"question": f"Which of {n}?", "answer": f"{word} {n}", "label": (n + k) % 2}
        for n in range(8)
        for k, word in enumerate(("this", "that"))
    ]
    lines("words.jsonl", rows)
    result = run("evolve", "words.jsonl", "--out", "pool", "--rounds", 2)
    assert result.exit_code == 1
    assert rows_of(result.stdout) == []
    assert "No operator was admitted" in result.stderr
    assert load_pool(Path("pool")).operators == ()
    judged = rows_of(done("judge", "pool", _words()).stdout)
    assert [row["kept"] for row in judged] == ["1"]


BAD = {
    "a file that is not there": (("nowhere.jsonl",), "There is no file nowhere.jsonl"),
    "no programs": ((TASKS,), "Programs are needed"),
    "labels of words": (
        ("words.jsonl", "--labels", "labels.jsonl"),
        "labels.jsonl has no meaning",
    ),
    "a line that is not JSON": (("torn.jsonl",), "torn.jsonl, line 2 is not JSON"),
    "neither task nor question": (("one.jsonl",), "line 1, field 'entry_point'"),
    "a label that is none": (("unsure.jsonl",), "unsure.jsonl, line 1, field 'label'"),
    "a program without a label": (
        (TASKS, *SAMPLES, "--labels", "few.jsonl"),
        "few.jsonl has no label of answer 0 of task T/2",
    ),
    "programs of other tasks": ((TASKS, "stray.jsonl"), "not among the tasks given"),
    "no time for programs": (
        (TASKS, *SAMPLES, "--cpu-seconds", 0),
        "`cpu_seconds` must be positive",
    ),
    "a model without a name": (("words.jsonl", "--generator", "model"), "--model"),
    "no recordings named": (
        ("words.jsonl", "--generator", "model", "--model", "m"),
        "--transcripts",
    ),
    "recordings that are not there": (
        ("words.jsonl", "--generator", "model", "--model", "m", "--transcripts", "t"),
        "There is no file t to replay",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_message(case, programs):
    _words()
    Path("torn.jsonl").write_text('{"question": "a", "answer": "b"}\n{"questi')
    lines("unsure.jsonl", [{"question": "a", "answer": "b", "label": "perhaps"}])
    lines("stray.jsonl", [{"task_id": "T/99", "solution": "pass"}])
    few = Path("labels.jsonl").read_text().splitlines(keepends=True)[:3]
    Path("few.jsonl").write_text("".join(few))
    given, message = BAD[case]
    assert message in refused("evolve", *given, "--out", "pool")
    assert not Path("pool/pool.json").exists()


def test_a_pool_that_was_changed_is_refused(programs):
    done("evolve", TASKS, *SAMPLES, "--labels", "labels.jsonl", "--out", "pool", *GROW)
    path = Path("pool/pool.json")
    path.write_text(path.read_text().replace("FLAG", "PASS"))
    assert "was changed after it was" in refused("judge", "pool", TASKS, *SAMPLES)
    assert "There is no pool.json" in refused("judge", "nowhere", TASKS, *SAMPLES)


def test_what_the_first_operators_tell_apart_is_no_blind_spot(programs):
    """A constant output is flagged by a hand-written operator, which has no vote."""
    text = Path("three.jsonl").read_text()
    for k in range(1, 11):
        text = text.replace(f"return n + {k} + n % 2", f"return {2 + k}")
    Path("three.jsonl").write_text(text)
    result = run("evolve", TASKS, *SAMPLES, "--out", "pool", *GROW)
    assert result.exit_code == 1
    assert "--first none" in result.stderr
    done("evolve", TASKS, *SAMPLES, "--out", "other", *GROW, "--first", "none")


def test_both_commands_are_there():
    assert {cli.evolve.__name__, cli.judge.__name__} == {"evolve", "judge"}
