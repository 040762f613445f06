"""A generator that asks a language model, through the transcript store."""

import ast
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from irtjax.clients import AbstractTextClient, BudgetSpentError, Message
from irtjax.clients import Request as TextRequest

from .._levels import LEVELS, OBSERVATIONS, PEERS
from .._operator import Operator
from .._request import AbstractGenerator, Proposal, Request
from .._task import Case

SYSTEM = (
    "You write small Python operators that judge answers to tasks. An operator looks for "
    "one named defect and returns 'FLAG', 'PASS' or 'ABSTAIN'. It never knows the right "
    "answer. You are shown answers that all operators so far judge alike although some "
    "are right and some are wrong. Write one operator that tells them apart for a reason "
    "that will hold on other tasks. It must not depend on names, formatting, constants, "
    "particular words of a prompt or which task it is. Reply with one fenced block of "
    "Python and nothing else. Its first line is a comment that names the defect; it "
    "defines `operator`."
)
"""What the writer is told."""


class LanguageModelGenerator(AbstractGenerator):
    """Asks a language model for one operator at a time.

    Earlier refusals on the same target go back with their reasons; so does a reply that
    is no Python with an `operator`. Once a budget is spent it proposes nothing, so that
    a run ends with what it has.

    Attributes:
        cases: those that the requests' panel was made from, in its order.
        client: through the transcript store, such as `irtjax.clients.transcribed` gives;
            it may carry a budget.
        provider: as the client's.
        model: as the provider names it.
        parameters: of the sampling.
        longest: characters of an answer that are shown.
    """

    cases: tuple[Case, ...]
    client: AbstractTextClient
    provider: str
    model: str
    parameters: dict[str, Any]
    longest: int

    def __init__(
        self,
        cases: Sequence[Case],
        client: AbstractTextClient,
        *,
        provider: str,
        model: str,
        parameters: dict[str, Any] | None = None,
        longest: int = 1500,
    ):
        """Choose the model and what it is shown of each answer."""
        self.cases = tuple(cases)
        self.client = client
        self.provider = provider
        self.model = model
        self.parameters = dict(parameters or {})
        self.longest = longest

    def propose(self, request: Request) -> list[Proposal]:
        messages = (Message("system", SYSTEM), Message("user", self._asked(request)))
        asked = TextRequest(self.provider, self.model, messages, self.parameters)
        try:
            reply = self.client.complete(asked).text
        except BudgetSpentError:
            return []
        operator = read_operator(reply, request.level)
        if operator is None:  # kept and refused, so that the next request can say why
            operator = Operator("unreadable", reply, level=request.level)
        nothing = np.zeros((0, len(request.panel.task)), np.bool_)
        return [Proposal(operator, nothing)]

    def _asked(self, request: Request) -> str:
        offered = "\n".join(
            f"- {LEVELS[level].says}" for level in range(request.level + 1)
        )
        arguments = "task, code, ctx" if request.level else "task, code"
        parts = [
            f"Write `def operator({arguments})`. It may use:\n{offered}",
            "`task` has the attributes prompt, entry_point and checks (texts). "
            "ctx.run returns an object with .kind ('value', 'error', 'timeout' or "
            "'crash') and .text. At most "
            f"{OBSERVATIONS} runs a call and {PEERS} peers; an exception abstains.",
            *(self._shown(request, int(place), "RIGHT") for place in request.right),
            *(self._shown(request, int(place), "WRONG") for place in request.wrong),
        ]
        parts += [
            f"Refused earlier, because it {refusal.reason}:\n"
            f"```python\n{refusal.operator.source}```"
            for refusal in request.refused
        ]
        return "\n\n".join(parts)

    def _shown(self, request: Request, place: int, truth: str) -> str:
        case = self.cases[request.panel.task[place]]
        text = case.candidates[request.panel.candidate[place]].text[: self.longest]
        prompt = case.task.prompt[: self.longest]
        return f"{truth}\nTask: {prompt}\nAnswer:\n{text}"


def read_operator(reply: str, level: int) -> Operator | None:
    """Return the operator in a model's reply, or None where there is none.

    Args:
        reply: with one fenced block, or plain Python alone.
        level: of the interface that was offered.
    """
    found = re.search(r"```(?:python|py)?\s*\n(.*?)```", reply, re.DOTALL)
    source = (found[1] if found else reply).strip() + "\n"
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    functions = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == "operator"
    ]
    if not functions:
        return None
    wanted = 0 if len(functions[-1].args.args) == 2 else max(level, 1)
    first = source.splitlines()[0]
    defect = first.lstrip("# ").strip() if first.startswith("#") else ""
    return Operator(defect or "unnamed", source, "operator", wanted, defect)
