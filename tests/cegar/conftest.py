"""What tests of untrusted programs share."""

import pytest

from irtjax.cegar.sandbox import Bubblewrap, WorkerError


@pytest.fixture(scope="session")
def jail() -> Bubblewrap:
    """The sandbox of namespaces; where it does not start, tests that need it skip."""
    sandbox = Bubblewrap()
    try:
        sandbox.reach().close()
    except WorkerError as error:
        pytest.skip(f"no bubblewrap: {error} Install it (apt-get install bubblewrap).")
    return sandbox
