import ast
import builtins

import pytest

from irtjax.cegar import LEVELS
from irtjax.cegar.atoms import ATOMS, Atom, atoms_of


def test_each_atom_stands_alone():
    """Its text names nothing but its arguments, what it makes itself, and builtins."""
    for atom in ATOMS.values():
        tree = ast.parse(atom.source)
        made = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and _stores(n)}
        made |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
        made |= {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
        made |= {
            one.name
            for n in ast.walk(tree)
            if isinstance(n, ast.Import)
            for one in n.names
        }
        used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        assert used - made - set(dir(builtins)) == set(), atom.name


def _stores(name):
    return isinstance(name.ctx, ast.Store)


def test_levels_are_read_off_what_an_atom_uses():
    by_level = {n: [a for a in ATOMS.values() if a.level == n] for n in LEVELS}
    assert all(by_level.values())
    assert not any(atom.behaviour for atom in by_level[0])
    assert all(atom.behaviour for atom in by_level[3])
    assert (ATOMS["same_shape"].level, ATOMS["same_shape"].behaviour) == (2, False)


def test_a_module_of_atoms_is_read_as_text():
    text = 'def one(task, code, ctx):\n    """Say 1."""\n    return ctx.run and 1\n'
    text += "\n\ndef _no_atom(task):\n    return 0\n"
    assert atoms_of(text) == {
        "one": Atom("one", text.split("\n\n\n")[0] + "\n", 1, True, "Say 1.")
    }


@pytest.mark.parametrize(
    "text",
    ["def one(task, code):\n    'x'\n", "def one(task, code, ctx):\n    return 1\n"],
)
def test_what_is_no_atom_is_named(text):
    with pytest.raises(ValueError, match="one takes"):
        atoms_of(text)
