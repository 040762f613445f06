"""`irtjax score`: a bank and a file of new systems in, scores on the old scale out."""

import enum
import inspect
from pathlib import Path
from typing import Annotated

import typer

from ._common import app, check_outputs, one_message, say, set_up_jax, show, write_json
from ._options import AssumeTrials, JsonOut, Level, Report, TableFile
from ._reading import Reading, counted, read, reads_a_table


class _Scorer(enum.StrEnum):
    eap = "eap"
    map = "map"
    wle = "wle"
    ml = "ml"
    jeffreys = "jeffreys"


@app.command()
@reads_a_table
def score(
    bank: Annotated[Path, typer.Argument(help="Written by `irtjax fit --out`.")],
    file: TableFile,
    reading: Reading,
    scorer: Annotated[
        _Scorer,
        typer.Option(
            help="Posterior mean or mode, weighted likelihood, maximum likelihood, or "
            "Jeffreys's mode."
        ),
    ] = _Scorer.eap,
    assume_trials: AssumeTrials = None,
    level: Level = 0.95,
    report: Report = None,
    json_out: JsonOut = None,
) -> None:
    """Score new systems on the scale of a bank of calibrated items.

    One system is enough, and so are a few of the bank's items. Errors include those of
    the items' calibration. Scores go to standard output as tab-separated values.
    """
    check_outputs([bank, file], {"--report": report, "--json": json_out})
    set_up_jax()
    from irtjax.irt import EAP, MAP, ML, WLE, Jeffreys, load_bank, score_table
    from irtjax.report import (
        score_lines,
        score_page,
        score_record,
        score_remarks,
        scored_systems,
        scored_table,
        write_whole,
    )

    scorers = {"eap": EAP, "map": MAP, "wle": WLE, "ml": ML, "jeffreys": Jeffreys}
    names = inspect.signature(score).parameters
    with one_message(names):
        items = load_bank(bank)
        table = counted(read(file, reading, least=1), assume_trials)
        say(table.describe(), names)
        known = set(items.item_ids)
        unknown = tuple(each for each in table.item_ids if each not in known)
        if len(unknown) == len(table.item_ids):
            raise ValueError(
                f"{table.source} has none of the items of {bank.name}: it has "
                f"{str(table.item_ids[0])!r} and the like, the bank "
                f"{str(items.item_ids[0])!r}."
            )
        table = table.select(items=[each for each in table.item_ids if each in known])
        scores = score_table(
            items, table, scorers[scorer.value](), with_item_errors=True
        )
        found = scored_systems(scores, table, level=level)
    say(score_remarks(found, items, unknown), names)
    show(score_lines(found), lambda: scored_table(found, level=level))
    write_json(json_out, score_record(found, table, scorer.value, level))
    if report is not None:
        text = score_page(
            found, table, items, unknown, scorer=scorer.value, level=level
        )
        write_whole(report, text.encode())
