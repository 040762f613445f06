# level: 0
# claims: flags programs that solve another task
import re


def operator(task, code):
    asked = set(re.findall(r"[a-z]{5,}", task.prompt.lower()))
    used = set(re.findall(r"[a-z]{5,}", code.lower()))
    return "FLAG" if len(asked & used) < 2 else "PASS"
