"""Programming tasks about whole numbers."""

from ._draws import numbers
from ._own_task import OwnTask


def digit_turns(number: int) -> int:
    """Return how often the digits of a number turn from rising to falling or back.

    Equal neighbouring digits neither rise nor fall and are skipped. The sign is ignored.
    """
    digits = [int(digit) for digit in str(abs(number))]
    turns = 0
    direction = 0
    for place in range(1, len(digits)):
        before, after = digits[place - 1], digits[place]
        if after == before:
            continue
        new = 1 if after > before else -1
        if direction and new != direction:
            turns += 1
        direction = new
    return turns


def round_to_step(value: int, step: int) -> int:
    """Round `value` to the nearest multiple of `step`; halfway, away from zero.

    The sign of `step` does not matter, and a step of 0 changes nothing.
    """
    step = abs(step)
    if step == 0:
        return value
    size = abs(value)
    below = size - size % step
    if 2 * (size - below) >= step:
        below += step
    return below if value >= 0 else -below


def in_base(number: int, base: int) -> str:
    """Write a whole number in a base from 2 to 16, with small letters from ten on.

    Negative numbers begin with "-". Digits are grouped in fours from the right by "_".
    """
    symbols = "0123456789abcdef"
    left = abs(number)
    text = ""
    count = 0
    while True:
        if count > 0 and count % 4 == 0:
            text = "_" + text
        text = symbols[left % base] + text
        left //= base
        count += 1
        if left == 0:
            break
    return "-" + text if number < 0 else text


def widest_prime_gap(low: int, high: int) -> list:
    """Return the two neighbouring primes from `low` to `high` that lie farthest apart.

    Both ends belong to the range. Of equal gaps the first counts. Return [] if there are
    fewer than two primes.
    """
    primes = []
    for number in range(max(low, 2), high + 1):
        divisor = 2
        while divisor * divisor <= number:
            if number % divisor == 0:
                break
            divisor += 1
        else:
            primes.append(number)
    best = []
    for place in range(1, len(primes)):
        left, right = primes[place - 1], primes[place]
        if not best or right - left > best[1] - best[0]:
            best = [left, right]
    return best


def mixed_fraction(top: int, bottom: int) -> str:
    """Write top / bottom as a whole number and a fraction in lowest terms: "2 1/3".

    Leave out a whole part of 0 and a fraction of 0 (but write "0" for zero). A negative
    value begins with "-". If `bottom` is 0, return "none".
    """
    if bottom == 0:
        return "none"
    sign = "-" if top * bottom < 0 else ""
    top, bottom = abs(top), abs(bottom)
    a, b = top, bottom
    while b:
        a, b = b, a % b
    top, bottom = top // a, bottom // a
    whole, rest = divmod(top, bottom)
    if rest == 0:
        return sign + str(whole)
    fraction = str(rest) + "/" + str(bottom)
    if whole == 0:
        return sign + fraction
    return sign + str(whole) + " " + fraction


def loop_length(start: int, factor: int, plus: int, limit: int) -> list:
    """Return [steps before the loop, length of the loop] of x -> (factor x + plus) mod limit.

    The sequence starts at `start` itself, which is not reduced first. A `limit` below 1
    gives [].
    """
    if limit < 1:
        return []
    seen = {}
    value = start
    step = 0
    while value not in seen:
        seen[value] = step
        value = (factor * value + plus) % limit
        step += 1
    return [seen[value], step - seen[value]]


def fair_split(weights: list) -> int:
    """Return the place at which to cut a list so that the two parts' sums differ least.

    The place is the length of the left part, which may be 0 or the whole length. Of equal
    cuts take the one with the longer left part.
    """
    total = sum(weights)
    best = 0
    smallest = abs(total)
    left = 0
    for place, weight in enumerate(weights, 1):
        left += weight
        difference = abs(total - 2 * left)
        if difference <= smallest:
            smallest = difference
            best = place
    return best


def lamp_states(count: int, steps: list) -> list:
    """Return the numbers of the lamps that are on, of lamps 1 to `count`, all off first.

    Each step s above 0 switches every s-th lamp; a step below 0 switches lamp -s off.
    A step of 0 switches all lamps off.
    """
    lit = set()
    for step in steps:
        if step == 0:
            lit.clear()
        elif step < 0:
            lit.discard(-step)
        else:
            for lamp in range(step, count + 1, step):
                if lamp in lit:
                    lit.remove(lamp)
                else:
                    lit.add(lamp)
    return sorted(lit)


TASKS = (
    OwnTask(
        digit_turns,
        ("assert digit_turns(13254) == 3",),
        ((0,), (7,), (11,), (1221,), (121,), (1131,), (-1213,), (123,), (2112,)),
        lambda r: (r.randint(-999, 999999),),
    ),
    OwnTask(
        round_to_step,
        ("assert round_to_step(17, 5) == 15",),
        (
            (0, 5),
            (5, 0),
            (15, 10),
            (-15, 10),
            (14, 10),
            (-14, 4),
            (7, -2),
            (-1, 3),
            (9, 6),
        ),
        lambda r: (r.randint(-40, 40), r.randint(-9, 9)),
    ),
    OwnTask(
        in_base,
        ("assert in_base(10, 2) == '1010'",),
        (
            (0, 2),
            (255, 16),
            (-5, 2),
            (16, 2),
            (65535, 16),
            (65536, 16),
            (-256, 2),
            (9, 10),
        ),
        lambda r: (r.randint(-300, 70000), r.randint(2, 16)),
    ),
    OwnTask(
        widest_prime_gap,
        ("assert widest_prime_gap(2, 12) == [7, 11]",),
        ((0, 2), (3, 3), (-5, 5), (2, 3), (8, 10), (23, 29), (7, 23), (4, 30), (9, 49)),
        lambda r: (r.randint(-2, 60), r.randint(10, 130)),
    ),
    OwnTask(
        mixed_fraction,
        ("assert mixed_fraction(14, 6) == '2 1/3'",),
        (
            (0, 5),
            (3, 0),
            (6, 3),
            (-7, 2),
            (7, -2),
            (-7, -2),
            (2, 6),
            (-1, 3),
            (5, 5),
            (0, -4),
        ),
        lambda r: (r.randint(-20, 20), r.randint(-8, 8)),
    ),
    OwnTask(
        loop_length,
        ("assert loop_length(1, 2, 0, 7) == [0, 3]",),
        (
            (0, 1, 1, 0),
            (5, 0, 3, 4),
            (0, 0, 0, 1),
            (9, 2, 1, 8),
            (3, 2, 0, 8),
            (-1, 1, 0, 3),
        ),
        lambda r: (
            r.randint(0, 14),
            r.randint(0, 5),
            r.randint(-2, 3),
            r.randint(1, 12),
        ),
    ),
    OwnTask(
        fair_split,
        ("assert fair_split([3, 1, 4]) == 2",),
        (
            ([],),
            ([5],),
            ([0, 0],),
            ([1, 1, 1],),
            ([-2, 2],),
            ([2, 0, 2],),
            ([4, 1, 1, 9],),
        ),
        lambda r: (numbers(r, -2, 6, 8),),
    ),
    OwnTask(
        lamp_states,
        ("assert lamp_states(6, [2, 3]) == [2, 3, 4]",),
        (
            (0, [1]),
            (5, []),
            (5, [1, 0]),
            (5, [1, -2, -2]),
            (4, [2, -4, 2]),
            (3, [5]),
            (2, [-1]),
        ),
        lambda r: (r.randint(0, 9), numbers(r, -4, 4, 5)),
    ),
)
