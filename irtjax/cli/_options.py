"""Arguments and options that several commands have, spelt once."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

TableFile: TypeAlias = Annotated[
    Path,
    typer.Argument(
        help="CSV, Parquet or JSON lines, or results of an evaluation tool."
    ),
]
_RANKERS = (
    "How to rank: pooled_two_pl, two_pl, one_pl, bradley_terry, logit_least_squares, "
    "within_item_rank, item_centred_average or average."
)
Ranker: TypeAlias = Annotated[str, typer.Option(help=_RANKERS)]
ComparisonRanker: TypeAlias = Annotated[
    str | None,
    typer.Option(help=_RANKERS, show_default="pooled_two_pl; of two snapshots two_pl"),
]
AssumeTrials: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="N", help="Where trials are unknown, count each score as N of them."
    ),
]
Level: TypeAlias = Annotated[
    float, typer.Option(help="Confidence level of the intervals, within (0, 1).")
]
Seed: TypeAlias = Annotated[int, typer.Option(help="Seed of whatever is drawn.")]
Top: TypeAlias = Annotated[
    int, typer.Option(min=0, help="Print the first so many systems; 0 = all.")
]
Report: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="OUT.html", help="Write a report to read.")
]
JsonOut: TypeAlias = Annotated[
    Path | None,
    typer.Option("--json", metavar="OUT.json", help="Write the result as data."),
]
