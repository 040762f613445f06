"""Report stored grids: `python -m experiments.report`, `name=sd150` for one.

Reads records alone and computes nothing that they do not hold: tables as Parquet,
figures as SVG and PNG, and one self-contained HTML page.
"""

from pathlib import Path

from . import (
    _active_report,
    _cegar_report,
    _domain_report,
    _failure_report,
    _interval_report,
    _real_masked_report,
    _records,
    _runtime,
    _sweep_report,
)
from ._schema import ReportConf, SettingsError, nearest

REPORTS = {
    "sweep": _sweep_report.write_files,
    "intervals": _interval_report.write_files,
    "active": _active_report.write_files,
    "failures": _failure_report.write_files,
    "domains": _domain_report.write_files,
    "cegar": _cegar_report.write_files,
    "real_masked": _real_masked_report.write_files,
}
"""What writes an application's report."""


@_runtime.application("report")
def main(cfg: ReportConf) -> None:
    """Write the report of every stored grid, or of the one that is named."""
    out = Path(cfg.out)
    grids = {path.stem: path for path in sorted((out / "grids").glob("*.json"))}
    if not grids:
        raise SettingsError(
            f"No grid was run into '{out}': python -m experiments.sweep +grid=sd150."
        )
    if cfg.name and cfg.name not in grids:
        raise SettingsError(f"No grid '{cfg.name}' was run.{nearest(cfg.name, grids)}")
    for path in [grids[cfg.name]] if cfg.name else grids.values():
        print(f"Report: {write_report(path, out)}")


def write_report(grid: Path, out: Path) -> Path:
    """Write a grid's report and return the HTML file.

    Args:
        grid: the file that lists its conditions.
        out: the folder that holds records and reports.
    """
    stored = _records.load_grid(grid, out)
    write = REPORTS[stored.application]
    return write(stored.name, stored.conditions, out / "reports")


if __name__ == "__main__":
    main()
