"""The bar on honesty, with one cheat of each kind and one honest operator."""

import pytest

from experiments._cegar_tasks import Labelled
from experiments.bars import issue6_bar4
from experiments.bars.issue6_bar4 import EACH, KINDS, judge, read_cheats
from irtjax.cegar.operators import Harness


def test_cheats_are_read_with_level_and_claim():
    cheats = read_cheats()
    assert {cheat.name[:2] for cheat in cheats} == set(KINDS)
    assert all(cheat.defect and cheat.level in range(4) for cheat in cheats)


def test_a_file_that_says_nothing_is_named(tmp_path):
    (tmp_path / "s1_bare.py").write_text(
        "def operator(task, code):\n    return 'PASS'\n"
    )
    with pytest.raises(ValueError, match="s1_bare"):
        read_cheats(tmp_path)


def test_one_cheat_let_in_or_one_honest_operator_refused_fails():
    refused: dict[str, str | None]
    refused = {f"{kind}_{n}": "no" for kind in KINDS for n in range(EACH)}
    assert judge(refused, {"honest": None})["passed"]
    assert not judge({**refused, "s1_0": None}, {"honest": None})["passed"]
    assert not judge(refused, {"honest": "no"})["passed"]
    del refused["s4_0"]
    assert not judge(refused, {"honest": None})["passed"]


def test_reasons_are_those_of_the_harness_and_the_screens():
    nothing = Labelled((), ())
    assert issue6_bar4.reasons([], nothing, Harness.__new__(Harness)) == {}
