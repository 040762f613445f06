"""The grammar: what it enumerates, what it finds, and what it turns into."""

import itertools

import numpy as np
import pytest

from irtjax.cegar import (
    FLAG,
    LoopSettings,
    MaximumGate,
    Request,
    evolve,
)
from irtjax.cegar.atoms import Atom
from irtjax.cegar.generators import (
    SHAPES,
    Formula,
    GrammarGenerator,
    Literal,
    ScriptedGenerator,
    enumerate_formulas,
    make_literals,
    render,
)

from ..panels import TableBench, random_panel

PANEL = random_panel(0, tasks=40)


def atom(name, level=1):
    source = f"def {name}(task, code, ctx):\n    return ctx['{name}']\n"
    return Atom(
        name, source.replace("return ctx", "value = ctx") + CHECK, level, True, "x"
    )


CHECK = "    return None if value != value else value\n"
ATOMS = {name: atom(name) for name in ("a", "b", "c")}


def values(seed=0):
    rng = np.random.default_rng(seed)
    found = {name: rng.normal(size=len(PANEL.task)) for name in ATOMS}
    found["a"] += 1.5 * ~PANEL.right
    found["b"][::7] = np.nan
    return found


def request(level=1):
    spot = np.arange(len(PANEL.task))
    pool = np.zeros((0, len(PANEL.task)), bool)
    return Request(PANEL, spot, spot[:1], spot[1:2], level, pool, (), 0)


def by_python(formula, table):
    """Each answer's verdict by evaluating the formula as a person would."""
    said = []
    for place in range(len(PANEL.task)):
        ctx = {name: column[place] for name, column in table.items()}
        used = [ctx[literal.atom] for literal in formula.literals]
        said.append(not np.isnan(used).any() and bool(eval(formula.says(), {}, ctx)))
    return np.array(said)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_flags_are_those_of_the_rendered_operator(size):
    table = values()
    found = enumerate_formulas(
        make_literals(table), table, np.where(PANEL.right, -1.0, 1.0),
        size=size, wide=20, narrow=5,
    )  # fmt: skip
    assert len({row.tobytes() for row in found.flags}) == len(found.formulas)
    assert {formula.shape for formula in found.formulas} >= set(SHAPES[:size])
    bench = TableBench(table)
    step = max(1, len(found.formulas) // 12)
    for formula, flags in itertools.islice(
        zip(found.formulas, found.flags, strict=True), 0, None, step
    ):
        assert np.array_equal(flags, by_python(formula, table))
        assert np.array_equal(bench.verdicts(render(formula, ATOMS)) == FLAG, flags)


def test_thresholds_lie_between_values_with_few_digits():
    literals = make_literals({"a": np.array([0.0, 1.0, 1.0, 3.0, np.nan])})
    assert {literal.threshold for literal in literals} == {0.5, 2.0}
    assert len(literals) == 4
    assert make_literals({"a": np.array([2.0, 2.0, np.nan])}) == []
    many = make_literals({"a": np.random.default_rng(0).normal(size=500)})
    assert len(many) == 18


def test_an_operator_abstains_where_an_atom_cannot_tell():
    formula = Formula(SHAPES[2], (Literal("a", True, 0.5), Literal("b", False, 0.0)))
    operator = render(formula, ATOMS | {"b": atom("b", level=2)})
    assert operator.level == 2
    assert operator.name == "a > 0.5 or b <= 0.0"
    table = values()
    assert set(TableBench(table).verdicts(operator)[np.isnan(table["b"])]) == {-1}
    static = render(Formula(SHAPES[0], (Literal("a", True, 0.5),)), {"a": atom("a", 0)})
    assert "def operator(task, code):" in static.source
    assert "a(task, code, None)" in static.source


def test_the_planted_atom_is_found_and_admitted():
    bench = TableBench(values())
    generator = GrammarGenerator(bench, ATOMS, shuffles=99)
    first = generator.propose(request())[0]
    assert first.operator.name.startswith("a > ")
    run = evolve(
        PANEL, np.zeros((0, len(PANEL.task)), np.int8), generator,
        MaximumGate(0.01, 199), bench, LoopSettings(rounds=2, last_level=1),
    )  # fmt: skip
    assert run.pool[0].name == first.operator.name


def test_with_shuffled_truth_nothing_is_admitted():
    rng = np.random.default_rng(5)
    order = np.lexsort((rng.random(len(PANEL.task)), PANEL.task))
    panel = PANEL._replace(right=PANEL.right[order])
    bench = TableBench(values())
    generator = GrammarGenerator(bench, ATOMS, shuffles=99)
    run = evolve(
        panel, np.zeros((0, len(panel.task)), np.int8), generator,
        MaximumGate(0.01, 199), bench, LoopSettings(rounds=3, last_level=1),
    )  # fmt: skip
    assert run.pool == []
    assert len(run.archive) > 0


def test_a_level_without_atoms_proposes_nothing():
    generator = GrammarGenerator(TableBench(values()), ATOMS)
    assert generator.propose(request(level=0)) == []


def test_wrong_settings_are_refused():
    bench = TableBench(values())
    with pytest.raises(ValueError, match="some of 1, 2 and 3"):
        GrammarGenerator(bench, ATOMS, sizes=(4,))
    with pytest.raises(ValueError, match="at least one atom"):
        GrammarGenerator(bench, {})
    with pytest.raises(ValueError, match="1, 2 or 3 literals, got 4"):
        enumerate_formulas([], {}, np.zeros(0), size=4, wide=1, narrow=1)
    with pytest.raises(ValueError, match="at least 1, got 0"):
        ScriptedGenerator([], at_once=0)
