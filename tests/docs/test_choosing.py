"""What the page on choosing a ranker says is what the rankers do."""

import os
import re
import shlex
import subprocess
import sys

import polars as pl
import pytest

from irtjax.ranking import RANKERS
from tests.ranking.test_published import KNOWN


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs" / "choosing.md").read_text()


def test_every_ranker_is_named(page):
    table = page.partition("## Many trials")[0]
    assert set(re.findall(r"`(\w+)`", table)) == set(RANKERS)


def test_the_figures_are_those_that_are_tested(page):
    rows = re.findall(r"^\| `(\w+)` ((?:\| [\d.]+ ){4})\|$", page, re.MULTILINE)
    shown = {}
    for name, cells in rows:
        a, b, c, d = (float(cell) for cell in cells.split("|")[1:])
        shown |= {(name, "assortative"): (a, b), (name, "mcar"): (c, d)}
    assert shown == KNOWN


@pytest.mark.slow
def test_one_answer_a_cell_is_where_the_2pl_is_not_the_one_to_take(
    page, root, tmp_path
):
    """1,000 tables a mask, paired: gaps of .05 and .01, standard errors of .003."""
    command = re.search(r"^```bash\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[1]
    words = shlex.split(command.replace("\\\n", " "))
    assert words[:2] == ["./scripts/run", "python"]
    # It computes more than it compiles, unlike other tests.
    quick = ("JAX_DISABLE_MOST_OPTIMIZATIONS", "XLA_FLAGS")
    computing = {name: value for name, value in os.environ.items() if name not in quick}
    done = subprocess.run(
        [sys.executable, *words[2:], f"out={tmp_path}"],
        cwd=root,
        env=computing | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    [runs] = (tmp_path / "reports").glob("*/runs.parquet")
    means = pl.read_parquet(runs).group_by("mask", "ranker").agg(pl.mean("spearman"))
    rho, chance = (
        dict(means.filter(pl.col("mask") == mask).drop("mask").iter_rows())
        for mask in ("assortative", "mcar")
    )
    for other in ("pooled_two_pl", "logit_least_squares", "bradley_terry", "one_pl"):
        assert rho[other] > rho["two_pl"] + 0.02
    assert min(rho, key=rho.get) == "average"
    for other in ("two_pl", "average"):
        assert chance[other] > chance["pooled_two_pl"]
