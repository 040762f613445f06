"""Questions whose answer is a name, a word, a weekday or a time of day."""

import random

from ._question import Question, question

_DAYS = (
    *("Monday", "Tuesday", "Wednesday", "Thursday"),
    *("Friday", "Saturday", "Sunday"),
)
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_NAMES = ("Ida", "Jonas", "Kamal", "Lea", "Milan", "Nora", "Otto", "Petra")
_NOUNS = ("harbour", "lantern", "orchard", "pebble", "saddle", "thunder", "window")


def weekday(draw: random.Random) -> Question:
    """Ask for the weekday after some days."""
    first, days = draw.randrange(7), draw.randint(9, 60)
    back = draw.random() < 0.3
    right = (first - days if back else first + days) % 7
    other = (first + days if back else first - days) % 7
    when = f"was it {days} days ago" if back else f"is it in {days} days"
    prompt = f"Today is {_DAYS[first]}. Which weekday {when}?"
    near = [(right + 1) % 7, (right - 1) % 7, other, first, (right + 3) % 7]
    return question(prompt, _DAYS[right], "", [(_DAYS[day], "") for day in near])


def date(draw: random.Random) -> Question:
    """Ask for the date after some days, within a year that is no leap year."""
    month, days = draw.randrange(11), draw.randint(10, 30)
    day = draw.randint(15, _LENGTHS[month])
    prompt = f"Which date is {days} days after {day} {_MONTHS[month]} 2023?"
    after = day + days
    over = after > _LENGTHS[month]
    right = after - _LENGTHS[month] if over else after
    right_month = _MONTHS[month + over]
    every = after - 30 if after > 30 else after
    wrong = [
        (f"{right + 1} {right_month}", ""),
        (f"{right - 1} {right_month}", ""),
        (f"{every} {_MONTHS[month + (after > 30)]}", ""),
        (f"{right} {_MONTHS[month]}", ""),
        (f"{right} {_MONTHS[(month + 2) % 12]}", ""),
        (f"{day} {_MONTHS[month + 1]}", ""),
        (f"{right + 2} {right_month}", ""),
    ]
    return question(prompt, f"{right} {right_month}", "", wrong)


def tallest(draw: random.Random) -> Question:
    """Ask for one in an order that comes in pieces."""
    people = draw.sample(_NAMES, 4)  # from the tallest to the smallest
    facts = [
        f"{people[0]} is taller than {people[1]}",
        f"{people[2]} is smaller than {people[1]}",
        f"{people[3]} is smaller than {people[2]}",
    ]
    draw.shuffle(facts)
    place = draw.randrange(4)
    asked = ("tallest", "second tallest", "second smallest", "smallest")[place]
    prompt = f"{facts[0]}. {facts[1]}. {facts[2]}. Who is the {asked}?"
    others = [person for person in people if person != people[place]]
    outside = draw.choice([name for name in _NAMES if name not in people])
    wrong = [(name, "") for name in (*others, outside, "nobody")]
    return question(prompt, people[place], "", wrong)


def backwards(draw: random.Random) -> Question:
    """Ask for a word read backwards."""
    word = draw.choice(_NOUNS)
    right = word[::-1]
    place = draw.randrange(1, len(word) - 2)
    swapped = right[:place] + right[place + 1] + right[place] + right[place + 2 :]
    missing = right[:place] + right[place + 1 :]
    doubled = right[:place] + right[place] + right[place:]
    wrong = [swapped, missing, doubled, word, right[:-1], word[1:] + word[0]]
    start = draw.choice(("Spell", "Write"))
    prompt = f'{start} the word "{word}" backwards.'
    return question(prompt, right, "", [(each, "") for each in wrong])


def meeting(draw: random.Random) -> Question:
    """Ask for the time at which something ends."""
    hour, minute = draw.randint(7, 18), draw.choice((5, 15, 25, 35, 40, 45, 50, 55))
    length = draw.randint(35, 170)
    prompt = (
        f"A meeting begins at {hour}:{minute:02} and lasts {length} minutes. When does it "
        "end, as hours:minutes?"
    )
    end = hour * 60 + minute + length
    decimal = hour * 100 + minute + length  # as if an hour had a hundred minutes
    wrong = [end + 60, end - 60, end + 10, end - 10, end + 5, end + 1]
    slips = [(f"{each // 60}:{each % 60:02}", "") for each in wrong]
    slips.append((f"{decimal // 100}:{decimal % 100:02}", ""))
    return question(prompt, f"{end // 60}:{end % 60:02}", "", slips)


def odd_one(draw: random.Random) -> Question:
    """Ask for the number in a row that breaks its rule."""
    start, step, place = draw.randint(2, 20), draw.randint(3, 9), draw.randint(2, 5)
    row = [start + step * each for each in range(7)]
    right = row[place] + draw.choice((-2, -1, 1, 2))
    shown = [*row[:place], right, *row[place + 1 :]]
    prompt = (
        f"In the row {', '.join(map(str, shown))} the numbers grow evenly, except for one "
        "that is wrong. Which one?"
    )
    wrong = [shown[place - 1], shown[place + 1], row[place], shown[0], shown[-1], step]
    return question(prompt, str(right), "", [(str(each), "") for each in wrong])


WORDS = (weekday, date, tallest, backwards, meeting, odd_one)
