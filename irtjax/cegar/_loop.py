"""The loop: find what the pool cannot tell apart, ask for an operator, test it, repeat."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from ._archive import Archive, Attempt
from ._bench import AbstractBench
from ._gates import AbstractGate, Trial
from ._levels import LEVELS
from ._operator import FLAG, Operator, OperatorError
from ._panel import Panel
from ._request import AbstractGenerator, Proposal, Refusal, Request
from ._signatures import BlindSpot, blind_spots, specification


@dataclass(frozen=True)
class LoopSettings:
    """How long a run goes on and how wide it looks. Each switch is an ablation.

    Attributes:
        rounds: most requests to the generator.
        patience: refusals in a row on one target before the interface widens, and
            before the target is given up at the widest.
        first_level: of the interface.
        last_level: of the interface; `first_level` for no escalation.
        shown: right and wrong answers in a request, of each kind.
        whole: whether a request is about the whole class; without, about one right and
            one wrong answer to the same task, which a lookup table can tell apart.
        targets: whether requests are about a blind spot; without, about all answers
            (free prompting).
        most: operators that a pool may hold.
        seed: of every draw.
    """

    rounds: int = 60
    patience: int = 3
    first_level: int = 1
    last_level: int = max(LEVELS)
    shown: int = 40
    whole: bool = True
    targets: bool = True
    most: int = 35
    seed: int = 0

    def __post_init__(self):
        if not 0 <= self.first_level <= self.last_level <= max(LEVELS):
            raise ValueError(
                f"Interface levels go from 0 to {max(LEVELS)}, got {self.first_level} "
                f"to {self.last_level}."
            )
        if min(self.rounds, self.patience, self.shown, self.most) < 1:
            raise ValueError("`rounds`, `patience`, `shown` and `most` are at least 1.")


class Round(NamedTuple):
    """One request and what came of it.

    Attributes:
        number: from 0.
        level: of the interface.
        target: hash of the blind spot.
        samples: in the blind spot.
        mixed_tasks: in it.
        blind_samples: in all mixed classes before the round.
        proposed: operators.
        admitted: hashes of those that joined.
    """

    number: int
    level: int
    target: str
    samples: int
    mixed_tasks: int
    blind_samples: int
    proposed: int
    admitted: tuple[str, ...]


@dataclass
class Run:
    """What a run leaves.

    Attributes:
        pool: admitted operators, in the order of admission.
        verdicts: of the pool's operators on the training answers.
        archive: every attempt.
        rounds: every request.
    """

    pool: list[Operator] = field(default_factory=list)
    verdicts: list[Int[np.ndarray, " candidate"]] = field(default_factory=list)
    archive: Archive = field(default_factory=Archive)
    rounds: list[Round] = field(default_factory=list)


def evolve(
    panel: Panel,
    first: Int[np.ndarray, "operator candidate"],
    generator: AbstractGenerator,
    gate: AbstractGate,
    bench: AbstractBench,
    settings: LoopSettings = LoopSettings(),
    *,
    progress: Callable[[Round], None] | None = None,
) -> Run:
    """Return a pool grown from the pairs that it could not tell apart.

    Each round takes the largest class of training answers with the same verdicts and both
    truths in some task, asks for operators at the present level of the interface, and
    puts each through honesty screens, determinism, the archive and the gate. After an
    admission the classes are made anew. After `patience` refusals in a row the interface
    widens one level for the same target; at the last level the target is given up.

    Args:
        panel: labelled training answers. Nothing else is ever read.
        first: verdicts of the operators that define the first classes; they are no
            members of the pool.
        generator: writes operators.
        gate: admits them.
        bench: runs them on the panel's answers.
        settings: of the run.
        progress: called after each round.

    References:
        "Metrics That Write Themselves" (2026), arXiv:2608.18744.
    """
    run = Run()
    given_up: set[str] = set()
    level, failures, refused, target = settings.first_level, 0, [], ""
    for number in range(settings.rounds):
        if len(run.pool) >= settings.most:
            break
        spots = _spots(panel, np.array([*first, *run.verdicts]), settings)
        blind = sum(spot.samples for spot in spots)
        spot = next((s for s in spots if _name(panel, s) not in given_up), None)
        if spot is None:
            break
        if _name(panel, spot) != target:
            target, failures, refused = _name(panel, spot), 0, []
            level = settings.first_level
        request = _request(panel, spot, level, run, refused, settings, number)
        proposals = generator.propose(request)
        admitted: list[str] = []
        for proposal in proposals:
            attempt = _try(proposal, request, run, gate, bench, number, target)
            run.archive.add(attempt)
            if attempt.admitted:
                run.pool.append(attempt.operator)
                run.verdicts.append(attempt.verdicts)
                admitted.append(attempt.operator.hash)
                break
            failures += 1
            refused.append(Refusal(attempt.operator, attempt.reason))
        run.rounds.append(
            Round(
                number, level, target, spot.samples, spot.mixed_tasks, blind,
                len(proposals), tuple(admitted),
            )
        )  # fmt: skip
        if progress is not None:
            progress(run.rounds[-1])
        if admitted:
            target = ""
        elif failures >= settings.patience or not proposals:
            failures = 0
            if level < settings.last_level:
                level += 1
            else:
                given_up.add(target)
                target = ""
    return run


def _spots(panel, verdicts, settings) -> list[BlindSpot]:
    if not settings.targets:
        verdicts = verdicts[:0]
    return blind_spots(panel, verdicts.reshape(-1, len(panel.task)).astype(np.int8))


def _name(panel: Panel, spot: BlindSpot) -> str:
    """Return what a target is known by: the same members are the same target."""
    return hashlib.sha256(np.ascontiguousarray(spot.member).tobytes()).hexdigest()


def _request(panel, spot, level, run, refused, settings, number) -> Request:
    right, wrong = specification(panel, spot, settings.shown if settings.whole else 1)
    member = spot.member if settings.whole else np.sort(np.concatenate([right, wrong]))
    flags = np.array([v == FLAG for v in run.verdicts], np.bool_)
    pool = flags.reshape(-1, len(panel.task))
    seed = settings.seed * 1_000_003 + number
    return Request(panel, member, right, wrong, level, pool, tuple(refused), seed)


def _try(
    proposal: Proposal,
    request: Request,
    run: Run,
    gate: AbstractGate,
    bench: AbstractBench,
    number: int,
    target: str,
) -> Attempt:
    """Return a proposal's way through screens, archive and gate."""
    operator = proposal.operator
    nothing = np.zeros(0, np.int8)

    def ended(verdicts, reason, admitted=False, p_value=float("nan")):
        return Attempt(
            operator, verdicts, admitted, reason, number, target, request.level, p_value
        )

    if operator.level > request.level:
        return ended(
            nothing, f"asks for level {operator.level}, offered {request.level}"
        )
    try:
        verdicts = bench.verdicts(operator)
    except OperatorError as error:
        return ended(nothing, str(error))
    flags = verdicts == FLAG
    if not flags.any():
        return ended(verdicts, "flags no answer")
    twin = run.archive.twin(verdicts)
    if twin is not None:
        return ended(verdicts, f"flags the same answers as {twin!r}")
    reason = bench.screen(operator)
    if reason is not None:
        return ended(verdicts, reason)
    verdict = gate(
        Trial(
            request.panel, request.pool, flags, proposal.considered, request.spot,
            request.seed,
        )
    )  # fmt: skip
    return ended(verdicts, verdict.reason, verdict.admitted, verdict.p_value)
