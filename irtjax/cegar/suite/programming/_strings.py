"""Programming tasks about texts."""

from ._draws import letters, words
from ._own_task import OwnTask


def squeeze_runs(text: str, keep: int) -> str:
    """Shorten every run of one repeated character to at most `keep` characters.

    Runs of digits stay as they are. A `keep` below 1 counts as 1.
    """
    keep = max(keep, 1)
    result = []
    run = 0
    for place, character in enumerate(text):
        if place > 0 and text[place - 1] == character:
            run += 1
        else:
            run = 1
        if run <= keep or character.isdigit():
            result.append(character)
    return "".join(result)


def headline(text: str, small: list) -> str:
    """Write a headline: every word with a capital first letter, the rest in lower case.

    Words listed in `small` (in any case) are written in lower case, except the first and
    the last word and any word that follows one ending in a colon.
    """
    pieces = text.split()
    minor = {word.lower() for word in small}
    result = []
    for place, piece in enumerate(pieces):
        edge = place == 0 or place == len(pieces) - 1
        opens = place > 0 and pieces[place - 1].endswith(":")
        if piece.lower() in minor and not edge and not opens:
            result.append(piece.lower())
        else:
            result.append(piece[0].upper() + piece[1:].lower())
    return " ".join(result)


def fill_lines(text: str, width: int) -> list:
    """Break a text into lines of at most `width` characters, at blanks.

    As many words as fit go on a line, joined by single blanks. A longer word is cut into
    pieces of `width`, starting on a line of its own; more words may follow its last piece.
    """
    lines = []
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) <= width:
            line += " " + word
            continue
        if line:
            lines.append(line)
        while len(word) > width:
            lines.append(word[:width])
            word = word[width:]
        line = word
    if line:
        lines.append(line)
    return lines


def mask_numbers(text: str, shown: int) -> str:
    """Hide numbers: in each run of digits all but the last `shown` become "#".

    A run with no more than `shown` digits is hidden wholly. All else stays.
    """
    result = ""
    place = 0
    while place < len(text):
        end = place
        while end < len(text) and text[end].isdigit():
            end += 1
        if end == place:
            result += text[place]
            place += 1
            continue
        hidden = end - place - shown
        if hidden <= 0 or shown <= 0:
            result += "#" * (end - place)
        else:
            result += "#" * hidden + text[place + hidden : end]
        place = end
    return result


def balanced_start(text: str) -> int:
    """Return the length of the longest beginning of `text` whose brackets are balanced.

    The brackets are ( ) and [ ]; other characters do not matter.
    """
    pairs = {")": "(", "]": "["}
    waiting = []
    best = 0
    for place, character in enumerate(text):
        if character in "([":
            waiting.append(character)
        elif character in pairs and (not waiting or waiting.pop() != pairs[character]):
            break
        if not waiting:
            best = place + 1
    return best


def word_chain(sequence: list) -> int:
    """Return how many words at the start of the list form a chain.

    In a chain each word begins with the last letter of the one before, in any case, and
    no word comes twice (in any case). An empty word ends the chain.
    """
    seen = set()
    previous = ""
    count = 0
    for word in sequence:
        word = word.lower()
        if not word or word in seen:
            break
        if previous and word[0] != previous[-1]:
            break
        seen.add(word)
        previous = word
        count += 1
    return count


def page_list(text: str, last: int) -> list:
    """Read a list of pages such as "2-4,7,9-" and return the pages in rising order.

    Parts are separated by commas; blanks do not matter and empty parts are skipped. A range
    may run backwards. An open range goes to page `last`, or from page 1 if its start is
    missing. Pages outside 1 to `last` are left out, and no page comes twice.
    """
    pages = set()
    for part in text.replace(" ", "").split(","):
        if not part:
            continue
        if "-" in part:
            left, right = part.split("-", 1)
            start = int(left) if left else 1
            end = int(right) if right else last
            if start > end:
                start, end = end, start
            pages.update(range(start, end + 1))
        else:
            pages.add(int(part))
    return sorted(page for page in pages if 1 <= page <= last)


def join_overlap(first: str, second: str, least: int) -> str:
    """Join two texts, writing once the longest end of `first` that starts `second`.

    An overlap shorter than `least` does not count, and neither does one that is the
    whole of either text.
    """
    longest = min(len(first), len(second)) - 1
    for size in range(longest, 0, -1):
        if size < least:
            break
        if first[-size:] == second[:size]:
            return first + second[size:]
    return first + second


SMALL = "of the and in to a"
TASKS = (
    OwnTask(
        squeeze_runs,
        ("assert squeeze_runs('heeello', 2) == 'heello'",),
        (("", 2), ("aaa", 1), ("111aa", 1), ("aabbb", 0), ("aaAA", 1), ("a111", 3)),
        lambda r: (letters(r, "aab11 ", 12), r.randint(0, 3)),
    ),
    OwnTask(
        headline,
        ("assert headline('the cost of RAIN', ['of']) == 'The Cost of Rain'",),
        (
            ("", []),
            ("of", ["of"]),
            ("a war: the end", ["the"]),
            ("end OF", ["of"]),
            ("go In to", ["IN"]),
        ),
        lambda r: (
            " ".join(words(r, "the Of rain: AND cold in: summer", 6)),
            words(r, SMALL, 4),
        ),
    ),
    OwnTask(
        fill_lines,
        ("assert fill_lines('one two three', 7) == ['one two', 'three']",),
        (
            ("", 3),
            ("abcdef", 3),
            ("a abcd b", 3),
            ("ab cd", 5),
            ("ab cd", 4),
            ("a  b", 9),
        ),
        lambda r: (" ".join(words(r, "a bc def ghij klmnopq", 7)), r.randint(2, 7)),
    ),
    OwnTask(
        mask_numbers,
        ("assert mask_numbers('card 12345 ok', 2) == 'card ###45 ok'",),
        (("", 1), ("12", 2), ("7", 0), ("a1b22c333", 1), ("1234", 3), ("99x", -1)),
        lambda r: (letters(r, "1234ab ", 12), r.randint(-1, 3)),
    ),
    OwnTask(
        balanced_start,
        ("assert balanced_start('a(b)c(d') == 5",),
        (("",), (")",), ("(]",), ("([)]",), ("[()]x)",), ("((",), ("x",), ("()[",)),
        lambda r: (letters(r, "(()[])a", 12),),
    ),
    OwnTask(
        word_chain,
        ("assert word_chain(['apple', 'egg', 'goat', 'cat']) == 3",),
        (([],), ([""],), (["a", "A"],), (["ab", "Bc", "CD", "x"],), (["x", "", "x"],)),
        lambda r: (words(r, "aba Ab ba bA b a AbB bob", 6),),
    ),
    OwnTask(
        page_list,
        ("assert page_list('2-4, 7', 9) == [2, 3, 4, 7]",),
        (
            ("", 5),
            ("3-", 5),
            ("-2", 5),
            ("4-2", 9),
            ("7,7,1", 6),
            ("0,6", 6),
            (" ,5", 5),
            ("9-8", 7),
        ),
        lambda r: (
            ",".join(words(r, "1 3 0 2-4 5-3 6- -2 8 7-9 4-4", 4)),
            r.randint(1, 8),
        ),
    ),
    OwnTask(
        join_overlap,
        ("assert join_overlap('winter', 'terrace', 2) == 'winterrace'",),
        (
            ("", "a", 1),
            ("ab", "ab", 1),
            ("aab", "ab", 1),
            ("xa", "ay", 2),
            ("xa", "ay", 1),
        ),
        lambda r: (letters(r, "ab", 6), letters(r, "ab", 6), r.randint(0, 3)),
    ),
)
