"""What is kept of every attempt, and the records of operators."""

import itertools
import json

import numpy as np
import pytest

from irtjax.cegar import (
    ABSTAIN,
    FLAG,
    LEVELS,
    OBSERVATIONS,
    PASS,
    PEERS,
    VERDICTS,
    Archive,
    Attempt,
    Level,
    Observation,
    Operator,
)

SOURCE = "def operator(task, code):\n    return 'PASS'\n"


def attempt(name, verdicts, **more):
    return Attempt(
        Operator(name, SOURCE),
        np.array(verdicts, np.int8),
        False,
        "why",
        0,
        "t",
        1,
        **more,
    )


def test_the_same_flags_are_the_same_operator():
    archive = Archive([attempt("a", [FLAG, PASS, ABSTAIN])])
    assert archive.twin(np.array([FLAG, ABSTAIN, PASS])) == "a"
    assert archive.twin(np.array([PASS, PASS, FLAG])) is None
    archive.add(attempt("b", [FLAG, PASS, PASS]))
    archive.add(attempt("c", []))
    archive.add(attempt("d", [PASS, FLAG, PASS]))
    assert [kept.operator.name for kept in archive.ran()] == ["a", "d"]
    assert archive.flags().tolist() == [[True, False, False], [False, True, False]]
    assert len(archive) == 4
    assert len(Archive().flags()) == 0


def test_an_archive_survives_the_disk(tmp_path):
    path = tmp_path / "archive.jsonl"
    archive = Archive(
        [
            attempt("a", [1, 0, -1], p_value=0.25),
            attempt("b", []),
            attempt("c", [0, 1, 1]),
        ]
    )
    archive.save(path)
    again = Archive.load(path)
    assert [kept.plain() for kept in again] == [kept.plain() for kept in archive]
    assert again.twin(np.array([0, 1, 1])) == "c"
    path.write_text(path.read_text() + "{}\n")
    with pytest.raises(ValueError, match="line 4 is no attempt"):
        Archive.load(path)


def test_a_changed_source_is_noticed(tmp_path):
    operator = Operator("a", SOURCE, defect="none", parents=("p",))
    plain = operator.plain()
    assert Operator.of_plain(json.loads(json.dumps(plain))) == operator
    assert len(operator.hash) == 64
    with pytest.raises(ValueError, match="changed after it was stored"):
        Operator.of_plain(plain | {"source": SOURCE + "\n"})


def test_levels_widen():
    offers = [LEVELS[number].offers for number in sorted(LEVELS)]
    assert all(low < high for low, high in itertools.pairwise(offers))
    assert isinstance(LEVELS[0], Level)
    assert (PEERS, OBSERVATIONS) == (16, 600)
    assert set(VERDICTS.values()) == {FLAG, PASS, ABSTAIN}
    assert Observation("error", "ValueError").plain() == ["error", "ValueError"]
