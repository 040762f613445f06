"""The page as a browser sees it: no message on its console, and nothing too wide."""

import itertools
import json
import re
import shutil
import subprocess
from html import escape, unescape

import numpy as np
import pytest

from irtjax.ranking import rank_table
from irtjax.report import Column, Section, Table, Text, heat_maps, page, ranking_page
from tests.ranking.tables import draw, labelled

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
    "--virtual-time-budget=4000",
)

# Sorts the second column twice and writes down what it finds, as the page's last words.
PROBE = """
<script>
const column = document.querySelectorAll("#numbers thead button")[1];
const order = () => [...document.querySelectorAll("#numbers tbody th")]
  .map((cell) => cell.textContent).join(" ");
const found = { before: order(), width: innerWidth,
  needed: document.documentElement.scrollWidth,
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  page: getComputedStyle(document.body).backgroundColor,
  ink: getComputedStyle(document.querySelector("svg text")).fill };
column.click();
found.rising = order();
column.click();
found.falling = order();
found.state = column.parentElement.getAttribute("aria-sort");
const box = document.createElement("pre");
box.id = "found";
box.textContent = JSON.stringify(found);
document.body.append(box);
</script>
"""


@pytest.fixture(scope="module")
def browser():
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    pytest.skip("no Chromium or Chrome to open the page in")


def example():
    figure = heat_maps(
        {"a": np.arange(150.0).reshape(15, 10) / 150},
        row_labels=[str(k) for k in range(15)],
        column_labels=[str(k) for k in range(10)],
        row_title="S",
        column_title="D",
        value_title="error",
        name="maps",
        caption="c",
    )
    columns = tuple(Column(f"column {k}") for k in range(12))
    rows = tuple(
        (name, value, *(0.5,) * 10)
        for name, value in (("b", 10.0), ("none", None), ("a", -2.5), ("c", 9.0))
    )
    table = Table("Numbers.", columns, rows, name="numbers")
    return page("Seen", [Section("One", [Text("Found me."), figure, table])], "")


def visit(browser, folder, *flags):
    """Return what the probe found and what the browser's console says."""
    path = folder / "page.html"
    path.write_text(example().replace("</body>", f"{PROBE}</body>"), "utf-8")
    profile = folder / "profile"
    done = subprocess.run(
        [
            browser,
            *FLAGS,
            *flags,
            f"--user-data-dir={profile}",
            "--dump-dom",
            path.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout)
    assert found, done.stdout[-2000:]
    assert "Found me." in done.stdout
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(found[1]), console


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_fits_its_window_and_sorts_without_a_complaint(
    browser, tmp_path, width
):
    found, console = visit(browser, tmp_path, f"--window-size={width},900")
    assert console == []
    assert found["needed"] <= found["width"]
    assert found["before"] == "b none a c"
    assert found["rising"] == "a c b none"
    assert found["falling"] == "b c a none"
    assert found["state"] == "descending"


@pytest.mark.slow
def test_figures_follow_the_colour_of_the_page(browser, tmp_path):
    (tmp_path / "light").mkdir()
    (tmp_path / "dark").mkdir()
    light, _ = visit(browser, tmp_path / "light")
    dark, _ = visit(
        browser, tmp_path / "dark", "--blink-settings=preferredColorScheme=0"
    )
    assert (light["dark"], dark["dark"]) == (False, True)
    assert light["page"] != dark["page"]
    assert light["ink"] != dark["ink"]


# Looks into the page, which stands in a frame as wide as a phone.
LOOK = """
<script>
const luminance = (text) => {
  const [r, g, b] = text.match(/[\\d.]+/g).map((x) => x / 255)
    .map((x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const solid = (view, element) => {
  for (let each = element; each; each = each.parentElement) {
    const colour = view.getComputedStyle(each).backgroundColor;
    if (!colour.startsWith("rgba(") || colour.endsWith(", 1)")) return colour;
  }
  return "rgb(255, 255, 255)";
};
document.querySelector("iframe").addEventListener("load", (event) => {
  const page = event.target.contentDocument, view = event.target.contentWindow;
  const contrast = {};
  for (const kind of ["p", "li", "a", "th", "td", "caption", "figcaption", "code", "dd",
                      "summary", "footer p", "thead button", "svg text"]) {
    const element = page.querySelector(kind);
    const style = view.getComputedStyle(element);
    const ink = luminance(kind === "svg text" ? style.fill : style.color);
    const paper = luminance(solid(view, element));
    contrast[kind] = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  }
  const levels = [...page.querySelectorAll("h1, h2, h3, h4")].map((x) => +x.tagName[1]);
  const stops = [...page.querySelectorAll("a, button, summary, [tabindex='0']")];
  stops[0].focus();
  const found = {
    width: view.innerWidth, needed: page.documentElement.scrollWidth,
    dark: view.matchMedia("(prefers-color-scheme: dark)").matches,
    contrast, levels, text: page.body.innerText,
    first: stops[0].className, skip: stops[0].getBoundingClientRect().left,
    named: [...page.querySelectorAll("[role='img'], [role='region']")].every((each) =>
      each.getAttribute("aria-label") || each.getAttribute("aria-labelledby")),
    scoped: [...page.querySelectorAll("th")].every((each) => each.scope),
  };
  const box = document.createElement("pre");
  box.id = "found";
  box.textContent = JSON.stringify(found);
  document.body.append(box);
});
</script>
"""


@pytest.fixture(scope="module")
def ranking_text():
    table = labelled(draw(0, n_system=45, n_item=14, trials=3, sparsity=0.5))
    return ranking_page(rank_table(table), table, trust=[Text("Trust it a little.")])


def look(browser, folder, text, *flags):
    """Return what is found in a page that is shown 390 pixels wide."""
    frame = (
        f'<iframe width="390" height="844" style="border:0" srcdoc="{escape(text)}">'
    )
    path = folder / "frame.html"
    path.write_text(
        f"<!DOCTYPE html><meta charset=utf-8>{frame}</iframe>{LOOK}", "utf-8"
    )
    done = subprocess.run(
        [
            *(browser, *FLAGS, *flags, f"--user-data-dir={folder / 'profile'}"),
            *("--window-size=800,1000", "--dump-dom", path.as_uri()),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stdout[-2000:]
    assert not [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(unescape(found[1]))


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_ranking_reads_on_a_phone(browser, tmp_path, ranking_text, scheme):
    flags = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
    found = look(browser, tmp_path, ranking_text, *flags)
    assert found["dark"] == (scheme == "dark")
    assert found["width"] == 390
    assert found["needed"] <= 390
    # WCAG 2.2, success criterion 1.4.3.
    assert {k: v for k, v in found["contrast"].items() if v < 4.5} == {}
    for words in (
        *("In short", "Trust it a little.", "Against the plain mean", "To cite"),
        *("How the table hangs together", "Thinnest split", "hardest first"),
    ):
        assert words in found["text"], words
    assert found["levels"][0] == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(found["levels"]))
    assert found["first"] == "skip"
    assert found["skip"] >= 0
    assert found["named"]
    assert found["scoped"]
