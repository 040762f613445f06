import dataclasses

import numpy as np

from irtjax.report import moves
from tests.report._example import ranking, table


def test_who_moves_and_why():
    up, down = moves(ranking(), table())
    assert up == (
        "007 moves up from 2 to 1 (95% interval of the move 0 to +1): it ran every "
        "item, so the move comes from the items that others ran, or from how much each "
        "item tells; the plain mean takes all to be equal. With all systems judged "
        "together, the data do not rule its plain rank out."
    )
    # Items w to z have means 1, 1/2, 2/3 and 0: .542 together, .75 for w and x.
    assert down == (
        "<b> & [red] moves down from 1 to 2 (95% interval of the move −3 to 0): it ran "
        "2 of 4 items, with mean score 0.750 over all systems that ran them; these are "
        "easier than the average item (0.542), which flatters its plain mean. With all "
        "systems judged together, the data do not rule its plain rank out."
    )


def test_a_plain_rank_outside_the_joint_interval_is_said_to_be_ruled_out():
    lower = np.array([1.0, 2, 1, 2, 1])
    _, down = moves(ranking(joint_rank_lower=lower), table())
    assert down.endswith("the data rule its plain rank out.")


def test_nobody_moves_where_the_two_orders_agree():
    same = ranking()
    assert moves(dataclasses.replace(same, plain_rank=same.rank), table()) == ()


def test_half_a_rank_is_no_move():
    half = np.array([1.5, 1.5, 3, 4, np.nan])
    assert moves(ranking(plain_rank=half), table()) == ()


def test_easy_items_are_not_blamed_for_a_move_upwards():
    swapped = ranking(plain_rank=np.array([1.0, 3, 2, 4, np.nan]))
    (up,) = [line for line in moves(swapped, table()) if line.startswith("<b>")]
    assert "moves up from 3 to 2" in up
    assert "easier than the average item (0.542), so the move has another cause" in up
