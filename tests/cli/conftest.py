"""Every command runs in a folder of its own, with JAX's settings as they were after."""

import jax
import pytest


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Run in an empty folder, with JAX's settings as they were once it is over."""
    before = jax.config.jax_persistent_cache_min_compile_time_secs
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    yield
    jax.config.update("jax_compilation_cache_dir", None)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", before)
