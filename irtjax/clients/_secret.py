"""Keys: read from the environment when they are needed, and kept out of everything."""

import os
from collections.abc import Callable

from ._errors import ClientError
from ._exchange import Reply, Request

_INSTEAD = "[key]"


def guarded(
    request: Request, provider: str, variable: str, send: Callable[[str], Reply]
) -> Reply:
    """Return the reply to a request, with the key in neither reply nor message.

    Args:
        request: what is asked.
        provider: whom the client asks.
        variable: the environment variable that holds the key.
        send: asks, given the key; what it raises of its own is a `ClientError`.

    Raises:
        ClientError: the request is for another provider, there is no key, the request
            holds it, or there was no reply.
    """
    if request.provider != provider:
        raise ClientError(
            f"This client asks {provider!r}; the request is to {request.provider!r}."
        )
    key = read_key(variable)
    _refuse_key(request, key)
    try:
        reply = send(key)
    except ClientError as error:
        # The cause is left out: its request has the key among its headers.
        raise ClientError(_without(str(error), key)) from None
    return Reply(
        _without(reply.text, key),
        _without(reply.model, key),
        reply.usage,
        _without(reply.stop_reason, key),
    )


def read_key(variable: str) -> str:
    """Return a key from the environment.

    Args:
        variable: the environment variable that holds it.

    Raises:
        ClientError: the variable is not set, or holds nothing.
    """
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ClientError(f"The environment variable {variable} holds no key: set it.")
    return key


def _without(text: str, key: str) -> str:
    return text.replace(key, _INSTEAD)


def _refuse_key(request: Request, key: str) -> None:
    """Refuse a request whose own text holds the key, which would be recorded."""
    texts = [request.canonical(), request.model]
    texts += [message.content for message in request.messages]
    if any(key in text for text in texts):
        raise ClientError(
            f"A request to {request.provider} holds the key itself, and it would be "
            "recorded: not asked."
        )
