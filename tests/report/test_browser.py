"""The page as a browser sees it: no message on its console, and nothing too wide."""

import json
import re
import shutil
import subprocess

import numpy as np
import pytest

from irtjax.report import Column, Section, Table, Text, heat_maps, page

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
