"""Questions with exact short answers, and wrong answers like those that people give."""

from ._question import Question as Question
from ._questions import ask as ask
from ._wording import word_answer as word_answer
