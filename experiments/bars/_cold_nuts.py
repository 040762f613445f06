"""One table's posterior in a process of its own: `python -m experiments.bars._cold_nuts`.

Prints one line of JSON: what the bar asks of the draws.
"""

import json

import jax
import numpy as np

from irtjax.irt import TwoPL
from irtjax.irt.posteriors import SAMPLING, NUTSTrace, sample_posterior

from ._nuts_tables import binomial_table


def main() -> None:
    """Sample one 20 x 20 table of 10 trials a cell and say how it went."""
    jax.config.update("jax_enable_x64", True)
    found = sample_posterior(TwoPL(), binomial_table(0), key=jax.random.key(0))

    assert isinstance(found.trace, NUTSTrace)

    def every(estimate) -> np.ndarray:
        return np.concatenate([np.ravel(leaf) for leaf in jax.tree.leaves(estimate)])

    print(
        json.dumps(
            {
                "code": SAMPLING(int(found.code)).name,
                "largest_rhat": float(np.max(every(found.mixing.rhat))),
                "fewest_effective": float(
                    min(
                        np.min(every(found.mixing.ess_bulk)),
                        np.min(every(found.mixing.ess_tail)),
                    )
                ),
                "divergences": int(np.sum(found.trace.diverging)),
                "leapfrogs_a_draw": float(np.mean(found.trace.leapfrogs)),
            }
        )
    )


if __name__ == "__main__":
    main()
