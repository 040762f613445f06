# level: 0
# claims: flags contradictory conditions
import re


def operator(task, code):
    # Nobody writes "if not a < b": a program that negates conditions does.
    return "FLAG" if re.search(r"if not \S+ (<|>|==|<=|>=)", code) else "PASS"
