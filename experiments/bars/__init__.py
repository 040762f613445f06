"""The full-size bars of each issue, one module each: `issue<ISSUE>_bar<N>.py`.

A module has `measure()`, which takes as long as it needs, uses real data and returns a
`Measurement`. `scripts/bars ISSUE` runs them, each in a fresh process.
"""

from ._measurement import Measurement as Measurement
