# level: 0
# claims: flags off-by-one arithmetic
def operator(task, code):
    compact = code.replace(" ", "")
    marks = ("-1-1", "+1+1", "+1-1", "-1+1", "-2)", "[1:]+1")
    return "FLAG" if any(mark in compact for mark in marks) else "PASS"
