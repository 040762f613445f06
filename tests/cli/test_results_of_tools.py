"""Every command that reads a table takes the results of evaluation tools."""

import pytest

from ..data.formats.test_lm_eval import two_models
from ..data.formats.test_swe_bench import verified
from ..data.formats.written import evalplus
from .commands import done, refused, rows_of


def test_a_folder_is_ranked_and_what_it_was_taken_for_is_said(tmp_path):
    folder = two_models(tmp_path / "results")
    options = ["--metric", "acc", "--metric", "exact_match"]
    options += ["--filter", "strict-match", "--ranker", "average"]
    result = done("rank", folder, *options)
    assert [row["system"] for row in rows_of(result.stdout)] == ["org/one", "two"]
    assert "lm-evaluation-harness samples, 4 files" in result.stderr
    assert "arc_easy: acc" in result.stderr


def test_samples_count_as_trials(tmp_path):
    good, bad = ("pass", "pass"), ("fail", "fail")
    for system, right in (("a", 4), ("b", 1)):
        tasks = {f"T/{k}": [good] * right + [bad] * (5 - right) for k in range(3)}
        evalplus(tmp_path / "out", system, tasks)
    result = done("rank", "out", "--metric", "plus", "--ranker", "average")
    assert "trials: repeated runs of an item" in result.stderr
    means = [float(row["plain_mean"]) for row in rows_of(result.stdout)]
    assert means == pytest.approx([0.8, 0.2])


def test_choices_are_spelt_as_options(tmp_path):
    folder = two_models(tmp_path / "results")
    assert "several: acc, acc_norm. Name the one to use with --metric" in refused(
        "rank", folder
    )
    assert "Pass --not-scored failure" in refused("rank", verified(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--systems-in", "rows"], "where --systems-in has no meaning"),
        (
            ["--split", "test"],
            "--split means nothing for results of the format lm_eval",
        ),
        (["--format", "helm"], "holds no file of this format"),
        (["--format", "mteb"], "--format"),
    ],
)
def test_options_that_do_not_fit_are_refused(arguments, said, tmp_path):
    assert said in refused("rank", two_models(tmp_path / "results"), *arguments)


def test_options_of_tools_do_not_fit_a_table(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("model,item,score\na,q,1\n")
    assert "taken for a table, where --metric has no meaning" in refused(
        "rank", path, "--metric", "acc"
    )


def test_an_empty_folder(tmp_path):
    (tmp_path / "none").mkdir()
    assert "holds no file" in refused("rank", "none")
