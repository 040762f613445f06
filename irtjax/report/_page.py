"""Blocks to one self-contained HTML page."""

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from importlib import resources

import jinja2

from ._blocks import Block, Figure, Section, Table, format_value, sort_value


def page(title: str, sections: Sequence[Section], footer: str) -> str:
    """Return a whole page: styles, figures and script inside, nothing fetched.

    It follows the reader's light or dark setting, and reads on a phone, by keyboard,
    with a screen reader, without scripts and on paper.

    Args:
        title: the page's heading.
        sections: in reading order.
        footer: how the page was made; a blank line starts a paragraph.

    Raises:
        ValueError: two sections, tables or figures share a title or name.
    """
    names = list(_names(sections))
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(
            f"Titles and names must be unique on a page; repeated: {twice}."
        )
    folder = resources.files("irtjax.report")
    return (
        _environment()
        .get_template("page.html")
        .render(
            title=title,
            sections=sections,
            footer=footer,
            css=(folder / "page.css").read_text("utf-8"),
            script=(folder / "sort.js").read_text("utf-8"),
        )
    )


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("irtjax.report", ""),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
    )
    environment.filters |= {
        "anchor": _anchor,
        "paragraphs": _paragraphs,
        "runs": _runs,
        "shown": format_value,
        "sort_value": sort_value,
    }
    environment.tests["even"] = lambda number: number % 2 == 0
    return environment


def _anchor(title: str) -> str:
    """Return a title as an identifier: lower-case words joined by hyphens."""
    return re.sub(r"[\W_]+", "-", title.lower()).strip("-") or "section"


def _paragraphs(body: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n\s*\n", body) if part.strip()]


def _runs(blocks: Sequence[Block]) -> list[tuple[str, list[Block]]]:
    """Return neighbouring blocks of one kind together, with the kind's name."""
    runs = itertools.groupby(blocks, key=lambda block: type(block).__name__)
    return [(kind, list(group)) for kind, group in runs]


def _names(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield every identifier that the page will hold."""
    for block in blocks:
        if isinstance(block, Section):
            yield _anchor(block.title)
            yield from _names(block.blocks)
        elif isinstance(block, Table | Figure):
            yield block.name
