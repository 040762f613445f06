"""The example on the page about posteriors runs and finds what the page says."""

import re

import jax.numpy as jnp
import pytest


@pytest.mark.slow
def test_the_example_runs(root, capsys):
    text = (root / "docs" / "posteriors.md").read_text()
    (block,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    space = {}
    exec(block, space)
    assert "successful" in capsys.readouterr().out
    assert space["ranks"].p_best[0] > 0.5 > space["ranks"].p_best[2]
    low, high = (
        end.item["difficulty"]
        for end in (space["intervals"].lower, space["intervals"].upper)
    )
    assert jnp.all(low < high)
    assert space["ends"].lower[0] < space["estimate"].item[2, 0]
    assert jnp.all(space["errors"].system["ability"] > 0)
