"""The published domains: their designs as drawn, and what is said of their figures."""

import numpy as np
import polars as pl
import pytest

from experiments import _domain_report
from experiments._domain_claims import (
    BEST,
    DOMAINS,
    FAKE_ITEMS,
    SEEDS,
    TRUE_ITEMS,
    Domain,
)
from experiments._domain_draws import ROW, draw, sparsity_of, truth_of, weights_of
from experiments._domains_conf import DomainsConf, check_domains
from experiments._records import expand
from experiments._schema import SettingsError
from experiments.domains import RECIPE, main
from tests.experiments.made_grids import fill, run_here

PLANTED = [name for name, domain in DOMAINS.items() if domain.fake is not None]


@pytest.mark.parametrize("name", PLANTED)
def test_the_true_system_is_seen_on_hard_items_and_the_fake_on_easy_ones(name):
    domain = DOMAINS[name]
    drawn = draw({"domain": name, "reach": 1.75}, range(60))
    shown = np.asarray(drawn.responses.trials) > 0
    n_item = len(domain.difficulty)
    assert shown.shape == (60, domain.systems, n_item)
    fake, best = shown[:, 0], shown[:, -1]
    assert np.all(fake == np.isin(np.arange(n_item), FAKE_ITEMS))
    assert np.all(best == np.isin(np.arange(n_item), TRUE_ITEMS))
    assert shown.sum(axis=2).min() >= 2
    assert shown.sum(axis=1).min() >= 3
    others = shown[:, 1:-1].mean(axis=(1, 2))
    cells = (domain.systems - 2) * n_item
    np.testing.assert_allclose(others, round(domain.coverage * cells) / cells)
    assert len({mask.tobytes() for mask in shown}) > 50, "a mask of its own each"
    assert np.all(np.asarray(drawn.responses.trials)[shown] == domain.trials)
    target = np.asarray(drawn.target[0])
    assert target.argmax() == domain.systems - 1
    assert target[0] == domain.fake
    assert target[-1] == BEST


def test_nothing_is_hidden_in_the_complete_domain():
    domain: Domain = DOMAINS["nlp"]
    assert sparsity_of(domain) == 0
    assert np.all(np.asarray(weights_of(domain)) == 1)
    drawn = draw({"domain": "nlp", "reach": 1.0}, [0, 1])
    assert np.all(np.asarray(drawn.responses.trials) == domain.trials)


@pytest.mark.parametrize("name", DOMAINS)
@pytest.mark.parametrize("reach", DomainsConf().reach)
def test_no_two_systems_are_equally_able(name, reach):
    ability = np.sort(np.asarray(truth_of(DOMAINS[name], reach).ability))
    assert np.diff(ability).min() > 0.04


def test_data_depend_on_domain_reach_and_seed_alone():
    here = {"domain": "cyber", "reach": 1.0}
    whole, some = draw(here, [0, 1, 2]), draw(here, [2, 0])
    np.testing.assert_array_equal(
        some.responses.successes, whole.responses.successes[np.array([2, 0])]
    )
    other = draw({**here, "reach": 2.0}, [0, 1, 2])
    assert not np.array_equal(other.responses.trials, whole.responses.trials)


def test_settings_that_no_run_can_use_are_refused():
    check_domains(DomainsConf())
    for changes, words in (
        ({"domain": ["cybr"]}, "Did you mean 'cyber'"),
        ({"reach": [2.5]}, "at most 2 logits"),
        ({"reach": []}, "'reach' is empty"),
        ({"seeds": 0}, "'seeds' is at least 1"),
    ):
        with pytest.raises(SettingsError, match=words):
            check_domains(DomainsConf(**changes))


@pytest.fixture
def conditions(tmp_path):
    cfg = DomainsConf(
        out=str(tmp_path), domain=["nlp", "driving"], reach=[1.0, 2.0], seeds=40
    )
    return expand("domains", cfg, recipe=RECIPE)


def test_published_means_are_placed_in_the_distribution(conditions, tmp_path):
    empty = _domain_report.write_files("none", conditions, tmp_path / "r")
    assert "have no record" in empty.read_text()

    def rho(settings, ranker, seed):
        if settings["domain"] == "nlp" or ranker == "two_pl":
            return 1.0
        return (0.916 if settings["reach"] == 2.0 else 0.7) + 0.01 * (seed % 5 - 1)

    fill(conditions, ROW, rho)
    said = {v.claim: v for v in _domain_report.verdicts(conditions.runs())}
    assert said["Mean ρ of average, nlp"].outcome == "holds"
    assert said["Mean ρ of 2PL, driving"].outcome == "holds"
    average = said["Mean ρ of average, driving"]
    assert average.outcome == "inside the distribution"
    assert average.published == "0.916 ± 0.016"
    # One in five values is below the published one and one equal to it.
    assert "±1: 0.710 ± 0.014, published at percentile 100" in average.ours
    assert "±2: 0.926 ± 0.014, published at percentiles 20 to 40" in average.ours
    assert "at ±1 percentile 100 of 2 means of 20" in average.why
    assert said["Mean ρ of average, cyber"].outcome == "not run"
    near = conditions.runs().filter(pl.col("reach") == 1.0)
    outside = {v.claim: v for v in _domain_report.verdicts(near)}
    assert outside["Mean ρ of average, driving"].outcome == "outside the distribution"
    few = conditions.runs().filter(pl.col("seed") < SEEDS - 1)
    assert {v.outcome for v in _domain_report.verdicts(few)} == {"not run"}
    page = _domain_report.write_files("mine", conditions, tmp_path / "r")
    assert "inside the distribution" in page.read_text()
    assert (page.parent / "mine" / "domain-driving-200.png").exists()


def test_the_command_runs_on_its_debug_settings(tmp_path, monkeypatch, capsys):
    quick = ("rankers=[average,logit_least_squares]", "reach=[1.0,2.0]")
    run_here(
        "domains",
        main,
        monkeypatch,
        "+debug=few",
        "domain=[cyber]",
        *quick,
        f"out={tmp_path}",
    )
    assert "Report:" in capsys.readouterr().out
    assert len(list((tmp_path / "domains").glob("*/record.json"))) == 2
