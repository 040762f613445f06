"""What the README and the documentation say is true: commands, examples, links, figures.

A figure that was measured stands in a table row that says where it is stored,
`| faster at 10 x 10 | 61 | issue2.json: 3 times_faster "10 x 10" |`: the path of keys
into that file of docs/bars. It is compared with what is stored, rounded as printed. In
the README's running text, only the figures of `SAID` may stand, each with its reason.
"""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

import irtjax
from irtjax.report import drawn_table

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# Their examples go on from one another, or need results: tests in tests/docs run them so.
IN_ONE_GO = {"cegar.md", "failures.md", "formats.md", "structure.md", "trust.md"}
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SAID = {
    "2605.11205": "the paper's number",
    "150": "conditions of the grid, tested with it",
    "3.11": "Python, tested against pyproject.toml",
    "3.12": "Python",
    "3.13": "Python",
    "2.0": "of the licence's name",
}


def _blocks(language):
    return [
        pytest.param(block, id=f"{page.name}-{number}")
        for page in PAGES
        for number, (kind, block) in enumerate(FENCE.findall(page.read_text()))
        if kind == language and page.name not in IN_ONE_GO
    ]


def _commands():
    lines = []
    for parameter in _blocks("bash"):
        joined = parameter.values[0].replace("\\\n", " ")
        lines += [line for line in joined.splitlines() if line.strip()]
    return sorted(set(lines))


def _environment():
    """This interpreter's programs first, as `scripts/run` would have them."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # The example of a user's own package is importable, as the page on it asks for.
    packages = f"{ROOT}{os.pathsep}{ROOT / 'docs' / 'examples'}"
    return os.environ | {"PATH": path, "PYTHONPATH": packages}


def _run(arguments, **options):
    done = subprocess.run(
        arguments,
        cwd=ROOT,
        env=_environment(),
        capture_output=True,
        text=True,
        check=False,
        **options,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("line", _commands())
def test_command(line):
    words = shlex.split(line, comments=True)
    while re.fullmatch(r"\w+=\S+", words[0]):
        words.pop(0)
    assert words.pop(0) == "./scripts/run"
    if words[:2] == ["python", "-m"] and words[2].startswith("experiments."):
        # All settings are composed and checked; the run itself is the sweep's own test.
        assert _run([sys.executable, *words[1:], "--cfg", "job"])
    elif words[0] == "irtjax":
        said = _run([sys.executable, "-m", "irtjax.cli", *words[1:]])
        made = words[words.index("--out") + 1] if "--out" in words else None
        assert (ROOT / made).stat().st_size if made else said.strip()
    elif words[0] in ("pytest", "python"):
        assert _run([words[0], "--version"])
    elif words[0].startswith("scripts/"):
        assert os.access(ROOT / words[0], os.X_OK)
    else:
        pytest.fail(f"no rule to check this command: {line}")


@pytest.mark.slow
@pytest.mark.parametrize("block", _blocks("python"))
def test_example_runs(block):
    _run([sys.executable, "-W", "error", "-c", block])


def test_the_readme_gives_the_two_commands():
    commands = _commands()
    assert "./scripts/run python -m experiments.sweep +grid=sd150" in commands
    assert "./scripts/run pytest" in commands


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


def test_files_that_are_named_exist():
    for page in PAGES:
        for name in re.findall(
            r"`((?:scripts|conf|tests)/[\w./-]+)`", page.read_text()
        ):
            assert (ROOT / name).exists(), f"{page.name} names {name}"


def figures(text):
    """The rows that claim a figure: (printed figure, file, path of keys)."""
    row = re.compile(r"^\|[^|]*\|\s*([\d.,]+)[^|]*\|\s*`?([\w]+\.json): ([^|`]+)", re.M)
    return [
        (printed.replace(",", ""), file, shlex.split(path))
        for printed, file, path in row.findall(text)
    ]


def stored(record, path):
    """The figure at a path of keys, the first of which is the bar's number."""
    found = record["bars"][path[0]]["measured"]
    for key in path[1:]:
        found = found[int(key)] if isinstance(found, list) else found[key]
    return found


def _agrees(printed, figure):
    decimals = len(printed.partition(".")[2])
    return float(printed) == round(figure, decimals)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_figures_are_the_stored_ones(page):
    for printed, file, path in figures(page.read_text()):
        record = json.loads((ROOT / "docs" / "bars" / file).read_text())
        assert _agrees(printed, stored(record, path)), f"{printed}: {file} {path}"


def test_a_wrong_figure_would_be_found():
    row = '| faster at 10 x 10 | 61.2 times | `issue2.json: 3 times_faster "10 x 10"` |'
    [(printed, file, path)] = figures(row)
    record = {"bars": {"3": {"measured": {"times_faster": {"10 x 10": 61.24}}}}}
    assert file == "issue2.json"
    assert _agrees(printed, stored(record, path))
    record["bars"]["3"]["measured"]["times_faster"]["10 x 10"] = 61.26
    assert not _agrees(printed, stored(record, path))


def test_no_other_figure_stands_in_the_readme():
    text = FENCE.sub("", (ROOT / "README.md").read_text())
    text = re.sub(r"\]\([^)]*\)", "]", text)  # addresses
    text = text.replace("2PL", "")  # a name
    text = "\n".join(line for line in text.splitlines() if not line.startswith("|"))
    found = set(re.findall(r"(?<![\w.])\d[\d.,]*\d|(?<![\w.])\d", text))
    assert found <= set(SAID), f"say where these come from: {sorted(found - set(SAID))}"


def test_the_pythons_named_are_those_of_the_project(root):
    project = (root / "pyproject.toml").read_text()
    assert 'requires-python = ">=3.11"' in project
    for minor in (11, 12, 13):
        assert f"Python :: 3.{minor}" in project


def test_the_programs_of_the_readme_are_installed():
    for name in ("pytest", "ruff", "pyright", "lint-imports"):
        assert shutil.which(name, path=_environment()["PATH"]), name


def test_the_ranking_shown_is_the_one_printed():
    ranking = irtjax.rank(ROOT / "docs" / "examples" / "scores.csv", score_is="success")
    console = Console(file=io.StringIO(), width=80)
    console.print(drawn_table(ranking, width=80))
    printed = [line.rstrip() for line in console.file.getvalue().splitlines()]
    [shown] = [
        block
        for kind, block in FENCE.findall((ROOT / "README.md").read_text())
        if kind == "text"
    ]
    assert shown.splitlines() == [line for line in printed if line]
    place = dict(zip(ranking.system_ids, ranking.plain_rank, strict=True))
    group = dict(zip(ranking.system_ids, ranking.tie_group, strict=True))
    assert group["alder"] == group["beech"] == group["cedar"] != group["elm"]
    assert place["alder"] == place["cedar"] == 1.5
    assert place["beech"] == place["elm"] == 3.5
