import base64
import dataclasses
import io
import re

import jax.numpy as jnp
import numpy as np
from matplotlib.image import imread

from irtjax.data import LongResponses, ResponseTable, ScoreResponses
from irtjax.report import table_heat_map
from tests.report._example import table


def picture(figure):
    """Return the embedded picture: one pixel a cell, rows from the top."""
    data, _colour_bar = re.findall(
        r"data:image/png;base64,\s*([A-Za-z0-9+/=\s]+)", figure.svg
    )
    return imread(io.BytesIO(base64.b64decode(re.sub(r"\s", "", data))))


def scores(array):
    array = np.asarray(array, float)
    weight = np.isfinite(array).astype(float)
    return ResponseTable(
        ScoreResponses(jnp.asarray(np.nan_to_num(array)), jnp.asarray(weight)),
        tuple(f"s{k}" for k in range(array.shape[0])),
        tuple(f"i{k}" for k in range(array.shape[1])),
        "t.csv",
        "success",
        "rows",
        "unknown",
    )


def test_words_give_coverage_and_the_ends_of_the_table():
    figure = table_heat_map(table())
    assert "5 systems by 4 items; 70.0% of the cells observed" in figure.alt
    assert "Highest plain mean: <b> & [red], 1.000; lowest: d, 0.250." in figure.alt
    assert "Item means run from 0.000 to 1.000." in figure.alt
    assert "70.0% of its cells were observed, the others are hatched" in figure.caption


def test_holes_are_transparent_and_hatched_only_where_there_are_any():
    holes = picture(table_heat_map(table()))[..., 3]
    # Best plain mean on top, easiest item at the left: b, 007, 3, d, none.
    np.testing.assert_array_equal(
        holes, [[1, 0, 1, 0], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]]
    )
    full = table_heat_map(scores([[1, 0.5], [0.5, 0]]))
    assert (picture(full)[..., 3] == 1).all()
    assert "hatched" not in full.caption


def test_a_large_table_is_averaged_and_says_so():
    figure = table_heat_map(scores(np.linspace(0, 1, 300 * 1200).reshape(300, 1200)))
    assert picture(figure).shape[:2] == (250, 400)
    assert "Each row averages about 1.2 systems." in figure.caption
    assert "Each column averages about 3 items." in figure.caption
    assert len(figure.svg) < 400_000


def test_long_and_dense_responses_give_the_same_figure():
    dense = table()
    system, item = np.nonzero(np.asarray(dense.responses.trials))
    successes = np.asarray(dense.responses.successes)[system, item]
    twice = LongResponses(
        # Every cell in two rows, one of which is padding.
        jnp.asarray(np.tile(system, 2)),
        jnp.asarray(np.tile(item, 2)),
        jnp.asarray(np.concatenate([successes, 0 * successes])),
        jnp.asarray(np.concatenate([np.ones(len(item)), np.zeros(len(item))])),
        5,
        4,
    )
    assert table_heat_map(dataclasses.replace(dense, responses=twice)) == (
        table_heat_map(dense)
    )


def test_labels_are_ids_as_given():
    figure = table_heat_map(table())
    assert ">007<" in figure.svg
    assert "&lt;b&gt; &amp; [red]" in figure.svg
