from collections import Counter

from irtjax.cegar import PEERS, Candidate, Case, Task
from irtjax.cegar.operators import electorate


def _case(counts, name="demo/1"):
    candidates = (Candidate(f"answer {n}", count) for n, count in enumerate(counts))
    return Case(Task(name, "?"), tuple(candidates))


def test_small_tasks_have_all_other_samples_as_peers():
    counts = (3, 1, 2)
    for place, peers in enumerate(electorate(_case(counts))):
        expected = Counter(dict(enumerate(counts)))
        expected[place] -= 1
        assert Counter(peers) == +expected


def test_no_more_than_the_most_and_one_own_sample_left_out():
    peers = electorate(_case((30, 1)))
    assert [len(one) for one in peers] == [PEERS, PEERS]
    assert set(peers[1]) == {0}


def test_samples_are_drawn_in_proportion():
    seen = Counter()
    for number in range(200):
        seen.update(electorate(_case((20, 20), f"demo/{number}"))[0])
    # 3,200 draws of 16 from 39; a standard deviation is below 1 %.
    assert abs(seen[0] / seen.total() - 19 / 39) < 0.04


def test_the_draw_knows_seed_and_task_but_not_the_order_of_a_file():
    case = _case((9,) * 4)
    turned = Case(case.task, case.candidates[::-1])
    texts = [[case.candidates[n].text for n in one] for one in electorate(case)]
    other = [[turned.candidates[n].text for n in one] for one in electorate(turned)]
    assert texts == other[::-1]
    assert electorate(case, seed=1) != electorate(case)
    assert electorate(_case((9,) * 4, "demo/2")) != electorate(case)
