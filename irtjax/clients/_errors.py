"""What can go wrong between a request and its reply."""


class ClientError(RuntimeError):
    """A request that got no reply; the message says which and why, and holds no key."""


class MissingRecordingError(ClientError):
    """A request that no recording answers."""


class BudgetSpentError(ClientError):
    """A request that would go beyond what the budget allows."""
