"""The example on the page about intervals runs; it names every method there is."""

import re

import jax.numpy as jnp
import pytest

from experiments._interval_methods import METHODS


def test_every_method_is_explained(root):
    text = (root / "docs" / "intervals.md").read_text()
    table = text.split("## The methods")[1].split("```")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(METHODS)


@pytest.mark.slow
def test_the_example_runs(root):
    text = (root / "docs" / "intervals.md").read_text()
    (block,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    space = {}
    exec(block, space)
    assert space["found"].code == 0
    assert jnp.all(space["lower"] < space["upper"])
