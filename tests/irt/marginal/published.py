"""The published tests of right and wrong answers, and R mirt's fits of them."""

import json

import jax.numpy as jnp
import numpy as np
import polars as pl

from irtjax.data import BinomialResponses


def classic(shared, name):
    """A published table, one row a person."""
    file = "SAT12_scored" if name == "SAT12" else name
    path = shared / "data" / "classic" / f"{file}.csv"
    answers = pl.read_csv(path, null_values="NA").to_numpy()[:, 1:].astype(float)
    seen = ~np.isnan(answers)
    return BinomialResponses(
        jnp.asarray(np.nan_to_num(answers)), jnp.asarray(seen, float)
    )


def r_mirt(shared, name):
    """A stored fit."""
    return json.loads((shared / "reference" / "mirt" / f"{name}.json").read_text())
