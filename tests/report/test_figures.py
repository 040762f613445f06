import io
import re
import xml.etree.ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib.image import imread

from irtjax.report import heat_maps, line_bands, save_png
from irtjax.report._draw import DASHES, INK, MARKERS, SERIES, clip_label

X = np.arange(4.0)


def map_of(tables, **settings):
    shape = next(iter(tables.values())).shape
    labels = {
        "row_labels": [f"r{k}" for k in range(shape[0])],
        "column_labels": [f"c{k}" for k in range(shape[1])],
    }
    titles = {"row_title": "S", "column_title": "D", "value_title": "error"}
    return heat_maps(tables, **labels, **titles, name="m", caption="c", **settings)


def lines_of(series, **settings):
    return line_bands(
        series, x_title="x", y_title="y", name="lines", caption="c", **settings
    )


FIGURES = {
    "one map": lambda: map_of({"a": np.arange(6.0).reshape(2, 3)}),
    "seven maps": lambda: map_of({f"p{k}": np.full((4, 3), k / 7) for k in range(7)}),
    "holes": lambda: map_of({"a": np.array([[0.5, np.nan], [np.inf, 0.1]])}),
    "all alike": lambda: map_of({"a": np.zeros((2, 2))}),
    "nothing": lambda: map_of({"a": np.full((2, 2), np.nan)}),
    "long labels": lambda: map_of({"a": np.ones((40, 60))}),
    "lines": lambda: lines_of({"a": (X, X, X - 1, X + 1), "b": (X, -X, -X, -X)}),
    "gap": lambda: lines_of({"a": (X, np.where(X == 2, np.nan, X), X, X)}),
    "reference": lambda: lines_of(
        {"$\\frac$": (X + 1, X, X, X)}, reference=0.5, logarithmic_x=True
    ),
}


@pytest.fixture(params=FIGURES, scope="module")
def figure(request):
    return FIGURES[request.param]()


def test_the_svg_is_xml_without_a_background_and_in_the_colour_of_the_text(figure):
    root = xml.etree.ElementTree.fromstring(figure.svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "viewBox" in root.attrib
    assert "width" not in root.attrib
    assert INK not in figure.svg
    assert "currentColor" in figure.svg
    assert "<style" not in figure.svg
    assert "fill: #ffffff; stroke: #ffffff" not in figure.svg


def test_every_id_of_the_svg_starts_with_the_figures_name(figure):
    ids = re.findall(r'\bid="([^"]+)"', figure.svg)
    assert len(ids) == len(set(ids))
    assert all(each.startswith(f"{figure.name}-") for each in ids)
    used = re.findall(r'(?:url\(|href=")#([^")]+)', figure.svg)
    assert set(used) == set(ids)


def test_the_picture_is_a_png_on_white(figure):
    picture = imread(io.BytesIO(figure.png))
    assert picture.shape[1] == pytest.approx(figure.width / 96 * 150, abs=1)
    np.testing.assert_array_equal(picture[0, 0, :3], 1)


@pytest.mark.parametrize("name", FIGURES)
def test_the_same_numbers_give_the_same_bytes(name):
    first, again = FIGURES[name](), FIGURES[name]()
    assert first == again


def test_drawing_leaves_the_settings_of_matplotlib_alone():
    with matplotlib.rc_context({"font.size": 31, "svg.fonttype": "path"}):
        mine = FIGURES["lines"]()
        assert matplotlib.rcParams["font.size"] == 31
    assert mine == FIGURES["lines"]()


def test_cells_carry_their_values_where_they_fit():
    svg = map_of({"a": np.array([[0.0, 0.004, 0.25], [-0.5, 1.0, 12.0]])}).svg
    shown = set(re.findall(r">([^<>\n]+)</text>", svg))
    assert {"0", ".00", ".25", "−.50", "1.00", "12.00"} <= shown
    crowded = map_of({"a": np.full((40, 60), 0.25)}).svg
    assert ">.25<" not in crowded


def test_one_colour_means_one_value_in_all_panels():
    def colours(**settings):
        tables = {"a": np.array([[0.0, 0.5]]), "b": np.array([[0.5, 1.0]])}
        mesh = map_of(tables, **settings).svg
        # The colour bar has its own, later, cells.
        return re.findall(r'style="fill: (#[0-9a-f]{6})"/>', mesh)[:4]

    low, middle, again, high = colours()
    assert middle == again
    assert len({low, middle, high}) == 3
    assert colours(gamma=1.0)[1] != middle
    assert colours(upper=2.0)[3] != high


def test_words_say_where_a_panel_is_worst_and_what_is_missing():
    alt = map_of({"a": np.array([[0.1, np.nan], [0.4, 0.2]])}).alt
    assert "a: mean 0.2333, from 0.1000 to 0.4000" in alt
    assert "the largest at S r1, D c0, 1 missing." in alt
    assert map_of({"a": np.full((2, 2), np.nan)}).alt.endswith("a: no value.")


def test_wrong_shapes_are_refused_by_name():
    with pytest.raises(ValueError, match="`panels` is empty"):
        heat_maps(
            {},
            row_labels=[],
            column_labels=[],
            row_title="",
            column_title="",
            value_title="",
            name="m",
            caption="",
        )
    with pytest.raises(ValueError, match=r"Panel 'b' has shape \(1, 2\)"):
        map_of({"a": np.ones((2, 2)), "b": np.ones((1, 2))})
    with pytest.raises(ValueError, match="1 to 7 lines, got 8"):
        lines_of({str(k): (X, X, X, X) for k in range(8)})
    with pytest.raises(ValueError, match="Series 'a' has parts of shapes"):
        lines_of({"a": (X, X, X, X[:2])})
    with pytest.raises(ValueError, match="lower-case letters"):
        line_bands({"a": (X, X, X, X)}, x_title="", y_title="", name="A b", caption="")


def luminance(colour):
    channels = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    linear = np.where(
        channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
    )
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))


@pytest.mark.parametrize("colour", SERIES)
@pytest.mark.parametrize("page", ["#ffffff", "#14171c"])
def test_series_stand_out_on_the_light_and_the_dark_page(colour, page):
    bright, dark = sorted((luminance(colour), luminance(page)), reverse=True)
    assert (bright + 0.05) / (dark + 0.05) >= 3


def test_series_differ_in_more_than_colour():
    assert len(set(SERIES)) == len(set(MARKERS)) == len(set(DASHES)) == len(SERIES)


def test_a_long_label_loses_its_middle():
    assert clip_label("short") == "short"
    long = "a" * 30 + "b" * 30
    assert len(clip_label(long, 20)) == 20
    assert clip_label(long, 20).startswith("aaaa")
    assert clip_label(long, 20).endswith("bbbb")


def test_save_png_writes_the_picture(tmp_path):
    figure = FIGURES["one map"]()
    save_png(figure, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == figure.png
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_a_logarithmic_axis_shows_its_values_as_people_write_them():
    x = np.array([1.0, 2.0, 5.0, 500.0])
    svg = lines_of({"a": (x, x, x, x)}, logarithmic_x=True).svg
    shown = re.findall(r"<text[^>]*>([^<]+)</text>", svg)
    assert {"1", "2", "5", "500"} <= set(shown)
    assert "mathdefault" not in svg
    many = np.arange(1.0, 41.0)
    svg = lines_of({"a": (many, many, many, many)}, logarithmic_x=True).svg
    assert "37" in re.findall(r"<text[^>]*>([^<]+)</text>", svg)
    assert "2" not in re.findall(r"<text[^>]*>([^<]+)</text>", svg)
