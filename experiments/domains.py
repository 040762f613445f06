"""The four published domains, masks redrawn: `python -m experiments.domains`.

The paper's means over 20 data sets are bracketed by the distribution of many: neither
its abilities nor its masks are published. Conditions that have a record are not run
again, so a run that was stopped goes on by the same command.
"""

import functools

from . import _domain_draws, _runtime
from ._domains_conf import DomainsConf, check_domains
from ._grid_run import run_grid
from ._scoring import condition_rows, rankers_of
from .sweep import mean_error

RECIPE = 1


@_runtime.application("domains")
def main(cfg: DomainsConf) -> float:
    """Run the domains that have no record yet; return the 2PL's mean error."""
    check_domains(cfg)
    _runtime.start(cfg.x64)
    conditions = run_grid(
        "domains",
        cfg,
        functools.partial(
            condition_rows,
            rankers=rankers_of(cfg),
            block=cfg.block,
            draw=_domain_draws.draw,
            schema=_domain_draws.ROW,
        ),
        recipe=RECIPE,
        a_fit=("seed", "ranker"),
    )
    return mean_error(conditions, "two_pl")


if __name__ == "__main__":
    main()
