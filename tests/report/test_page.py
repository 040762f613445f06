import html.parser
import re

import numpy as np
import pytest

from irtjax.report import (
    Column,
    Listing,
    Section,
    Table,
    Text,
    Verdict,
    line_bands,
    page,
)

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Outline(html.parser.HTMLParser):
    """Collects the elements of a page and checks that they nest."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.text = [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]


def example():
    x = np.linspace(0, 1, 5)
    figure = line_bands(
        {"a": (x, x, x - 0.1, x + 0.1)},
        x_title="x",
        y_title="y",
        name="lines",
        caption="Lines with `code`.",
    )
    table = Table(
        "What was measured.",
        (Column("name"), Column("value", digits=2, note="in logits")),
        (("first", 1.234), ("<b>second</b>", float("nan"))),
        name="numbers",
    )
    verdict = Verdict("It works", ".99", ".95", "does not hold", "Rounded.")
    return page(
        "A title & more",
        [
            Section("One", [Text("First `x < y`.\n\nSecond."), Listing(("a", "b"))]),
            Section("Two", [figure, table, Section("Deeper", [Text("x")])]),
            Section("Three", [verdict, verdict]),
        ],
        "Made by a test.",
    )


def test_the_page_is_well_formed_and_has_landmarks():
    outline = Outline(example())
    tags = [tag for tag, _ in outline.elements]
    for landmark in ("header", "nav", "main", "footer"):
        assert tags.count(landmark) == 1
    assert outline.all("html")[0]["lang"] == "en"
    headings = [int(tag[1]) for tag in tags if re.fullmatch(r"h[1-6]", tag)]
    assert headings == [1, 2, 2, 3, 2]


def test_every_id_is_unique_and_every_reference_leads_somewhere():
    outline = Outline(example())
    ids = [attrs["id"] for _, attrs in outline.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    for _, attrs in outline.elements:
        for key in ("href", "xlink:href"):
            if attrs.get(key, "").startswith("#"):
                assert attrs[key][1:] in ids
        if "aria-labelledby" in attrs:
            assert attrs["aria-labelledby"] in ids


def test_nothing_is_fetched():
    text = example()
    outline = Outline(text)
    assert not outline.all("link")
    assert all("src" not in attrs for attrs in outline.all("script"))
    assert not re.search(r"@import|url\(\s*['\"]?(?!#)", text)
    addresses = set(re.findall(r"https?://[^\s\"<]+", text))
    assert addresses <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_text_is_escaped_and_back_quotes_mark_code():
    text = example()
    assert "&lt;b&gt;second&lt;/b&gt;" in text
    assert "<b>second" not in text
    assert "<code>x &lt; y</code>" in text
    assert "<title>A title &amp; more</title>" in text


def test_tables_have_captions_scopes_and_scroll_in_their_own_focusable_box():
    outline = Outline(example())
    assert [attrs["scope"] for attrs in outline.all("th")] == [
        "col",
        "col",
        "row",
        "row",
    ]
    boxes = [attrs for attrs in outline.all("div") if attrs.get("class") == "scroll"]
    assert len(boxes) == 2
    assert all(box["tabindex"] == "0" and box["role"] == "region" for box in boxes)
    assert len(outline.all("caption")) == 1


def test_figures_say_in_words_what_they_show():
    text = example()
    (drawing,) = (
        attrs for attrs in Outline(text).all("div") if attrs.get("role") == "img"
    )
    assert "a: 0.0000 at 0, 1.0000 at 1, lowest 0.0000 at 0." in drawing["aria-label"]


def test_neighbouring_verdicts_stand_in_one_list():
    outline = Outline(example())
    lists = [attrs for attrs in outline.all("ul") if attrs.get("class") == "verdicts"]
    assert len(lists) == 1
    assert example().count("does not hold</p>") == 2


def test_the_same_blocks_give_the_same_bytes():
    assert example() == example()


@pytest.mark.parametrize(
    "sections",
    [
        [Section("Same", []), Section("same!", [])],
        [Section("A", [Table("c", (), (), "x"), Table("c", (), (), "x")])],
        [Section("A", [Section("A", [])])],
    ],
)
def test_repeated_names_are_refused(sections):
    with pytest.raises(ValueError, match="must be unique"):
        page("t", sections, "")
