"""`irtjax fit`: a file of results in, a bank of calibrated items out."""

import enum
import inspect
from pathlib import Path
from typing import Annotated

import typer

from ._common import app, check_outputs, one_message, say, set_up_jax
from ._reading import Reading, counted, read, reads_a_table


class _Model(enum.StrEnum):
    two_pl = "two_pl"
    one_pl = "one_pl"
    three_pl = "three_pl"


class _Estimator(enum.StrEnum):
    marginal = "marginal"
    joint = "joint"


@app.command()
@reads_a_table
def fit(
    file: Annotated[
        Path,
        typer.Argument(
            help="CSV, Parquet or JSON lines, or results of an evaluation tool."
        ),
    ],
    reading: Reading,
    out: Annotated[
        Path, typer.Option(metavar="BANK.json", help="Where to write the bank.")
    ],
    model: Annotated[
        _Model, typer.Option(help="What an item's curve looks like.")
    ] = _Model.two_pl,
    estimator: Annotated[
        _Estimator,
        typer.Option(
            help="Integrate abilities out, so that the scale is not pulled in, or "
            "estimate everything at once."
        ),
    ] = _Estimator.marginal,
    assume_trials: Annotated[
        float | None,
        typer.Option(
            metavar="N", help="Where trials are unknown, count each score as N of them."
        ),
    ] = None,
) -> None:
    """Calibrate the items of a results table and write them as a bank.

    The items go to standard output as tab-separated values; what the file was taken to
    mean, and what is weak about items, to standard error.
    """
    check_outputs([file], {"--out": out})
    set_up_jax()
    from irtjax.irt import (
        MESSAGES,
        RESULTS,
        JointMAP,
        MarginalMAP,
        OnePL,
        ThreePL,
        TwoPL,
        calibrate,
        save_bank,
    )
    from irtjax.report import bank_lines, constant_item_remarks

    models = {"two_pl": TwoPL, "one_pl": OnePL, "three_pl": ThreePL}
    estimators = {"marginal": MarginalMAP, "joint": JointMAP}
    names = inspect.signature(fit).parameters
    with one_message(names):
        table = counted(read(file, reading), assume_trials)
        say(table.describe(), names)
        say(constant_item_remarks(table), names)
        bank = calibrate(
            models[model.value](), table, estimator=estimators[estimator.value]()
        )
        code = RESULTS(bank.code)
        if code is not RESULTS.successful:
            raise ValueError(
                f"The fit did not end well ({MESSAGES[code]}), so no bank was written: "
                "try another --model."
            )
        save_bank(out, bank)
    typer.echo(bank_lines(bank), nl=False)
    say([f"Wrote {len(bank.item_ids):,} items to {out}."], names)
