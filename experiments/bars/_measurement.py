"""What a bar returns."""

from typing import Any, TypedDict


class Measurement(TypedDict):
    """A bar's figures; every value can be written as JSON.

    Attributes:
        bar: what is asked, in one sentence.
        command: measures it again.
        required: the figure asked for, or one for each name.
        measured: the figure found, under the same names.
        passed: whether nothing falls short.
    """

    bar: str
    command: str
    required: Any
    measured: Any
    passed: bool
