"""Published programs are found and loaded."""

import pytest

from experiments._programs import FILES, load_programs, programs_folder, with_math
from irtjax.cegar.sandbox import best_sandbox
from irtjax.cegar.tasks import Bench, read_evalplus


def test_the_folder_is_named_or_shared(tmp_path, monkeypatch):
    assert programs_folder(tmp_path) == tmp_path
    (tmp_path / "data" / "programs").mkdir(parents=True)
    monkeypatch.setenv("IRTJAX_SHARED", str(tmp_path))
    assert programs_folder() == tmp_path / "data" / "programs"
    with pytest.raises(FileNotFoundError, match="There is no folder"):
        programs_folder(tmp_path / "none")
    monkeypatch.delenv("IRTJAX_SHARED")
    with pytest.raises(FileNotFoundError, match="Set IRTJAX_SHARED"):
        programs_folder()


def test_a_missing_import_of_math_is_added():
    bare = "def f(x):\n    return math.sqrt(x)\n"
    assert with_math(bare).endswith("\n" + bare)
    assert with_math(bare).startswith("import math")
    for text in ("import math\n" + bare, "def f(x):\n    return x\n", "def f(math"):
        assert with_math(text) == text


def test_some_published_programs_are_loaded(shared):
    folder = programs_folder(shared / "data" / "programs")
    loaded = load_programs(
        "humaneval_plus_mini", Bench(best_sandbox()), folder, limit=3
    )
    assert len(loaded.cases) == len(loaded.oracles) == 3
    for case, oracle in zip(loaded.cases, loaded.oracles, strict=True):
        assert case.task.task_id == oracle.task_id
        assert len(case.candidates) > 20
        assert len(case.task.inputs) in (0, 24)
        assert bool(case.task.inputs) == bool(case.task.checks)


def test_all_published_tasks_are_read(shared):
    """Counts of the README there, and of the special tasks that the file has."""
    folder = shared / "data" / "programs"
    names = ("mbpp_plus", "humaneval_plus_mini")
    mbpp, humaneval = (read_evalplus(folder / FILES[name][0]) for name in names)
    assert len(mbpp.tasks) == 378
    assert len(humaneval.tasks) == 164
    assert all(len(task.checks) == 1 for task in mbpp.tasks)
    assert len(mbpp.converted) == 52
    assert mbpp.converted["Mbpp/252"] == "complex"
    assert humaneval.converted == {}
    rules = [each.rule for each in (*mbpp.oracles, *humaneval.oracles)]
    assert [rules.count(rule) for rule in ("set", "not none", "root")] == [7, 3, 1]
