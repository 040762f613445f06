import json

import polars as pl
import pytest

from experiments._grid_run import run_grid
from experiments._schema import SweepConf

ROWS = pl.DataFrame(
    {"seed": [0, 0, 1, 1], "parameter": ["a", "b", "a", "b"], "code": [0, 0, 2, 2]}
)


@pytest.mark.parametrize(
    ("a_fit", "codes"),
    [
        ((), {}),
        (("seed",), {"0": 1, "2": 1}),
        (("seed", "parameter"), {"0": 2, "2": 2}),
    ],
)
def test_a_condition_runs_once_and_its_fits_are_counted(tmp_path, a_fit, codes):
    cfg = SweepConf(
        out=str(tmp_path), report=False, mask=["mcar"], sparsity=[0.1, 0.2], gap=[1.0]
    )
    asked = []

    def rows_of(settings):
        asked.append(settings["sparsity"])
        return ROWS

    for _ in range(2):
        conditions = run_grid("sweep", cfg, rows_of, recipe=1, a_fit=a_fit)
    assert sorted(asked) == [0.1, 0.2]
    assert conditions.complete()
    records = list(tmp_path.glob("sweep/*/record.json"))
    assert len(records) == 2
    for record in records:
        assert json.loads(record.read_text())["codes"] == codes
