"""`irtjax compare` and `irtjax score` as a user meets them."""

import inspect
import json
import sys
from pathlib import Path

import pytest

from irtjax import cli
from irtjax.cli._common import show
from irtjax.data import read_table
from irtjax.irt import MarginalMAP, TwoPL, calibrate, save_bank
from irtjax.ranking import DEFAULT_RANKER
from irtjax.report import Column, Table

from .commands import done, refused, rows_of

FILE = ("--score-is", "success")


@pytest.fixture(autouse=True)
def files(tmp_path, root):
    """The example as the new snapshot, and without `alder` and some cells as the old."""
    text = (root / "docs" / "examples" / "scores.csv").read_text()
    (tmp_path / "new.csv").write_text(text)
    lines = [line for line in text.splitlines() if not line.startswith("alder")]
    (tmp_path / "old.csv").write_text("\n".join([*lines[:-3], ""]))


def test_two_systems():
    result = done(
        *("compare", "new.csv", "alder", "oak", *FILE),
        *("--json", "o.json", "--report", "o.html"),
    )
    paired, ranker = rows_of(result.stdout)
    assert paired["by"] == "items that both ran"
    assert float(paired["first"]) - float(paired["second"]) == pytest.approx(
        float(paired["difference"]), abs=1e-5
    )
    assert ranker["test"] == DEFAULT_RANKER
    assert float(ranker["p_beats"]) > 0.99
    assert "alder is the better one with probability" in result.stderr
    record = json.loads(Path("o.json").read_text())
    assert (record["first"], record["second"]) == ("alder", "oak")
    assert record["paired"]["difference"] > 0
    assert record["comparable"] is True
    assert "alder against oak" in Path("o.html").read_text()


def test_two_snapshots():
    result = done(
        *("compare", "old.csv", "new.csv", *FILE),
        *("--json", "o.json", "--report", "o.html"),
    )
    rows = rows_of(result.stdout)
    assert len(rows) == 7
    assert "Systems added: alder." in result.stderr
    assert "3" in {row["added"] for row in rows}
    assert {row["moved"] for row in rows} == {"no"}
    assert "None of the 7 systems in both moved beyond noise" in result.stderr
    record = json.loads(Path("o.json").read_text())
    assert record["systems_added"] == ["alder"]
    assert [each["system"] for each in record["systems"]] == [
        row["system"] for row in rows
    ]
    assert record["ranker"] == "two_pl"
    assert "From old.csv to new.csv" in Path("o.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("absent.csv", "a", "b"), "no file 'absent.csv'"),
        (("nwe.csv", "a", "b"), "Did you mean 'new.csv'"),
        (("new.csv", "oldd.csv"), "'oldd.csv' is no file. Did you mean 'old.csv'?"),
        (("new.csv", "alder"), "name both: irtjax compare FILE A B"),
        (("new.csv", "aldr", "oak"), "no system 'aldr'. Did you mean 'alder'?"),
        (("new.csv", "oak", "oak"), "with itself"),
        (("new.csv", "oak", "elm", "--level", "2"), "level"),
        (("new.csv", "oak", "elm", "--ranker", "best"), "no ranker 'best'"),
        (("old.csv", "new.csv", "--report", "new.csv"), "is the input"),
    ],
)
def test_mistakes_get_one_message(arguments, said):
    assert said in refused("compare", *arguments, *FILE)


@pytest.fixture(scope="module")
def bank_text(root, tmp_path_factory):
    table = read_table(root / "docs" / "examples" / "scores.csv", score_is="success")
    path = tmp_path_factory.mktemp("bank") / "bank.json"
    save_bank(path, calibrate(TwoPL(), table, estimator=MarginalMAP()))
    return path.read_text()


@pytest.fixture
def bank(bank_text, tmp_path):
    path = tmp_path / "bank.json"
    path.write_text(bank_text)
    return path


def test_new_systems_on_an_old_scale(bank):
    lines = [
        *("system,item,successes,trials", "fresh,task-05,9,10", "fresh,task-06,9,10"),
        *("fresh,unheard,1,10", "flawless,task-05,10,10", "flawless,task-06,10,10"),
    ]
    Path("fresh.csv").write_text("\n".join(lines))
    outputs = ("--json", "o.json", "--report", "o.html")
    result = done("score", bank, "fresh.csv", *FILE, *outputs)
    rows = rows_of(result.stdout)
    assert [row["system"] for row in rows] == ["flawless", "fresh"]
    assert [row["code"] for row in rows] == ["highest", "ordinary"]
    assert [row["items"] for row in rows] == ["2", "2"]
    for row in rows:
        assert float(row["lower"]) < float(row["ability"]) < float(row["upper"])
    assert "not in the bank and were left out: unheard." in result.stderr
    assert "highest possible" in result.stderr
    assert json.loads(Path("o.json").read_text())["scorer"] == "eap"
    assert "Scores of fresh.csv" in Path("o.html").read_text()


def test_one_system_on_one_item_is_enough(bank):
    Path("one.csv").write_text("system,item,successes,trials\nfresh,task-05,9,10\n")
    (row,) = rows_of(done("score", bank, "one.csv", *FILE).stdout)
    assert (row["system"], row["items"]) == ("fresh", "1")


def test_a_flawless_system_has_no_most_likely_ability(bank):
    """Complaint 1: infinite with a flag, neither an error nor a bound."""
    lines = ["system,item,successes,trials", "a,task-05,10,10", "b,task-05,0,10"]
    lines += ["c,task-05,5,10", "c,task-06,5,10"]
    Path("few.csv").write_text("\n".join(lines))
    options = (*FILE, "--scorer", "ml", "--json", "o.json", "--report", "o.html")
    result = done("score", bank, "few.csv", *options)
    rows = {row["system"]: row for row in rows_of(result.stdout)}
    assert (rows["a"]["ability"], rows["a"]["code"]) == ("inf", "highest")
    assert (rows["b"]["ability"], rows["b"]["code"]) == ("-inf", "lowest")
    assert rows["a"]["lower"] == rows["a"]["upper"] == ""
    assert float(rows["c"]["lower"]) < float(rows["c"]["upper"])
    first = json.loads(Path("o.json").read_text())["systems"][0]
    assert (first["ability"], first["code"]) == (None, "highest")
    assert "∞" in Path("o.html").read_text()


@pytest.mark.parametrize(
    "command",
    [("compare", "old.csv", "new.csv"), ("compare", "new.csv", "elm", "fir")],
)
def test_the_same_command_gives_the_same_bytes(command):
    """Complaint 20: on every path, with the seed in what is written."""
    for name in ("a", "b"):
        outputs = ("--json", f"{name}.json", "--report", f"{name}.html")
        done(*command, *FILE, "--ranker", "average", "--seed", 7, *outputs)
    for kind in ("json", "html"):
        assert Path(f"a.{kind}").read_bytes() == Path(f"b.{kind}").read_bytes()
    drawn = "old.csv" in command
    assert json.loads(Path("a.json").read_text()).get("seed") == (7 if drawn else None)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 99}, "version 99, this irtjax reads version 1: update irtjax"),
        ({"format": "other"}, "is no bank"),
        ({"score_is": "failure"}, "is damaged"),
    ],
)
def test_a_bank_that_cannot_be_read_gets_one_message(bank, change, said):
    bank.write_text(json.dumps(json.loads(bank.read_text()) | change))
    assert said in refused("score", bank, "new.csv", *FILE)


def test_a_file_without_an_item_of_the_bank_is_refused(bank):
    Path("other.csv").write_text("system,item,successes,trials\nx,q,1,2\ny,q,1,2\n")
    message = refused("score", bank, "other.csv", *FILE)
    assert "none of the items of bank.json: it has 'q' and the like" in message
    assert "level" in refused("score", bank, "new.csv", *FILE, "--level", 2)


def test_both_read_tables_as_rank_does():
    own = {"file", "ranker", "assume_trials", "level", "seed", "top", "report"}
    reading = set(inspect.signature(cli.rank).parameters) - own - {"json_out", "trust"}
    for command in (cli.compare, cli.score):
        assert reading <= set(inspect.signature(command).parameters)


def test_a_terminal_gets_a_table_and_a_pipe_lines(monkeypatch, capsys):
    table = Table("c", (Column("system"), Column("score")), (("alder", 0.5),))
    show("system\tscore\nalder\t0.5\n", lambda: table)
    assert capsys.readouterr().out == "system\tscore\nalder\t0.5\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    show("unused", lambda: table)
    drawn = capsys.readouterr().out
    assert "alder" in drawn
    assert "0.500" in drawn
    assert "\t" not in drawn
