"""The command line as a user meets it: files in, text, data and pages out."""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from irtjax import cli
from irtjax.cli._common import as_options
from irtjax.data import read_table
from irtjax.ranking import DEFAULT_RANKER

from .commands import refused, rows_of, run

SCORES = """system,easy,middling,hard,"odd, name"
007,1,1,1,1
"Smith, J.",1,1,0,1
é [red],1,0,0,1
worst,0,0,,0
"""


@pytest.fixture(autouse=True)
def scores(tmp_path):
    (tmp_path / "scores.csv").write_text(SCORES, "utf-8")


def test_a_pipe_gets_the_ranking_alone_and_the_reader_all_remarks():
    result = run("rank", "scores.csv", "--systems-in", "rows")
    assert result.exit_code == 0, result.stderr
    rows = rows_of(result.stdout)
    assert [row["system"] for row in rows] == ["007", "Smith, J.", "é [red]", "worst"]
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4"]
    assert rows[0]["plain_mean"] == "1"
    for row in rows:
        assert float(row["lower"]) <= float(row["score"]) <= float(row["upper"])
        assert 1 <= float(row["rank_lower"]) <= float(row["rank_upper"]) <= 4
    assert "scores.csv: 4 systems x 4 items, 15 of 16 cells observed" in result.stderr
    assert "top '007' (1.000), bottom 'worst' (0.000)" in result.stderr


def test_json_holds_ids_as_given_and_what_is_needed_to_repeat_it():
    result = run(
        "rank", "scores.csv", "--systems-in", "rows", "--seed", 5, "--json", "out.json"
    )
    assert result.exit_code == 0, result.stderr
    record = json.loads(Path("out.json").read_text("utf-8"))
    assert [each["system"] for each in record["systems"]][:2] == ["007", "Smith, J."]
    assert record["seed"] == 5
    assert record["level"] == 0.95
    assert record["ranker"] == DEFAULT_RANKER
    assert record["codes"] == {"successful": 1}
    assert record["source"] == "scores.csv"
    assert "jax" in record["versions"]


def test_the_same_seed_gives_the_same_bytes():
    for name in ("a", "b"):
        outputs = ("--json", f"{name}.json", "--report", f"{name}.html")
        assert (
            run("rank", "scores.csv", "--systems-in", "rows", *outputs).exit_code == 0
        )
    for kind in ("json", "html"):
        assert Path(f"a.{kind}").read_bytes() == Path(f"b.{kind}").read_bytes()


def test_polarity_turns_the_order_round():
    result = run("rank", "scores.csv", "--systems-in", "rows", "--score-is", "failure")
    assert rows_of(result.stdout)[0]["system"] == "worst"


def test_systems_in_columns():
    result = run("rank", "scores.csv", "--systems-in", "columns")
    assert {row["system"] for row in rows_of(result.stdout)} == {
        "easy",
        "middling",
        "hard",
        "odd, name",
    }


def test_every_ranker_ranks():
    from irtjax.ranking import RANKERS

    for name in RANKERS:
        result = run("rank", "scores.csv", "--systems-in", "rows", "--ranker", name)
        assert result.exit_code == 0, result.stderr
        assert rows_of(result.stdout)[0]["system"] == "007", name


def test_long_files_with_columns_named(tmp_path):
    lines = ["model,task,right,tries"]
    for k, name in enumerate(("a", "b", "c")):
        lines += [f"{name},t{item},{9 - 3 * k - item},10" for item in range(3)]
    (tmp_path / "long.csv").write_text("\n".join(lines))
    named = ("--system", "model", "--item", "task", "--successes", "right")
    result = run("rank", "long.csv", "--layout", "long", *named, "--trials", "tries")
    assert result.exit_code == 0, result.stderr
    assert [row["system"] for row in rows_of(result.stdout)] == ["a", "b", "c"]
    assert "trials: column 'tries'" in result.stderr


def test_fractions_without_trials_are_said_to_have_none(tmp_path):
    rng = np.random.default_rng(0)
    ability, difficulty = np.linspace(1, -1, 5), np.linspace(-1, 1, 8)
    chance = 1 / (1 + np.exp(difficulty - ability[:, None]))
    noisy = np.clip(chance + rng.normal(0, 0.05, chance.shape), 0.01, 0.99)
    lines = ["system," + ",".join(f"i{k}" for k in range(8))]
    lines += [
        f"s{k}," + ",".join(f"{x:.3f}" for x in row) for k, row in enumerate(noisy)
    ]
    (tmp_path / "shares.csv").write_text("\n".join(lines))
    plain = run("rank", "shares.csv", "--systems-in", "rows", "--score-is", "success")
    assert plain.exit_code == 0, plain.stderr
    assert "trials: unknown" in plain.stderr
    assert "--trials" in plain.stderr
    assert "trials=" not in plain.stderr
    assumed = run("rank", "shares.csv", "--systems-in", "rows", "--assume-trials", 10)
    assert assumed.exit_code == 0, assumed.stderr
    assert "band_lower" in rows_of(assumed.stdout)[0]
    counted = run("rank", "shares.csv", "--systems-in", "rows", "--trials", 1000)
    assert counted.exit_code == 0, counted.stderr
    assert "trials: declared: 1000" in counted.stderr


def test_top_prints_the_first_and_writes_all():
    result = run(
        "rank", "scores.csv", "--systems-in", "rows", "--top", 2, "--json", "out.json"
    )
    assert len(rows_of(result.stdout)) == 2
    assert len(json.loads(Path("out.json").read_text("utf-8"))["systems"]) == 4


def test_the_version():
    from irtjax.report import versions

    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout == f"irtjax {versions()['irtjax']}\n"


def test_every_command_is_offered():
    help_text = run("--help").stdout
    for there in ("rank", "fit", "compare", "score", "evolve", "judge"):
        assert there in help_text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("absent.csv",), "absent.csv"),
        (("scores.csv", "--level", "2"), "level"),
        (("scores.csv", "--level", "0"), "level"),
        (("scores.csv", "--ranker", "two_pm"), "two_pl"),
        (("scores.csv", "--report", "no/such/out.html"), "--report no/such/out.html"),
        (("scores.csv", "--report", "."), "is a folder"),
        (("scores.csv", "--report", "scores.csv"), "is the input"),
        (("scores.csv", "--report", "a", "--json", "./a"), "is --report"),
        (("scores.csv", "--trials", "nowhere"), "nowhere"),
        (("scores.csv", "--trials", "0"), "trials"),
        (("scores.csv", "--duplicates", "median"), "median"),
        (("scores.csv", "--ignore", "nowhere"), "nowhere"),
    ],
)
def test_mistakes_get_one_message_and_no_output(arguments, said):
    assert said in refused("rank", *arguments, *_rows(arguments))
    assert {path for path in os.listdir() if path != "cache"} == {"scores.csv"}


def _rows(arguments):
    return () if "absent.csv" in arguments else ("--systems-in", "rows")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "empty"),
        ("system,a,b\nx,1,0\nx,0,1\n", "'x'"),
        ("system,a,b\nx,1,seven\ny,0,1\n", "column 'b'"),
        ("system,a,b\nx,1,-0.5\ny,0,1\n", "column 'b'"),
        ("system,a,b\nx,1,0\n", "system"),
        ("system,a\nx,1\ny,0\n", "item"),
    ],
)
def test_bad_files_get_a_message_that_says_where(tmp_path, content, said):
    (tmp_path / "bad.csv").write_text(content)
    message = refused("rank", "bad.csv", "--systems-in", "rows")
    assert message.startswith("error: ")
    assert "bad.csv" in message
    assert said in message


def test_an_output_that_cannot_be_written_stops_before_the_file_is_read():
    assert "--json" in refused("rank", "absent.csv", "--json", "no/such/out.json")


def test_old_outputs_survive_a_failed_command(tmp_path):
    (tmp_path / "out.json").write_text("old")
    refused("rank", "absent.csv", "--json", "out.json")
    assert (tmp_path / "out.json").read_text() == "old"


def test_every_setting_of_the_reader_can_be_typed():
    spelt = set(inspect.signature(cli.rank).parameters)
    # None changes a ranking: how cells are stored, ordered categories, which no ranker
    # takes, and how small a table may be.
    reader = set(inspect.signature(read_table).parameters)
    assert reader - {"path", "storage", "categories", "least"} <= spelt


def test_settings_in_messages_are_spelt_as_options():
    said = as_options(
        "Pass score_is='failure', out_of=100 or trials= (duplicates='sum'); x=1.",
        inspect.signature(cli.rank).parameters,
    )
    assert said == (
        "Pass --score-is failure, --out-of 100 or --trials (--duplicates sum); x=1."
    )


@pytest.mark.parametrize(
    ("column", "option"),
    [
        ("task_1", "--ignore task_1"),
        ("task 1", "--ignore 'task 1'"),
        ("it's", """--ignore 'it'"'"'s'"""),
        (3, "--ignore 3"),
    ],
)
def test_a_column_to_ignore_is_spelt_as_one_types_it(column, option):
    names = inspect.signature(cli.rank).parameters
    said = as_options(f"Leave it out with ignore={[column]!r}.", names)
    assert said == f"Leave it out with {option}."


@pytest.mark.slow
def test_a_fresh_process_ranks_without_a_word_too_much(tmp_path):
    """As a user types it: no warning of a library, and compiled programs are kept."""
    command = [sys.executable, "-c", "from irtjax.cli import main; main()"]
    command += ["rank", "scores.csv", "--systems-in", "rows"]
    environment = os.environ | {
        "PYTHONPATH": str(Path(cli.__file__).parent.parent.parent),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    first, second = (
        subprocess.run(
            command, capture_output=True, text=True, env=environment, timeout=120
        )
        for _ in range(2)
    )
    assert first.returncode == second.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert first.stderr == second.stderr
    assert "arning: " not in first.stderr.replace("\nwarning: ", "\n")
    assert any((tmp_path / "cache" / "irtjax" / "jax").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "settings"),
    [
        (
            "matrices/gqa_labels.csv",
            ("--systems-in", "columns", "--score-is", "failure"),
        ),
        (
            "matrices/cruxeval_input_labels.csv",
            ("--systems-in", "columns", "--score-is", "failure"),
        ),
        (
            "matrices/chembench_labels.csv",
            ("--systems-in", "columns", "--score-is", "failure"),
        ),
        ("leaderboards/evo_sota_vla.csv", ("--score-is", "success")),
    ],
)
def test_real_tables_are_ranked_best_first(shared, path, settings):
    result = run(
        "rank",
        shared / "data" / path,
        *settings,
        *("--report", "out.html", "--json", "out.json"),
    )
    assert result.exit_code == 0, result.stderr
    rows = rows_of(result.stdout)
    ranks = [float(row["rank"]) for row in rows]
    assert ranks == sorted(ranks)
    plain = np.array([float(row["plain_rank"]) for row in rows])
    assert np.corrcoef(ranks, plain)[0, 1] > 0.3
    assert len(Path("out.html").read_text("utf-8")) > 10_000
