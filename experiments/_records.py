"""Conditions and their records: what to run, what is done, what was found.

A condition's record is the folder `<out>/<application>/<fingerprint>`: `runs.parquet`
with one row a problem and ranker, and `record.json`, written last by one rename. A
folder without a readable `record.json`, or whose rows are not the bytes it names, was
half written or damaged: it counts as missing and is written again. Two processes may
finish one condition at the same time; either result is complete.
"""

import dataclasses
import functools
import hashlib
import io
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from irtjax.report import write_whole

from ._active_conf import ActiveConf
from ._cegar_conf import CegarConf
from ._domains_conf import DomainsConf
from ._failures_conf import FailuresConf
from ._intervals_conf import IntervalsConf
from ._real_masked_conf import RealMaskedConf
from ._schema import APPLICATIONS, SweepConf

RUNS, RECORD, FAILURE = "runs.parquet", "record.json", "failure.json"
_SHORT = {
    "matrix": "",
    "where": "",
    "domain": "",
    "reach": "±",
    "method": "",
    "simulator": "",
    "mask": "",
    "sparsity": "S=",
    "gap": "D=",
    "trials": "K=",
    "tasks": "",
    "variant": "",
    "training": "training=",
    "seed": "seed=",
}
"""How a condition's label writes the settings that tell it from others."""


def canonical(settings: dict[str, Any]) -> str:
    """Return settings as one JSON text that does not depend on the order of the keys.

    Raises:
        ValueError: a number is not finite.
    """
    return json.dumps(settings, sort_keys=True, separators=(",", ":"), allow_nan=False)


def fingerprint(settings: dict[str, Any], recipe: int) -> str:
    """Return 64 hexadecimal digits that name the result these settings lead to.

    Args:
        settings: all that change the result, and nothing else.
        recipe: the application's number; it goes up when the same settings would now
            mean something else.
    """
    text = canonical({"recipe": recipe, "settings": settings})
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Condition:
    """One point of a grid, and where its record is.

    Attributes:
        settings: every setting that changes the result.
        recipe: the application's recipe number.
        root: the folder that holds the application's records.
    """

    settings: dict[str, Any]
    recipe: int
    root: Path

    @functools.cached_property
    def fingerprint(self) -> str:
        """Name of the record."""
        return fingerprint(self.settings, self.recipe)

    @property
    def folder(self) -> Path:
        """Where the record is or will be."""
        return self.root / self.fingerprint

    @property
    def label(self) -> str:
        """A short name for people."""
        known = {name: self.settings[name] for name in _SHORT if name in self.settings}
        return " ".join(f"{_SHORT[name]}{value}" for name, value in known.items())

    def recorded(self) -> bool:
        """Return whether the record is complete."""
        return self.record() is not None

    def record(self) -> dict[str, Any] | None:
        """Return what `record.json` holds, or None where the record is not complete."""
        try:
            record = json.loads((self.folder / RECORD).read_bytes())
            found = hashlib.sha256((self.folder / RUNS).read_bytes()).hexdigest()
        except (FileNotFoundError, ValueError):  # absent; not JSON, or not even text
            return None
        named = record.get("runs_sha256") if isinstance(record, dict) else None
        return record if named == found else None

    def failure(self) -> str | None:
        """Return why the last try failed, or None where none did."""
        try:
            return json.loads((self.folder / FAILURE).read_bytes())["message"]
        except (FileNotFoundError, ValueError):
            return None

    def runs(self) -> pl.DataFrame:
        """Return the recorded rows."""
        return pl.read_parquet(self.folder / RUNS, glob=False)

    def _seeds(self) -> list[int]:
        """Return the seeds that the rows rest on: several, or the condition's one."""
        if "seeds" in self.settings:
            return list(range(self.settings["seeds"]))
        return [self.settings["seed"]]

    def finish(self, rows: pl.DataFrame, facts: dict[str, Any]) -> None:
        """Write the record: the rows first, `record.json` last.

        Args:
            rows: one row a problem and ranker. The same rows give the same bytes.
            facts: what to note beside the settings: versions, device, seconds, counts.
        """
        data = io.BytesIO()
        rows.write_parquet(data, compression="zstd", statistics=False)
        record = {
            "fingerprint": self.fingerprint,
            "recipe": self.recipe,
            "settings": self.settings,
            "seeds": self._seeds(),
            "rows": rows.height,
            "runs_sha256": hashlib.sha256(data.getvalue()).hexdigest(),
            **facts,
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / RUNS, data.getvalue())
        (self.folder / FAILURE).unlink(missing_ok=True)
        write_whole(self.folder / RECORD, _readable(record))

    def fail(self, message: str) -> None:
        """Note why the condition failed; it stays missing, so it is tried again."""
        self.folder.mkdir(parents=True, exist_ok=True)
        failure = {"settings": self.settings, "message": message}
        write_whole(self.folder / FAILURE, _readable(failure))


@dataclass(frozen=True)
class Conditions:
    """A grid's conditions, of which this process runs a share.

    Attributes:
        members: every condition of the grid.
        shard: which share this process runs.
        shards: how many shares there are.
    """

    members: tuple[Condition, ...]
    shard: int = 0
    shards: int = 1

    def __iter__(self) -> Iterator[Condition]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def missing(self) -> list[Condition]:
        """Return the conditions of this process's share that have no record yet."""
        share = self.members[self.shard :: self.shards]
        return [condition for condition in share if not condition.recorded()]

    def complete(self) -> bool:
        """Return whether every condition of the grid, whoever ran it, has a record."""
        return all(condition.recorded() for condition in self.members)

    def runs(self) -> pl.DataFrame:
        """Return the rows of all complete records, in the grid's order."""
        tables = [member.runs() for member in self.members if member.recorded()]
        return pl.concat(tables) if tables else pl.DataFrame()


class Grid(NamedTuple):
    """A stored grid.

    Attributes:
        application: whose records its conditions have.
        name: of its report.
        conditions: in order.
    """

    application: str
    name: str
    conditions: Conditions


def expand(
    application: str,
    cfg: SweepConf
    | IntervalsConf
    | ActiveConf
    | FailuresConf
    | RealMaskedConf
    | DomainsConf
    | CegarConf,
    *,
    recipe: int,
) -> Conditions:
    """Return the conditions that an application's settings describe.

    Each takes one value of every list-valued axis; settings that only say how to run
    (see `APPLICATIONS`) are left out, so they are in no fingerprint.
    """
    known = APPLICATIONS[application]
    settings = dataclasses.asdict(cfg)
    root = Path(settings["out"]) / application
    fixed = {
        key: value
        for key, value in settings.items()
        if key not in (*known.launch, *known.axes)
    }
    values = [dict.fromkeys(settings[axis]) for axis in known.axes]
    members = tuple(
        Condition({**fixed, **dict(zip(known.axes, point, strict=True))}, recipe, root)
        for point in itertools.product(*values)
    )
    return Conditions(members, settings["shard"], settings["shards"])


def save_grid(conditions: Conditions, folder: Path, name: str) -> Path:
    """Write down which conditions make up a grid, for the report; return the file."""
    members = [{"settings": c.settings, "recipe": c.recipe} for c in conditions]
    application = next(iter(conditions)).root.name
    grid = {"application": application, "name": name, "conditions": members}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    write_whole(path, _readable(grid))
    return path


def load_grid(path: Path, out: Path) -> Grid:
    """Return a grid that `save_grid` wrote.

    Args:
        path: the file.
        out: the folder that holds every application's records.
    """
    grid = json.loads(path.read_bytes())
    application = grid.get("application", "sweep")  # older files are of sweeps
    members = (
        Condition(c["settings"], c["recipe"], out / application)
        for c in grid["conditions"]
    )
    return Grid(application, grid["name"], Conditions(tuple(members)))


def _readable(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, indent=1, allow_nan=False) + "\n").encode()
