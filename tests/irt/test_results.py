from irtjax.irt import MESSAGES, RESULTS


def test_every_code_has_a_message():
    assert set(MESSAGES) == set(RESULTS)
    assert RESULTS.successful == 0
    assert len(set(MESSAGES.values())) == len(RESULTS)
