"""The repository keeps its shape: a test file for each file, short files, no leftovers."""

import ast
import re
import subprocess

import pytest

LONGEST = 400  # lines of a Python file


def _tracked(root):
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout, so there is no list of its files")
    paths = [root / line for line in listed.stdout.splitlines()]
    return [path for path in paths if path.is_file()]


def _python(root, *packages):
    files = [path for path in _tracked(root) if path.suffix == ".py"]
    return [path for path in files if path.relative_to(root).parts[0] in packages]


def test_tests_mirror_the_tree(root):
    """Each package has its folder of tests, and what it offers is used in there.

    Of a file of the library that means what the package exports: a helper may be tested
    through what uses it, and coverage counts its lines. Of an application's file it means
    anything public in it.
    """
    missing = []
    for path in _python(root, "irtjax", "experiments"):
        parts = path.relative_to(root).parts
        inside = parts[1:-1] if parts[0] == "irtjax" else parts[:-1]
        tests = root.joinpath("tests", *inside).glob("test_*.py")
        words = set().union(*(re.findall(r"\w+", test.read_text()) for test in tests))
        offered = _defined(path)
        if path.stem == "__main__":  # a command, called by its package's name
            offered = {path.parent.name}
        elif path.stem.startswith("issue"):  # a bar: all define the same name
            offered = {path.stem}
        elif parts[0] == "irtjax":
            offered &= _exported(path.with_name("__init__.py"))
        if offered and not offered & words:
            missing.append(str(path.relative_to(root)))
    assert missing == []


def test_every_folder_of_tests_belongs_to_a_package(root):
    strays = []
    for path in _python(root, "tests"):
        if not path.name.startswith(("test_", "conftest")):
            continue  # what tests read
        folder = path.parent.relative_to(root / "tests")
        if folder.name == "cheats":  # programs that a test reads, not tests
            folder = folder.parent
        packages = (root / "irtjax" / folder, root / folder)
        if folder.parts[:1] != ("reference",) and not any(p.is_dir() for p in packages):
            strays.append(str(path.relative_to(root)))
    assert strays == []


def _defined(path):
    """The public functions and classes that a file defines."""
    kinds = ast.FunctionDef | ast.ClassDef
    body = ast.parse(path.read_text()).body
    names = {node.name for node in body if isinstance(node, kinds)}
    return {name for name in names if not name.startswith("_")}


def _exported(init):
    """The names that a package's `__init__.py` imports."""
    body = ast.parse(init.read_text()).body
    imports = [node for node in body if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name for node in imports for alias in node.names}


def test_no_file_is_long(root):
    lengths = {
        str(path.relative_to(root)): len(path.read_text().splitlines())
        for path in _python(root, "irtjax", "experiments", "tests", "scripts")
    }
    assert lengths
    assert {name: n for name, n in lengths.items() if n > LONGEST} == {}


def test_no_postponed_annotations(root):
    """Annotations are checked while tests run, so they must be real objects."""
    found = [
        str(path.relative_to(root))
        for path in _python(root, "irtjax", "experiments")
        if "from __future__ import annotations" in path.read_text()
    ]
    assert found == []


def test_applications_import_from_packages(root):
    """Never from a library's underscored file."""
    found = []
    for path in _python(root, "experiments"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                module = node.module or ""
                names = [alias.name for alias in node.names]
                private = any(part.startswith("_") for part in module.split("."))
                private |= any(name.startswith("_") for name in names)
                if module.split(".")[0] == "irtjax" and private:
                    found.append(f"{path.relative_to(root)}: {module}")
    assert found == []


def test_packages_reexport_and_do_no_work(root):
    """An `__init__.py` holds a docstring and imports, `x as x`, and nothing else."""
    found = []
    for path in _python(root, "irtjax"):
        if path.name != "__init__.py":
            continue
        body = ast.parse(path.read_text()).body
        for node in body[1:]:
            if not isinstance(node, ast.ImportFrom | ast.Import):
                found.append(f"{path.relative_to(root)}:{node.lineno}")
    assert found == []


# Pieces put together here, so that this file does not hold what it looks for.
PRIVATE = re.compile(
    "|".join(["/" + "work/", "/" + "tmp/", "/" + "root/", "/" + "home/[a-z]"])
)


def test_no_file_names_a_folder_of_somebodys_machine(root):
    found = []
    for path in _tracked(root):
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if PRIVATE.search(line):
                found.append(f"{path.relative_to(root)}:{number}: {line.strip()[:80]}")
    assert found == []
