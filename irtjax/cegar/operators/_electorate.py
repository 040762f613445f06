"""Who counts as a peer: a draw that is frozen by the task and a seed."""

import hashlib

from .._levels import PEERS
from .._task import Case


def electorate(case: Case, *, seed: int = 0) -> tuple[tuple[int, ...], ...]:
    """Return each candidate's peers: other samples of the task, at most `PEERS`.

    Samples are put in an order that depends on the seed, the task's id and their texts
    alone, so neither on who else is judged nor on the order of a file. One sample of
    the candidate itself is left out; a text given by several samples comes as often.

    Args:
        case: a task with its answers.
        seed: of the draw. Freeze it with the pool: other peers give other verdicts.

    Returns:
        For each candidate the indices of its peers' texts among the candidates.
    """
    samples = sorted(
        (_ticket(seed, case.task.task_id, candidate.text, number), place)
        for place, candidate in enumerate(case.candidates)
        for number in range(candidate.count)
    )
    order = [place for _, place in samples]
    peers = []
    for place in range(len(case.candidates)):
        others = list(order)
        others.remove(place)
        peers.append(tuple(others[:PEERS]))
    return tuple(peers)


def _ticket(seed: int, task_id: str, text: str, number: int) -> bytes:
    parts = (str(seed), task_id, str(number), text)
    return hashlib.sha256("\0".join(parts).encode(errors="replace")).digest()
