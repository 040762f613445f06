"""Text atoms: of answers in words, and of their agreement with other answers.

They work on any text, with no program to run. Each function stands alone: rendered
operators carry its text.
"""

from ._seen import Context, Shown, Value


def answer_characters(task: "Shown", code: str, ctx: None) -> "Value":
    """Length of the answer, in characters."""
    return len(code.strip())


def answer_words(task: "Shown", code: str, ctx: None) -> "Value":
    """Length of the answer, in words."""
    return len(code.split())


def answer_sentences(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of sentences in the answer."""
    import re

    ends = re.split(r"[.!?]+(?:\s+|$)", code.strip())
    return sum(bool(part.strip()) for part in ends)


def answer_numbers(task: "Shown", code: str, ctx: None) -> "Value":
    """How many numbers the answer holds."""
    import re

    return len(re.findall(r"\d+(?:[.,]\d+)*", code))


def answer_magnitude(task: "Shown", code: str, ctx: None) -> "Value":
    """Digits before the point of the answer's last number; None without a number."""
    import re

    numbers = re.findall(r"\d+(?:\.\d+)?", code)
    return len(numbers[-1].split(".")[0].lstrip("0")) if numbers else None


def answer_is_negative(task: "Shown", code: str, ctx: None) -> "Value":
    """1 where the answer's last number is below zero, else 0; None without a number."""
    import re

    numbers = re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", code)
    return float(float(numbers[-1]) < 0) if numbers else None


def last_number_from_question(task: "Shown", code: str, ctx: None) -> "Value":
    """1 where the answer's last number is one of the question's; None without one."""
    import re

    answered = re.findall(r"\d+(?:\.\d+)?", code)
    asked = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", task.prompt)}
    return float(float(answered[-1]) in asked) if answered else None


def number_to_question(task: "Shown", code: str, ctx: None) -> "Value":
    """Size of the answer's last number, relative to the largest one in the question."""
    import re

    answered = re.findall(r"\d+(?:\.\d+)?", code)
    asked = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", task.prompt)]
    if not answered or not asked or max(asked) == 0:
        return None
    return float(answered[-1]) / max(asked)


def words_from_question(task: "Shown", code: str, ctx: None) -> "Value":
    """Share of the answer's words of at least four letters that the question has."""
    import re

    asked = set(re.findall(r"[^\W\d_]{4,}", task.prompt.lower()))
    answered = set(re.findall(r"[^\W\d_]{4,}", code.lower()))
    return len(answered & asked) / len(answered) if answered else None


def asked_unit_given(task: "Shown", code: str, ctx: None) -> "Value":
    """Share of the words after "how many" that follow the answer's last number.

    They are compared up to a verb: "How many square m are left?" asks for "square m". None
    where the question does not ask how many.
    """
    import re

    stops = {"is", "are", "was", "were", "does", "do", "did", "will", "can", "come"}
    stops |= {"has", "have", "had", "needs", "need", "old", "it", "there", "in", "of"}
    asked = re.findall(r"how\s+(?:many|much)\s+([^?.!]*)", task.prompt.lower())
    if not asked:
        return None
    wanted = []
    for word in asked[-1].split():
        if word.strip(",;:") in stops:
            break
        wanted.append(word.strip(",;:"))
    if not wanted:
        return None
    after = re.split(r"\d", code.lower())[-1]
    given = re.findall(r"[^\s.,;:!?]+", after)
    return sum(word in given for word in wanted) / len(wanted)


def ends_with_number(task: "Shown", code: str, ctx: None) -> "Value":
    """1 where nothing follows the answer's last number, not even a unit; else 0."""
    return float(code.strip().rstrip(".!?)\"' ")[-1:].isdigit())


def hedging_words(task: "Shown", code: str, ctx: None) -> "Value":
    """How many words of doubt the answer holds."""
    import re

    doubt = r"think|probably|perhaps|maybe|might|about|roughly|likely|should|guess|sure"
    return len(re.findall(rf"\b(?:{doubt})\b", code.lower()))


def refuses(task: "Shown", code: str, ctx: None) -> "Value":
    """1 where the answer says that it cannot answer, else 0."""
    import re

    signs = r"cannot|can't|could not|unable|not enough|don't know|do not know|sorry"
    return float(bool(re.search(signs, code.lower())))


def peers_with_same_number(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the other answers with a number whose last number is this one's."""
    import re

    def number(text):
        found = re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", text)
        return float(found[-1]) if found else None

    own = number(code)
    others = [number(peer) for peer in ctx.peers]
    others = [other for other in others if other is not None]
    if own is None or not others:
        return None
    return sum(other == own for other in others) / len(others)


def peers_with_same_ending(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the other answers that end alike: last number with unit, or last word."""
    import re

    def ending(text):
        text = re.sub(r"[^\w\s.:/-]|[.:/](?!\w)", "", text.lower()).strip()
        found = re.search(r"-?\d[\d.,:/]*(?:\s+[a-z/]+){0,2}$", text)
        return found.group() if found else (text.split() or [""])[-1]

    own = ending(code)
    others = [ending(peer) for peer in ctx.peers]
    return sum(other == own for other in others) / len(others) if others else None


def rank_among_endings(task: "Shown", code: str, ctx: "Context") -> "Value":
    """How many different endings more of the other answers have than end as this one."""
    import collections
    import re

    def ending(text):
        text = re.sub(r"[^\w\s.:/-]|[.:/](?!\w)", "", text.lower()).strip()
        found = re.search(r"-?\d[\d.,:/]*(?:\s+[a-z/]+){0,2}$", text)
        return found.group() if found else (text.split() or [""])[-1]

    if not ctx.peers:
        return None
    sizes = collections.Counter(ending(peer) for peer in ctx.peers)
    own = sizes[ending(code)]
    return sum(size > own for size in sizes.values())


def different_endings(task: "Shown", code: str, ctx: "Context") -> "Value":
    """How many different endings this and the other answers have, for each of them."""
    import re

    def ending(text):
        text = re.sub(r"[^\w\s.:/-]|[.:/](?!\w)", "", text.lower()).strip()
        found = re.search(r"-?\d[\d.,:/]*(?:\s+[a-z/]+){0,2}$", text)
        return found.group() if found else (text.split() or [""])[-1]

    texts = [code, *ctx.peers]
    return len({ending(text) for text in texts}) / len(texts)


def words_with_peers(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Mean share of the answer's words that each of the other answers has."""
    import re

    own = set(re.findall(r"\w+", code.lower()))
    if not own or not ctx.peers:
        return None
    shares = [
        len(own & set(re.findall(r"\w+", peer.lower()))) / len(own)
        for peer in ctx.peers
    ]
    return sum(shares) / len(shares)
