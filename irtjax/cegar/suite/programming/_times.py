"""Programming tasks about times, spans and schedules."""

from ._draws import letters, numbers, spans
from ._own_task import OwnTask


def merge_spans(windows: list, gap: int) -> list:
    """Merge spans [start, end] that overlap or lie at most `gap` apart.

    Return the merged spans in rising order. A span that ends before it starts is left out.
    """
    merged = []
    for start, end in sorted(windows):
        if end < start:
            continue
        if merged and start - merged[-1][1] <= gap:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def free_slots(busy: list, start: int, end: int, need: int) -> list:
    """Return the free spans between `start` and `end` that last at least `need`.

    `busy` lists spans [from, to] in any order; they may overlap and reach outside.
    A free span must be longer than nothing.
    """
    slots = []
    now = start
    for left, right in sorted(busy):
        if left >= end:
            break
        if left > now and left - now >= need:
            slots.append([now, left])
        now = max(now, right)
    if end > now and end - now >= need:
        slots.append([now, end])
    return slots


def time_between(leave: str, arrive: str) -> str:
    """Return how long a trip takes, as hours and minutes such as "2h05".

    Both times are written "HH:MM". If `arrive` is not later than `leave`, it is on the
    next day. A trip under an hour is written in minutes, such as "45min".
    """
    hours, minutes = leave.split(":")
    begin = int(hours) * 60 + int(minutes)
    hours, minutes = arrive.split(":")
    finish = int(hours) * 60 + int(minutes)
    if finish <= begin:
        finish += 24 * 60
    length = finish - begin
    if length < 60:
        return str(length) + "min"
    return str(length // 60) + "h" + str(length % 60).zfill(2)


def rush_hour(visits: list) -> list:
    """Return the earliest time with the most visitors, and how many there are.

    A visit [enter, leave] counts from `enter` up to, but not at, `leave`. The answer is
    [time, number], or [] if nobody ever was there.
    """
    best = []
    for moment, _ in sorted(visits):
        present = 0
        for enter, leave in visits:
            if enter <= moment < leave:
                present += 1
        if present > 0 and (not best or present > best[1]):
            best = [moment, present]
    return best


def shift_pay(start: int, end: int, rate: int) -> int:
    """Return the pay in cents of a shift from hour `start` to hour `end`.

    An hour pays `rate` cents. Hours that begin before 6 or at 22 and later pay half as
    much more, rounded down. If `end` is not after `start`, the shift goes over midnight.
    After 8 hours each further hour pays double instead.
    """
    hours = end - start
    if hours <= 0:
        hours += 24
    total = 0
    for worked in range(hours):
        clock = (start + worked) % 24
        if worked >= 8:
            total += 2 * rate
        elif clock < 6 or clock >= 22:
            total += rate * 3 // 2
        else:
            total += rate
    return total


def open_day(weekday: int, wait: int, closed: list) -> int:
    """Return the weekday (0 to 6) on which a parcel can be fetched.

    It arrives `wait` working days after `weekday`; days in `closed` are no working days.
    With a wait of 0 it can be fetched the same day if that is open, else on the next
    open day. If all days are closed, return -1.
    """
    shut = {day % 7 for day in closed}
    if len(shut) == 7:
        return -1
    day = weekday % 7
    while wait > 0:
        day = (day + 1) % 7
        if day not in shut:
            wait -= 1
    while day in shut:
        day = (day + 1) % 7
    return day


def queue_waits(arrivals: list, duration: int, patience: int) -> list:
    """Return how long each customer of a single desk waits, in order of arrival.

    Serving takes `duration`. A customer who would have to wait longer than `patience`
    leaves at once, without being served, and counts as -1.
    """
    waits = []
    free = 0
    for moment in sorted(arrivals):
        wait = max(0, free - moment)
        if wait > patience:
            waits.append(-1)
            continue
        waits.append(wait)
        free = moment + wait + duration
    return waits


def longest_streak(days: str, pardon: int) -> int:
    """Return the longest streak of practice in a diary of "x" (done) and "-" (not done).

    A streak starts and ends with a done day. It survives up to `pardon` missed days in a
    row, but only done days count in its length.
    """
    best = 0
    streak = 0
    missed = 0
    for day in days:
        if day == "x":
            streak += 1
            missed = 0
            best = max(best, streak)
        else:
            missed += 1
            if missed > pardon:
                streak = 0
    return best


TASKS = (
    OwnTask(
        merge_spans,
        ("assert merge_spans([[1, 3], [4, 6], [10, 12]], 1) == [[1, 6], [10, 12]]",),
        (
            ([], 1),
            ([[5, 2]], 1),
            ([[1, 9], [2, 3], [9, 10]], 0),
            ([[3, 4], [1, 2]], 0),
            ([[1, 2], [4, 5]], 1),
            ([[1, 1]], 0),
        ),
        lambda r: (spans(r, 15, 5) + [[4, 2]] * r.randint(0, 1), r.randint(0, 3)),
    ),
    OwnTask(
        free_slots,
        ("assert free_slots([[9, 10], [12, 14]], 8, 17, 2) == [[10, 12], [14, 17]]",),
        (
            ([], 8, 9, 1),
            ([], 8, 8, 0),
            ([[0, 20]], 5, 9, 1),
            ([[5, 6], [1, 9]], 0, 10, 1),
            ([[9, 12]], 5, 9, 1),
            ([[2, 8], [3, 4]], 1, 9, 0),
        ),
        lambda r: (spans(r, 20, 4), r.randint(0, 8), r.randint(9, 20), r.randint(0, 4)),
    ),
    OwnTask(
        time_between,
        ("assert time_between('08:50', '10:55') == '2h05'",),
        (
            ("10:00", "10:00"),
            ("23:30", "00:15"),
            ("09:00", "10:00"),
            ("05:10", "05:09"),
            ("00:00", "23:59"),
        ),
        lambda r: (
            f"{r.randint(0, 23):02}:{r.randint(0, 59):02}",
            f"{r.randint(0, 23):02}:{r.randint(0, 59):02}",
        ),
    ),
    OwnTask(
        rush_hour,
        ("assert rush_hour([[1, 4], [3, 6], [5, 8]]) == [3, 2]",),
        (
            ([],),
            ([[2, 2]],),
            ([[5, 9], [1, 5]],),
            ([[5, 9], [5, 6], [1, 6]],),
            ([[0, 3], [0, 2]],),
        ),
        lambda r: (spans(r, 9, 5),),
    ),
    OwnTask(
        shift_pay,
        ("assert shift_pay(9, 14, 1000) == 5000",),
        (
            (20, 2, 1000),
            (6, 22, 900),
            (7, 7, 100),
            (5, 7, 333),
            (21, 23, 101),
            (8, 16, 10),
            (8, 17, 10),
        ),
        lambda r: (r.randint(0, 23), r.randint(0, 23), r.randint(700, 900)),
    ),
    OwnTask(
        open_day,
        ("assert open_day(4, 2, [5, 6]) == 1",),
        (
            (0, 0, []),
            (5, 0, [5, 6]),
            (0, 3, [0, 1, 2, 3, 4, 5, 6]),
            (6, 1, [0]),
            (2, 9, [3]),
            (3, 1, [4, 11]),
        ),
        lambda r: (r.randint(0, 6), r.randint(0, 9), numbers(r, 0, 8, 5)),
    ),
    OwnTask(
        queue_waits,
        ("assert queue_waits([0, 1, 10], 4, 5) == [0, 3, 0]",),
        (
            ([], 3, 1),
            ([0, 0, 0, 0], 2, 3),
            ([5, 1], 4, 0),
            ([5, 1], 5, 0),
            ([1, 2, 3], 3, 2),
            ([2, 2], 0, 0),
        ),
        lambda r: (numbers(r, 0, 12, 7), r.randint(0, 4), r.randint(0, 5)),
    ),
    OwnTask(
        longest_streak,
        ("assert longest_streak('xx-xx--x', 1) == 4",),
        (("", 1), ("---", 2), ("x-x", 0), ("x--xx", 2), ("-xx", 1), ("xx---x-x", 2)),
        lambda r: (letters(r, "xx-", 14), r.randint(0, 2)),
    ),
)
