"""Results as evaluation tools write them, read into tables: files and folders."""

from ._evalplus import read_evalplus as read_evalplus
from ._helm import read_helm as read_helm
from ._inspect import read_inspect as read_inspect
from ._lm_eval import read_lm_eval as read_lm_eval
from ._results import Format as Format
from ._results import detect_format as detect_format
from ._results import read_results as read_results
from ._runs import NotScored as NotScored
from ._swe_bench import read_swe_bench as read_swe_bench
