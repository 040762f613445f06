"""What a grid has found, in a form that a page and `docs/results.md` both take."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from irtjax.ranking import DEFAULT_RANKER
from irtjax.report import Column, Figure, Table, Verdict, line_bands

from ._surface_figures import readable, told_apart
from ._tables import usable


class Findings(NamedTuple):
    """The answer of one grid.

    Attributes:
        question: what was asked, in a sentence.
        sentences: what came out, computed from the rows.
        verdicts: stated figures beside ours.
        tables: the numbers behind the sentences.
    """

    question: str
    sentences: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    tables: tuple[Table, ...]


class Mean(NamedTuple):
    """A mean over data sets.

    Attributes:
        value: of the mean.
        error: its standard error; NaN of a single value.
        count: how many data sets.
    """

    value: float
    error: float
    count: int

    def __str__(self) -> str:
        return f"{self.value:.3f} ± {self.error:.3f}".replace("-", "−")


def mean_of(values: pl.Series) -> Mean:
    """Return the mean of a column with its standard error; NaN where it is empty."""
    array = values.to_numpy()
    if not len(array):
        return Mean(float("nan"), float("nan"), 0)
    several = len(array) > 1
    error = float(array.std(ddof=1) / np.sqrt(len(array))) if several else float("nan")
    return Mean(float(array.mean()), error, len(array))


def mean_rho(runs: pl.DataFrame, ranker: str, **where: object) -> Mean:
    """Return a ranker's mean rho over the usable runs that have the given settings."""
    chosen = usable(runs).filter(pl.col("ranker") == ranker, *equal(where))
    return mean_of(chosen["spearman"])


def equal(where: dict[str, object]) -> Iterator[pl.Expr]:
    """Yield what a row must fulfil to have these settings."""
    for name, value in where.items():
        if isinstance(value, float):
            yield (pl.col(name) - value).abs().lt(1e-9)
        else:
            yield pl.col(name).eq(value)


def paired(runs: pl.DataFrame, ranker: str, other: str, keys: Sequence[str]) -> Mean:
    """Return the mean of one ranker's rho less another's on the same data sets.

    Args:
        runs: rows of a grid.
        ranker: whose rho counts positive.
        other: whose rho is taken off.
        keys: the columns that name a data set.
    """
    good = usable(runs)
    pair = good.filter(pl.col("ranker") == ranker).join(
        good.filter(pl.col("ranker") == other), on=list(keys), suffix="_other"
    )
    return mean_of(pair["spearman"] - pair["spearman_other"])


def best(runs: pl.DataFrame) -> tuple[str, float]:
    """Return the ranker of the highest mean rho over the usable runs, and that mean."""
    means = (
        usable(runs)
        .group_by("ranker", maintain_order=True)
        .agg(pl.col("spearman").mean())
        .sort("spearman", descending=True, maintain_order=True)
    )
    return means["ranker"][0], float(means["spearman"][0])


def told(runs: pl.DataFrame) -> str:
    """Return mean rhos in words: the average's, the 2PL's, the default's and the best."""
    means = {
        name: mean_rho(runs, name) for name in ("average", "two_pl", DEFAULT_RANKER)
    }
    parts = [
        f"{readable(name)} {mean.value:.3f}"
        for name, mean in means.items()
        if mean.count
    ]
    name, top = best(runs)
    return ", ".join((*parts, f"best {readable(name)} {top:.3f}"))


def wide_table(
    runs: pl.DataFrame,
    rows: dict[str, str],
    column: str,
    *,
    caption: str,
    name: str,
    heading: str = "{}",
) -> Table:
    """Return mean rho with one setting's values side by side.

    Args:
        runs: rows of a grid.
        rows: the settings that tell rows apart, and their headings.
        column: the setting whose values are the columns.
        caption: of the table.
        name: of the table.
        heading: how a column's value is written.
    """
    values = runs[column].unique(maintain_order=True).to_list()
    means = (
        usable(runs)
        .group_by(*rows, column, maintain_order=True)
        .agg(pl.col("spearman").mean())
    )
    found = {tuple(row[:-1]): row[-1] for row in means.iter_rows()}
    keys = runs.select(list(rows)).unique(maintain_order=True).rows()
    return Table(
        caption=caption,
        columns=(
            *(Column(title, 2) for title in rows.values()),
            *(Column(heading.format(_plain(value)), 3) for value in values),
        ),
        rows=tuple(
            (*map(_plain, key), *(found.get((*key, value)) for value in values))
            for key in keys
        ),
        name=name,
    )


def _plain(value: object) -> str:
    if isinstance(value, str):
        return readable(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def ranker_lines(
    runs: pl.DataFrame,
    x: str,
    *,
    x_title: str,
    name: str,
    caption: str,
    logarithmic_x: bool = False,
) -> Iterator[Figure]:
    """Yield figures of mean rho over a setting, as many as it takes to tell lines apart.

    Args:
        runs: rows of a grid, of one condition but for `x`.
        x: the setting on the axis.
        x_title: what it is, with its unit.
        name: of the figure.
        caption: what it shows; what the bands are is added.
        logarithmic_x: space it by its logarithm.
    """
    means = (
        usable(runs)
        .group_by("ranker", x, maintain_order=True)
        .agg(
            pl.col("spearman").mean().alias("mean"),
            (pl.col("spearman").std() / pl.len().sqrt()).fill_null(0).alias("error"),
        )
        .sort(x)
    )
    rankers = list(means["ranker"].unique(maintain_order=True).sort())
    for first, some in told_apart(rankers):
        series = {}
        for ranker in some:
            one = means.filter(pl.col("ranker") == ranker)
            mean, error = one["mean"].to_numpy(), one["error"].to_numpy()
            at = one[x].to_numpy().astype(float)
            series[readable(ranker)] = (at, mean, mean - 2 * error, mean + 2 * error)
        yield line_bands(
            series,
            x_title=x_title,
            y_title="Spearman's ρ with the true order",
            name=name + (f"-{first}" if first else ""),
            caption=f"{caption} Bands: two standard errors of the mean.",
            logarithmic_x=logarithmic_x,
        )
