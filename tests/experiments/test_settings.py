"""Every grid composes; a wrong setting stops with one line that says what was meant."""

import re
import subprocess
import sys

import hydra
import pytest

from experiments import _runtime
from experiments._cegar_conf import check_cegar
from experiments._domains_conf import check_domains
from experiments._records import expand
from experiments._schema import SettingsError, SweepConf, check, snake_case, typed
from experiments._stops import SETTINGS_ERRORS, explain
from irtjax.active import EVALUATIONS
from irtjax.data import BinomialResponses
from irtjax.irt import AbstractEstimator, AbstractResponseModel


def composed(*overrides, application="sweep"):
    with hydra.initialize_config_dir(str(_runtime.CONF), version_base="1.3"):
        return typed(hydra.compose(application, list(overrides)))


def refused(*overrides):
    with pytest.raises(SETTINGS_ERRORS) as caught:
        check(composed(*overrides))
    message = explain(caught.value, "sweep")
    assert "\n" not in message
    return message


OTHERS = {
    "evalcegar": "cegar",
    "mbpp_plus": "cegar",
    "proeval": "active",
    "real_masked": "real_masked",
}  # grids of another application
GRIDS = sorted(
    path.stem
    for path in (_runtime.CONF / "grid").glob("*.yaml")
    if path.stem not in OTHERS
)


SIZES = {
    "sd150": 300,
    "sd150_fresh": 600,
    "trials": 8 * 2 * 3 * 3,
    "connectivity": 5 * 2,
    "misfit": 5 * 2 * 2 * 2,
}


@pytest.mark.parametrize("grid", GRIDS)
def test_every_grid_composes_and_has_its_conditions(grid):
    cfg = composed(f"+grid={grid}")
    assert isinstance(cfg, SweepConf)
    check(cfg)
    conditions = expand("sweep", cfg, recipe=1)
    assert len(conditions) == SIZES[grid]
    assert cfg.name == grid


def test_the_proeval_grid_has_its_conditions():
    cfg = composed("+grid=proeval", application="active")
    assert len(expand("active", cfg, recipe=1)) == 3 * len(EVALUATIONS)
    assert cfg.name == "proeval"


def test_the_grid_of_pools_has_its_conditions():
    cfg = composed("+grid=evalcegar", application="cegar")
    check_cegar(cfg)
    assert len(expand("cegar", cfg, recipe=1)) == 8 * 8
    assert cfg.name == "evalcegar"
    cfg = composed("+grid=mbpp_plus", application="cegar")
    check_cegar(cfg)
    assert len(expand("cegar", cfg, recipe=1)) == 5 * 8
    assert cfg.training == [150]


def test_the_grid_of_real_tables_has_its_conditions():
    cfg = composed("+grid=real_masked", application="real_masked")
    assert len(expand("real_masked", cfg, recipe=1)) == 3 * 4 * 4
    assert (cfg.name, cfg.items, cfg.seeds) == ("real_masked", 100, 50)


def test_the_domains_have_their_conditions():
    cfg = composed(application="domains")
    check_domains(cfg)
    assert len(expand("domains", cfg, recipe=1)) == 4 * 3


def test_debug_settings_fit_every_application_with_a_grid():
    for application in ("sweep", "real_masked", "domains"):
        assert composed("+debug=few", application=application).seeds == 2


def test_the_published_grid_is_the_published_one():
    cfg = composed("+grid=sd150")
    assert cfg.sparsity == [round(0.05 * k, 2) for k in range(15)]
    assert cfg.gap == [0.5 * k for k in range(1, 11)]
    assert (cfg.simulator, cfg.seeds) == (["published"], 15)
    assert (cfg.systems, cfg.items, cfg.trials) == (10, 10, [100])


@pytest.mark.parametrize("launch", ["local", "joblib", "slurm"])
def test_launchers_change_no_result(launch):
    here = expand("sweep", composed("+grid=sd150"), recipe=1)
    there = expand("sweep", composed("+grid=sd150", f"+launch={launch}"), recipe=1)
    assert [c.fingerprint for c in here] == [c.fingerprint for c in there]


def test_debug_settings_shrink_any_grid():
    for grid in GRIDS:
        cfg = composed(f"+grid={grid}", "+debug=tiny")
        check(cfg)
        assert len(expand("sweep", cfg, recipe=1)) <= 64


def test_the_command_line_has_the_last_word():
    cfg = composed("+grid=sd150_fresh", "seeds=1000", "gap=[2.0]", "model=one_pl")
    assert (cfg.seeds, cfg.gap) == (1000, [2.0])
    assert cfg.model == {"_target_": "irtjax.irt.OnePL"}


def test_a_model_of_ones_own_takes_its_own_settings():
    cfg = composed("model._target_=mylab.LapseTwoPL", "+model.lapse=0.1")
    assert cfg.model == {"_target_": "mylab.LapseTwoPL", "lapse": 0.1}


@pytest.mark.parametrize(
    ("override", "answer"),
    [
        ("sedes=3", "No setting is called 'sedes'. Did you mean 'seeds'?"),
        ("+sparsty=[0.1]", "No setting is called 'sparsty'. Did you mean 'sparsity'?"),
        ("model._tarjet_=x", "No setting is called 'model._tarjet_'. To add it"),
        ("+gird=sd150", "No setting is called 'gird'."),
        ("+grid=sd15", "'grid' has no option 'sd15'. Did you mean 'sd150'?"),
        ("grid=sd150", "'grid' is added to the settings: write +grid=sd150."),
        ("model=tow_pl", "'model' has no option 'tow_pl'. Did you mean 'two_pl'?"),
        ("seeds=many", "Setting 'seeds': value 'many' of type 'str' could not be"),
        ("gap=3", "Setting 'gap' is a list, also of one value: write it in brackets"),
        ("mask=[asortative]", "'mask' knows no 'asortative'. Did you mean 'assort"),
        ("rankers=[averge]", "'rankers' knows no 'averge'. Did you mean 'average'?"),
        ("simulator=[numpy]", "'simulator' knows no 'numpy'. There are: guessing, jax"),
        ("simulator=[gessing]", "'simulator' knows no 'gessing'. Did you mean 'guess"),
        ("sparsity=[1.0]", "'sparsity' goes from 0 to below 1, got 1.0."),
        ("sparsity=[]", "'sparsity' is empty: give at least one value."),
        ("gap=[-1.0]", "'gap' is above 0 and below 50 logits, got -1.0."),
        ("trials=[0]", "'trials' is at least 1, got 0."),
        ("seeds=0", "'seeds' is at least 1, got 0."),
        ("shard=2", "'shard' counts from 0"),
        (
            "trials=[10]",
            "The published data have trials=100, got 10. Write simulator=[jax]",
        ),
        ("seeds=16", "The published data have 15 seeds, got 16. Write simulator=[jax]"),
        (
            "mask=[anti]",
            "No published data have the mask 'anti'. Write simulator=[jax]",
        ),
        ("gap=[0.7]", "The published gap goes from 0.5 to 5 in steps of 0.5, got 0.7."),
    ],
)
def test_a_wrong_setting_is_answered_with_the_right_one(override, answer):
    assert refused(override).startswith(answer)


def run(root, tmp_path, *overrides):
    command = [sys.executable, "-m", "experiments.sweep", f"out={tmp_path}", *overrides]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


@pytest.mark.parametrize("override", ["sedes=3", "seeds=x", "mask=[none]"])
def test_the_command_stops_at_once_with_one_line_and_code_2(root, tmp_path, override):
    done = run(root, tmp_path, "+grid=sd150", override)
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(r"sweep: [^\n]+\n", done.stderr), done.stderr
    assert not (tmp_path / "sweep").exists()


def test_a_folder_that_cannot_be_written_is_named_in_one_line(root, tmp_path):
    (tmp_path / "file").touch()
    done = run(root, tmp_path / "file" / "results", "+grid=sd150")
    assert done.returncode == 1
    assert re.fullmatch(r"sweep: .*file.*: Not a directory\.\n", done.stderr), (
        done.stderr
    )


def test_check_passes_the_defaults():
    check(SweepConf())


def test_errors_of_settings_are_errors_of_values():
    with pytest.raises(SettingsError, match="block"):
        check(SweepConf(block=0))


@pytest.mark.parametrize(
    ("name", "ranker"),
    [("TwoPL", "two_pl"), ("LapseTwoPL", "lapse_two_pl"), ("MCARModel", "mcar_model")],
)
def test_class_names_become_ranker_names(name, ranker):
    assert snake_case(name) == ranker


@pytest.mark.parametrize(
    "name", sorted(p.stem for p in (_runtime.CONF / "model").glob("*"))
)
def test_every_model_of_the_settings_is_one_that_a_sweep_can_fit(name):
    model = hydra.utils.instantiate(composed(f"model={name}").model)
    assert isinstance(model, AbstractResponseModel)
    assert model.response is BinomialResponses
    assert len(model.system_parameters) == 1


@pytest.mark.parametrize(
    "name", sorted(p.stem for p in (_runtime.CONF / "estimator").glob("*"))
)
def test_every_estimator_of_the_settings_is_one(name):
    made = hydra.utils.instantiate(composed(f"estimator={name}").estimator)
    assert isinstance(made, AbstractEstimator)
