"""Small grids with made-up rows, and applications run without a process of their own."""

import hydra
import polars as pl

from experiments import _runtime
from experiments._schema import typed
from experiments._tables import SUCCESS

RANKED = ("average", "logit_least_squares", "one_pl", "two_pl")
FACTS = {
    "commit": "abc",
    "versions": {"jax": "1"},
    "device": "cpu",
    "seconds": 0.5,
    "codes": {SUCCESS: 4},
}


def rows(schema, settings, rho, rankers=RANKED):
    """Rows of one condition.

    Args:
        schema: of the rows.
        settings: of the condition.
        rho: returns rho from a ranker and a seed.
        rankers: which there are.
    """
    seeds = range(settings["seeds"])
    parts = []
    for ranker in rankers:
        values = [float(rho(ranker, seed)) for seed in seeds]
        columns = {name: [settings.get(name)] * len(seeds) for name in schema}
        columns |= {
            "seed": list(seeds),
            "ranker": [ranker] * len(seeds),
            "observed": [0.5] * len(seeds),
            "spearman": values,
            "kendall": values,
            "top1_miss": [0.0] * len(seeds),
            "code": [SUCCESS] * len(seeds),
        }
        parts.append(pl.DataFrame(columns, schema=schema))
    return pl.concat(parts)


def fill(conditions, schema, rho):
    """Record every condition with rows from `rho(settings, ranker, seed)`."""
    for condition in conditions:
        settings = condition.settings
        made = rows(schema, settings, lambda r, s, here=settings: rho(here, r, s))
        condition.finish(made, FACTS)


def run_here(application, main, monkeypatch, *overrides):
    """Run an application's task in this process, its precision and cache left alone."""
    monkeypatch.setattr(_runtime, "start", lambda x64: None)
    with hydra.initialize_config_dir(str(_runtime.CONF), version_base="1.3"):
        cfg = typed(hydra.compose(application, list(overrides)))
    return main.__wrapped__(cfg)
