"""`irtjax plan` and `irtjax estimate` as a user meets them, refusals included."""

import json
from pathlib import Path

import numpy as np
import pytest

from irtjax.report import (
    estimate_lines,
    estimate_page,
    estimate_record,
    estimate_remarks,
    plan_page,
    plan_record,
    plan_remarks,
)

from .commands import done, refused, rows_of

# Every file of what a command prints is tested through the command.
PRINTED = (plan_page, plan_record, plan_remarks, estimate_lines, estimate_page)
SAID = (estimate_record, estimate_remarks)
HISTORY = ("history.csv", "--systems-in", "columns", "--score-is", "success")


@pytest.fixture(autouse=True)
def files(tmp_path, root):
    for name in ("history.csv", "answers.csv"):
        text = (root / "docs" / "examples" / name).read_text()
        (tmp_path / name).write_text(text)


def filled(score):
    """Write the plan with scores by item put in, in another order."""
    lines = Path("plan.csv").read_text().splitlines()
    rows = [line.split(",") for line in lines[1:]]
    body = [",".join([*row[:2], str(score(row[1])), *row[3:]]) for row in rows[::-1]]
    Path("filled.csv").write_text("\n".join([lines[0], *body]))


def test_plan_then_estimate():
    result = done(
        "plan", *HISTORY, "--budget", 12, "--out", "plan.csv",
        *("--report", "plan.html", "--json", "plan.json"),
    )  # fmt: skip
    assert result.stdout == ""
    assert "12 of 60 items" in result.stderr
    rows = rows_of(Path("plan.csv").read_text(), ",")
    assert len({row["item"] for row in rows}) == 12
    record = json.loads(Path("plan.json").read_text())
    assert [each["item"] for each in record["items"]] == [row["item"] for row in rows]
    assert "What to run of history.csv" in Path("plan.html").read_text()

    filled(lambda item: "" if item == rows[0]["item"] else int(item[-1] in "02468"))
    result = done(
        "estimate", "history.csv", "filled.csv", *HISTORY[1:],
        *("--report", "out.html", "--json", "out.json"),
    )  # fmt: skip
    found = json.loads(Path("out.json").read_text())
    assert found["n_answer"] == 11
    assert found["missing"] == [rows[0]["item"]]
    assert 0 <= found["lower"] < found["score"] < found["upper"] <= 1
    [first, *_] = rows_of(result.stdout)
    assert float(first["score"]) == pytest.approx(found["score"], rel=1e-5)
    assert first["interval"] == "model"
    assert "listed without a score" in Path("out.html").read_text()


def test_a_plan_goes_to_a_pipe_and_the_same_seed_gives_the_same():
    one, other, third = (
        done("plan", *HISTORY, "--budget", 6, "--seed", seed).stdout
        for seed in (4, 4, 5)
    )
    assert one == other != third
    assert len(rows_of(one, ",")) == 6


def test_failure_labels_give_a_failure_rate():
    table = rows_of(Path("history.csv").read_text(), ",")
    names = list(table[0])
    lines = [",".join(names)]
    lines += [
        ",".join([r["item"], *(str(1 - int(r[k])) for k in names[1:])]) for r in table
    ]
    Path("turned.csv").write_text("\n".join(lines))
    answers = rows_of(Path("answers.csv").read_text(), ",")
    lines = ["item,score"] + [f"{r['item']},{1 - int(r['score'])}" for r in answers]
    Path("wrong.csv").write_text("\n".join(lines))
    turned = (
        "turned.csv",
        "wrong.csv",
        "--systems-in",
        "columns",
        "--score-is",
        "failure",
    )
    right = rows_of(done("estimate", "history.csv", "answers.csv", *HISTORY[1:]).stdout)
    wrong = rows_of(done("estimate", *turned).stdout)
    assert float(wrong[0]["score"]) == pytest.approx(
        1 - float(right[0]["score"]), abs=1e-5
    )
    assert float(wrong[0]["lower"]) == pytest.approx(
        1 - float(right[0]["upper"]), abs=1e-5
    )


def test_categories_weights_repeats_and_a_second_system():
    names = [row["item"] for row in rows_of(Path("history.csv").read_text(), ",")]
    lines = ["item,weight,category"]
    lines += [f"{name},{1 + k % 2},{'ab'[k % 3 > 0]}" for k, name in enumerate(names)]
    Path("items.csv").write_text("\n".join(lines))
    done("plan", *HISTORY, "--budget", 9, "--items", "items.csv", "--out", "plan.csv",
         "--done", "answers.csv")  # fmt: skip
    before = {row["item"] for row in rows_of(Path("answers.csv").read_text(), ",")}
    assert before.isdisjoint(
        row["item"] for row in rows_of(Path("plan.csv").read_text(), ",")
    )
    again = [f"{name},{k % 2}" for k, name in enumerate(names[:20])] * 2
    Path("other.csv").write_text("\n".join(["item,score", *again]))
    options = (
        "--items",
        "items.csv",
        "--against",
        "other.csv",
        "--repeats",
        "verdicts",
    )
    result = done("estimate", "history.csv", "answers.csv", *HISTORY[1:], *options)
    rows = {row["of"]: row for row in rows_of(result.stdout)}
    assert {"a", "b", "answers.csv - other.csv"} <= set(rows)
    difference = rows["answers.csv - other.csv"]
    assert float(difference["lower"]) < float(difference["score"])
    assert "with probability" in result.stderr


def other_history():
    """Write a history that is not the answers'."""
    text = Path("history.csv").read_text()
    Path("other.csv").write_text(text.replace("task-01,0", "task-01,1"))
    return "other.csv"


def two_sources():
    rows = rows_of(Path("history.csv").read_text(), ",")
    lines = [
        "item,alder,beech",
        *(f"{r['item']},{r['alder']},{r['beech']}" for r in rows),
    ]
    Path("two.csv").write_text("\n".join(lines))
    return "two.csv"


def scores(text):
    Path("mine.csv").write_text(text)
    return "mine.csv"


def test_refusals_of_a_plan():
    """Each of the refusals that a history or a plan calls for, from the command line."""
    rest = (*HISTORY[1:], "--budget")
    assert "at least 3" in refused("plan", two_sources(), *rest, 5)
    said = refused("plan", *HISTORY, "--budget", 5, "--target", "elm")
    assert "'elm' is among the historical" in said
    assert "--budget must be from 1 to 60" in refused("plan", *HISTORY, "--budget", 61)
    lines = Path("history.csv").read_text().splitlines()
    Path("twice.csv").write_text("\n".join([*lines, lines[-1]]))
    assert "task-60" in refused("plan", "twice.csv", *rest, 5)
    Path("infinite.csv").write_text("\n".join([*lines[:-1], "task-60" + ",inf" * 10]))
    assert "not a finite number" in refused("plan", "infinite.csv", *rest, 5)
    assert "is the input" in refused(
        "plan", *HISTORY, "--budget", 5, "--out", "history.csv"
    )
    assert not Path("plan.csv").exists()


def test_refusals_of_scores():
    def said(history, file, *options):
        return refused("estimate", history, file, *HISTORY[1:], *options)

    assert "answers.csv was made from another history" in said(
        other_history(), "answers.csv"
    )
    assert "at least 3" in said(two_sources(), "answers.csv")
    assert "'elm' is among" in said("history.csv", "answers.csv", "--target", "elm")
    mine = ("history.csv", scores("item,score\ntask-99,1\n"))
    assert "no item is called 'task-99'" in said(*mine)
    mine = ("history.csv", scores("item,score\ntask-01,1\ntask-01,0\n"))
    assert "--repeats verdicts" in said(*mine)
    assert "not finite" in said("history.csv", scores("item,score\ntask-01,inf\n"))
    assert "between 0 and 1" in said("history.csv", scores("item,score\ntask-01,7\n"))
    assert "no score at all" in said("history.csv", scores("item,score\ntask-01,\n"))
    assert "no such file" in said("history.csv", "absent.csv")
    assert "--level" in said("history.csv", "answers.csv", "--level", "95")
    Path("items.csv").write_text("item,weight\ntask-01,heavy\n")
    message = said("history.csv", "answers.csv", "--items", "items.csv")
    assert "items.csv, line 2: the weight 'heavy' is no number" in message
    Path("items.csv").write_text("item,weight\ntask-01,1\n")
    assert "59 items have no weight" in said(
        "history.csv", "answers.csv", "--items", "items.csv"
    )


def test_the_interval_holds_the_score_that_the_example_hides():
    found = rows_of(done("estimate", "history.csv", "answers.csv", *HISTORY[1:]).stdout)
    assert len(found) == 3
    for row in found:
        assert float(row["lower"]) < 37 / 60 < float(row["upper"]), row
    assert np.all([float(row["answers"]) == 20 for row in found])
