"""Tasks, answers and labels: read from published formats, checked, perturbed, judged."""

from ._answers import Answers as Answers
from ._answers import read_answers as read_answers
from ._candidates import make_cases as make_cases
from ._candidates import read_candidates as read_candidates
from ._candidates import read_samples as read_samples
from ._checks import check_inputs as check_inputs
from ._checks import checks_met as checks_met
from ._checks import make_check as make_check
from ._conversion import Conversion as Conversion
from ._conversion import conversion as conversion
from ._docstring import docstring_checks as docstring_checks
from ._equality import close as close
from ._equality import is_right as is_right
from ._evalplus import Benchmark as Benchmark
from ._evalplus import read_evalplus as read_evalplus
from ._evalplus import with_inputs as with_inputs
from ._expressions import NotReadableError as NotReadableError
from ._expressions import calls as calls
from ._expressions import holds as holds
from ._label import Bench as Bench
from ._label import Verdict as Verdict
from ._label import label_cases as label_cases
from ._label import sound_checks as sound_checks
from ._oracle import Oracle as Oracle
from ._perturb import perturb as perturb
