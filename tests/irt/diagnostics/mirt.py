"""R mirt's fits of classic tables, as our models' estimates."""

import json

import jax.numpy as jnp
import numpy as np

from irtjax.data import BinomialResponses
from irtjax.irt import Estimate, OnePL, TwoPL

TABLES = {
    "LSAT6_2PL": "LSAT6.csv",
    "LSAT6_Rasch": "LSAT6.csv",
    "LSAT7_2PL": "LSAT7.csv",
    "LSAT7_Rasch": "LSAT7.csv",
    "SAT12_2PL": "SAT12_scored.csv",
    "SAT12_Rasch": "SAT12_scored.csv",
}


def load(shared, name):
    """The model, the table and mirt's estimates, with posterior means as abilities."""
    found = json.loads((shared / "reference" / "mirt" / f"{name}.json").read_text())
    file = shared / "data" / "classic" / TABLES[name]
    rows = np.loadtxt(file, delimiter=",", skiprows=1, dtype=str)[:, 1:].astype(float)
    items = [entry["est"] for entry in found["slope_intercept"].values()]
    slope = np.array([item["a1"] for item in items])
    intercept = np.array([item["d"] for item in items])
    spread = found["group"][0][1] ** 0.5  # mirt's Rasch model lets it free
    if name.endswith("Rasch"):
        model = OnePL()
        item, common = (-intercept / spread)[:, None], [np.log(spread)]
    else:
        model = TwoPL()
        item, common = np.stack([-intercept / slope, np.log(slope)], axis=1), []
    ability = posterior_means(rows, slope * spread, intercept)
    at = Estimate(
        jnp.asarray(ability)[:, None], jnp.asarray(item), jnp.asarray(common, float)
    )
    responses = BinomialResponses(jnp.asarray(rows), jnp.ones(rows.shape))
    return model, responses, at, found


def posterior_means(rows, slope, intercept):
    """Of standard normal abilities, by mirt's 61 nodes."""
    node = np.linspace(-6, 6, 61)
    logit = slope[:, None] * node + intercept[:, None]
    log_right, log_wrong = -np.logaddexp(0, -logit), -np.logaddexp(0, logit)
    weight = rows @ log_right + (1 - rows) @ log_wrong - node**2 / 2
    weight = np.exp(weight - weight.max(axis=1, keepdims=True))
    return weight @ node / weight.sum(axis=1)
