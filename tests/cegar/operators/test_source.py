import pytest

from irtjax.cegar import Operator
from irtjax.cegar.operators import comparator, hand_written, refused_source

FINE = "def operator(task, code):\n    import ast\n    return 'PASS'\n"


@pytest.mark.parametrize(
    ("source", "level", "reason"),
    [
        ("def operator(", 0, "does not parse"),
        ("def other(task, code):\n    return 1\n", 0, "no function operator"),
        (FINE, 1, "takes 2 arguments"),
        (FINE, 9, "level 9"),
        (FINE.replace("ast", "os"), 0, "imports os"),
        (FINE.replace("ast", "time"), 0, "imports time"),
        (FINE + "x = open('/etc/passwd')\n", 0, "uses open"),
        (FINE + "x = ().__class__\n", 0, "__class__"),
        (FINE + "x = __builtins__\n", 0, "__builtins__"),
        (FINE + "#" * 200_000, 0, "longer than"),
    ],
)
def test_what_cannot_be_an_operator_is_turned_away(source, level, reason):
    assert reason in refused_source(Operator("test", source, level=level))


def test_operators_written_here_may_run():
    operators = [Operator("fine", FINE), comparator(), *hand_written()]
    assert [refused_source(operator) for operator in operators] == [None] * 17
