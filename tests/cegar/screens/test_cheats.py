"""The planted cheats are proper operators, so that refusing them means something."""

import ast
import random
import re
import zlib
from collections import Counter
from types import SimpleNamespace

import pytest

from irtjax.cegar import LEVELS, VERDICTS
from irtjax.cegar.suite import OWN_TASKS, mutants, restyle

KINDS = {"s1", "s2", "s3", "s4"}


def _cheats(root):
    return sorted((root / "tests/cegar/screens/cheats").glob("*.py"))


def test_there_are_enough_of_each_kind(root):
    kinds = Counter(path.name[:2] for path in _cheats(root))
    assert set(kinds) == KINDS
    assert min(kinds.values()) >= 6


def test_each_says_its_level_and_its_claim(root):
    for path in _cheats(root):
        first, second, *_ = path.read_text().splitlines()
        level = int(re.fullmatch(r"# level: (\d)", first)[1])
        assert re.fullmatch(r"# claims: flags .+", second), path.name
        names = {n.attr for n in ast.walk(ast.parse(path.read_text())) if _is_ctx(n)}
        assert names <= LEVELS[level].offers, path.name


def _is_ctx(node):
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    return node.value.id == "ctx"


@pytest.fixture(scope="module")
def shown():
    """Tasks with programs, and a runner that makes outcomes up from the program."""
    draw = random.Random(0)
    made = []
    for own in OWN_TASKS[::3]:
        checks = tuple(check.text for check in own.visible)
        task = SimpleNamespace(prompt=own.prompt, entry_point=own.name, checks=checks)
        wrong = [mutant.source for mutant in mutants(own.source)[::9]]
        texts = [own.source, restyle(own.source, draw), *wrong, restyle(wrong[0], draw)]
        visible = [check.arguments for check in own.visible]
        made.append((task, texts, visible, list(own.hidden())[:10]))
    return made


def _outcome(code, arguments):
    digest = zlib.crc32(f"{code} {arguments!r}".encode()) % 10
    kind = "value" if digest else "error"
    return SimpleNamespace(kind=kind, text=str(digest % 3))


def test_each_flags_some_programs_and_passes_others(root, shown):
    for path in _cheats(root):
        names = {}
        exec(compile(path.read_text(), path.name, "exec"), names)
        level = int(path.read_text()[len("# level: ")])
        verdicts = Counter()
        for task, texts, visible, inputs in shown:
            for text in texts:
                peers = [other for other in texts if other != text]
                ctx = SimpleNamespace(
                    run=_outcome, visible_inputs=visible, inputs=inputs, peers=peers
                )
                seen = (task, text, ctx) if level else (task, text)
                verdicts[names["operator"](*seen)] += 1
        assert set(verdicts) <= set(VERDICTS), path.name
        assert verdicts["FLAG"], path.name
        assert verdicts["PASS"], path.name
