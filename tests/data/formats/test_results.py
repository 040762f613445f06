"""One door to every format, and how formats are told apart."""

import json

import pytest

from irtjax.data import DataError
from irtjax.data.formats import detect_format, read_results

from .test_evalplus import results as evalplus_folder
from .test_helm import suite
from .test_lm_eval import two_models
from .test_swe_bench import verified
from .written import DATE, dump, lines, report, sample

FOLDERS = {
    "lm_eval": (
        two_models,
        {"metric": ["acc", "exact_match"], "filter": "strict-match"},
    ),
    "helm": (suite, {"metric": "exact_match"}),
    "swe_bench": (verified, {"not_scored": "failure"}),
    "evalplus": (evalplus_folder, {"metric": "plus"}),
}


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_is_recognised_and_read(name, tmp_path):
    write, options = FOLDERS[name]
    folder = write(tmp_path / "results")
    assert detect_format(folder) == name
    assert len(read_results(folder, **options).system_ids) == 2


def test_single_files_are_recognised(tmp_path):
    per_instance = [{"instance_id": "a", "stats": []}]
    named = {
        lines(tmp_path / f"samples_t_{DATE}.jsonl", [sample(0, acc=1)]): "lm_eval",
        lines(tmp_path / "mine.jsonl", [sample(0, acc=1)]): "lm_eval",
        lines(tmp_path / "long.jsonl", [{"model": "a", "item": 1, "score": 1}]): None,
        dump(tmp_path / "x.json", per_instance): "helm",
        dump(tmp_path / "y.json", {"eval": {}, "hash": ""}): "evalplus",
        dump(
            tmp_path / "log.json", {"version": 2, "status": "success", "eval": {}}
        ): "inspect",
        report(tmp_path, "m.run"): "swe_bench",
        dump(tmp_path / "else.json", {"a": 1}): None,
    }
    (tmp_path / "log.eval").write_bytes(b"PK")
    assert detect_format(tmp_path / "log.eval") == "inspect"
    (tmp_path / "table.csv").write_text("model,item,score\n")
    assert detect_format(tmp_path / "table.csv") is None
    for path, expected in named.items():
        assert detect_format(path) == expected, path.name


def test_folders_of_several_tools_or_none_are_refused(tmp_path):
    with pytest.raises(DataError, match="holds no file"):
        detect_format(tmp_path)
    dump(tmp_path / "a.json", {"x": 1})
    with pytest.raises(DataError, match="no results of a known tool"):
        detect_format(tmp_path)
    suite(tmp_path)
    two_models(tmp_path)
    with pytest.raises(DataError, match=r"several tools \(helm, lm_eval\)"):
        detect_format(tmp_path)
    with pytest.raises(DataError, match="no such file or folder"):
        detect_format(tmp_path / "absent")


def test_choices_that_a_format_does_not_have_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"split= means nothing .* lm_eval"):
        read_results(two_models(tmp_path), split="test")


def test_a_table_is_no_result_of_a_tool(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("model,item,score\n")
    with pytest.raises(DataError, match="this is a table"):
        read_results(path)


def test_a_malformed_file_says_where(tmp_path):
    path = suite(tmp_path) / "mmlu_subject=anatomy,model=org_one" / "run_spec.json"
    path.write_text(json.dumps({"name": "x"})[:-1] + ",\n}")
    with pytest.raises(DataError, match=r"run_spec\.json, line 2, column 1: not valid"):
        read_results(tmp_path, metric="exact_match")
