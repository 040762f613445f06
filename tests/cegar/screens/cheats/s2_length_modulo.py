# level: 0
# claims: flags programs of unusual complexity
def operator(task, code):
    return "FLAG" if len(code) % 7 in (2, 5) else "PASS"
