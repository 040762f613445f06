"""Running untrusted programs where they can do no harm, and learning only what they say."""

from ._best import best_sandbox as best_sandbox
from ._bubblewrap import Bubblewrap as Bubblewrap
from ._cache import ExecutionCache as ExecutionCache
from ._cache import default_cache_path as default_cache_path
from ._cache import execution_key as execution_key
from ._jobs import Job as Job
from ._jobs import run_programs as run_programs
from ._laws import LAWS as LAWS
from ._laws import check_sandbox as check_sandbox
from ._limited import Limited as Limited
from ._limits import Limits as Limits
from ._sandbox import AbstractSandbox as AbstractSandbox
from ._values import Opaque as Opaque
from ._values import canonical as canonical
from ._values import parse as parse
from ._worker import Worker as Worker
from ._worker import WorkerError as WorkerError
from ._worker import jailed_processes as jailed_processes
