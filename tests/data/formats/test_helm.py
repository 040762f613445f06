"""Per-instance results of HELM."""

import numpy as np
import pytest

from irtjax.data import DataError
from irtjax.data.formats import read_helm

from .written import dump, helm_run, stat


def suite(folder):
    """Two models on one scenario; the first in two train trials."""
    for model, marks in (("org/one", (1.0, 0.0)), ("org/two", (0.0, None))):
        entries = [
            (f"id{k}", trial, [stat("exact_match", mark), stat("num_tokens", 7)], None)
            for k, mark in enumerate(marks)
            for trial in range(2 if model == "org/one" else 1)
        ]
        # Other metrics of an instance stand in an entry of their own.
        entries += [("id0", 0, [stat("f1", 0.5)], None)]
        entries += [("id0", 0, [stat("exact_match", 1.0)], {"name": "typos"})]
        helm_run(folder, model, "mmlu:subject=anatomy", entries)
    return folder


def test_models_instances_and_train_trials(tmp_path):
    table = read_helm(suite(tmp_path), metric="exact_match")
    assert table.system_ids == ("org/one", "org/two")
    assert table.item_ids == (
        "mmlu:subject=anatomy/id0",
        "mmlu:subject=anatomy/id1",
    )
    np.testing.assert_array_equal(table.responses.trials, [[2, 2], [1, 0]])
    np.testing.assert_array_equal(table.responses.successes, [[2, 0], [0, 0]])
    said = " ".join(table.describe())
    assert "2 results on perturbed instances were left out" in said
    assert "exact_match (test)" in said


def test_the_metric_must_be_said_among_those_that_can_be_scores(tmp_path):
    with pytest.raises(DataError, match=r"several: exact_match, f1\. Name .*metric="):
        read_helm(suite(tmp_path))


def test_a_count_is_no_score(tmp_path):
    with pytest.raises(DataError, match=r"id0', metric 'num_tokens': the score 7 is"):
        read_helm(suite(tmp_path), metric="num_tokens")


def test_several_splits_must_be_settled(tmp_path):
    for model in ("a", "b"):
        entries = [
            (f"{split}{k}", 0, [stat("acc", 1.0, split)], None)
            for split in ("test", "valid")
            for k in range(2)
        ]
        helm_run(tmp_path, model, "boolq:data=x", entries)
    with pytest.raises(DataError, match=r"several: test, valid\. Name .*split="):
        read_helm(tmp_path)
    assert read_helm(tmp_path, split="valid").item_ids == (
        "boolq:data=x/valid0",
        "boolq:data=x/valid1",
    )


def test_a_run_without_its_specification(tmp_path):
    dump(tmp_path / "run" / "per_instance_stats.json", [])
    with pytest.raises(DataError, match=r"run/per_instance_stats\.json: there is no"):
        read_helm(tmp_path)


def test_an_instance_without_a_name(tmp_path):
    path = helm_run(tmp_path, "a", "s:x=1", [])
    dump(path, [{"stats": []}])
    with pytest.raises(DataError, match=r"stats\.json: the key 'instance_id' must"):
        read_helm(tmp_path)
