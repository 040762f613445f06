"""Questions whose answer is a number, mostly with a unit."""

import random

from ._question import Question, question
from ._slips import numeric_slips

_NAMES = ("Ada", "Bruno", "Carla", "Deniz", "Emil", "Farah", "Goran", "Hanna")


def _numeric(
    draw: random.Random,
    prompt: str,
    value: int,
    unit: str,
    given: tuple[int, ...],
    *thoughts: int,
) -> Question:
    """A question with the usual slips, after those of wrong thoughts about it."""
    slips = [(str(number), unit) for number in thoughts]
    slips += numeric_slips(value, unit, given, draw)
    return question(prompt, str(value), unit, slips)


def trip(draw: random.Random) -> Question:
    """Ask for a distance, with a break on the way."""
    speed, hours, rest = draw.randint(5, 30), draw.randint(3, 8), draw.randint(1, 2)
    prompt = (
        f"{draw.choice(_NAMES)} cycles at {speed} km/h. A tour takes {hours} hours, of which "
        f"{rest} are rest. How many km is it?"
    )
    value = speed * (hours - rest)
    return _numeric(
        draw, prompt, value, "km", (speed, hours, rest), speed * hours, speed * rest
    )


def shopping(draw: random.Random) -> Question:
    """Ask for change, after a rebate for each piece."""
    number, price, off = draw.randint(3, 9), draw.randint(12, 60), draw.randint(1, 9)
    paid = 100 * ((number * price) // 100 + 1)
    prompt = (
        f"A pen costs {price} cents. Whoever buys at least three gets each for {off} cents "
        f"less. {draw.choice(_NAMES)} buys {number} and pays with {paid} cents. How many "
        "cents come back?"
    )
    value = paid - number * (price - off)
    return _numeric(
        draw,
        prompt,
        value,
        "cents",
        (price, number),
        paid - number * price,
        number * (price - off),
        paid - number * price + off,
    )


def conversion(draw: random.Random) -> Question:
    """Ask for a quantity in a smaller unit."""
    large, small, factor = draw.choice(
        (
            ("kg", "g", 1000),
            ("km", "m", 1000),
            ("l", "ml", 1000),
            ("hours", "minutes", 60),
        )
    )
    whole, part = draw.randint(2, 9), draw.randint(1, 50)
    prompt = f"How many {small} are {whole} {large} and {part} {small} together?"
    value = whole * factor + part
    return _numeric(
        draw,
        prompt,
        value,
        small,
        (whole, part),
        whole * 100 + part,
        whole * factor,
        whole * factor - part,
    )


def frost(draw: random.Random) -> Question:
    """Ask for a temperature below zero."""
    start, fall, rise = draw.randint(1, 9), draw.randint(11, 25), draw.randint(1, 4)
    prompt = (
        f"In the evening it is {start} degrees. Overnight it gets {fall} degrees colder, "
        f"then {rise} degrees warmer. How many degrees is it then?"
    )
    value = start - fall + rise
    return _numeric(
        draw, prompt, value, "degrees", (start, fall), fall - start + rise, start - fall
    )


def floor(draw: random.Random) -> Question:
    """Ask for an area with a piece cut out, or for the length of its fence."""
    length, width = draw.randint(6, 20), draw.randint(3, 12)
    side = draw.randint(1, 2)
    value = length * width - side * side
    prompt = (
        f"A yard is {length} m long and {width} m wide. A square pond with a side of {side} m "
        "lies in it. How many square m are left?"
    )
    around = 2 * (length + width)
    return _numeric(
        draw,
        prompt,
        value,
        "square m",
        (length, width),
        length * width,
        around,
        length * width - side,
        length * width - 4 * side,
    )


def age(draw: random.Random) -> Question:
    """Ask for an age some years on."""
    older, first = draw.randint(3, 15), draw.randint(5, 40)
    later = draw.randint(2, 9)
    one, other = draw.sample(_NAMES, 2)
    prompt = (
        f"{one} is {first} years old and {older} years younger than {other}. How old will "
        f"{other} be in {later} years?"
    )
    value = first + older + later
    return _numeric(
        draw,
        prompt,
        value,
        "years",
        (first, older),
        first - older + later,
        first + older,
        first + later,
    )


def fence(draw: random.Random) -> Question:
    """Ask for posts, where one more is needed than gaps."""
    gap, gaps = draw.randint(2, 5), draw.randint(6, 20)
    prompt = (
        f"A straight fence is {gap * gaps} m long and has a post every {gap} m, also at both "
        "ends. How many posts does it have?"
    )
    return _numeric(draw, prompt, gaps + 1, "posts", (gap, gap * gaps), gaps, gaps + 2)


def reading(draw: random.Random) -> Question:
    """Ask for the days needed, where a rest needs a day of its own."""
    daily, days = draw.randint(11, 30), draw.randint(4, 12)
    rest = draw.randint(1, daily - 1)
    pages = daily * days + rest
    prompt = (
        f"A book has {pages} pages. {draw.choice(_NAMES)} reads {daily} pages a day. On how "
        "many days is the book read, counting the last one?"
    )
    return _numeric(draw, prompt, days + 1, "days", (pages, daily), days, rest)


QUANTITIES = (trip, shopping, conversion, frost, floor, age, fence, reading)
