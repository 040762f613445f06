"""The live client of every server that speaks the OpenAI interface."""

import functools
from typing import TYPE_CHECKING, Any

from ._client import AbstractTextClient
from ._errors import ClientError
from ._exchange import Reply, Request, Usage
from ._secret import guarded

if TYPE_CHECKING:
    import openai


class OpenAIClient(AbstractTextClient):
    """Asks chat completions of OpenAI, or of another server with the same interface.

    Attributes:
        provider: what requests must name; another name for another server keeps their
            recordings apart.
        key_variable: the environment variable that holds the key, read at each request.
        base_url: of the server; OpenAI's own where None.
        timeout: of one try, in seconds.
        retries: how often a request that failed for a passing cause is tried again.
    """

    provider: str = "openai"
    key_variable: str = "OPENAI_API_KEY"
    base_url: str | None = None
    timeout: float = 60.0
    retries: int = 2

    def complete(self, request: Request) -> Reply:
        def send(key: str) -> Reply:
            return self._send(request, key)

        return guarded(request, self.provider, self.key_variable, send)

    def _send(self, request: Request, key: str) -> Reply:
        openai = _imported()
        client = _client(key, self.base_url, self.timeout, self.retries)
        try:
            answer = client.chat.completions.create(
                model=request.model,
                messages=request.plain()["messages"],
                # Whatever the server takes, also what this version does not name.
                extra_body=request.parameters,
            )
        except openai.OpenAIError as error:
            raise ClientError(f"No reply to {request.describe()}: {error}") from None
        return _reply(answer)


@functools.lru_cache(maxsize=4)
def _client(
    key: str, base_url: str | None, timeout: float, retries: int
) -> "openai.OpenAI":
    # One for each server, so that its connection is kept open.
    return _imported().OpenAI(
        api_key=key, base_url=base_url, timeout=timeout, max_retries=retries
    )


def _imported() -> Any:
    try:
        import openai
    except ImportError:
        raise ClientError(
            "Asking an OpenAI server needs the package openai: pip install "
            "'irtjax[clients]'."
        ) from None
    return openai


def _reply(answer: Any) -> Reply:
    choice, usage = answer.choices[0], answer.usage
    return Reply(
        choice.message.content or "",
        answer.model or "",
        Usage(usage.prompt_tokens, usage.completion_tokens) if usage else Usage(),
        choice.finish_reason or "",
    )
