"""The one way figures are drawn: a style file, an ink, a palette, the same bytes."""

import contextlib
import io
import os
import re
from collections.abc import Iterator
from importlib import resources

import matplotlib
import matplotlib.figure
import matplotlib.style
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG

from ._blocks import Figure
from ._files import write_whole

INK = "#1f2328"
"""The colour of text and axes, written as `currentColor` in an SVG."""

SERIES = ("#0077bb", "#d55e00", "#009070", "#c2579a", "#8a63d2", "#a87a00", "#7a7f87")
"""Colours of lines: a contrast of 3 or more on white and on the dark page alike."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (3, 1)), (0, (1, 1)))


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Draw in the house style; matplotlib's settings come back afterwards."""
    sheet = resources.files("irtjax.report") / "irtjax.mplstyle"
    with resources.as_file(sheet) as path, matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.style.use(path)
        yield


def new_figure(width: float, height: float) -> matplotlib.figure.Figure:
    """Return an empty figure of a size in inches, known to no global registry."""
    return matplotlib.figure.Figure(figsize=(width, height), layout="constrained")


def clip_label(text: str, most: int = 32) -> str:
    """Return a label that fits beside an axis, its middle left out where it is long."""
    if len(text) <= most:
        return text
    head = (most - 1) * 2 // 3
    return f"{text[:head]}…{text[head + 1 - most :]}"


def _inline(svg: str, name: str) -> str:
    """Return an SVG file as an element that can stand on a page with others."""
    svg = svg[svg.index("<svg") :].strip()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    # Its style sheet names every element: inline, it would reach the whole page.
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.DOTALL)
    head, body = svg.split(">", 1)
    view_box = re.search(r'viewBox="([^"]+)"', head)
    assert view_box is not None
    body = re.sub(r' transform="rotate\(-0 [^"]*"', "", body)
    body = re.sub(r"\n\s*", "\n", body)
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', body))
    body = re.sub(
        r' id="([^"]+)"',
        lambda match: f' id="{name}-{match[1]}"' if match[1] in used else "",
        body,
    )
    body = body.replace("url(#", f"url(#{name}-")
    body = body.replace('href="#', f'href="#{name}-')
    body = body.replace(INK, "currentColor")
    # The page's typeface, so that a machine without this one looks no different.
    body = body.replace("'DejaVu Sans', sans-serif", "system-ui, sans-serif")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" '
        'xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{view_box[1]}" stroke-linejoin="round" stroke-linecap="butt">{body}'
    )


def finish(
    drawing: matplotlib.figure.Figure, *, name: str, caption: str, alt: str
) -> Figure:
    """Return a drawing as a figure for a report; call it inside `style`.

    Args:
        drawing: made by `new_figure`.
        name: lower-case letters, digits and hyphens.
        caption: see `Figure`.
        alt: see `Figure`.
    """
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise ValueError(
            f"A figure's name is lower-case letters, digits and hyphens; got {name!r}."
        )
    text, picture = io.StringIO(), io.BytesIO()
    FigureCanvasSVG(drawing).print_svg(text, metadata={"Date": None, "Creator": None})
    # The layout that the first drawing settled on serves the second.
    drawing.set_layout_engine("none")
    drawing.set(facecolor="white", dpi=150)
    FigureCanvasAgg(drawing).print_png(picture, metadata={"Software": None})
    return Figure(
        name=name,
        caption=caption,
        alt=alt,
        svg=_inline(text.getvalue(), name),
        png=picture.getvalue(),
        width=float(drawing.get_figwidth() * 96),
    )


def save_png(figure: Figure, path: str | os.PathLike) -> None:
    """Write a figure's picture on white to a file, whole or not at all.

    Args:
        figure: any figure of this package.
        path: replaced where it exists.
    """
    write_whole(path, figure.png)
