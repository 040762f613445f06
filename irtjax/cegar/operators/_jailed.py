"""The part of the harness that runs inside the sandbox, beside hostile operators.

This file is sent as text and imports nothing of the library. `Bench.answer` takes one
message and returns one: a task and programs to call give either their results, or the
wish to see one more run; the next message then brings that run's outcome.
"""

import json
import marshal
import math
import os
import random
import resource
import select
import signal
import time

CALLS_LOST = 3  # of one program on one task, before the rest is given up


class Seen:
    """What one run showed."""

    __slots__ = ("kind", "text")

    def __init__(self, kind, text):
        self.kind = kind
        self.text = text

    def __eq__(self, other):
        return (
            isinstance(other, Seen)
            and self.kind == other.kind
            and self.text == other.text
        )

    def __hash__(self):
        return hash((self.kind, self.text))

    def __repr__(self):
        return f"{self.kind} {self.text}"


class Shown:
    """The task, as operators see it."""

    __slots__ = ("checks", "entry_point", "prompt")

    def __init__(self, prompt, entry_point, checks):
        self.prompt = prompt
        self.entry_point = entry_point
        self.checks = tuple(checks)


class Context:
    """What the interface offers above level 0, for one candidate."""

    def __init__(self, case, offers, peers, most, ask):
        self._offers = offers
        self._case = case
        self._peers = peers
        self._most = most
        self._ask = ask
        self._used = set()

    def __getattr__(self, name):
        # Each call has its own copy: what one changes, the next never sees.
        if name in ("inputs", "visible_inputs") and name in self._offers:
            found = marshal.loads(self._case["blobs"][name])
        elif name == "peers" and name in self._offers:
            found = [self._case["codes"][place] for place in self._peers]
        elif name in ("run", "trace") and name in self._offers:
            found = self._run if name == "run" else self._trace
        else:
            raise AttributeError(f"the interface offers no ctx.{name} at this level")
        self.__dict__[name] = found
        return found

    def _run(self, code, arguments):
        case = self._case
        try:
            row = case["rows"][code]
            place = case["places"][marshal.dumps(arguments, 2)]
        except (KeyError, TypeError, ValueError):
            return Seen(*self._wish("run", code, arguments))
        self._pay((row, place))
        return case["table"][row][place]

    def _trace(self, code, arguments):
        found = self._wish("trace", code, arguments)
        return {int(line): count for line, count in found.items()}

    def _wish(self, what, code, arguments):
        text = self._case["canonical"](tuple(arguments))
        self._pay((what, code, text))
        kept = self._case["wished"]
        if (what, code, text) not in kept:
            kept[what, code, text] = self._ask({what: [str(code), text]})
        return kept[what, code, text]

    def _pay(self, what):
        self._used.add(what)
        if len(self._used) > self._most:
            raise RuntimeError(f"more than {self._most} observations in one call")


def prepare(message, canonical, parse):
    """Return a message's case with its lookups made."""
    seen = [Seen(*pair) for pair in message["seen"]]
    visible, inputs = parse(message["visible"]), parse(message["inputs"])
    places = {}
    for place, arguments in enumerate([*visible, *inputs]):
        places.setdefault(marshal.dumps(arguments, 2), place)
    return {
        "shown": Shown(message["prompt"], message["entry_point"], message["checks"]),
        "codes": message["codes"],
        "rows": {code: row for row, code in enumerate(message["codes"])},
        "peers": message["peers"],
        "places": places,
        "table": [[seen[one] for one in row] for row in message["table"]],
        "blobs": {
            "visible_inputs": marshal.dumps(list(visible), 2),
            "inputs": marshal.dumps(list(inputs), 2),
        },
        "wished": {},
        "canonical": canonical,
    }


def plain(wanted, value):
    """Return what a call gave as a number that JSON can hold, or None."""
    if wanted == "verdict":
        known = {"FLAG": 1, "PASS": 0, "ABSTAIN": None}
        return known.get(value) if isinstance(value, str) else None
    if isinstance(value, bool | int | float) and math.isfinite(value):
        return float(value)
    return None


def call_all(case, job, left, send, ask):
    """Call one program on the candidates in `left`, sending each result at once."""
    random.seed(job["seed"])
    space = {"__name__": "operator"}
    signal.setitimer(signal.ITIMER_PROF, job["seconds"])
    try:
        exec(compile(job["source"], "operator", "exec"), space)  # noqa: S102
        entry = space[job["entry"]]
    except BaseException as error:
        return send({"broken": type(error).__name__})
    for place in left:
        send({"start": place})
        signal.setitimer(signal.ITIMER_PROF, job["seconds"])
        found, why = None, ""
        try:
            arguments = [case["shown"], case["codes"][place]]
            if job["offers"]:
                arguments.append(
                    Context(case, job["offers"], case["peers"][place], job["most"], ask)
                )
            elif job["wanted"] == "number":
                arguments.append(None)
            found = plain(job["wanted"], entry(*arguments))
        except BaseException as error:
            why = type(error).__name__
        signal.setitimer(signal.ITIMER_PROF, 0)
        send({"place": place, "found": found, "why": why})
    return send({"end": 1})


def only_files(*kept):
    """Close every other file: a program must not speak in the harness's name."""
    edges = [-1, *sorted(kept), 4096]
    for low, high in zip(edges, edges[1:], strict=False):
        os.closerange(low + 1, high)


class Child:
    """A forked process in which one program is called on one task's candidates."""

    def __init__(self, case, job, left):
        down, self.down = os.pipe()
        self.up, up = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                only_files(down, up)
                signal.signal(signal.SIGPROF, signal.SIG_DFL)
                hard = int(job["seconds"] * (len(left) + 2)) + 1
                resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))
                reader = os.fdopen(down, "rb")

                def send(value):
                    os.write(up, json.dumps(value).encode() + b"\n")

                def ask(value):
                    send(value)
                    return json.loads(reader.readline())

                call_all(case, job, left, send, ask)
            finally:
                os._exit(0)
        os.close(down)
        os.close(up)
        self.rest = b""
        self.wall = job["wall"]

    def read(self):
        """Return the child's next message; None once it died, or is too late."""
        until = time.monotonic() + self.wall
        while b"\n" not in self.rest:
            late = until - time.monotonic()
            if late <= 0 or not select.select([self.up], [], [], late)[0]:
                return None
            more = os.read(self.up, 1 << 16)
            if not more or len(self.rest) > 1 << 24:
                return None
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        try:
            message = json.loads(line)
        except ValueError:
            return None
        return message if isinstance(message, dict) else None

    def write(self, value):
        """Hand the child what it asked for."""
        data = json.dumps(value).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self.down, data) :]
        except BrokenPipeError:
            pass

    def close(self):
        """Kill the child and take its place back."""
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.close(self.up)
        os.close(self.down)
        os.waitpid(self.pid, 0)


class Bench:
    """Calls programs on tasks; see `answer`."""

    def __init__(self, canonical, parse):
        self.canonical = canonical
        self.parse = parse
        self.steps = iter(())

    def answer(self, message):
        """Return {"done": results by job}, or {"run" or "trace": [code, arguments]}."""
        if "jobs" in message:
            self.steps = self.work(message)
            return next(self.steps)
        return self.steps.send(message["outcome"])

    def work(self, message):
        """Yield wishes, being sent their outcomes, and at last the results."""
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        case = prepare(message, self.canonical, self.parse)
        results = []
        for job in message["jobs"]:
            results.append((yield from self.call(case, job)))
        yield {"done": results}

    def call(self, case, job):
        """Yield one program's wishes; return its numbers and why some are missing."""
        order = job["order"]
        found, whys, lost, left = [None] * len(case["codes"]), {}, 0, list(order)
        while left and lost < CALLS_LOST:
            child, at = Child(case, job, left), None
            try:
                while True:
                    said = child.read()
                    if said is None:
                        lost += 1
                        whys["lost"] = whys.get("lost", 0) + 1
                        left = left[left.index(at) + 1 :] if at in left else []
                        break
                    if "run" in said or "trace" in said:
                        outcome = yield said
                        case["wished"].update(wish_kept(said, outcome))
                        child.write(outcome)
                    elif "start" in said:
                        at = said["start"]
                    elif said.get("place") in left:
                        value = said.get("found")
                        if isinstance(value, int | float):
                            found[said["place"]] = value
                        if said.get("why"):
                            why = str(said["why"])[:80]
                            whys[why] = whys.get(why, 0) + 1
                    elif "broken" in said:
                        whys[str(said["broken"])[:80]] = len(left)
                        left = []
                        break
                    elif "end" in said:
                        left = []
                        break
            finally:
                child.close()
        return [found, whys]


def wish_kept(said, outcome):
    """Return an outcome under the name that later calls look it up by."""
    what = "run" if "run" in said else "trace"
    code, text = said[what]
    return {(what, code, text): outcome}
