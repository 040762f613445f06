"""`irtjax judge`: a frozen pool and answers in, verdicts and picks out."""

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ._answers import (
    AllowWeaker,
    Candidates,
    LabelsFile,
    Tasks,
    Work,
    Workers,
    to_judge,
)
from ._common import app, check_outputs, one_message, say, set_up_jax
from ._jails import jails, told_plainly
from ._options import Seed

if TYPE_CHECKING:
    from irtjax.cegar import Pool
    from irtjax.cegar.operators import Harness
    from irtjax.cegar.tasks import Bench


@app.command()
def judge(
    pool: Annotated[Path, typer.Argument(help="The folder that `evolve` wrote.")],
    tasks: Tasks,
    candidates: Candidates = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="OUT.csv", help="Write every verdict on every answer."),
    ] = None,
    labels: LabelsFile = None,
    seed: Seed = 0,
    workers: Workers = 2,
    allow_weaker: AllowWeaker = False,
) -> None:
    """Judge answers with a frozen pool: no labels are needed.

    One line a task goes to standard output: its answers by number, which are kept, which
    one to pick, and why others are rejected. With labels the pool's gain is said too.
    """
    files = [tasks, *(candidates or ())] + ([labels] if labels else [])
    check_outputs(files, {"--out": out})
    set_up_jax()
    from irtjax.cegar import judge_cases, load_pool
    from irtjax.cegar.sandbox import Limits
    from irtjax.cegar.tasks import visible_met
    from irtjax.report import (
        judged_csv,
        judged_lines,
        judged_remarks,
        write_whole,
    )

    names = inspect.signature(judge).parameters
    with one_message(names), told_plainly():
        frozen = load_pool(pool)
        work = to_judge(tasks, candidates or (), labels)
        meant = frozen.about.get("answers", "programs")
        given = "programs" if work.programs else "words"
        if meant != given:
            raise ValueError(f"{pool} was grown on {meant}, and {tasks} holds {given}.")
        say(work.remarks, names)
        seconds = frozen.about.get("cpu_seconds", Limits().cpu_seconds)
        with jails(
            allow_weaker=allow_weaker,
            workers=workers,
            seconds=seconds,
            electorate=frozen.electorate,
        ) as (harness, bench):
            met = visible_met(work.cases, bench)
            found = judge_cases(frozen, work.cases, met, harness, seed=seed)
            say(judged_remarks(frozen, found), names)
            if work.right is not None:
                say(proof(frozen, work, bench, harness, "labelled"), names)
    typer.echo(judged_lines(frozen, found), nl=False)
    if out is not None:
        write_whole(out, judged_csv(frozen, found).encode())


def proof(
    pool: "Pool", work: Work, bench: "Bench", harness: "Harness", which: str
) -> tuple[str, ...]:
    """Return what a frozen pool is worth on labelled answers, as sentences.

    Args:
        pool: frozen.
        work: answers with labels, or with what they can be labelled by.
        bench: where programs run.
        harness: where operators run.
        which: a word for the tasks.
    """
    from irtjax.cegar import (
        FLAG,
        evaluate,
        gain_interval,
        make_panel,
        passing,
        pool_verdicts,
    )
    from irtjax.report import gain_remarks

    cases, labels = passing(work.cases, work.labels(bench))
    panel = make_panel(cases, labels)
    verdicts = pool_verdicts(pool.operators, cases, harness)
    interval = gain_interval(panel, verdicts == FLAG)
    return gain_remarks(evaluate(panel, verdicts), interval, len(cases), which)
