"""`irtjax evolve`: labelled answers in, a frozen pool of operators out."""

import contextlib
import dataclasses
import enum
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from ._answers import (
    AllowWeaker,
    Candidates,
    LabelsFile,
    Tasks,
    Work,
    Workers,
    to_learn_from,
)
from ._common import app, fail, one_message, say, set_up_jax
from ._jails import jails, told_plainly
from ._judge import proof
from ._options import Seed
from ._writer import Generators, Modes, writer

_MODEL = "Operators written by a language model (--generator model)"
_HELD = ("pool.json", "archive.jsonl", "report.md")


class _Firsts(enum.StrEnum):
    written = "written"
    none = "none"


class _Gates(enum.StrEnum):
    maximum = "maximum"
    selection = "selection"
    recall = "recall"


@app.command()
def evolve(
    tasks: Tasks,
    candidates: Candidates = None,
    *,
    out: Annotated[
        Path, typer.Option(metavar="POOL/", help="A folder for the pool; a new one.")
    ],
    labels: LabelsFile = None,
    hold_out: Annotated[
        float,
        typer.Option(
            min=0.0, max=0.9, help="Share of the tasks that only the proof looks at."
        ),
    ] = 0.4,
    generator: Annotated[
        Generators, typer.Option(help="What writes operators.")
    ] = Generators.grammar,
    gate: Annotated[
        _Gates,
        typer.Option(
            help="What admits them: a gain beyond the best of as many by luck; any gain "
            "that helps more tasks than it hurts; recall."
        ),
    ] = _Gates.maximum,
    first: Annotated[
        _Firsts,
        typer.Option(
            help="Which operators the first classes of answers come from: those written "
            "by hand for programs, or none. They do not vote."
        ),
    ] = _Firsts.written,
    rounds: Annotated[
        int, typer.Option(min=1, help="Most requests for operators.")
    ] = 60,
    cpu_seconds: Annotated[
        float, typer.Option(help="Processor seconds of one call of a program.")
    ] = 1.0,
    seed: Seed = 0,
    workers: Workers = 2,
    allow_weaker: AllowWeaker = False,
    provider: Annotated[
        str,
        typer.Option(
            help="anthropic, or the name of an OpenAI-compatible server.",
            rich_help_panel=_MODEL,
        ),
    ] = "openai",
    model: Annotated[
        str | None,
        typer.Option(help="As the provider names it.", rich_help_panel=_MODEL),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Of another server.", rich_help_panel=_MODEL)
    ] = None,
    transcripts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Holds all that was asked and answered.",
            rich_help_panel=_MODEL,
        ),
    ] = None,
    mode: Annotated[
        Modes,
        typer.Option(
            help="Answers from the file alone, also from the model, or without a file.",
            rich_help_panel=_MODEL,
        ),
    ] = Modes.replay,
    calls: Annotated[
        int | None, typer.Option(help="Most calls.", rich_help_panel=_MODEL)
    ] = 60,
    tokens: Annotated[
        int | None, typer.Option(help="Most tokens.", rich_help_panel=_MODEL)
    ] = None,
) -> None:
    """Grow a metric from answers that are known to be right or wrong.

    Small operators are written, tested and put together into a pool that flags wrong
    answers. Some tasks are held out: the frozen pool is scored on them once, and its
    gain is said with its proof. The pool's operators go to standard output, one a line.
    """
    _check_new(out)
    set_up_jax()
    from irtjax.cegar import LoopSettings, grow
    from irtjax.clients import Budget
    from irtjax.report import (
        grown_lines,
        grown_remarks,
        pool_report,
        unproven_remark,
        write_whole,
    )

    names = inspect.signature(evolve).parameters
    with (
        one_message(names),
        told_plainly(),
        jails(
            allow_weaker=allow_weaker,
            workers=workers,
            seconds=cpu_seconds,
            electorate=seed,
        ) as (harness, bench),
    ):
        # Settings are settled before the first program runs.
        budget = Budget(calls, tokens)
        write = writer(generator, provider, model, base_url, transcripts, mode, budget)
        settings = LoopSettings(rounds=rounds, seed=seed)
        work = to_learn_from(tasks, candidates or (), labels, bench)
        say(work.remarks, names)
        training, unseen = _split(work, hold_out, seed)
        with _progress(rounds) as tell:
            tell(None)
            grown = grow(
                training.cases,
                training.labels(bench),
                harness,
                generator=write,
                first=() if first is _Firsts.none else None,
                gate=_gate(gate),
                settings=settings,
                progress=tell,
            )
        about: dict[str, Any] = {
            **grown.pool.about,
            "answers": "programs" if work.programs else "words",
            "cpu_seconds": cpu_seconds,
            "training_task_ids": [case.task.task_id for case in training.cases],
        }
        grown = dataclasses.replace(
            grown, pool=dataclasses.replace(grown.pool, about=about)
        )
        grown.pool.save(out)
        grown.run.archive.save(out / "archive.jsonl")
        say(grown_remarks(grown), names)
        if write is not None:
            say([budget.describe()], names)
        worth = (unproven_remark(),)
        if unseen.cases:
            worth = proof(grown.pool, unseen, bench, harness, "held-out")
        say(worth, names)
        write_whole(out / "report.md", pool_report(grown, worth).encode())
    typer.echo(grown_lines(grown, out), nl=False)
    if not grown.pool.operators:
        raise typer.Exit(1)


def _check_new(out: Path) -> None:
    """Stop before any work if the pool's folder cannot be written or holds one."""
    there = [name for name in _HELD if (out / name).exists()]
    if there:
        fail(f"--out {out} holds {there[0]} already; name a new folder.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / ".probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        fail(f"--out {out} cannot be written: {error.strerror}.")


def _split(work: Work, share: float, seed: int) -> tuple[Work, Work]:
    """Return the tasks to learn from and those held out, drawn by the seed."""
    import numpy as np

    n_task = len(work.cases)
    order = np.random.default_rng(seed).permutation(n_task)
    cut = n_task - int(share * n_task)
    return tuple(
        work.part(sorted(map(int, part))) for part in (order[:cut], order[cut:])
    )  # pyright: ignore[reportReturnType]


def _gate(name: _Gates):
    from irtjax.cegar import MaximumGate, RecallGate, SelectionGate

    gates = {"maximum": MaximumGate, "selection": SelectionGate, "recall": RecallGate}
    return gates[name.value]()


@contextlib.contextmanager
def _progress(rounds: int) -> Iterator[Callable[[Any], None]]:
    """Yield what to tell each round; drawn on a terminal, silent in a pipe."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("labels and first verdicts", total=rounds)
        admitted = 0

        def tell(found: Any) -> None:
            nonlocal admitted
            if found is None:
                return
            admitted += len(found.admitted)
            said = (
                f"{admitted} admitted; {found.blind_samples} answers in blind spots; "
                f"level {found.level}"
            )
            bar.update(task, completed=found.number + 1, description=said)

        yield tell
