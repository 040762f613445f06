"""How every test runs: strict numerics, checked shapes, two simulated CPU devices.

All of it is set here, before anything of `irtjax` is imported and before JAX starts a
backend, so it holds in every worker of pytest-xdist too. To keep compiled programs
between runs, set JAX's own variable `JAX_COMPILATION_CACHE_DIR`; it is off by default,
so that a test never passes on a program compiled from other code.
"""

import os
from importlib.metadata import version
from pathlib import Path

# Tests compile far more than they compute. Set for the processes that tests start, too.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
# The older emitters of fused loops compile in about half the time. XLA stops the process
# at a flag it does not know, hence the version and a user's own flags left alone.
if version("jaxlib").startswith("0.10."):
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_use_fusion_emitters=false")

import jax
import pytest
from jaxtyping import install_import_hook

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_num_cpu_devices", 2)
jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_numpy_rank_promotion", "raise")

install_import_hook(["irtjax", "experiments"], "beartype.beartype")


@pytest.fixture(autouse=True, scope="module")
def _compiled_programs_go():
    """Let go of a file's compiled programs: all together they take gigabytes."""
    yield
    jax.clear_caches()


ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder that holds `pyproject.toml`."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of published data, which is not part of the repository.

    It is `$IRTJAX_SHARED` where that is set, else `shared` beside the repository. Where
    there is none, a test that needs it is skipped and counted with this reason.
    """
    named = os.environ.get("IRTJAX_SHARED")
    folder = Path(named) if named else ROOT.parent / "shared"
    if named and not folder.is_dir():
        pytest.fail(f"IRTJAX_SHARED names {named}, which is no folder.")
    if not folder.is_dir():
        pytest.skip("no published data: set IRTJAX_SHARED or put it in ../shared")
    return folder
