"""Programming tasks about grids, given as lists of rows."""

from ._draws import grid, letters
from ._own_task import OwnTask


def lake_sizes(chart: list) -> list:
    """Return the sizes of all lakes of a map, largest first.

    Water is "~". Fields touching at a side belong together. Water connected with the
    border of the map is sea, not a lake.
    """
    seen = set()
    sizes = []
    for top in range(len(chart)):
        for left in range(len(chart[0])):
            if chart[top][left] != "~" or (top, left) in seen:
                continue
            seen.add((top, left))
            waiting = [(top, left)]
            size = 0
            sea = False
            while waiting:
                row, column = waiting.pop()
                size += 1
                for near in (
                    (row - 1, column),
                    (row + 1, column),
                    (row, column - 1),
                    (row, column + 1),
                ):
                    if not (0 <= near[0] < len(chart) and 0 <= near[1] < len(chart[0])):
                        sea = True
                    elif chart[near[0]][near[1]] == "~" and near not in seen:
                        seen.add(near)
                        waiting.append(near)
            if not sea:
                sizes.append(size)
    return sorted(sizes, reverse=True)


def robot_walk(room: list, moves: str) -> list:
    """Return [row, column, bumps] of a robot that starts at the top left and moves.

    Moves are U, D, L and R; other letters do nothing. A move into a wall "#" or out of
    the room leaves the robot where it is and counts as a bump.
    """
    steps = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
    row = column = bumps = 0
    for move in moves:
        if move not in steps:
            continue
        down, right = steps[move]
        below, beside = row + down, column + right
        inside = 0 <= below < len(room) and 0 <= beside < len(room[0])
        if inside and room[below][beside] != "#":
            row, column = below, beside
        else:
            bumps += 1
    return [row, column, bumps]


def count_lines(board: list, length: int) -> int:
    """Return how many lines of exactly `length` equal symbols a board has.

    Lines run across or down. A longer line does not count, and "." is empty. A single
    symbol is no line, so a `length` below 2 gives 0.
    """
    if length < 2:
        return 0
    columns = ["".join(row[place] for row in board) for place in range(len(board[0]))]
    total = 0
    for line in board + columns:
        start = 0
        for place in range(1, len(line) + 1):
            if place == len(line) or line[place] != line[start]:
                if place - start == length and line[start] != ".":
                    total += 1
                start = place
    return total


def settle_sand(rows: list) -> list:
    """Let the sand "o" of a picture fall straight down and return the picture.

    Sand stops on the floor, on stone "#" and on other sand. "." is air.
    """
    height, width = len(rows), len(rows[0])
    picture = [list(row) for row in rows]
    for column in range(width):
        rest = height - 1
        for row in range(height - 1, -1, -1):
            if picture[row][column] == "#":
                rest = row - 1
            elif picture[row][column] == "o":
                picture[row][column] = "."
                picture[rest][column] = "o"
                rest -= 1
    return ["".join(row) for row in picture]


def turn_rim(table: list, steps: int) -> list:
    """Move the values on the rim of a table `steps` places clockwise, and return it.

    What is inside stays. A table with a single row or column stays as it is.
    """
    height, width = len(table), len(table[0])
    if height < 2 or width < 2:
        return [list(row) for row in table]
    places = [(0, column) for column in range(width)]
    places += [(row, width - 1) for row in range(1, height)]
    places += [(height - 1, column) for column in range(width - 2, -1, -1)]
    places += [(row, 0) for row in range(height - 2, 0, -1)]
    result = [list(row) for row in table]
    for place, (row, column) in enumerate(places):
        new_row, new_column = places[(place + steps) % len(places)]
        result[new_row][new_column] = table[row][column]
    return result


def sunny_seats(heights: list) -> list:
    """Return [row, seat] of all seats from which the stage in front can be seen.

    `heights` holds rows of heads, the front row first. A seat sees the stage if every
    head before it in its column is lower than its own by at least 1. Empty seats are 0:
    they hide nothing and are never listed.
    """
    found = []
    for row in range(len(heights)):
        for seat in range(len(heights[row])):
            own = heights[row][seat]
            if own == 0:
                continue
            tallest = 0
            for before in range(row):
                tallest = max(tallest, heights[before][seat])
            if own > tallest:
                found.append([row, seat])
    return found


def best_plot(garden: list, size: int) -> list:
    """Return [row, column] of the square plot of `size` with the most flowers "*".

    A plot must not hold a stone "o". Of equal plots take the uppermost, then the leftmost.
    Return [] if there is no plot or none has a flower.
    """
    best = []
    most = 0
    for top in range(len(garden) - size + 1):
        for left in range(len(garden[0]) - size + 1):
            plot = ""
            for row in garden[top : top + size]:
                plot += row[left : left + size]
            if "o" in plot:
                continue
            flowers = plot.count("*")
            if flowers > most:
                most = flowers
                best = [top, left]
    return best


TASKS = (
    OwnTask(
        lake_sizes,
        ("assert lake_sizes(['####', '#~##', '####', '##~~']) == [1]",),
        (
            (["~"],),
            (["###", "#~#", "###"],),
            (["#####", "#~#~#", "#~###", "#####"],),
            (["####", "#~~~", "####"],),
            (["#####", "#~#~#", "##~##", "#####"],),
        ),
        lambda r: (
            ["#" * 6]
            + [f"#{letters(r, '~~##', 4):#<4}#" for _ in range(4)]
            + [r.choice(["######", "##~###"])],
        ),
    ),
    OwnTask(
        robot_walk,
        ("assert robot_walk(['..', '#.'], 'RDL') == [1, 1, 1]",),
        (
            (["."], ""),
            (["."], "ULDR"),
            (["..", ".."], "DRUX"),
            (["...", ".#.", "..."], "DRDRRUUL"),
            (["#."], "RL"),
        ),
        lambda r: (grid(r, "...#", 4), letters(r, "UDLRDRx", 10)),
    ),
    OwnTask(
        count_lines,
        ("assert count_lines(['xx.', 'oxo', '...'], 2) == 2",),
        (
            (["x"], 1),
            (["xxx"], 2),
            (["xx", "xx"], 2),
            (["..", ".."], 2),
            (["xxoo"], 2),
            (["xx.xx", "....."], 2),
        ),
        lambda r: (grid(r, "xxo.", 5), r.randint(1, 3)),
    ),
    OwnTask(
        settle_sand,
        ("assert settle_sand(['o.', '..', '#o']) == ['..', 'o.', '#o']",),
        (
            (["o"],),
            (["o", "o", "."],),
            (["o", "#", "."],),
            (["#", "o", "."],),
            (["o", ".", "#", "o", "."],),
        ),
        lambda r: (grid(r, "oo..#", 5),),
    ),
    OwnTask(
        turn_rim,
        ("assert turn_rim([[1, 2], [3, 4], [5, 6]], 1) == [[3, 1], [5, 2], [6, 4]]",),
        (
            ([[1, 2]], 1),
            ([[1], [2]], 1),
            ([[1, 2], [3, 4]], -1),
            ([[1, 2], [3, 4]], 6),
            ([[1, 2, 3], [4, 5, 6]], 2),
            ([[1, 2], [3, 4], [5, 6]], 1),
        ),
        lambda r: (
            [list(row) for row in grid(r, "123456789", 4)],
            r.randint(-3, 9),
        ),
    ),
    OwnTask(
        sunny_seats,
        ("assert sunny_seats([[2, 1], [1, 3]]) == [[0, 0], [0, 1], [1, 1]]",),
        (
            ([],),
            ([[0]],),
            ([[2], [2]],),
            ([[0], [1]],),
            ([[1], [3], [2], [4]],),
            ([[3, 0], [0, 0], [4, 1]],),
        ),
        lambda r: (
            [[r.randint(0, 4) for _ in range(3)] for _ in range(r.randint(1, 5))],
        ),
    ),
    OwnTask(
        best_plot,
        ("assert best_plot(['...', '.*.', '.**'], 2) == [1, 1]",),
        (
            (["*"], 1),
            (["*"], 2),
            (["..", ".."], 1),
            (["o*", "*o"], 1),
            (["**", "**"], 1),
            (["*o", "**"], 2),
            (["*.*", "...", "*.*"], 2),
        ),
        lambda r: (grid(r, "**...o", 5), r.randint(1, 3)),
    ),
)
