import sys

import jax
import numpy as np
import pytest

from irtjax.irt.posteriors import NUTS, sample_posterior, to_arviz

from ..cases import MODELS, N_ITEM, N_SYSTEM, table


@pytest.fixture(scope="module")
def found():
    model = MODELS["one_pl"]
    sampler = NUTS(chains=2, draws=20, warmup=20)
    return sample_posterior(model, table(model), sampler=sampler, key=jax.random.key(0))


def test_draws_arrive_by_name_on_their_own_scale(found):
    data = to_arviz(
        MODELS["one_pl"], found, system_ids=[f"model {k}" for k in range(N_SYSTEM)]
    )
    assert dict(data.posterior.sizes) == {
        "chain": 2,
        "draw": 20,
        "system": N_SYSTEM,
        "item": N_ITEM,
    }
    np.testing.assert_array_equal(
        data.posterior["ability"].sel(system="model 2"), found.value.system[..., 2, 0]
    )
    np.testing.assert_allclose(
        data.posterior["discrimination"], np.exp(found.value.shared[..., 0])
    )
    np.testing.assert_array_equal(data.sample_stats["n_steps"], found.trace.leapfrogs)


def test_without_arviz_the_extra_is_named(found, monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(ImportError, match=r"irtjax\[bayes\]"):
        to_arviz(MODELS["one_pl"], found)
