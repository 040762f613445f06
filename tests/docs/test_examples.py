"""The page on a user's own model does what it says, from a package of its own."""

import os
import re
import shlex
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.irt import Fisher

FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def blocks(root):
    """The page's blocks of code, by language."""
    found = {}
    for language, block in FENCE.findall((root / "docs" / "own_model.md").read_text()):
        found.setdefault(language, []).append(block)
    return found


@pytest.fixture
def mylab(root, monkeypatch):
    """The example package, importable as a user's own would be."""
    monkeypatch.syspath_prepend(str(root / "docs" / "examples"))
    return "mylab"


def test_the_page_shows_the_package(blocks, root):
    source = (root / "docs" / "examples" / "mylab" / "__init__.py").read_text()
    shown = blocks["python"][0]
    assert shown.strip() == source.split('"""', 2)[2].strip()
    body = [line for line in shown.splitlines() if line.strip()]
    assert len(body) < 30


def test_the_page_fits_measures_and_ranks(blocks, mylab, capsys):
    space = {}
    exec(blocks["python"][1], space)
    assert "lapse" in capsys.readouterr().out
    found, errors, truth = space["found"], space["errors"], space["truth"]
    for one, error, true in (
        (found.shared["lapse"], errors.shared["lapse"], truth.shared["lapse"]),
        (
            found.item["difficulty"],
            errors.item["difficulty"],
            truth.item["difficulty"],
        ),
    ):
        assert jnp.all(jnp.isfinite(error) & (error > 0))
        assert jnp.all(jnp.abs(one - true) < 5 * error)
    score = space["ModelRanker"](space["model"]).score(space["table"])
    np.testing.assert_array_equal(score, found.system["ability"])
    # Neighbours lie 0.57 logits apart and abilities are known to about 0.15.
    np.testing.assert_array_equal(jnp.argsort(score), jnp.arange(8))


@pytest.mark.slow
def test_the_sweep_takes_the_class_by_name(blocks, root, tmp_path):
    words = shlex.split(blocks["bash"][0].replace("\\\n", " "))
    assert words[:3] == ["PYTHONPATH=docs/examples", "./scripts/run", "python"]
    small = ["+debug=tiny", "mask=[mcar]", "rankers=[average,model]", f"out={tmp_path}"]
    done = subprocess.run(
        [sys.executable, *words[3:], *small],
        cwd=root,
        env=os.environ | {"PYTHONPATH": words[0].partition("=")[2]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "reports").glob("*.html"))
    assert len(pages) == 1
    assert "lapse_two_pl" in pages[0].read_text()


def test_a_lapse_of_nothing_is_the_two_pl(mylab):
    import mylab

    from irtjax.irt import Interval, Normal, Parameter, TwoPL, fit

    never = Parameter("lapse", Normal(-40.0, 1e-3), Interval(0.0, 0.5))
    model = mylab.LapseTwoPL(shared_parameters=(never,))
    table = _table(model)
    one, other = fit(model, table), fit(TwoPL(), table)
    np.testing.assert_allclose(one.value.system, other.value.system, atol=1e-6)
    np.testing.assert_allclose(one.value.item, other.value.item, atol=1e-6)
    errors = [
        Fisher()(m, table, r.value).system["ability"]
        for m, r in ((model, one), (TwoPL(), other))
    ]
    np.testing.assert_allclose(*errors, rtol=1e-5)


def _table(model):
    from irtjax.irt import Estimate, simulate

    rng = np.random.default_rng(0)
    truth = Estimate(
        jnp.asarray(rng.normal(size=(6, 1))),
        jnp.asarray(0.5 * rng.normal(size=(5, 2))),
        jnp.asarray([-40.0]),
    )
    return simulate(model, truth, jnp.full((6, 5), 20.0), key=jax.random.key(1))
