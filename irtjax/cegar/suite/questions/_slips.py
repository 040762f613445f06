"""Ways to get a number or its unit wrong."""

import random

_CONFUSED = {
    "km": ("m", "km/h", "miles"),
    "m": ("cm", "km", "square m"),
    "square m": ("m", "square cm"),
    "g": ("kg", "mg"),
    "kg": ("g",),
    "ml": ("l", "cl"),
    "minutes": ("hours", "seconds"),
    "hours": ("minutes", "days"),
    "days": ("weeks", "hours"),
    "cents": ("euros",),
    "euros": ("cents", "dollars"),
    "degrees": ("percent",),
    "years": ("months",),
    "pages": ("chapters",),
}


def numeric_slips(
    value: int, unit: str, given: tuple[int, ...], draw: random.Random
) -> list[tuple[str, str]]:
    """Return wrong answers near a right number.

    They are: off by one or by ten, digits transposed, the sign lost or a wrong one, a power
    of ten too much or too little, a wrong or no unit, a number of the question, and a number
    that has nothing to do with it.

    Args:
        value: the right number.
        unit: its unit, or "".
        given: the numbers in the question.
        draw: decides on the unrelated number and the size of a slip of the pen.
    """
    wrong = [value + 1, value - 1, value + draw.choice((-10, 10)), -value]
    digits = str(abs(value))
    sign = -1 if value < 0 else 1
    if len(digits) > 1:
        wrong.append(sign * int(digits[:-2] + digits[-1] + digits[-2]))
    wrong += [value * 10, value // 10 if value % 10 == 0 else value + 2]
    wrong += list(given)
    wrong.append(draw.randint(2, 3 * abs(value) + 9))
    slips = [(str(number), unit) for number in wrong if number != value]
    return slips + [(str(value), other) for other in _CONFUSED.get(unit, ())]
