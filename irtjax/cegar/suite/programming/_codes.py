"""Programming tasks about codes, commands and small languages."""

from ._draws import letters, numbers, words
from ._own_task import OwnTask


def unpack_runs(text: str) -> str:
    r"""Unpack a text in which a number repeats the letter after it: "3ab" gives "aaab".

    A letter without a number stands once, one with number 0 not at all. A number at the
    end, with no letter after it, is dropped. A "\\" makes the next character a letter, even
    if it is a digit.
    """
    result = ""
    number = ""
    place = 0
    while place < len(text):
        character = text[place]
        if character.isdigit():
            number += character
        else:
            if character == "\\" and place + 1 < len(text):
                place += 1
                character = text[place]
            result += character * (int(number) if number else 1)
            number = ""
        place += 1
    return result


def shift_cipher(text: str, key: list) -> str:
    """Shift each letter forward in the alphabet by the next number of a repeating key.

    Case is kept, z is followed by a. Other characters stay and use up no number of the
    key. An empty key changes nothing.
    """
    if not key:
        return text
    result = []
    used = 0
    for character in text:
        if not character.isalpha():
            result.append(character)
            continue
        first = ord("a") if character.islower() else ord("A")
        shift = key[used % len(key)]
        result.append(chr((ord(character) - first + shift) % 26 + first))
        used += 1
    return "".join(result)


def ticket_valid(ticket: str) -> bool:
    """Tell whether a ticket number is valid.

    It has at least 4 characters, all digits except blanks between them, which are
    ignored. Each digit is multiplied by 2, 3, 4 and 2 again, from the left; products above
    9 lose 9. The sum of all but the last must end in the last digit.
    """
    digits = ticket.replace(" ", "")
    if len(digits) < 4 or not digits.isdigit():
        return False
    total = 0
    for place, digit in enumerate(digits[:-1]):
        product = int(digit) * (2 + place % 3)
        while product > 9:
            product -= 9
        total += product
    return total % 10 == int(digits[-1])


def split_command(line: str) -> list:
    """Split a command line into its words at blanks.

    Blanks between double quotes do not split, and the quotes go; "" is an empty word.
    "#" outside quotes starts a comment, which is dropped. A missing last quote is added.
    """
    found = []
    word = ""
    started = quoted = False
    for character in line:
        if character == '"':
            quoted = not quoted
            started = True
        elif character == "#" and not quoted:
            break
        elif character == " " and not quoted:
            if started:
                found.append(word)
            word = ""
            started = False
        else:
            word += character
            started = True
    if started:
        found.append(word)
    return found


def stack_machine(commands: list) -> list:
    """Run a small stack machine and return its stack, the top last.

    A number in text is pushed. "add", "sub" and "mul" replace the two top values by the
    result (the lower one comes first), "dup" doubles the top and "drop" removes it. A
    command that finds too few values, or an unknown one, stops the machine.
    """
    stack = []
    for command in commands:
        if command.lstrip("-").isdigit():
            stack.append(int(command))
        elif command in ("add", "sub", "mul") and len(stack) >= 2:
            second = stack.pop()
            first = stack.pop()
            if command == "add":
                stack.append(first + second)
            elif command == "sub":
                stack.append(first - second)
            else:
                stack.append(first * second)
        elif command == "dup" and stack:
            stack.append(stack[-1])
        elif command == "drop" and stack:
            stack.pop()
        else:
            break
    return stack


def newer_version(first: str, second: str) -> int:
    """Compare two version numbers such as "1.10.2": 1 if `first` is newer, -1 if older.

    Missing parts count as 0. A version ending in "b" is a trial version, which is older
    than the same version without. Equal versions give 0.
    """
    trial_first = first.endswith("b")
    trial_second = second.endswith("b")
    left = [int(part) for part in first.rstrip("b").split(".")]
    right = [int(part) for part in second.rstrip("b").split(".")]
    while len(left) < len(right):
        left.append(0)
    while len(right) < len(left):
        right.append(0)
    if left != right:
        return 1 if left > right else -1
    if trial_first == trial_second:
        return 0
    return -1 if trial_first else 1


def undo_history(actions: list) -> str:
    """Return the text after typing, undoing and redoing.

    "undo" takes back the last typed piece that still stands, "redo" brings back the last
    one taken back; with nothing to do they do nothing. Any other text is typed, after which
    nothing can be redone.
    """
    typed = []
    undone = []
    for action in actions:
        if action == "undo":
            if typed:
                undone.append(typed.pop())
        elif action == "redo":
            if undone:
                typed.append(undone.pop())
        else:
            typed.append(action)
            undone = []
    return "".join(typed)


def fill_template(text: str, values: dict) -> str:
    """Replace each {name} in a text by its value; {name|other} gives `other` if missing.

    A missing name without another text stays as it stands, with its braces, and so does
    a "{" that is never closed. An empty value counts as missing.
    """
    result = ""
    place = 0
    while place < len(text):
        end = text.find("}", place)
        if text[place] != "{" or end < 0:
            result += text[place]
            place += 1
            continue
        inside = text[place + 1 : end]
        name, bar, other = inside.partition("|")
        if values.get(name):
            result += values[name]
        elif bar:
            result += other
        else:
            result += text[place : end + 1]
        place = end + 1
    return result


TASKS = (
    OwnTask(
        unpack_runs,
        ("assert unpack_runs('3ab2c') == 'aaabcc'",),
        (
            ("",),
            ("12x",),
            ("0ab",),
            ("a5",),
            ("2\\3b",),
            ("\\",),
            ("2\\\\",),
            ("10a0b",),
        ),
        lambda r: (letters(r, "ab1203\\", 9),),
    ),
    OwnTask(
        shift_cipher,
        ("assert shift_cipher('abc', [1, 2]) == 'bdd'",),
        (
            ("", [1]),
            ("xyz", []),
            ("Zz", [1]),
            ("a b!c", [1, 3]),
            ("b", [-2]),
            ("m", [27]),
        ),
        lambda r: (letters(r, "azMZ -by", 9), numbers(r, -3, 28, 3)),
    ),
    OwnTask(
        ticket_valid,
        ("assert ticket_valid('1231') == True", "assert ticket_valid('1235') == False"),
        (
            ("",),
            ("000",),
            ("0000",),
            ("12 30",),
            ("12a0",),
            ("5556",),
            ("99990",),
            ("9990",),
            ("5550",),
            ("5557",),
        ),
        lambda r: (letters(r, "0123456789", 3) + str(r.randint(100, 99999)),),
    ),
    OwnTask(
        split_command,
        (
            "assert split_command('copy \"my file\" here') == ['copy', 'my file', 'here']",
        ),
        (
            ("",),
            ("  a  b ",),
            ('""',),
            ('a"b c"d',),
            ("a # b",),
            ('"a # b"',),
            ('"ab c',),
            ("a#b",),
            ('x "" #',),
        ),
        lambda r: (letters(r, 'ab  "#', 11),),
    ),
    OwnTask(
        stack_machine,
        ("assert stack_machine(['2', '3', 'add', '4', 'mul']) == [20]",),
        (
            ([],),
            (["1", "add", "2"],),
            (["5", "2", "sub"],),
            (["-3", "dup", "mul"],),
            (["drop"],),
            (["1", "2", "swap", "3"],),
            (["dup", "1"],),
            (["7", "drop", "8"],),
        ),
        lambda r: (words(r, "1 2 3 5 -4 add sub mul dup drop 7 2 stop", 9),),
    ),
    OwnTask(
        newer_version,
        ("assert newer_version('1.10', '1.9') == 1",),
        (
            ("1", "1.0"),
            ("1", "1.0.1"),
            ("2b", "2"),
            ("2", "2.0b"),
            ("2b", "2b"),
            ("1.2b", "1.1"),
            ("1.1", "1.2b"),
            ("0", "0.0"),
        ),
        lambda r: (
            ".".join([*words(r, "0 1 2 10", 3), "1"]) + r.choice(["", "b"]),
            ".".join([*words(r, "0 1 2 10", 3), "1"]) + r.choice(["", "b"]),
        ),
    ),
    OwnTask(
        undo_history,
        ("assert undo_history(['a', 'b', 'undo', 'c']) == 'ac'",),
        (
            ([],),
            (["undo", "redo"],),
            (["a", "undo", "redo"],),
            (["a", "undo", "b", "redo"],),
            (["a", "b", "undo", "undo", "redo"],),
            (["a", "", "undo"],),
        ),
        lambda r: (words(r, "a b c undo undo redo redo d", 9),),
    ),
    OwnTask(
        fill_template,
        ("assert fill_template('Hi {who}!', {'who': 'Ann'}) == 'Hi Ann!'",),
        (
            ("", {}),
            ("{a}", {}),
            ("{a|x}", {}),
            ("{a|x}", {"a": "y"}),
            ("{a", {"a": "y"}),
            ("}{a}{", {"a": "y"}),
            ("{a}{b|}", {"a": "", "b": ""}),
            ("{a|}", {}),
            ("{}", {}),
        ),
        lambda r: (
            "".join(words(r, "{a} {b|x} { } z {c|} {b}", 6)),
            {name: r.choice(["1", "", "22"]) for name in words(r, "a b c", 3)},
        ),
    ),
)
