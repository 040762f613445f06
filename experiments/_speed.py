"""One fit's time, ours against L-BFGS-B's, both to the same distance from the optimum."""

import dataclasses
import statistics
import time

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from threadpoolctl import threadpool_limits

from irtjax.data import BinomialResponses
from irtjax.irt import (
    RESULTS,
    BlockNewton,
    Estimate,
    FitResult,
    JointMAP,
    TwoPL,
    fit_many,
)

from . import _lbfgsb
from ._peak import Peak, newton_step_work
from ._problems import Tables

CLOSE = 1e-10  # of the best known objective, relative: where both clocks stop


@dataclasses.dataclass(frozen=True)
class Speed:
    """Both sides' times on tables of one size.

    Attributes:
        name: of the case.
        problems: tables fitted.
        compile_seconds: of our first call, less the median of the later ones.
        our_seconds: one call that fits all tables; the median of the repeats.
        our_fits_per_second: of that call.
        rival_fits_per_second: one fit at a time; the median of the repeats.
        times_faster: the ratio of the two.
        lowest_times_faster: the smallest ratio of one repeat's two times.
        our_share_close: of our fits that end within `CLOSE` of the best known objective.
        rival_share_close: the same of L-BFGS-B, which stops where it finds no descent;
            its whole time counts where it falls short.
        our_share_converged: of our fits whose code says so.
        steps_mean: Newton steps tried a fit.
        steps_largest: of the slowest fit.
        share_of_peak_flops: useful operations a second over a matrix product's.
        share_of_peak_bandwidth: useful bytes a second over a triad's.
    """

    name: str
    problems: int
    compile_seconds: float
    our_seconds: float
    our_fits_per_second: float
    rival_fits_per_second: float
    times_faster: float
    lowest_times_faster: float
    our_share_close: float
    rival_share_close: float
    our_share_converged: float
    steps_mean: float
    steps_largest: int
    share_of_peak_flops: float
    share_of_peak_bandwidth: float


def fit_all(tables: Tables) -> FitResult:
    """Return our fits of all tables, once they are done."""
    # The step taken last, quadratic in this length, ends well within `CLOSE`; that it
    # does is measured and reported.
    estimator = JointMAP(BlockNewton(tolerance=1e-4))
    return jax.block_until_ready(
        fit_many(TwoPL(), stacked(tables), estimator=estimator)
    )


def stacked(tables: Tables) -> BinomialResponses:
    """Return tables as responses with a leading problem axis."""
    return jax.vmap(BinomialResponses)(
        jnp.asarray(tables.successes), jnp.asarray(tables.trials)
    )


def flat(estimate: Estimate) -> Float[np.ndarray, "problem parameter"]:
    """Return batched estimates in the order of `_lbfgsb`, one row a table."""
    item = np.asarray(estimate.item)
    system = np.asarray(estimate.system)[:, :, 0]
    return np.concatenate([system, item[:, :, 0], item[:, :, 1]], axis=1)


def objectives(
    tables: Tables, parameters: Float[np.ndarray, "problem parameter"]
) -> Float[np.ndarray, " problem"]:
    """Return each table's objective at given parameters, in nats, by `_lbfgsb`."""
    pairs = zip(tables.each(), parameters, strict=True)
    return np.array([_lbfgsb.objective(*table)(row)[0] for table, row in pairs])


def compare(
    name: str,
    tables: Tables,
    *,
    memory: int,
    threads: int,
    repeats: int,
    peak: Peak,
) -> Speed:
    """Return both sides' times on the same tables, taken in turn.

    Args:
        name: of the case.
        tables: of one size.
        memory: of L-BFGS-B; the best for the size, in its favour.
        threads: of NumPy's and scipy's linear algebra, on L-BFGS-B's side. On small
            tables several threads wait for each other and cost many times what they
            save.
        repeats: how often each side runs; at least 1.
        peak: of this machine.
    """
    begin = time.perf_counter()
    result = fit_all(tables)
    first = time.perf_counter() - begin

    ours = objectives(tables, flat(result.value))
    targets = np.full(len(tables), np.inf)
    our_times, rival_times = [], []
    close = np.zeros(len(tables), bool)
    for _ in range(repeats):
        begin = time.perf_counter()
        fit_all(tables)
        our_times.append(time.perf_counter() - begin)
        with threadpool_limits(threads):
            traces = [_lbfgsb.fit(*table, memory=memory) for table in tables.each()]
        if not rival_times:
            best = np.minimum(ours, [trace.value for trace in traces])
            targets = best + CLOSE * np.abs(best)
        spent = [
            trace.seconds_to(target)
            for trace, target in zip(traces, targets, strict=True)
        ]
        rival_times.append(sum(seconds for seconds, _ in spent))
        close = np.array([reached for _, reached in spent])

    seconds, rival = statistics.median(our_times), statistics.median(rival_times)
    steps = np.asarray(result.stats.iterations)
    work = newton_step_work(*tables.trials.shape[1:])
    return Speed(
        name=name,
        problems=len(tables),
        compile_seconds=first - seconds,
        our_seconds=seconds,
        our_fits_per_second=len(tables) / seconds,
        rival_fits_per_second=len(tables) / rival,
        times_faster=rival / seconds,
        lowest_times_faster=min(np.divide(rival_times, our_times).tolist()),
        our_share_close=float(np.mean(ours <= targets)),
        rival_share_close=float(np.mean(close)),
        our_share_converged=float(
            np.mean(np.asarray(result.code) == RESULTS.successful)
        ),
        steps_mean=float(np.mean(steps)),
        steps_largest=int(np.max(steps)),
        # One evaluation more than steps: at the start.
        share_of_peak_flops=work.flops
        * float(np.sum(steps + 1))
        / seconds
        / peak.flops,
        share_of_peak_bandwidth=(
            work.bytes * float(np.sum(steps + 1)) / seconds / peak.bandwidth
        ),
    )
