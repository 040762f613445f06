"""The bar on the stress grids measures what it says, at reduced sizes, and can fail."""

import pytest

from experiments.bars import issue3_bar5

GOOD = {"seconds": 90.0, "byte_equal": True, "kept": True}


def test_every_grid_must_be_quick_equal_and_kept():
    found = dict.fromkeys(issue3_bar5.GRIDS, GOOD)
    assert issue3_bar5.judge(found)["passed"]
    for worse in ({"seconds": 600.0}, {"byte_equal": False}, {"kept": False}):
        assert not issue3_bar5.judge({**found, "misfit": {**GOOD, **worse}})["passed"]
    del found["domains"]
    assert not issue3_bar5.judge(found)["passed"]


@pytest.mark.slow
def test_a_killed_run_of_domains_goes_on(tmp_path):
    small = ["seeds=4", "rankers=[average]", "report=false"]
    found = issue3_bar5.compare(tmp_path, "domains", small)
    assert found["conditions"] == 12
    assert found["byte_equal"]
    assert found["kept"]
    assert 1 <= found["killed_after"] < 12
