import dataclasses
import json

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pytest

from irtjax.data import CategoricalResponses, LongResponses
from irtjax.irt import BlockNewton, EffectiveTrials, JointMAP, TwoPL
from irtjax.ranking import (
    DEFAULT_RANKER,
    RANKERS,
    ModelRanker,
    Ranking,
    _counted,
    rank,
    rank_table,
)

from .tables import binomial, draw, labelled, scores

NAMES = tuple(RANKERS)
FITTED = [name for name, each in RANKERS.items() if isinstance(each, ModelRanker)]
PER_SYSTEM = [
    field.name
    for field in dataclasses.fields(Ranking)
    if field.name not in ("p_beats", "separable")
    and "system" in str(field.type)
    and "np.ndarray" in str(field.type).replace("numpy.ndarray", "np.ndarray")
]


def base_answers(seed=0, n_system=40, n_item=12):
    """Answers of a 2PL with a perfect scorer first and a zero scorer second."""
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(size=n_system), rng.normal(size=n_item)
    chance = 1 / (1 + np.exp(difficulty[None, :] - ability[:, None]))
    answers = rng.binomial(1, chance).astype(float)
    answers[0], answers[1] = 1, 0
    return answers


def by_id(ranking, name):
    values = getattr(ranking, name)
    return dict(zip(ranking.system_ids, values, strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_every_ranker_gives_a_whole_ranking(name):
    found = rank_table(labelled(draw(0, sparsity=0.2, trials=50)), ranker=name)
    assert found.ranker == name
    assert found.best_first()[0] == np.nanargmin(found.rank)
    assert np.isfinite(found.se).all()
    assert (found.se > 0).all()
    assert (found.lower < found.score).all()
    assert (found.score < found.upper).all()
    assert (found.rank_lower <= found.rank).all()
    assert (found.rank <= found.rank_upper).all()
    assert found.p_best.sum() == pytest.approx(1)
    assert found.tie_group.min() == 1
    assert found.n_item.sum() == int(jnp.sum(draw(0, sparsity=0.2).observed()))
    assert found.codes == ({"successful": 1} if name in FITTED else {})


@pytest.mark.parametrize("name", NAMES)
def test_order_of_rows_and_columns_does_not_matter(name):
    successes, trials = (
        np.array(getattr(draw(1, sparsity=0.4, trials=4), field))
        for field in ("successes", "trials")
    )
    successes[7], trials[7] = successes[2], trials[2]  # a tie (complaint 30)
    successes[3], trials[3] = 0, 0  # no data
    table = labelled(binomial(successes, trials))
    found = rank_table(table, ranker=name)
    rng = np.random.default_rng(0)
    system, item = rng.permutation(10), rng.permutation(12)
    moved = rank_table(table.permuted(system, item), ranker=name)
    for field in PER_SYSTEM:
        np.testing.assert_allclose(
            getattr(moved, field),
            getattr(found, field)[system],
            atol=1e-8,
            err_msg=field,
        )
    np.testing.assert_allclose(
        moved.p_beats, found.p_beats[system][:, system], atol=1e-8
    )
    for field in ("score", "rank", "p_best", "rank_lower", "rank_upper", "tie_group"):
        values = getattr(found, field)
        assert values[7] == pytest.approx(values[2], abs=1e-8), field
    assert found.p_beats[2, 7] == 0.5


@pytest.mark.parametrize("name", NAMES)
def test_perfect_and_zero_scorers_lead_and_trail_with_a_flag(name):
    """Complaint 1."""
    answers = base_answers()
    found = rank_table(labelled(binomial(answers, np.ones_like(answers))), ranker=name)
    assert found.score[0] == found.score.max()
    assert found.score[1] == found.score.min()
    assert found.flags[0] == ("all right",)
    assert found.flags[1] == ("all wrong",)
    assert np.isfinite(found.se).all()
    assert (found.se[:2] > 0).all()
    assert any("s0." in warning for warning in found.warnings)


def test_a_constant_item_is_named():
    """Complaint 2."""
    answers = base_answers()
    answers[1, 3] = answers[:, 3] = 1
    found = rank_table(labelled(binomial(answers, np.ones_like(answers))))
    assert found.constant_items == ("i3",)
    assert any("item i3" in warning for warning in found.warnings)
    assert found.codes == {"successful": 1}


@pytest.mark.parametrize("name", ["average", "two_pl", DEFAULT_RANKER])
def test_a_system_or_item_without_data_is_flagged_and_changes_nothing(name):
    """Complaint 15."""
    answers = base_answers()
    trials = np.ones_like(answers)
    trials[5], trials[:, 4] = 0, 0
    found = rank_table(labelled(binomial(answers * trials, trials)), ranker=name)
    assert found.flags[5] == ("no data",)
    assert found.n_item[5] == 0
    for field in ("score", "se", "rank", "p_best", "plain_mean"):
        assert np.isnan(getattr(found, field)[5]), field
    assert (found.rank_lower[5], found.rank_upper[5]) == (1, 40)
    assert any("s5" in warning for warning in found.warnings)
    assert any("No system ran item i4" in warning for warning in found.warnings)
    keep = np.delete(np.arange(40), 5)
    columns = np.delete(np.arange(12), 4)
    without = rank_table(
        labelled(
            binomial(answers[keep][:, columns], trials[keep][:, columns]),
            ids=[f"s{k}" for k in keep],
        ),
        ranker=name,
    )
    np.testing.assert_allclose(found.score[keep], without.score, atol=1e-8)
    np.testing.assert_allclose(found.rank[keep], without.rank)
    np.testing.assert_allclose(found.p_best[keep], without.p_best, atol=0.05)


def test_plain_mean_has_its_clustered_interval():
    """Complaint 26: 14 of 307; complaint 27 is in the tests of the interval."""
    rows = np.zeros((3, 307))
    rows[0, :14], rows[1, 7:21] = 1, 1
    found = rank_table(labelled(binomial(rows, np.ones_like(rows))), ranker="average")
    assert found.plain_se[0] == pytest.approx(0.011926, abs=5e-7)
    assert found.plain_lower[2] == 0
    assert found.plain_upper[2] > 0.01
    np.testing.assert_array_equal(found.plain_rank, [1.5, 1.5, 3])


def test_leaders_that_the_data_cannot_tell_apart_share_a_group():
    """Complaint 29: 396 ... 382 of 500 do not differ, 250 of 500 does."""
    rng = np.random.default_rng(0)
    solved = [396, 396, 394, 388, 387, 384, 384, 382, 250]
    order = [np.argsort(rng.normal(size=500) + 1.5 * np.linspace(0, 1, 500))] * 9
    answers = np.zeros((9, 500))
    for k, (count, easy) in enumerate(zip(solved, order, strict=True)):
        shuffled = easy[np.argsort(np.arange(500) + rng.normal(size=500) * 60)]
        answers[k, shuffled[:count]] = 1
    for name in ("average", "two_pl", DEFAULT_RANKER):
        found = rank_table(labelled(binomial(answers, np.ones((9, 500)))), ranker=name)
        np.testing.assert_array_equal(found.tie_group, [1] * 8 + [2])
        assert found.joint_rank_upper[0] == 8
        assert found.joint_rank_lower[8] == 9
        assert found.p_best[0] < 0.9


def test_separate_parts_are_not_compared():
    trials = np.zeros((6, 6))
    trials[:3, :3] = trials[3:, 3:] = 20
    rng = np.random.default_rng(0)
    found = rank_table(
        labelled(binomial(rng.binomial(20, 0.5, (6, 6)) * (trials > 0), trials))
    )
    assert np.isnan(found.p_beats[:3, 3:]).all()
    assert np.isfinite(found.p_beats[:3, :3]).all()
    assert (found.rank_upper - found.rank_lower >= 3).all()
    assert len(found.not_comparable) == 1
    assert "No chain of shared items" in found.not_comparable[0]


def test_a_thin_bridge_is_named():
    trials = np.zeros((6, 6))
    trials[:3, :3] = trials[3:, 3:] = 20
    trials[0, 5] = 20
    found = rank_table(labelled(binomial(trials / 2, trials)), ranker="average")
    assert any("Only system s0 on item i5" in warning for warning in found.warnings)


@pytest.mark.parametrize("name", NAMES)
def test_barely_measured_systems_are_flagged_and_wide(name):
    responses = draw(2, trials=20)
    successes, trials = np.array(responses.successes), np.array(responses.trials)
    trials[4, 1:] = successes[4, 1:] = 0
    found = rank_table(labelled(binomial(successes, trials)), ranker=name)
    assert "barely measured" in found.flags[4]
    others = np.delete(np.arange(10), 4)
    width = found.rank_upper - found.rank_lower
    assert width[4] >= np.max(width[others])
    if name not in FITTED:
        assert "error not known" in found.flags[4]
        assert np.isnan(found.p_beats[4, others]).all()


def robots(seed=0, noise=0.05, n_system=20, n_item=10):
    """Scores without trial counts, with normal scatter on the logit scale of ability."""
    rng = np.random.default_rng(seed)
    ability = np.linspace(-1.5, 1.5, n_system)
    chance = 1 / (1 + np.exp(rng.normal(size=n_item)[None, :] - ability[:, None]))
    shares = np.clip(chance + noise * rng.normal(size=chance.shape), 0, 1)
    shares[rng.random(shares.shape) < 0.4] = np.nan
    shares[:, 0] = np.clip(chance[:, 0], 0, 1)
    return scores(shares)


def test_scores_without_trials_get_errors_from_their_scatter():
    calm = rank_table(labelled(robots(noise=0.02), trials_from="unknown"))
    wild = rank_table(labelled(robots(noise=0.15), trials_from="unknown"))
    assert calm.dispersion is not None
    assert wild.dispersion is not None
    assert calm.dispersion < wild.dispersion
    assert calm.trials == pytest.approx(1 / calm.dispersion)
    assert np.median(calm.se) < np.median(wild.se)
    assert any("not known" in note for note in calm.notes)
    assert calm.band_lower is None


@pytest.mark.parametrize(("change", "code"), [(0.2, 0), (np.nan, 0), (1e-6, 2)])
def test_an_unsettled_number_of_trials_is_said_to_be_one(monkeypatch, change, code):
    table = labelled(robots(), trials_from="unknown")
    said = "had not settled"
    assert not any(said in note for note in rank_table(table).notes)
    found = EffectiveTrials(jnp.array(8.0), jnp.array(change), jnp.array(code))
    monkeypatch.setattr(_counted, "effective_trials", lambda *_, **__: found)
    ranking = rank_table(table)
    assert ranking.trials == 8
    assert any(said in note for note in ranking.notes)


def test_declared_trials_come_with_a_band():
    table = labelled(robots(noise=0.2), trials_from="unknown")
    few, many = (rank_table(table, trials=count) for count in (5, 500))
    assert (few.se > many.se).all()
    assert few.separable.sum() < many.separable.sum() / 2
    for found in (few, many):
        assert found.dispersion is None
        assert (found.band_lower <= found.rank).all()
        assert (found.rank <= found.band_upper).all()
        assert any("declared" in note for note in found.notes)
    assert (few.band_upper - few.band_lower).max() > 0
    read = rank_table(
        labelled(
            robots(noise=0.2).as_binomial(jnp.full((1, 1), 5.0)),
            trials_from="declared: 5",
        )
    )
    np.testing.assert_allclose(read.band_upper, few.band_upper)


@pytest.mark.parametrize("name", ["average", "within_item_rank", "bradley_terry"])
def test_rankers_without_a_likelihood_take_scores_and_categories(name):
    assert np.isfinite(rank_table(labelled(robots()), ranker=name).se).all()
    counts = np.random.default_rng(0).multinomial(3, [0.2, 0.5, 0.3], (6, 8))
    graded = CategoricalResponses(jnp.asarray(counts.astype(float)))
    assert np.isfinite(rank_table(labelled(graded), ranker=name).se).all()


def test_long_responses_rank_as_their_table():
    dense = draw(3, sparsity=0.3)
    system, item = np.nonzero(np.asarray(dense.trials))
    long = LongResponses(
        jnp.asarray(system),
        jnp.asarray(item),
        dense.successes[system, item],
        dense.trials[system, item],
        10,
        12,
    )
    np.testing.assert_array_equal(
        rank_table(labelled(long)).rank, rank_table(labelled(dense)).rank
    )


def test_a_failed_fit_is_no_ranking():
    hurried = ModelRanker(TwoPL(), JointMAP(BlockNewton(max_steps=1)))
    found = rank_table(labelled(draw(0)), ranker=hurried)
    assert found.codes == {"max_steps_reached": 1}
    assert np.isnan(found.score).all()
    assert np.isnan(found.rank).all()
    assert "The fit failed" in found.warnings[0]
    json.dumps(found.to_dict(), allow_nan=False)


def test_same_seed_same_bits_and_seed_matters():
    table = labelled(draw(0, sparsity=0.3))
    first, second, other = (rank_table(table, seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.p_best, second.p_best)
    assert (first.p_best != other.p_best).any()
    np.testing.assert_array_equal(first.score, other.score)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"ranker": "tow_pl"}, "'tow_pl'; choose from average"),
        ({"level": 95}, "`level` must lie between 0 and 1, got 95"),
        ({"seed": 2**63}, "`seed` must fit into 64 bits"),
        ({"trials": 10}, "has trial counts"),
    ],
)
def test_wrong_settings_are_named(options, says):
    with pytest.raises(ValueError, match=says):
        rank_table(labelled(draw(0)), **options)


def test_trials_must_be_positive():
    with pytest.raises(ValueError, match="`trials` must be positive, got 0"):
        rank_table(labelled(robots()), trials=0)


def test_ids_stay_as_given_and_everything_is_json():
    """Complaint 16."""
    ids = (
        "007",
        'a "quoted", id',
        "größe",
        7,
        7.5,
        ("a", 1),
        "",
        " x ",
        np.int64(3),
        "b",
    )
    found = rank_table(labelled(draw(0), ids=ids), ranker="average")
    assert found.system_ids == ids
    record = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    given = [each["system"] for each in record["systems"]]
    assert {"007", 'a "quoted", id', 7, 7.5, 3} <= set(given)
    assert [each["rank"] for each in record["systems"]] == sorted(found.rank)
    assert len(record["p_beats"]) == 10
    assert (
        record["p_beats"][0][9]
        == found.p_beats[found.best_first()[[0]], found.best_first()[[9]]]
    )


def test_frame_is_best_first():
    found = rank_table(labelled(draw(0)), ranker="average")
    frame = found.to_frame()
    assert frame["rank"].is_sorted()
    assert frame["system"].to_list() == [
        found.system_ids[k] for k in found.best_first()
    ]


def test_rank_takes_frames_matrices_tables_and_files(tmp_path):
    answers = base_answers(n_system=8)
    wide = pd.DataFrame(answers, columns=[f"i{k}" for k in range(12)])
    wide.insert(0, "system", [f"s{k}" for k in range(8)])
    before = wide.copy(deep=True)
    wide.to_csv(tmp_path / "wide.csv", index=False)
    expected = rank_table(labelled(binomial(answers, np.ones_like(answers))))
    for data in (wide, pl.from_pandas(wide), tmp_path / "wide.csv", answers):
        found = rank(data, systems_in="rows", score_is="success")
        np.testing.assert_allclose(found.score, expected.score, atol=1e-9)
    pd.testing.assert_frame_equal(wide, before)
    table = labelled(binomial(answers, np.ones_like(answers)))
    np.testing.assert_allclose(rank(table).score, expected.score, atol=1e-9)


def test_rank_computes_in_double_precision_and_leaves_the_setting():
    answers = base_answers(n_system=8)
    expected = rank(answers, systems_in="rows", score_is="success")
    with jax.enable_x64(False):
        found = rank(answers, systems_in="rows", score_is="success")
        assert not jax.config.jax_enable_x64
        assert jnp.zeros(1).dtype == jnp.float32
    np.testing.assert_array_equal(found.score, expected.score)


def test_single_precision_ranks_alike():
    table = labelled(draw(0, trials=200))
    double = rank_table(table)
    with jax.enable_x64(False):
        single = rank_table(table)
    np.testing.assert_array_equal(single.rank, double.rank)
    np.testing.assert_allclose(single.score, double.score, atol=1e-3)
