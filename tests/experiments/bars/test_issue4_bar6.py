import copy

import pytest

from experiments.bars import issue4_bar6

# The middle of what is asked for, for every number that is judged.
GOOD = {
    study: {
        kind: {name: (least + most) / 2 for name, (least, most) in limits.items()}
        for kind, limits in kinds.items()
    }
    for study, kinds in issue4_bar6.REQUIRED.items()
}


@pytest.mark.parametrize(
    ("study", "kind", "name", "value", "passed"),
    [
        ("dif", "planted", "share_of_planted_found", 0.9, True),
        ("dif", "planted", "share_of_planted_found", 0.89, False),
        ("dif", "control", "share_of_tables_with_a_false_flag", 0.2, False),
        ("testlets", "planted", "mean_sd", 1.1, False),
        ("testlets", "control", "share_found", 0.25, False),
        ("dimensions", "planted", "share_found", 0.5, False),
        ("dimensions", "control", "share_found", float("nan"), False),
        ("features", "planted", "r2_held_out", 0.49, False),
        ("features", "control", "r2_held_out", 0.3, False),
        ("features", "control", "not_converged", 1, False),
    ],
)
def test_bar_6_falls_where_it_should(study, kind, name, value, passed):
    found = copy.deepcopy(GOOD)
    assert issue4_bar6.judge(found)["passed"]
    found[study][kind][name] = value
    assert issue4_bar6.judge(found)["passed"] is passed


def test_bar_6_has_a_control_for_every_study():
    assert set(issue4_bar6.STUDIES) == set(issue4_bar6.REQUIRED)
    for _, _, planted, nothing in issue4_bar6.STUDIES.values():
        assert planted.keys() == nothing.keys()
        assert planted != nothing
