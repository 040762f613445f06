"""A language model as an operator: its verdict on each answer, through recordings."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Int

from irtjax.clients import AbstractTextClient, Message, Request

from .._operator import ABSTAIN, VERDICTS
from .._task import Case, Task
from ._wordings import WORDINGS, Wording


@dataclass(frozen=True)
class Judge:
    """One model asked in one wording.

    Attributes:
        provider: as the client's.
        model: as the provider names it.
        wording: how it is asked.
        parameters: of the sampling.
    """

    provider: str
    model: str
    wording: Wording
    parameters: dict[str, Any] = field(default_factory=dict, hash=False)

    @property
    def name(self) -> str:
        """Return what tables call it."""
        return f"{self.model}, asked for a {self.wording.name}"

    def request(self, task: Task, text: str) -> Request:
        """Return what the model is asked about one answer; it holds no label.

        Args:
            task: what was asked.
            text: the answer.
        """
        checks = "\n".join(check.text for check in task.checks)
        parts = [f"Task:\n{task.prompt}"]
        if checks:
            parts.append(f"Examples:\n{checks}")
        parts.append(f"Answer:\n{text}")
        messages = (
            Message("system", self.wording.system),
            Message("user", "\n\n".join(parts)),
        )
        return Request(self.provider, self.model, messages, self.parameters)


def judges(
    provider: str,
    models: Sequence[str],
    wordings: Sequence[str] = tuple(WORDINGS),
    parameters: dict[str, Any] | None = None,
) -> tuple[Judge, ...]:
    """Return one judge for each model and wording; the baseline is two by two.

    Args:
        provider: as the client's.
        models: as the provider names them.
        wordings: by name.
        parameters: of the sampling, the same for all.

    Raises:
        ValueError: an unknown wording.
    """
    unknown = [name for name in wordings if name not in WORDINGS]
    if unknown:
        raise ValueError(
            f"`wordings` must be some of {', '.join(WORDINGS)}, got {unknown[0]!r}."
        )
    return tuple(
        Judge(provider, model, WORDINGS[name], dict(parameters or {}))
        for model in models
        for name in wordings
    )


def judge_panel(
    asked: Sequence[Judge], cases: Sequence[Case], client: AbstractTextClient
) -> Int[np.ndarray, "operator candidate"]:
    """Return judges' verdicts on all answers of cases, in the order of a panel.

    The rows are of the same kind as a pool's, so both stack into one matrix of verdicts.

    Args:
        asked: the judges, one row each.
        cases: with only the answers that pass the visible checks, see `passing`.
        client: through the transcript store; one request for each judge and answer.

    Raises:
        ClientError: a request got no reply; the message says which.
    """
    rows = [
        [
            read_verdict(client.complete(judge.request(case.task, answer.text)).text)
            for case in cases
            for answer in case.candidates
        ]
        for judge in asked
    ]
    n_candidate = sum(len(case.candidates) for case in cases)
    return np.array(rows, np.int8).reshape(len(asked), n_candidate)


def read_verdict(reply: str) -> int:
    """Return the verdict in the last line of a reply; without one it abstains.

    Args:
        reply: of a model.
    """
    lines = [line.strip(" \t.*`#'\"") for line in reply.splitlines()]
    last = next((line for line in reversed(lines) if line), "")
    words = last.removeprefix("Verdict:").strip(" *").upper()
    return VERDICTS.get(words, ABSTAIN)
