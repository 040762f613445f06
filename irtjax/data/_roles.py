"""What a column holds, by its name or by the caller's word."""

from collections.abc import Hashable

from ._columns import Frame
from ._source import DataError

# Names by which the columns of a file tell what they hold.
SYSTEM_NAMES = (
    "system", "system_id", "system_name", "model", "model_id", "model_name", "method",
    "respondent", "respondent_id", "subject", "subject_id", "agent", "policy", "person",
    "person_id", "student", "student_id", "user", "user_id", "participant", "examinee",
    "submission", "candidate", "team", "player",
)  # fmt: skip
ITEM_NAMES = (
    "item", "item_id", "item_name", "task", "task_id", "task_name", "question",
    "question_id", "problem", "problem_id", "index", "example", "example_id",
    "instance", "instance_id", "prompt", "prompt_id", "benchmark", "dataset", "doc_id",
    "sample_id", "test", "test_id", "query", "query_id",
)  # fmt: skip
SUCCESS_NAMES = (
    "score", "correct", "is_correct", "label", "response", "accuracy", "acc", "value",
    "outcome", "result", "success", "passed", "pass_rate", "success_rate", "grade",
)  # fmt: skip
FAILURE_NAMES = (
    "error", "is_error", "error_rate", "failure", "failed", "failure_rate", "incorrect",
    "wrong",
)  # fmt: skip
SCORE_NAMES = SUCCESS_NAMES + FAILURE_NAMES
COUNT_NAMES = ("successes", "n_successes", "passes", "n_correct", "num_correct", "k")
TRIALS_NAMES = (
    "trials", "n_trials", "n", "samples", "n_samples", "num_samples", "attempts",
    "n_attempts", "episodes", "n_episodes",
)  # fmt: skip
ROW_NUMBER_NAMES = ("", "Unnamed: 0", "__index_level_0__")


def role_column(
    frame: Frame, role: str, given: Hashable | None, names: tuple[str, ...]
) -> Hashable:
    """Return the one column that plays a role, as `optional_role_column`.

    Raises:
        DataError: if no column, or more than one, is named as the role's columns are.
    """
    found = optional_role_column(frame, role, given, names)
    if found is None:
        listed = ", ".join(repr(label) for label in frame.columns)
        raise DataError(
            f"{frame.source.name}: no column for the {role} among {listed}. Name it "
            f"with {role}=."
        )
    return found


def optional_role_column(
    frame: Frame, role: str, given: Hashable | None, names: tuple[str, ...]
) -> Hashable | None:
    """Return the column given, or the one with a usual name; None if there is none."""
    if given is not None:
        return require_column(frame, role, given)
    found = columns_named(frame, names)
    if len(found) > 1:
        raise DataError(
            f"{frame.source.name}: columns {found[0]!r} and {found[1]!r} could both be "
            f"the {role}. Name one with {role}=."
        )
    return found[0] if found else None


def require_column(frame: Frame, role: str, column: Hashable) -> Hashable:
    """Return `column`, which the frame must have."""
    if column not in frame.columns:
        listed = ", ".join(repr(label) for label in frame.columns)
        raise DataError(
            f"{frame.source.name}: there is no column {column!r} for the {role}; the "
            f"columns are {listed}."
        )
    return column


def columns_named(frame: Frame, names: tuple[str, ...]) -> list[Hashable]:
    """Return the columns whose plain name is one of `names`."""
    return [label for label in frame.columns if plain_name(label) in names]


def plain_name(label: Hashable) -> str:
    """Return a label in the form that the lists of names use; "" if it is not text."""
    if not isinstance(label, str):
        return ""
    return label.strip().lower().replace(" ", "_").replace("-", "_")
