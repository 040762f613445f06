import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import (
    BinomialResponses,
    CategoricalResponses,
    LongResponses,
    table_from_matrix,
)
from irtjax.irt import (
    RESULTS,
    BlockNewton,
    Estimate,
    FitResult,
    JointMAP,
    MarginalFisher,
    MarginalMAP,
    Normal,
    TwoPL,
    fit,
)
from irtjax.irt.diagnostics import KINDS, Flag, flags, summarise_flags

from ..cases import PlainTwoPL

SYSTEMS = tuple(f"s{k:02d}" for k in range(60))
ITEMS = tuple(f"item, {k}" for k in range(12))


def matrix(seed=0, n_system=60, n_item=12):
    """Right and wrong answers of a 2PL of good items, no system with all or none."""
    rng = np.random.default_rng(seed)
    ability, difficulty = np.linspace(-1.5, 1.5, n_system), np.linspace(-1, 1, n_item)
    p = 1 / (1 + np.exp(-2 * (ability[:, None] - difficulty)))
    x = (rng.random(p.shape) < p).astype(float)
    x[x.max(axis=1) == 0, 0] = 1
    x[x.min(axis=1) == 1, -1] = 0
    return x


def responses_of(x):
    seen = np.isfinite(x)
    return BinomialResponses(
        jnp.asarray(np.where(seen, x, 0)), jnp.asarray(seen.astype(float))
    )


def kinds_of(found):
    return {(flag.kind, flag.ids) for flag in found}


def test_a_healthy_table_and_fit_raise_nothing():
    x = matrix()
    result = fit(TwoPL(), responses_of(x))
    assert flags(responses_of(x)) == ()
    assert flags(responses_of(x), TwoPL(), result) == ()
    assert summarise_flags(()) == ()


def test_a_marginal_fit_is_judged_by_its_own_errors():
    x = responses_of(spoil(matrix()))
    result = fit(TwoPL(), x, estimator=MarginalMAP())
    errors = MarginalFisher()(TwoPL(), x, result.value)
    found = flags(x, TwoPL(), result, uncertainty=errors)
    assert kinds_of(found) == kinds_of(flags(x))


def spoil(x):
    """The same table with one of every fault that data can have."""
    x = x.copy()
    x[:, 8] = 1 - x[:, 7]  # a wrong key
    x[:, 3] = 1
    x[:, 4] = 0
    x[5, :] = np.nan
    x[:, 6] = np.nan
    x[0, :] = np.where(np.isnan(x[0]), np.nan, 1)
    x[0, 4] = np.nan
    x[1, :] = np.where(np.isnan(x[1]), np.nan, 0)
    x[1, 3] = np.nan
    x[2, 2:] = np.nan
    return x


EXPECTED = {
    ("constant", 3),
    ("constant", 4),
    ("no data", 6),
    ("reversed", 8),
}


def test_every_fault_is_found_by_id():
    x = spoil(matrix())
    found = flags(table_from_matrix(x, SYSTEMS, ITEMS))
    items = {(f.kind, f.ids) for f in found if f.about == "item"}
    assert {(kind, (ITEMS[k],)) for kind, k in EXPECTED} <= items
    systems = {(f.kind, f.ids) for f in found if f.about == "system"}
    assert {
        ("perfect", (SYSTEMS[0],)),
        ("zero", (SYSTEMS[1],)),
        ("few cells", (SYSTEMS[2],)),
        ("no data", (SYSTEMS[5],)),
    } <= systems
    for flag in found:
        assert flag.kind in KINDS
        assert all(repr(each) in flag.message for each in flag.ids[:1])
    order = [list(KINDS).index(flag.kind) for flag in found]
    assert order == sorted(order)


def test_without_a_table_the_ids_are_positions():
    found = kinds_of(flags(responses_of(spoil(matrix()))))
    assert {(kind, (k,)) for kind, k in EXPECTED} <= found


def test_ids_of_any_kind_come_back_as_they_were():
    ids = (7, "7", 3.5, *range(100, 109))
    x = matrix()
    x[:, :2] = 1
    found = flags(table_from_matrix(x, SYSTEMS, ids))
    constant = [flag for flag in found if flag.kind == "constant"]
    assert [flag.ids for flag in constant] == [(7,), ("7",)]
    assert "Item 7 " in constant[0].message
    assert "Item '7' " in constant[1].message


def test_long_responses_give_the_same_flags():
    x = spoil(matrix())
    system, item = np.nonzero(np.isfinite(x))
    long = LongResponses(
        jnp.asarray(system),
        jnp.asarray(item),
        jnp.asarray(x[system, item]),
        jnp.ones(len(system)),
        *x.shape,
    )
    assert flags(long) == flags(responses_of(x))


def test_an_item_with_one_category_is_constant():
    rng = np.random.default_rng(0)
    chosen = rng.integers(0, 3, (20, 4))
    chosen[:, 2] = 1
    counts = np.eye(3)[chosen]
    found = flags(CategoricalResponses(jnp.asarray(counts)))
    assert ("constant", (2,)) in kinds_of(found)


@pytest.mark.parametrize("about", ["system", "item"])
def test_a_copy_is_found_and_chance_matches_are_not(about):
    x = matrix(n_system=60, n_item=40)
    assert not [f for f in flags(responses_of(x)) if f.kind == "duplicate"]
    if about == "item":
        x[:, 31] = x[:, 19]
    else:
        x[31] = x[19]
    found = [f for f in flags(responses_of(x)) if f.kind == "duplicate"]
    assert [(f.about, f.ids) for f in found] == [(about, (19, 31))]
    assert found[0].figure < 1e-2
    # Of ten systems' answers to a thousand items many columns are equal by chance.
    few = matrix(n_system=10, n_item=1000)
    assert len({column.tobytes() for column in few.T.copy()}) < 900
    assert not [f for f in flags(responses_of(few)) if f.kind == "duplicate"]


def test_missing_at_random_by_strength_turns_no_item():
    """Strong systems get hard items: raw item-rest correlations would be negative."""
    rng = np.random.default_rng(2)
    ability, difficulty = np.linspace(-2, 2, 60), np.linspace(-2, 2, 24)
    p = 1 / (1 + np.exp(-2 * (ability[:, None] - difficulty)))
    x = (rng.random(p.shape) < p).astype(float)
    x[np.abs(ability[:, None] - difficulty) > 1] = np.nan
    assert not [f for f in flags(responses_of(x)) if f.kind == "reversed"]


def test_blocks_that_share_nothing_are_named():
    """Complaint 18."""
    x = np.full((8, 8), np.nan)
    x[:5, :5] = matrix()[:5, :5]
    x[5:, 5:] = matrix(1)[:3, :3]
    ids = "abcdefgh"
    found = flags(table_from_matrix(x, ids, ids))
    apart = [f for f in found if f.kind == "disconnected"]
    assert [f.ids for f in apart] == [("f", "g", "h")]
    assert apart[0].figure == 3


def test_a_fit_that_did_not_converge_says_only_that():
    result = fit(
        TwoPL(),
        responses_of(matrix()),
        estimator=JointMAP(BlockNewton(max_steps=2)),
    )
    assert int(result.code) == RESULTS.max_steps_reached
    found = flags(responses_of(matrix()), TwoPL(), result)
    assert [f.kind for f in found] == ["not converged"]
    assert found[0].figure == float(result.stats.gradient_norm)
    assert "max_steps" in found[0].message


def test_a_scale_upside_down_is_said():
    """Complaint 4: the rule is that abilities rise with raw scores."""
    x = responses_of(matrix())
    result = fit(TwoPL(), x)
    turned = Estimate(-result.value.system, result.value.item, result.value.shared)
    found = flags(x, TwoPL(), FitResult(turned, result.code, result.stats))
    upside = [f for f in found if f.kind == "upside down"]
    assert len(upside) == 1
    assert upside[0].figure < -0.9


def test_what_the_data_do_not_reach_is_at_its_prior():
    model = TwoPL(log_discrimination=Normal(0.0, 0.01))
    x = responses_of(matrix())
    found = flags(x, model, fit(model, x))
    assert {f.kind for f in found} == {"at prior"}
    assert {f.ids for f in found} == {(k,) for k in range(12)}
    assert all("discrimination" in f.message and f.figure < 0.05 for f in found)


def test_a_model_known_by_log_prob_raises_the_same_flags():
    x = responses_of(spoil(matrix()))
    one = flags(x, TwoPL(), fit(TwoPL(), x))
    other = flags(x, PlainTwoPL(), fit(PlainTwoPL(), x))
    assert kinds_of(one) == kinds_of(other)


def test_half_a_fit_and_a_batch_are_refused():
    x = responses_of(matrix())
    result = fit(TwoPL(), x)
    with pytest.raises(ValueError, match="both"):
        flags(x, TwoPL())
    batch = jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), result)
    with pytest.raises(ValueError, match="holds 2 fits"):
        flags(x, TwoPL(), batch)


def test_a_summary_counts_each_kind_once():
    found = flags(table_from_matrix(spoil(matrix()), SYSTEMS, ITEMS))
    lines = summarise_flags(found)
    assert len(lines) == len({(f.kind, f.about) for f in found})
    assert any("2 items" in line and "'item, 3', 'item, 4'" in line for line in lines)
    many = [Flag("constant", "item", (k,), 1.0, "") for k in range(12)]
    assert summarise_flags(many)[0].endswith("0, 1, 2, 3, 4 and 7 more.")
