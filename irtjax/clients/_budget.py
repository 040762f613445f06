"""How much may be asked of a model."""

import threading

from ._errors import BudgetSpentError
from ._exchange import Request, Usage


class Budget:
    """Limits on what is asked of a model, in calls and in tokens; recordings are free.

    A call that is under way may end above the limit of tokens, since its length is not
    known before; the next one is refused.

    Attributes:
        calls: the most replies; None = no limit.
        tokens: the most tokens, in and out; None = no limit.
        spent_calls: so far.
        spent_tokens: so far.
    """

    def __init__(self, calls: int | None = None, tokens: int | None = None):
        """Start with nothing spent."""
        self.calls, self.tokens = calls, tokens
        self.spent_calls = self.spent_tokens = 0
        self._lock = threading.Lock()

    def claim(self, request: Request) -> None:
        """Count a call that is about to be made.

        Raises:
            BudgetSpentError: a limit is reached.
        """
        with self._lock:
            for spent, limit, unit in (
                (self.spent_calls, self.calls, "calls"),
                (self.spent_tokens, self.tokens, "tokens"),
            ):
                if limit is not None and spent >= limit:
                    raise BudgetSpentError(
                        f"The budget of {limit:,} {unit} is spent; not asked: "
                        f"{request.describe()}."
                    )
            self.spent_calls += 1

    def charge(self, usage: Usage) -> None:
        """Count the tokens of a call that was made."""
        with self._lock:
            self.spent_tokens += usage.total

    def describe(self) -> str:
        """Return in a sentence what was spent of what."""
        calls, tokens = (
            f"{spent:,}{'' if limit is None else f' of {limit:,}'} {unit}"
            for spent, limit, unit in (
                (self.spent_calls, self.calls, "calls"),
                (self.spent_tokens, self.tokens, "tokens"),
            )
        )
        return f"Asked of the model: {calls}, {tokens}; recordings are free."
