"""The live client of Anthropic's models."""

import functools
from typing import TYPE_CHECKING, Any

from ._client import AbstractTextClient
from ._errors import ClientError
from ._exchange import Reply, Request, Usage
from ._secret import guarded

if TYPE_CHECKING:
    import anthropic

_MOST_TOKENS = 1024  # the interface demands a limit; this one where a request has none


class AnthropicClient(AbstractTextClient):
    """Asks Anthropic's messages interface.

    A request's system messages are sent as the system prompt. A request without a
    `max_tokens` among its parameters gets 1,024.

    Attributes:
        provider: what requests must name.
        key_variable: the environment variable that holds the key, read at each request.
        base_url: of the server; Anthropic's own where None.
        timeout: of one try, in seconds.
        retries: how often a request that failed for a passing cause is tried again.
    """

    provider: str = "anthropic"
    key_variable: str = "ANTHROPIC_API_KEY"
    base_url: str | None = None
    timeout: float = 60.0
    retries: int = 2

    def complete(self, request: Request) -> Reply:
        def send(key: str) -> Reply:
            return self._send(request, key)

        return guarded(request, self.provider, self.key_variable, send)

    def _send(self, request: Request, key: str) -> Reply:
        anthropic = _imported()
        client = _client(key, self.base_url, self.timeout, self.retries)
        try:
            answer = client.messages.create(**_arguments(request))
        except anthropic.AnthropicError as error:
            raise ClientError(f"No reply to {request.describe()}: {error}") from None
        return _reply(answer)


def _arguments(request: Request) -> dict[str, Any]:
    system = [m.content for m in request.messages if m.role == "system"]
    turns = [m for m in request.plain()["messages"] if m["role"] != "system"]
    parameters = {"max_tokens": _MOST_TOKENS} | request.parameters
    arguments = {"max_tokens": parameters.pop("max_tokens")}
    if system:
        arguments["system"] = "\n\n".join(system)
    # Whatever the server takes, also what this version does not name.
    arguments["extra_body"] = parameters
    return {"model": request.model, "messages": turns, **arguments}


@functools.lru_cache(maxsize=4)
def _client(
    key: str, base_url: str | None, timeout: float, retries: int
) -> "anthropic.Anthropic":
    # One for each server, so that its connection is kept open.
    return _imported().Anthropic(
        api_key=key, base_url=base_url, timeout=timeout, max_retries=retries
    )


def _imported() -> Any:
    try:
        import anthropic
    except ImportError:
        raise ClientError(
            "Asking Anthropic's models needs the package anthropic: pip install "
            "'irtjax[clients]'."
        ) from None
    return anthropic


def _reply(answer: Any) -> Reply:
    texts = [block.text for block in answer.content if block.type == "text"]
    return Reply(
        "".join(texts),
        answer.model or "",
        Usage(answer.usage.input_tokens, answer.usage.output_tokens),
        answer.stop_reason or "",
    )
