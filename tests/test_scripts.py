"""The scripts do what they say, above all when something is missing."""

import os
import shutil
import subprocess
import sys

import pytest


@pytest.fixture
def project(root, tmp_path):
    """A project with nothing to install, in a folder whose name has a blank."""
    folder = tmp_path / "a project"
    (folder / "scripts").mkdir(parents=True)
    shutil.copy(root / "scripts" / "run", folder / "scripts" / "run")
    (folder / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["setuptools"]\n[project]\nname = "x"\nversion = "1"\n'
        "[project.optional-dependencies]\ndev = []\n"
    )
    (folder / "constraints.txt").write_text("setuptools==99999\n")
    return folder


def _call(project, *arguments, **environment):
    return subprocess.run(
        [project / "scripts" / "run", *arguments],
        cwd=project,
        env=os.environ | {"IRTJAX_PYTHON": sys.executable} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def _mark_complete(project):
    """What a finished install leaves, without installing."""
    (project / ".venv" / "bin").mkdir(parents=True)
    texts = [
        (project / name).read_text() for name in ("pyproject.toml", "constraints.txt")
    ]
    (project / ".venv" / "complete").write_text(f"{project}\n" + "".join(texts))


def test_run_asks_for_a_command(project):
    done = _call(project)
    assert done.returncode == 1
    assert (
        done.stderr
        == "scripts/run: say what to run, for example: ./scripts/run pytest\n"
    )


def test_run_says_which_interpreters_it_tried(project):
    done = _call(project, "true", IRTJAX_PYTHON="no-such-python")
    assert done.returncode == 1
    assert "Python 3.11, 3.12 or 3.13" in done.stderr
    assert "no-such-python" in done.stderr
    assert not (project / ".venv").exists()


def test_run_starts_at_once_where_the_environment_is_complete(project):
    _mark_complete(project)
    done = _call(project, "sh", "-c", 'echo "$VIRTUAL_ENV"; exit 7')
    assert done.returncode == 7
    assert done.stdout == f"{project / '.venv'}\n"
    assert done.stderr == ""


def test_run_puts_the_environment_first(project):
    _mark_complete(project)
    program = project / ".venv" / "bin" / "hello"
    program.write_text("#!/bin/sh\necho from the environment\n")
    program.chmod(0o755)
    assert _call(project, "hello").stdout == "from the environment\n"


@pytest.mark.slow
@pytest.mark.parametrize("file", ["pyproject.toml", "constraints.txt"])
def test_run_installs_again_and_says_so_if_that_fails(project, file):
    """The package index is out of reach, so nothing can be installed."""
    _mark_complete(project)
    with open(project / file, "a") as text:
        text.write("# changed\n")
    subprocess.run(
        [sys.executable, "-m", "venv", project / ".venv"], check=True, timeout=120
    )
    done = _call(project, "true", PIP_NO_INDEX="1", PIP_FIND_LINKS="")
    assert done.returncode == 1
    assert "the packages could not be installed" in done.stderr
    assert not (project / ".venv" / "complete").exists()
    assert "setuptools" in (project / ".venv" / "install.log").read_text()


@pytest.mark.slow
def test_run_makes_an_interrupted_environment_anew(project):
    (project / ".venv" / "lib").mkdir(parents=True)
    half = project / ".venv" / "half-installed"
    half.touch()
    done = _call(project, "true", PIP_NO_INDEX="1", PIP_FIND_LINKS="")
    assert done.returncode == 1
    assert "Making .venv" in done.stderr
    assert not half.exists()


def test_check_refuses_other_arguments(root):
    done = subprocess.run(
        [root / "scripts" / "check", "--fast"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "--no-tests" in done.stderr


@pytest.fixture
def slurm(root, tmp_path):
    """Call the Slurm script with a stand-in for `scripts/run` that prints its words."""
    (tmp_path / "scripts").mkdir()
    stand_in = tmp_path / "scripts" / "run"
    stand_in.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    stand_in.chmod(0o755)

    def call(*arguments, **environment):
        return subprocess.run(
            ["bash", root / "scripts" / "slurm" / "sweep.sbatch", *arguments],
            cwd=tmp_path,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return call


@pytest.mark.parametrize(
    ("first", "task", "shard"), [(0, 3, 3), (1, 1, 0), (1, 16, 15)]
)
def test_slurm_task_is_one_shard(slurm, first, task, shard):
    done = slurm(
        "+grid=sd150_fresh",
        SLURM_ARRAY_TASK_ID=str(task),
        SLURM_ARRAY_TASK_MIN=str(first),
        SLURM_ARRAY_TASK_COUNT="16",
    )
    assert done.stdout.splitlines() == [
        "python",
        "-m",
        "experiments.sweep",
        "shards=16",
        f"shard={shard}",
        "+grid=sd150_fresh",
    ]


def test_slurm_script_asks_for_an_array(slurm):
    done = slurm("+grid=sd150_fresh")
    assert done.returncode == 2
    assert "--array" in done.stderr


@pytest.mark.slow
def test_the_shards_are_settings_of_the_sweep(root):
    done = subprocess.run(
        [
            sys.executable,
            *("-m", "experiments.sweep", "+grid=sd150_fresh"),
            *("shards=16", "shard=3", "--cfg", "job"),
        ],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "shard: 3" in done.stdout
