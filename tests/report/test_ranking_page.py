import dataclasses

import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.report import leaderboard_figure, ranking_page
from tests.report._example import ranking, table
from tests.report.test_page import Outline


@pytest.fixture(scope="module")
def text():
    return ranking_page(ranking(), table())


def test_the_page_says_what_a_reader_needs(text):
    words = " ".join("".join(Outline(text).text).split())
    for needed in (
        "5 systems, 4 items, 70.0% of the cells observed.",
        "First by two_pl: 007, the best with probability 0.62.",
        "The data cannot tell it apart from <b> & [red], 3.",
        "No data: none.",
        "<b> & [red] moves down from 1 to 2",
        "Nothing links none with 007.",
        "Identifiers were taken from column 'name'.",
        "A note of the analysis.",
        "Scores were chosen by hand.",
        "Seed 3",
        "successful: 1",
        "binary scores",
    ):
        assert needed in words, needed


def test_ids_are_escaped(text):
    assert "<b> &" not in text
    Outline(text)


def test_the_same_ranking_gives_the_same_bytes(text):
    assert ranking_page(ranking(), table()) == text


def test_a_leader_told_apart_from_all_is_said_to_be():
    separable = np.ones((5, 5), bool)
    assert "The data tell it apart from every system it is compared with." in (
        ranking_page(ranking(separable=separable), table())
    )


def test_a_failed_fit_still_gives_a_page_that_says_so():
    nothing = np.full(5, np.nan)
    failed = ranking(
        score=nothing,
        lower=nothing,
        upper=nothing,
        rank=nothing,
        p_best=nothing,
        tie_group=np.zeros(5, int),
        codes={"nonfinite": 1},
        warnings=("The fit failed.",),
    )
    page = ranking_page(failed, table())
    assert "No system has a score, so there is no ranking." in page
    assert "The fit failed." in page
    assert 'id="scores"' not in page
    with pytest.raises(ValueError, match="No system has a score"):
        leaderboard_figure(failed)


def test_the_leaderboard_draws_the_top_and_sums_up_the_rest():
    figure = leaderboard_figure(ranking(), top=2)
    assert ">007 · 1<" in figure.svg
    assert ">d · 4<" not in figure.svg
    assert ">2 more systems<" in figure.svg
    assert "4 systems by two_pl" in figure.alt
    assert "1. 007: 1.500, from 0.500 to 2.500, rank 1 to 2." in figure.alt


def test_a_ranking_whose_errors_are_not_known_is_drawn_without_intervals():
    nothing = np.full(5, np.nan)
    figure = leaderboard_figure(ranking(lower=nothing, upper=nothing))
    assert "1. 007: 1.500" in figure.alt
    assert "nan" not in figure.alt


def test_no_chance_reads_as_a_certainty():
    sure = np.array([0.9996, 0.0004, 0, 0, np.nan])
    assert "the best with probability above 0.99." in (
        ranking_page(ranking(p_best=sure), table())
    )


def test_a_complete_table_is_said_to_have_a_fair_mean():
    full = jnp.ones((5, 4))
    complete = dataclasses.replace(table(), responses=BinomialResponses(full / 2, full))
    page = ranking_page(ranking(), complete)
    assert "Every system ran every item, so the plain mean is fair." in page
    assert "007 moves up from 2 to 1 (95% interval of the move 0 to +1). With" in page
