"""What a cegar report claims, from rows made by hand."""

import polars as pl
import pytest

from experiments._cegar_claims import verdicts
from experiments._cegar_conf import CegarConf, check_cegar
from experiments._cegar_report import findings, write_files
from experiments._cegar_rows import ROW
from experiments._cegar_tables import electorates, pool_scores, summary
from experiments._cegar_tasks import Labelled, split
from experiments._cegar_variants import FULL, VARIANTS, Variant, shuffle_labels
from experiments._records import expand
from experiments._schema import SettingsError
from irtjax.cegar import Candidate, Case, Label, Task

FACTS = {
    "commit": "unknown",
    "versions": {"jax": "1"},
    "device": "cpu",
    "seconds": 0.5,
    "codes": {},
}


def row(what, where="unseen", variant=FULL, seed=0, **more):
    plain = dict.fromkeys(ROW) | {
        "tasks": "own",
        "variant": variant,
        "training": 30,
        "seed": seed,
        "where": where,
        "what": what,
    }
    return plain | more


def score(delta, closed, **more):
    numbers = {"n_task": 20, "n_decidable": 9, "headroom": 0.2, "helped": 4, "hurt": 1}
    return numbers | {"delta": delta, "closed": closed, "p_exact": 0.01, **more}


def rows():
    found = []
    for seed, (admitted, delta) in enumerate(((1, 0.04), (2, 0.02), (0, 0.0))):
        found += [
            row("loop", "training", seed=seed, admitted=admitted, attempts=5, rounds=3),
            row("pool", seed=seed, accuracy=0.7 + delta, **score(delta, 5 * delta)),
            row("comparator", seed=seed, **score(0.03, 0.15), name="comparator"),
            row("electorate", seed=seed, name="1", **score(delta - 0.01, 0.1)),
            row("electorate", seed=seed, name="2", **score(delta + 0.01, 0.1)),
        ]
    found.append(
        row("operator", name="a > 1.0", source="def operator(): ...\n", level=2,
            **score(0.04, 0.2))
    )  # fmt: skip
    for variant, admitted, delta in (("shuffled", 0, 0.0), ("text_only", 3, -0.01)):
        found += [
            row("loop", "training", variant, admitted=admitted, attempts=9, rounds=3),
            row("pool", variant=variant, accuracy=0.7, **score(delta, 5 * delta)),
        ]
    return pl.DataFrame(found, schema=ROW)


def test_runs_are_summed_up_over_those_that_admit():
    scores = pool_scores(rows())
    full = summary(scores).filter(pl.col("variant") == FULL).to_dicts()[0]
    assert (full["runs"], full["admit"], full["positive"]) == (3, 2, 2)
    assert full["delta"] == pytest.approx(0.03)
    assert full["median_closed"] == pytest.approx(0.15)
    assert full["best_closed"] == pytest.approx(0.2)
    assert full["comparator_closed"] == pytest.approx(0.15)
    moves = electorates(rows()).to_dicts()[0]
    assert (moves["least"], moves["most"]) == pytest.approx((0.03, 0.05))
    assert moves["electorates"] == 2


def test_claims_are_judged_by_what_came():
    said = {verdict.claim: verdict for verdict in verdicts(pool_scores(rows()))}
    outcomes = [verdict.outcome for verdict in said.values()]
    assert outcomes == [
        "does not hold",
        "does not hold",
        "holds",
        "does not hold",
        "not run",
    ]
    assert said["Most runs admit an operator"].ours == "2 of 3 runs"
    assert said["Operators that read the text alone are not admitted"].ours == "3 of 9"
    nothing = verdicts(pool_scores(rows().clear()))
    assert {verdict.outcome for verdict in nothing} == {"not run"}


def stored(tmp_path, runs):
    """Conditions of which the first has a record with these rows."""
    found = expand("cegar", CegarConf(out=str(tmp_path), seed=[0, 1]), recipe=1)
    if not runs.is_empty():
        next(iter(found)).finish(runs, FACTS)
    return found


def test_the_page_shows_tables_sources_and_verdicts(tmp_path):
    page = write_files("mine", stored(tmp_path, rows()), tmp_path).read_text()
    for expected in ("a &gt; 1.0", "def operator(): ...", "does not hold", "text_only",
                     "Other peers"):  # fmt: skip
        assert expected in page
    assert (tmp_path / "mine" / "summary.parquet").is_file()
    assert "1 of 2 conditions have no record" in page
    empty = write_files("none", stored(tmp_path / "none", rows().clear()), tmp_path)
    assert "2 of 2 conditions have no record" in empty.read_text()


def test_findings_are_sentences_with_our_figures():
    found = findings(rows())
    assert "2 of 3 runs admit an operator, 2 of these gain" in found.sentences[0]
    assert "median 15.0 % of the headroom, best 20.0 %" in found.sentences[0]
    assert any(
        said.endswith("0 of 1 runs admit an operator.") for said in found.sentences
    )
    assert len(found.verdicts) == 5


def cases(count):
    return tuple(
        Case(Task(f"t{n}", "?"), (Candidate("a"), Candidate("b"), Candidate("c")))
        for n in range(count)
    )


def test_a_split_depends_on_the_seed_alone():
    some = cases(10)
    assert len(split(some, -60, 0)) == 6
    assert split(some, 4, 1) == split(some[::-1], 4, 1)
    assert split(some, 4, 1) != split(some, 4, 2)
    labels = tuple((Label(True, True),) * 3 for _ in some)
    part = Labelled(some, labels).part(split(some, 4, 1))
    assert len(part.cases) == len(part.labels) == 4


def test_shuffling_keeps_what_passes_and_how_many_are_right():
    known = ((Label(True, True), Label(True, False), Label(False, False)),) * 40
    mixed = shuffle_labels(known, 3)
    assert all(label[2] == Label(False, False) for label in mixed)
    assert all(sum(one.right for one in label) == 1 for label in mixed)
    assert 0 < sum(label[0].right for label in mixed) < 40
    assert mixed == shuffle_labels(known, 3)


def test_variants_change_one_thing():
    full = VARIANTS[FULL]
    assert isinstance(full, Variant)
    assert full.seeded(4).seed == 4
    assert VARIANTS["shuffled"].shuffled
    assert VARIANTS["text_only"].settings.last_level == 0
    assert type(VARIANTS["paper_gate"].gate) is not type(full.gate)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ({"tasks": ["own", "mbp"]}, "'tasks' knows no 'mbp'"),
        ({"variant": ["ful"]}, "Did you mean 'full'?"),
        ({"training": [0]}, "'training' is a number of tasks"),
        ({"seed": []}, "'seed' is empty"),
        ({"path": "nowhere"}, "there is no such folder"),
    ],
)
def test_a_wrong_setting_is_answered(override, message):
    with pytest.raises(SettingsError) as caught:
        check_cegar(CegarConf(**override))
    assert message in str(caught.value)
    check_cegar(CegarConf())
