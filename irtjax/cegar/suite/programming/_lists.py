"""Programming tasks about lists of numbers."""

from ._draws import numbers
from ._own_task import OwnTask


def longest_calm(values: list, slack: int) -> int:
    """Return the length of the longest stretch of neighbouring values that is calm.

    A stretch is calm if its largest and its smallest value differ by at most `slack`.
    """
    best = 0
    for start in range(len(values)):
        low = high = values[start]
        length = 0
        for value in values[start:]:
            low = min(low, value)
            high = max(high, value)
            if high - low > slack:
                break
            length += 1
        if length > best:
            best = length
    return best


def trim_extremes(values: list, percent: int) -> list:
    """Remove the smallest and the largest values and keep the order of the rest.

    As many are removed at each end as `percent` of the length, rounded down. Of equal
    values the earlier is removed first. If nothing would be left, return [].
    """
    count = len(values) * percent // 100
    if 2 * count >= len(values):
        return []
    rising = sorted(range(len(values)), key=lambda place: values[place])
    falling = sorted(range(len(values)), key=lambda place: -values[place])
    gone = set(rising[:count])
    left = count
    for place in falling:
        if left == 0:
            break
        if place not in gone:
            gone.add(place)
            left -= 1
    return [value for place, value in enumerate(values) if place not in gone]


def rotate_blocks(values: list, size: int, step: int) -> list:
    """Cut the list into blocks of `size` and rotate each one `step` places to the left.

    The last block may be shorter. A negative step rotates to the right. A size below 1
    changes nothing.
    """
    if size < 1:
        return list(values)
    result = []
    for start in range(0, len(values), size):
        block = values[start : start + size]
        shift = step % len(block)
        result += block[shift:] + block[:shift]
    return result


def summits(values: list) -> list:
    """Return the places of all summits in a profile of heights.

    A summit is higher than what comes before and after it. A plateau higher than both
    its sides is one summit, at its first place. The two ends are never summits.
    """
    found = []
    place = 1
    while place < len(values) - 1:
        end = place
        while end < len(values) - 1 and values[end + 1] == values[place]:
            end += 1
        rises = values[place] > values[place - 1]
        if rises and end < len(values) - 1 and values[end + 1] < values[place]:
            found.append(place)
        place = end + 1
    return found


def filling_tank(flows: list, size: int) -> list:
    """Return the level of a tank after each flow, starting empty.

    A flow adds to the level, or takes away if negative; the level never falls below 0.
    When it would go above `size`, the tank is drained: the level becomes 0.
    """
    level = 0
    levels = []
    for flow in flows:
        level += flow
        if level > size or level < 0:
            level = 0
        levels.append(level)
    return levels


def pair_up(left: list, right: list, tolerance: int) -> list:
    """Pair numbers of two lists that differ by at most `tolerance`.

    Both lists are sorted first. Always pair the smallest numbers that are left if they
    are close enough, else set aside the smaller of the two. Return pairs as [left, right].
    """
    first, second = sorted(left), sorted(right)
    pairs = []
    i = j = 0
    while i < len(first) and j < len(second):
        if abs(first[i] - second[j]) <= tolerance:
            pairs.append([first[i], second[j]])
            i += 1
            j += 1
        elif first[i] < second[j]:
            i += 1
        else:
            j += 1
    return pairs


def thin_out(positions: list, gap: int) -> list:
    """Thin out marks on a ruler so that they do not crowd.

    In rising order, keep the first mark and then each that is at least `gap` from the
    mark kept last. The highest mark is always kept: if it comes too close, it replaces
    the mark kept last, unless that is the first one. Equal marks count once.
    """
    marks = sorted(set(positions))
    kept = []
    for mark in marks:
        if not kept or mark - kept[-1] >= gap:
            kept.append(mark)
    if marks and kept[-1] != marks[-1]:
        if len(kept) > 1:
            kept.pop()
        kept.append(marks[-1])
    return kept


TASKS = (
    OwnTask(
        longest_calm,
        ("assert longest_calm([1, 2, 5, 6, 6], 1) == 3",),
        (
            ([], 0),
            ([4], 0),
            ([4, 4, 4], 0),
            ([1, 9, 1], 3),
            ([3, 2, 1], 2),
            ([5, 4], -1),
        ),
        lambda r: (numbers(r, 0, 9, 10), r.randint(0, 4)),
    ),
    OwnTask(
        trim_extremes,
        ("assert trim_extremes([5, 1, 4, 9, 3], 20) == [5, 4, 3]",),
        (([], 10), ([7], 40), ([2, 2, 2, 2], 25), ([1, 2], 50), ([3, 1, 3, 1, 2], 30)),
        lambda r: (numbers(r, 0, 5, 9), r.randint(0, 55)),
    ),
    OwnTask(
        rotate_blocks,
        ("assert rotate_blocks([1, 2, 3, 4, 5, 6], 3, 1) == [2, 3, 1, 5, 6, 4]",),
        (([], 2, 1), ([1, 2, 3], 0, 1), ([1, 2, 3, 4, 5], 3, -1), ([1, 2, 3], 5, 4)),
        lambda r: (numbers(r, 0, 9, 9), r.randint(-1, 5), r.randint(-4, 7)),
    ),
    OwnTask(
        summits,
        ("assert summits([1, 3, 2, 5, 4]) == [1, 3]",),
        (([],), ([1],), ([2, 1],), ([1, 2, 2, 1],), ([1, 2, 2, 3],), ([2, 2, 1],)),
        lambda r: (numbers(r, 0, 3, 12),),
    ),
    OwnTask(
        filling_tank,
        ("assert filling_tank([3, 4, -2, 6], 10) == [3, 7, 5, 0]",),
        (([], 5), ([5], 5), ([6], 5), ([-1, 2], 5), ([2, -5, 1], 3), ([0, 0], 0)),
        lambda r: (numbers(r, -4, 5, 10), r.randint(0, 9)),
    ),
    OwnTask(
        pair_up,
        ("assert pair_up([1, 5, 9], [2, 8], 1) == [[1, 2], [9, 8]]",),
        (([], [1], 2), ([3, 1], [1, 3], 0), ([1, 2], [2], 1), ([9], [1, 8], 1)),
        lambda r: (numbers(r, 0, 15, 7), numbers(r, 0, 15, 7), r.randint(0, 3)),
    ),
    OwnTask(
        thin_out,
        ("assert thin_out([0, 2, 5, 6, 10], 3) == [0, 5, 10]",),
        (
            ([], 3),
            ([4], 3),
            ([1, 2], 5),
            ([2, 2, 2], 0),
            ([0, 3, 5], 3),
            ([9, 0, 4], 4),
        ),
        lambda r: (numbers(r, 0, 20, 9), r.randint(1, 5)),
    ),
)
