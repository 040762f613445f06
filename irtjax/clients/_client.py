"""What a client is: a request in, a reply out."""

import abc

import equinox as eqx

from ._exchange import Reply, Request


class AbstractTextClient(eqx.Module):
    """Answers requests, from a model or from a recording."""

    @abc.abstractmethod
    def complete(self, request: Request) -> Reply:
        """Return the reply to one request.

        Args:
            request: what is asked.

        Raises:
            ClientError: there is none; the message names the request and holds no key.
        """
