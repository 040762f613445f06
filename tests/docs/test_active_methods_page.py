"""The example on the page about active evaluation runs; it names every way there is."""

import re

from irtjax.active import EVALUATIONS


def test_every_way_is_explained(root):
    text = (root / "docs" / "active_methods.md").read_text()
    table = text.split("## Ways to evaluate")[1]
    names = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert names == list(EVALUATIONS)


def test_the_example_holds_the_truth(root):
    text = (root / "docs" / "active_methods.md").read_text()
    (block,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    space = {}
    exec(block, space)
    truth = space["errors"][:, 8].mean()
    assert abs(space["total"].mean - truth) <= space["half_width"] < 0.25
