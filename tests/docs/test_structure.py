"""The page on structure runs, and what it prints is right for its table."""

import re

import jax.numpy as jnp
import numpy as np
import pytest

FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_the_page_runs_and_finds_what_is_there(root, capsys):
    page = (root / "docs" / "structure.md").read_text()
    space = {}
    exec("\n".join(FENCE.findall(page)), space)
    assert "nats an answer" in capsys.readouterr().out
    sd = jnp.exp(space["learned"].hyper["log_ability_sd"])
    assert 0.9 < sd / 1.5 < 1.3
    weight = space["explained"].hyper["mean"].weight
    np.testing.assert_allclose(weight, [1.0, -0.5], atol=0.3)
    # None of the other structures is there.
    assert space["found"].flagged.sum() <= 1
    assert space["spread"].p > 0.01
    assert space["gain"].difference < 2 * space["gain"].error
