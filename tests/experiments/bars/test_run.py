import json
import re
import subprocess
import sys
import tempfile

import pytest

from experiments.bars import Measurement, _run

BAR = """
def measure():
    print("working")
    return {{
        "bar": "one is at most two",
        "command": "scripts/bars 9 1",
        "required": {{"value": 2}},
        "measured": {{"value": {value}}},
        "passed": {value} <= 2,
    }}
"""


def test_find_sorts_by_number(tmp_path):
    for name in ("issue9_bar10", "issue9_bar2", "issue91_bar1", "issue9_barx"):
        (tmp_path / f"{name}.py").touch()
    assert list(_run.find(9, [], tmp_path)) == [2, 10]
    assert _run.find(9, [10], tmp_path) == {10: "issue9_bar10"}


def test_find_names_what_is_missing(tmp_path):
    (tmp_path / "issue9_bar2.py").touch()
    with pytest.raises(ValueError, match=re.escape("no bar 3; there are: 2")):
        _run.find(9, [2, 3], tmp_path)
    with pytest.raises(ValueError, match="none at all"):
        _run.find(8, [], tmp_path)


@pytest.mark.parametrize(("value", "passed"), [(1, True), (3, False)])
def test_run_measures_in_a_process_of_its_own(tmp_path, value, passed):
    (tmp_path / "issue9_bar1.py").write_text(BAR.format(value=value))
    found = _run.run("issue9_bar1", tmp_path)
    assert found["passed"] is passed
    assert found["measured"] == {"value": value}
    assert found["seconds"] > 0
    assert set(Measurement.__annotations__) <= set(found)
    assert {"date", "commit", "versions", "device"} <= set(found)


def test_run_reports_an_error_as_not_passed(tmp_path):
    (tmp_path / "issue9_bar1.py").write_text(
        'def measure():\n    raise OSError("no data here")\n'
    )
    found = _run.run("issue9_bar1", tmp_path)
    assert found["passed"] is False
    assert found["error"] == "OSError: no data here"


def test_store_keeps_the_other_bars(tmp_path):
    path = tmp_path / "bars" / "issue9.json"
    _run.store(path, 9, {10: {"passed": True}})
    _run.store(path, 9, {2: {"passed": False}})
    stored = json.loads(path.read_text())
    assert stored["issue"] == 9
    assert list(stored["bars"]) == ["2", "10"]


def test_store_refuses_a_folder_of_this_machine(tmp_path):
    private = f"{tempfile.gettempdir()}/x"
    with pytest.raises(ValueError, match="folder of this machine"):
        _run.store(tmp_path / "issue9.json", 9, {1: {"measured": private}})
    assert not (tmp_path / "issue9.json").exists()


def test_command_refuses_an_unknown_issue(root):
    done = subprocess.run(
        [sys.executable, "-m", "experiments.bars", "999"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "Issue 999: no bar" in done.stderr
