"""What is asked of a language model and what comes back, as plain values."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["system", "user", "assistant"]

_SHOWN = 60  # characters of a request's last message in messages to a person


@dataclass(frozen=True)
class Message:
    """One turn of a conversation.

    Attributes:
        role: who says it.
        content: plain text.
    """

    role: Role
    content: str


@dataclass(frozen=True)
class Request:
    """Everything that a reply depends on.

    Attributes:
        provider: whose interface, such as "openai"; what a client's `provider` is.
        model: as the provider names it.
        messages: in order; at least one.
        parameters: of the sampling, such as {"temperature": 0.0, "max_tokens": 200};
            values that JSON can hold.

    Raises:
        ValueError: no message, or a parameter that JSON cannot hold.
    """

    provider: str
    model: str
    messages: tuple[Message, ...]
    parameters: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        if not self.messages:
            raise ValueError("A request must hold at least one message.")
        try:
            self.canonical()
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"The parameters {self.parameters!r} cannot be written as JSON: {error}."
            ) from None

    def plain(self) -> dict[str, Any]:
        """Return the request as values that JSON can hold."""
        messages = [{"role": m.role, "content": m.content} for m in self.messages]
        return {
            "provider": self.provider,
            "model": self.model,
            "messages": messages,
            "parameters": dict(self.parameters),
        }

    def canonical(self) -> str:
        """Return one text that equal requests share, whatever the order of their keys."""
        return json.dumps(
            self.plain(), sort_keys=True, separators=(",", ":"), allow_nan=False
        )

    def key(self) -> str:
        """Return the SHA-256 of the canonical text, 64 hexadecimal digits."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()

    def describe(self) -> str:
        """Return which request this is, short enough for a message to a person."""
        said = " ".join(self.messages[-1].content.split())
        said = said if len(said) <= _SHOWN else said[:_SHOWN] + "..."
        return f"{self.provider} {self.model}, {self.key()[:12]}: {said!r}"


@dataclass(frozen=True)
class Usage:
    """What a reply cost, in tokens as the provider counts them.

    Attributes:
        input_tokens: of the request.
        output_tokens: of the reply.
    """

    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def total(self) -> int:
        """Return input and output together."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True)
class Reply:
    """What came back.

    Attributes:
        text: the answer.
        model: which one answered, by its own account.
        usage: 0 tokens where the provider does not say.
        stop_reason: why it ended, in the provider's word; "" where it does not say.
    """

    text: str
    model: str
    usage: Usage = Usage()
    stop_reason: str = ""

    def plain(self) -> dict[str, Any]:
        """Return the reply as values that JSON can hold."""
        return {
            "text": self.text,
            "model": self.model,
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
            "stop_reason": self.stop_reason,
        }

    @staticmethod
    def of_plain(plain: dict[str, Any]) -> "Reply":
        """Return the reply that `plain` was made from.

        Raises:
            KeyError: an entry is missing.
        """
        return Reply(
            plain["text"],
            plain["model"],
            Usage(plain["input_tokens"], plain["output_tokens"]),
            plain["stop_reason"],
        )
