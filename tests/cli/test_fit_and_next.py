"""`irtjax fit` and `irtjax next` as a user meets them."""

import inspect
import json
from pathlib import Path

import pytest

from irtjax import cli
from irtjax.active.cells import CHOICES
from irtjax.data import read_table
from irtjax.irt.scoring import load_bank
from irtjax.report import (
    bank_lines,
    constant_item_remarks,
    next_lines,
    next_page,
    next_record,
    next_remarks,
)

from .commands import done, refused, rows_of

# Every file of what a command prints is tested through the command.
PRINTED = (bank_lines, next_lines, next_page, next_record, next_remarks)


@pytest.fixture(autouse=True)
def scores(tmp_path, root):
    text = (root / "docs" / "examples" / "scores.csv").read_text()
    (tmp_path / "scores.csv").write_text(text)


FILE = ("scores.csv", "--score-is", "success")


def test_a_bank_is_written_and_its_items_printed():
    result = done("fit", *FILE, "--out", "bank.json")
    bank = load_bank("bank.json")
    rows = rows_of(result.stdout)
    assert [row["item"] for row in rows] == list(bank.item_ids)
    printed = [float(row["difficulty"]) for row in rows]
    assert printed == pytest.approx(bank.named().item["difficulty"].tolist(), rel=1e-4)
    assert all(float(row["discrimination_se"]) > 0 for row in rows)
    assert bank.score_is == "success"
    assert "Wrote 12 items to bank.json" in result.stderr


def test_items_that_everyone_got_alike_are_named():
    """Complaint 2: such an item stays in the bank, and a warning names it."""
    Path("easy.csv").write_text("system,a,b,c\nx,1,0,1\ny,1,1,0\nz,1,0,0\n")
    result = done("fit", "easy.csv", "--systems-in", "rows", "--out", "bank.json")
    assert "1 of the items" in result.stderr
    assert ": a." in result.stderr
    assert load_bank("bank.json").item_ids == ("a", "b", "c")
    table = read_table("scores.csv", score_is="success")
    assert constant_item_remarks(table) == ()


def test_scores_without_trials_need_a_word():
    Path("shares.csv").write_text("system,a,b\nx,.5,.25\ny,.75,.5\nz,.1,.3\n")
    arguments = ("fit", "shares.csv", "--systems-in", "rows", "--out", "bank.json")
    assert "--trials" in refused(*arguments)
    done(*arguments, "--assume-trials", 8)
    assert "assumed: 8" in load_bank("bank.json").trials_from
    assert "trial counts" in refused(
        "fit", *FILE, "--out", "b.json", "--assume-trials", 8
    )


def test_the_next_cells_are_open_and_as_many_as_asked():
    result = done(
        "next", *FILE, "--budget", 4, "--json", "out.json", "--report", "o.html"
    )
    rows = rows_of(result.stdout)
    assert len({(row["system"], row["item"]) for row in rows}) == 4
    table = read_table("scores.csv", score_is="success")
    seen = table.responses.observed()
    for row in rows:
        j, i = (
            table.system_ids.index(row["system"]),
            table.item_ids.index(row["item"]),
        )
        assert not bool(seen[j, i])
    record = json.loads(Path("out.json").read_text())
    assert [each["item"] for each in record["cells"]] == [row["item"] for row in rows]
    assert 0 < record["error_after"] < record["error"] < record["most_error"] == 28
    page = Path("o.html").read_text()
    assert "What to run next in scores.csv" in page
    assert rows[0]["item"] in page


def test_what_counts_changes_the_cells():
    pair = done("next", *FILE, "--budget", 3, "--between", "alder", "beech")
    assert {row["system"] for row in rows_of(pair.stdout)[:2]} == {"alder", "beech"}
    assert "of 1 that could be" in pair.stderr
    top = done("next", *FILE, "--budget", 3, "--top", 3)
    assert "of 8 that could be" in top.stderr


def test_every_command_reads_tables_alike():
    reading = set(inspect.signature(cli.rank).parameters) - {
        *("file", "ranker", "assume_trials", "level", "seed", "top", "report"),
        *("trust", "json_out"),
    }
    assert {"systems_in", "score_is", "trials", "ignore"} <= reading
    for command in (cli.fit, cli.next_cell, cli.plan, cli.estimate, cli.trust):
        assert reading <= set(inspect.signature(command).parameters)


def test_every_choice_chooses():
    for name in CHOICES:
        result = done("next", *FILE, "--budget", 2, "--choice", name, "--only", "oak")
        assert [row["system"] for row in rows_of(result.stdout)] == ["oak", "oak"], name


def test_costs_are_kept_to():
    table = read_table("scores.csv", score_is="success")
    lines = [
        "item,cost",
        *(f"{each},{2 + k % 2}" for k, each in enumerate(table.item_ids)),
    ]
    Path("costs.csv").write_text("\n".join(lines))
    rows = rows_of(done("next", *FILE, "--budget", 9, "--costs", "costs.csv").stdout)
    assert 3 <= len(rows) <= 4
    assert sum(float(row["cost"]) for row in rows) <= 9
    Path("bad.csv").write_text("item,cost\ntask-01,dear\n")
    message = refused("next", *FILE, "--costs", "bad.csv")
    assert "bad.csv, line 2: 'dear' is no number" in message


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--budget", "0"), "--budget"),
        (("--top", "8"), "1 to 7"),
        (("--between", "alder", "nobody"), "no system 'nobody'"),
        (("--only", "nobody"), "no system 'nobody'"),
        (("--top", "2", "--between", "alder", "oak"), "not both"),
        (("--choice", "best"), "no choice 'best'"),
        (("--costs", "absent.csv"), "absent.csv"),
        (("--report", "scores.csv"), "is the input"),
    ],
)
def test_mistakes_get_one_message(arguments, said):
    assert said in refused("next", *FILE, *arguments)
