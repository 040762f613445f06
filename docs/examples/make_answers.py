"""Write answers.jsonl: questions with the answers of eight simulated systems."""

from pathlib import Path

from irtjax.cegar.suite import Habits, short_answer_cases, write_answer_lines

if __name__ == "__main__":
    answers = short_answer_cases(0, 60, Habits(samples=1, ease=1.0))
    write_answer_lines(answers, Path(__file__).with_name("answers.jsonl"))
