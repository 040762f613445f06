import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import ResponseTable
from irtjax.irt import Normal, TwoPL, fit, joint_covariance
from irtjax.irt.marginal import MarginalMAP, marginal_covariance
from irtjax.irt.scoring import (
    MAP,
    Calibration,
    calibrate,
    item_covariance,
    load_bank,
    save_bank,
    score_table,
)

from ..cases import MODELS, N_ITEM, N_SYSTEM, point, table

IDS = ("007", 7, -1.5, ("a", 2), True)


def labelled(model, ids=IDS):
    names = tuple(f"s{k}" for k in range(N_SYSTEM))
    return ResponseTable(
        table(model), names, ids, "made here", "failure", None, "unknown"
    )


def made_up(model):
    """A bank of no data, whose settings are not the default ones."""
    at = point(model)
    n_free = at.item.size + at.shared.size
    return Calibration(
        model,
        at.item,
        at.shared,
        jnp.eye(n_free) / 3,
        jnp.full((N_ITEM, 2), jnp.nan).at[0, 0].set(-jnp.inf),
        IDS,
        3,
        "failure",
        "declared: 2",
    )


@pytest.fixture(scope="module")
def bank():
    return calibrate(TwoPL(), labelled(TwoPL()))


@pytest.mark.parametrize("name", MODELS)
def test_a_bank_comes_back_to_the_last_bit(name, tmp_path):
    made = made_up(MODELS[name])
    save_bank(tmp_path / "bank.json", made)
    read = load_bank(tmp_path / "bank.json")
    assert read.item_ids == IDS
    assert [type(each) for each in read.item_ids] == [type(each) for each in IDS]
    assert (read.score_is, read.trials_from, read.code) == ("failure", "declared: 2", 3)
    assert jax.tree.structure(read) == jax.tree.structure(made)
    for left, right in zip(jax.tree.leaves(read), jax.tree.leaves(made), strict=True):
        np.testing.assert_array_equal(left, right)


def test_scores_of_a_reloaded_bank_are_bit_equal(bank, tmp_path):
    save_bank(tmp_path / "bank.json", bank)
    read = load_bank(tmp_path / "bank.json")
    answers = labelled(TwoPL()).select(items=[7, "007", ("a", 2)])
    for left, right in zip(
        jax.tree.leaves(score_table(bank, answers, MAP(), with_item_errors=True)),
        jax.tree.leaves(score_table(read, answers, MAP(), with_item_errors=True)),
        strict=True,
    ):
        np.testing.assert_array_equal(left, right)


def test_others_can_read_the_parameters(bank, tmp_path):
    save_bank(tmp_path / "bank.json", bank)
    content = json.loads((tmp_path / "bank.json").read_text())
    assert content["format"] == "irtjax bank"
    assert content["model"]["_target_"] == "irtjax.irt.TwoPL"
    slopes = content["parameters"]["item"]["discrimination"]["values"]
    np.testing.assert_array_equal(slopes, jnp.exp(bank.item[:, 1]))


def test_the_items_covariance_is_their_part_of_the_joint_one(bank):
    answers = table(TwoPL())
    estimate = fit(TwoPL(), answers).value
    whole = joint_covariance(TwoPL(), answers, estimate)[N_SYSTEM:, N_SYSTEM:]
    np.testing.assert_allclose(bank.covariance, whole, rtol=1e-9, atol=1e-12)


def test_the_items_covariance_where_abilities_are_integrated_out():
    answers = table(TwoPL())
    estimator = MarginalMAP()
    estimate = fit(TwoPL(), answers, estimator=estimator).value
    found = item_covariance(TwoPL(), answers, estimate, estimator=estimator)
    whole = marginal_covariance(TwoPL(), answers, estimate)
    np.testing.assert_allclose(
        found, whole[N_SYSTEM:, N_SYSTEM:], rtol=1e-8, atol=1e-10
    )


@pytest.mark.parametrize("sd", [jnp.asarray(0.7), float("inf"), 0.1 + 0.2], ids=str)
def test_settings_come_back(bank, sd, tmp_path):
    model = TwoPL(ability=Normal(0.0, sd))
    made = Calibration(
        model, bank.item, bank.shared, bank.covariance, bank.item_features, IDS
    )
    save_bank(tmp_path / "bank.json", made)
    prior = load_bank(tmp_path / "bank.json").model.system_parameters[0].prior
    assert type(prior.sd) is type(sd) or isinstance(prior.sd, jax.Array)
    assert float(prior.sd) == float(sd)


def _changed(path, change):
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def test_each_fault_of_a_file_has_its_message(bank, tmp_path):
    path = tmp_path / "bank.json"

    def fails(message):
        with pytest.raises(ValueError, match=message):
            load_bank(path)

    with pytest.raises(FileNotFoundError):
        load_bank(path)
    save_bank(path, bank)
    whole = path.read_text()
    path.write_text(whole[: len(whole) // 2])
    fails("bank.json is damaged or no JSON file")
    path.write_text('{"a": 1}')
    fails("bank.json is no bank: save one with `save_bank`")
    path.write_text(whole)
    _changed(path, lambda c: c.update(version=99))
    fails("is a bank of version 99, this irtjax reads version 1: update irtjax")
    _changed(path, lambda c: c.update(version=0))
    fails("is a bank of version 0, this irtjax reads version 1: save it again")
    path.write_text(whole)
    _changed(path, lambda c: c["unconstrained"]["shared"].update(shape=[1]))
    fails("is damaged: its content is not what was saved")
    assert not list(tmp_path.glob(".*"))  # no half-written file is left beside


def test_a_model_that_is_not_here_is_named(bank, tmp_path):
    from irtjax.irt.scoring import _bank

    path = tmp_path / "bank.json"
    for target, message in (
        ("nobody.NoModel", "names 'nobody.NoModel', which this installation does not"),
        ("irtjax.irt.fit", "names 'irtjax.irt.fit', which is no model"),
        ("irtjax.irt.OnePL", "has the settings"),
    ):
        save_bank(path, bank)
        content = json.loads(path.read_text())
        content["model"]["_target_"] = target
        if target == "irtjax.irt.OnePL":
            content["model"]["extra"] = 1
        body = {
            k: v for k, v in content.items() if k not in ("format", "version", "digest")
        }
        path.write_text(json.dumps(content | {"digest": _bank._digest(body)}))
        with pytest.raises(ValueError, match=message):
            load_bank(path)


def test_an_identifier_that_json_cannot_hold_is_named(bank, tmp_path):
    ids = (*IDS[:-1], frozenset({1}))
    odd = Calibration(
        bank.model, bank.item, bank.shared, bank.covariance, bank.item_features, ids
    )
    with pytest.raises(ValueError, match="frozenset, which JSON cannot hold"):
        save_bank(tmp_path / "bank.json", odd)


def test_numpy_identifiers_are_written_as_numbers(bank, tmp_path):
    ids = tuple(np.arange(N_ITEM))
    counted = Calibration(
        bank.model, bank.item, bank.shared, bank.covariance, bank.item_features, ids
    )
    save_bank(tmp_path / "bank.json", counted)
    read = load_bank(tmp_path / "bank.json")
    assert read.item_ids == counted.item_ids == ids
    assert all(type(each) is int for each in read.item_ids)


def test_what_does_not_fit_is_said(bank):
    answers = labelled(TwoPL(), ("x", *IDS[1:]))
    with pytest.raises(ValueError, match="1 of the table's items are not in the bank"):
        score_table(bank, answers, MAP())
    with pytest.raises(KeyError, match="There is no item 'x'"):
        bank.select(["x"])
    with pytest.raises(
        ValueError, match=r"`covariance` must have the shape \(10, 10\)"
    ):
        Calibration(
            bank.model, bank.item, bank.shared, jnp.eye(3), bank.item_features, IDS
        )
    with pytest.raises(ValueError, match="7 stands twice"):
        Calibration(
            bank.model,
            bank.item,
            bank.shared,
            bank.covariance,
            bank.item_features,
            (7, 7, *IDS[2:]),
        )
