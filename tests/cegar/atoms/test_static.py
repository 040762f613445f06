"""Static atoms: known values, and nothing changes under renaming and reformatting."""

import ast
from types import SimpleNamespace

import pytest

from irtjax.cegar.atoms import ATOMS, Shown

TASK = SimpleNamespace(
    prompt="?", entry_point="f", checks=("assert f([7, 8], 'ab') == [40, 41]",)
)
PROGRAM = '''
import re
from typing import List

def f(values: List[int], more):
    """Do something."""
    found = []
    for i in range(1, len(values)):
        try:
            if values[i - 1] <= 7 and values[i] == values[:2]:
                found.append(int(values[i] / 3) % 1234)
                return sorted(set(found))
        except Exception:
            continue
    values.sort()
    while values == 40:
        return "ab".lower()
    if len(values) < 8:
        return f(values, [x for y in values for x in y])
'''
KNOWN = {
    "statements": 15, "branches": 2, "for_loops": 1, "while_loops": 1,
    "comprehensions": 2, "loop_depth": 2, "block_depth": 4, "returns": 3,
    "falls_off_the_end": 1, "calls_itself": 1, "returns_in_loops": 2,
    "first_round_decides": 1, "functions": 1, "imports": 1, "try_blocks": 1,
    "literals": 6, "largest_number": 4, "shared_with_expected": 1,
    "shared_with_arguments": 3, "parameters_compared_with_literals": 1,
    "unused_parameters": 1, "mutates_parameters": 1, "loops_over_indices": 1,
    "ranges_off_by_one": 1, "indices_off_by_one": 1, "slices": 1, "divisions": 1,
    "whole_divisions": 1, "roundings": 1, "sortings": 2, "sets_made": 1,
    "text_methods": 1, "uses_patterns": 1, "strict_comparisons": 0.5,
    "broad_handlers": 1,
}  # fmt: skip
STATIC = [atom for atom in ATOMS.values() if atom.level == 0]


def _measure(atom, code):
    space = {}
    exec(atom.source, space)
    return space[atom.name](TASK, code, None)


@pytest.mark.parametrize("name", list(KNOWN))
def test_atoms_count_what_they_say(name):
    assert isinstance(TASK, Shown)
    assert _measure(ATOMS[name], PROGRAM) == KNOWN[name]


def test_every_static_atom_of_programs_is_tried():
    assert {atom.name for atom in STATIC} - set(KNOWN) >= {"syntax_nodes"}


@pytest.mark.parametrize("atom", STATIC, ids=lambda atom: atom.name)
def test_names_and_layout_change_nothing(atom):
    reformatted = "# other\n\n" + ast.unparse(ast.parse(PROGRAM))
    renamed = PROGRAM.replace("values", "numbers").replace("found", "z")
    undocumented = PROGRAM.replace('    """Do something."""\n', "")
    expected = _measure(atom, PROGRAM)
    for other in (reformatted, renamed, undocumented):
        assert _measure(atom, other) == expected
