"""Frozen pools on disk, and what they are worth."""

import json

import numpy as np
import pytest

from irtjax.cegar import (
    FORMAT,
    Evaluation,
    Operator,
    Pool,
    digest,
    evaluate,
    gain,
    load_pool,
    verdict_table,
)

from .panels import random_flags, random_panel

ONE = Operator("one", "def operator(task, code):\n    return 'PASS'\n")
TWO = Operator("two", "def operator(task, code):\n    return 'FLAG'\n", defect="all")


def test_a_pool_survives_the_disk_and_its_operators_can_be_read(tmp_path):
    pool = Pool((ONE, TWO), 7, {"training_tasks": 3})
    pool.save(tmp_path / "pool")
    pool.save(tmp_path / "pool")  # the same pool again is no other one
    assert load_pool(tmp_path / "pool") == pool
    assert (tmp_path / "pool" / "operator_2.py").read_text() == TWO.source
    assert len({pool.hash, Pool((TWO, ONE), 7).hash, Pool((ONE, TWO), 8).hash}) == 3
    with pytest.raises(FileExistsError, match="holds another pool"):
        Pool((ONE,)).save(tmp_path / "pool")


def test_what_is_no_pool_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no pool\.json"):
        load_pool(tmp_path)
    Pool((ONE, TWO)).save(tmp_path)
    path = tmp_path / "pool.json"
    plain = json.loads(path.read_text())
    assert plain["format"] == FORMAT
    for change, message in (
        ({"format": FORMAT + 1}, "update irtjax"),
        ({"electorate": 1}, "changed after it was frozen"),
        ({"operators": plain["operators"][:1]}, "changed after it was frozen"),
        ({"operators": 3}, "is no pool"),
    ):
        path.write_text(json.dumps(plain | change))
        with pytest.raises(ValueError, match=message):
            load_pool(tmp_path)
    path.write_text("no json")
    with pytest.raises(ValueError, match="is no pool"):
        load_pool(tmp_path)
    assert digest(["a", "b"]) != digest(["ab"])


def test_an_evaluation_agrees_with_itself():
    panel = random_panel(0, tasks=30)
    flags = random_flags(panel, 3)
    found = evaluate(panel, flags.astype(np.int8), draws=199)
    assert isinstance(found, Evaluation)
    assert found.gain == gain(panel, flags)
    assert found.exact.delta == pytest.approx(found.samples.delta)
    out = flags.sum(axis=0) >= 2
    assert found.flagged == panel.count[out].sum()
    assert found.flagged_wrong == panel.count[out & ~panel.right].sum()
    assert max(found.sign, found.exact.p_value, found.programs.p_value) < 0.05
    nobody = evaluate(panel, np.zeros((0, len(panel.task)), np.int8), draws=9)
    assert (nobody.flagged, nobody.gain.delta) == (0, 0.0)


def test_verdicts_become_a_table_of_who_was_right():
    panel = random_panel(1)
    verdicts = np.where(panel.right, 0, 1).astype(np.int8)[None].repeat(2, axis=0)
    verdicts[1, ::3] = -1
    verdicts[1, 1] = 1 - verdicts[1, 1]
    table = verdict_table(panel, verdicts, ("sure", "shy"))
    assert table.system_ids == ("sure", "shy")
    assert table.item_ids[:2] == ("t0#0", "t0#1")
    observed = np.asarray(table.responses.observed())
    assert observed[0].all()
    assert np.array_equal(observed[1], verdicts[1] != -1)
    means = table.plain_means()
    assert means[0] == 1
    assert means[1] == pytest.approx(1 - 1 / observed[1].sum())
