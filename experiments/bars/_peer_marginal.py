"""Times another program on a table, in an interpreter of its own.

Run by `issue4_bar2.py` with the Python that has the other programs, which need not have
this library: `PYTHON _peer_marginal.py girth|mirt TABLES.npy`. TABLES.npy holds one
table, or a stack of tables, of 0, 1 and -1 for not observed. Prints one line of JSON.
"""

import json
import sys
import time

import numpy as np


def girth_jml(tables: np.ndarray) -> dict:
    """Fit one table by joint maximum likelihood and score its systems."""
    import girth  # pyright: ignore[reportMissingImports]

    table = tables.astype(int)
    tagged = girth.tag_missing_data(table.T, [0, 1])
    begin, wall = time.process_time(), time.perf_counter()
    found = girth.twopl_jml(tagged)
    fitted, fitted_wall = time.process_time(), time.perf_counter()
    ability = girth.ability_eap(tagged, found["Difficulty"], found["Discrimination"])
    return {
        "version": "girth 0.8.0",
        "cpu_fit": fitted - begin,
        "wall_fit": fitted_wall - wall,
        "cpu_fit_and_scores": time.process_time() - begin,
        "ability": np.asarray(ability).tolist(),
    }


def mirt_serial(tables: np.ndarray) -> dict:
    """Fit a stack of tables one after the other, without standard errors."""
    import mirt  # pyright: ignore[reportMissingImports]

    def fit(table: np.ndarray):
        return mirt.fit_mirt(table, "2PL", compute_standard_errors=False)

    fit(tables[0].astype(int))
    wall, begin = time.perf_counter(), time.process_time()
    failed = 0
    for table in tables.astype(int):
        try:
            fit(table)
        except mirt.MirtError:
            failed += 1
    return {
        "version": "mirt 1.2.0",
        "wall_per_table": (time.perf_counter() - wall) / len(tables),
        "cpu_per_table": (time.process_time() - begin) / len(tables),
        "failed": failed,
    }


if __name__ == "__main__":
    way = {"girth": girth_jml, "mirt": mirt_serial}[sys.argv[1]]
    print(json.dumps(way(np.load(sys.argv[2]))))
