"""Programming tasks about records, counts and money."""

import random

from ._draws import numbers, words
from ._own_task import OwnTask


def best_of_class(rows: list) -> dict:
    """Return the best pupil of each class, from rows [class, name, points].

    Of equal points the name that comes first in the alphabet wins. Pupils with negative
    points were disqualified and do not count; a class without others is left out.
    """
    best = {}
    for group, name, points in rows:
        if points < 0:
            continue
        if group not in best:
            best[group] = (points, name)
            continue
        top, holder = best[group]
        if points > top or (points == top and name < holder):
            best[group] = (points, name)
    return {group: name for group, (points, name) in best.items()}


def stock_after(moves: list, capacity: int) -> dict:
    """Return what a store holds after moves [article, change], without empty articles.

    A move that would make an article's amount negative takes out what is there. A move
    that would bring the whole store above `capacity` is ignored.
    """
    stock = {}
    for article, change in moves:
        amount = stock.get(article, 0)
        if change < 0:
            amount = max(0, amount + change)
        elif sum(stock.values()) + change <= capacity:
            amount += change
        stock[article] = amount
    return {article: amount for article, amount in stock.items() if amount > 0}


def word_places(lines: list, shortest: int) -> dict:
    """Return for each word the numbers of the lines it is in, counted from 1.

    Words are compared in lower case, without a full stop or comma at their end. Words
    with fewer than `shortest` letters are left out. Line numbers rise, none comes twice.
    """
    places = {}
    for number, line in enumerate(lines, 1):
        for word in line.lower().split():
            word = word.rstrip(".,")
            if len(word) < max(shortest, 1):
                continue
            found = places.setdefault(word, [])
            if not found or found[-1] != number:
                found.append(number)
    return places


def podium(points: list, places: int) -> list:
    """Return the rank of each player, or 0 for ranks worse than `places`.

    Most points rank 1. Equal points share a rank and the next rank is skipped
    accordingly (1, 2, 2, 4). A player without points never has a rank.
    """
    ranks = []
    for own in points:
        rank = 1
        for other in points:
            if other > own:
                rank += 1
        if own <= 0 or rank > places:
            rank = 0
        ranks.append(rank)
    return ranks


def settle_up(bills: list) -> list:
    """Return who is owed or owes how much, as [name, cents], by name, without zeros.

    A bill [payer, cents, sharers] is split evenly among its sharers. Cents that cannot be
    split go one each to the first sharers. A bill without sharers is the payer's own.
    """
    balance = {}
    for payer, cents, sharers in bills:
        if not sharers:
            continue
        balance[payer] = balance.get(payer, 0) + cents
        share, rest = divmod(cents, len(sharers))
        for place, name in enumerate(sharers):
            due = share + 1 if place < rest else share
            balance[name] = balance.get(name, 0) - due
    return [[name, balance[name]] for name in sorted(balance) if balance[name] != 0]


def price_changes(old: dict, new: dict, least: int) -> list:
    """Return [article, change] for every price that changed by at least `least`, by article.

    A new article counts as a change from 0 and one that is gone as a change to 0. Prices
    that stayed the same are never listed.
    """
    changes = []
    for article in sorted(set(old) | set(new)):
        change = new.get(article, 0) - old.get(article, 0)
        if change != 0 and abs(change) >= least:
            changes.append([article, change])
    return changes


def bulk_price(units: int, tiers: list) -> int:
    """Return the price of `units` pieces with prices that fall with the number bought.

    `tiers` holds [size, price] in order: the first `size` pieces cost `price` each, the
    next ones are of the next tier. Pieces beyond all tiers cost the last tier's price.
    Without tiers everything is free.
    """
    total = 0
    left = units
    price = 0
    for size, price in tiers:
        taken = min(left, size)
        total += taken * price
        left -= taken
        if left <= 0:
            return total
    return total + max(left, 0) * price


def pay_exactly(amount: int, coins: list) -> list:
    """Return the coins to pay `amount` with, from [value, number] in the purse.

    Always take as many as possible of the largest coin that still fits. Return the values
    taken, largest first, or [] if the amount is not met exactly this way.
    """
    taken = []
    for value, number in sorted(coins, reverse=True):
        if value <= 0:
            continue
        while number > 0 and value <= amount:
            taken.append(value)
            amount -= value
            number -= 1
    return taken if amount == 0 else []


def _pupil(source: random.Random) -> list:
    return [source.choice("AB"), source.choice("xyz"), source.randint(-1, 3)]


def _pairs(source: random.Random, names: str, low: int, high: int, most: int) -> list:
    number = source.randint(0, most)
    return [[source.choice(names), source.randint(low, high)] for _ in range(number)]


def _bill(source: random.Random) -> list:
    sharers = source.sample("abc", source.randint(0, 3))
    return [source.choice("abc"), source.randint(0, 30), sharers]


TASKS = (
    OwnTask(
        best_of_class,
        ("assert best_of_class([['A', 'x', 2], ['A', 'y', 3]]) == {'A': 'y'}",),
        (
            ([],),
            ([["A", "x", -1]],),
            ([["A", "y", 2], ["A", "x", 2]],),
            ([["A", "x", 2], ["A", "y", 2]],),
            ([["A", "x", 0], ["B", "x", 1]],),
        ),
        lambda r: ([_pupil(r) for _ in range(r.randint(0, 7))],),
    ),
    OwnTask(
        stock_after,
        (
            "assert stock_after([['nut', 5], ['nut', -2], ['oil', 1]], 9) == {'nut': 3, 'oil': 1}",
        ),
        (
            ([], 5),
            ([["a", -3], ["a", 2]], 5),
            ([["a", 5], ["b", 1]], 5),
            ([["a", 5]], 5),
            ([["a", 2], ["a", -5]], 5),
            ([["a", 4], ["b", 2], ["a", -1], ["b", 2]], 5),
        ),
        lambda r: (_pairs(r, "abc", -5, 6, 8), r.randint(3, 14)),
    ),
    OwnTask(
        word_places,
        ("assert word_places(['red fox', 'Fox'], 3) == {'red': [1], 'fox': [1, 2]}",),
        (
            ([], 1),
            (["a a.", "a, b"], 1),
            (["abc ab."], 3),
            ([" . "], 0),
            (["Ab", "", "aB ab"], 2),
        ),
        lambda r: (
            [" ".join(words(r, "ab Ab. abc, a ABC b. ab,", 4)) for _ in range(3)],
            r.randint(0, 3),
        ),
    ),
    OwnTask(
        podium,
        ("assert podium([10, 30, 20], 3) == [3, 1, 2]",),
        (
            ([], 3),
            ([5, 5, 1], 2),
            ([5, 3, 3, 1], 3),
            ([0, 2], 3),
            ([4, 4, 4], 1),
            ([1, -2], 5),
            ([3], 0),
        ),
        lambda r: (numbers(r, -1, 5, 7), r.randint(0, 4)),
    ),
    OwnTask(
        settle_up,
        (
            "assert settle_up([['ann', 30, ['ann', 'bob', 'cy']]]) == "
            "[['ann', 20], ['bob', -10], ['cy', -10]]",
        ),
        (
            ([],),
            ([["a", 5, []]],),
            ([["a", 5, ["a"]]],),
            ([["a", 10, ["b", "c", "a"]]],),
            ([["a", 11, ["c", "b", "a"]]],),
            ([["b", 4, ["a", "b"]], ["a", 4, ["a", "b"]]],),
        ),
        lambda r: ([_bill(r) for _ in range(r.randint(0, 4))],),
    ),
    OwnTask(
        price_changes,
        (
            "assert price_changes({'tea': 5, 'pie': 4}, {'tea': 8, 'pie': 4}, 2) == [['tea', 3]]",
        ),
        (
            ({}, {}, 1),
            ({"a": 1}, {}, 1),
            ({}, {"a": 3}, 3),
            ({"a": 5}, {"a": 2}, 3),
            ({"a": 5}, {"a": 5}, 0),
            ({"b": 1, "a": 9}, {"b": 2, "a": 1}, 0),
        ),
        lambda r: (
            dict(_pairs(r, "abcd", 0, 9, 5)),
            dict(_pairs(r, "abcd", 0, 9, 5)),
            r.randint(0, 4),
        ),
    ),
    OwnTask(
        bulk_price,
        ("assert bulk_price(12, [[10, 5], [10, 4]]) == 58",),
        (
            (0, [[5, 2]]),
            (7, []),
            (5, [[5, 2], [5, 1]]),
            (25, [[10, 3], [10, 2]]),
            (3, [[0, 9], [9, 1]]),
            (-2, [[5, 2]]),
        ),
        lambda r: (
            r.randint(0, 30),
            [[r.randint(0, 10), r.randint(1, 9)] for _ in range(r.randint(0, 3))],
        ),
    ),
    OwnTask(
        pay_exactly,
        ("assert pay_exactly(7, [[5, 1], [1, 3]]) == [5, 1, 1]",),
        (
            (0, [[5, 1]]),
            (5, []),
            (10, [[5, 1], [2, 9]]),
            (6, [[4, 1], [3, 2]]),
            (4, [[2, 1], [1, 5]]),
            (3, [[0, 2], [3, 1]]),
            (9, [[3, 2], [3, 1]]),
        ),
        lambda r: (
            r.randint(0, 20),
            [
                [r.choice([1, 2, 3, 5, 8]), r.randint(0, 3)]
                for _ in range(r.randint(0, 4))
            ],
        ),
    ),
)
