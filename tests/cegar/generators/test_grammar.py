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
    splits,
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
    literals = make_literals(table)
    score = np.arange(len(literals), 0, -1)
    found = enumerate_formulas(literals, table, score, size=size, wide=20, narrow=6)
    assert len({row.tobytes() for row in found.flags}) == len(found.formulas)
    shapes = set(SHAPES[: (1, 3, 7)[size - 1]])
    assert {formula.shape for formula in found.formulas} <= shapes
    assert len(found.formulas) > 10 * size
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


def test_literals_are_ranked_without_the_truth():
    flags = np.array([[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 0, 0], [0, 1, 0, 1]], bool)
    assert splits(flags, np.array([0, 0, 1, 1])).tolist() == [1, 1, 0, 2]
    assert splits(flags[:, :0], np.zeros(0, int)).tolist() == [0, 0, 0, 0]


def test_with_shuffled_truth_next_to_nothing_is_admitted():
    """The search reads no truth, so its best formula is lucky no more often than said."""
    bench = TableBench(values())
    generator = GrammarGenerator(bench, ATOMS, shuffles=49, sizes=(1, 2))
    nothing = np.zeros((0, len(PANEL.task)), np.int8)
    admitted = 0
    for seed in range(16):
        draws = np.random.default_rng(seed).random(len(PANEL.task))
        shuffled = PANEL.right[np.lexsort((draws, PANEL.task))]
        run = evolve(
            PANEL._replace(right=shuffled), nothing, generator, MaximumGate(0.02, 99),
            bench, LoopSettings(rounds=1, last_level=1, seed=seed),
        )  # fmt: skip
        assert len(run.archive) > 0
        admitted += len(run.pool)
    assert admitted <= 3  # .64 expected; 4 or more have a chance of .004


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
        enumerate_formulas([], {}, np.zeros(0, int), size=4, wide=1, narrow=1)
    with pytest.raises(ValueError, match="at least 1, got 0"):
        ScriptedGenerator([], at_once=0)
