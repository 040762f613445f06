import re

import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import table_from_matrix
from irtjax.irt import BlockNewton, JointMAP, TwoPL, fit
from irtjax.irt.diagnostics import item_curves, observed_points
from irtjax.report import diagnostics_page, item_curves_figure


def table(n_system=120, n_item=6, *, missing=0.0):
    rng = np.random.default_rng(0)
    ability, difficulty = rng.normal(size=n_system), np.linspace(-1, 1, n_item)
    p = 1 / (1 + np.exp(difficulty - ability[:, None]))
    x = (rng.random(p.shape) < p).astype(float)
    x[rng.random(p.shape) < missing] = np.nan
    x[:, 2] = 1
    ids = [f"<item & {k}>" for k in range(n_item)]
    return table_from_matrix(x, item_ids=ids, trials=1)


def test_a_page_says_what_is_weak_and_what_fits():
    data = table()
    page = diagnostics_page(data, TwoPL(), fit(TwoPL(), data.responses))
    assert "&lt;item &amp; 2&gt;" in page
    assert "<item" not in page
    for title in ("Flags", "The model as a whole", "Items", "Systems"):
        assert re.search(rf"<h2[^>]*>.*{title}", page)
    assert "degrees of freedom" in page
    assert "S-X2" in page
    assert "<svg" in page


def test_what_is_not_defined_for_the_table_is_left_out_and_said():
    data = table(missing=0.2)
    page = diagnostics_page(data, TwoPL(), fit(TwoPL(), data.responses))
    assert "M2 is defined for complete tables" in page
    assert "S-X2" not in page
    assert "infit" in page


def test_a_fit_that_failed_has_no_statistics():
    data = table()
    result = fit(TwoPL(), data.responses, estimator=JointMAP(BlockNewton(max_steps=1)))
    page = diagnostics_page(data, TwoPL(), result)
    assert "max_steps" in page
    assert "<svg" not in page


@pytest.fixture(scope="module")
def drawn():
    data = table(40, 14)
    result = fit(TwoPL(), data.responses)
    grid = jnp.linspace(-3, 3, 21)
    return (
        item_curves(TwoPL(), data.responses, result.value, grid),
        observed_points(TwoPL(), data.responses, result.value, bins=4),
    )


def test_the_figure_has_a_panel_an_item(drawn):
    labels = ["easy", "$x_1$", "hard"]
    figure = item_curves_figure(*drawn, [0, 1, 13], labels)
    assert all(label in figure.svg for label in labels)
    assert all(label in figure.alt for label in labels)
    assert figure == item_curves_figure(*drawn, [0, 1, 13], labels)


def test_a_figure_of_none_or_too_many_is_refused(drawn):
    for items in ([], range(13)):
        with pytest.raises(ValueError, match="1 to 12"):
            item_curves_figure(*drawn, items, [str(k) for k in items])
    with pytest.raises(ValueError, match="2 items and 1 labels"):
        item_curves_figure(*drawn, [0, 1], ["a"])
