"""Does it hold on real answers? `python -m experiments.real_masked +grid=real_masked`.

Complete tables of real language models lose cells by known masks, and each ranker is
asked for the order of the table before. Conditions that have a record are not run
again, so a run that was stopped goes on by the same command.
"""

import functools

from . import _real_masked_draws, _runtime
from ._grid_run import run_grid
from ._real_masked_conf import RealMaskedConf, check_real_masked, matrices_folder
from ._scoring import condition_rows, rankers_of
from .sweep import mean_error

RECIPE = 1


@_runtime.application("real_masked")
def main(cfg: RealMaskedConf) -> float:
    """Run the conditions that have no record yet; return the 2PL's mean error."""
    check_real_masked(cfg)
    _runtime.start(cfg.x64)
    draw = functools.partial(_real_masked_draws.draw, folder=matrices_folder(cfg))
    conditions = run_grid(
        "real_masked",
        cfg,
        functools.partial(
            condition_rows,
            rankers=rankers_of(cfg),
            block=cfg.block,
            draw=draw,
            schema=_real_masked_draws.ROW,
        ),
        recipe=RECIPE,
        a_fit=("seed", "ranker"),
    )
    return mean_error(conditions, "two_pl")


if __name__ == "__main__":
    main()
