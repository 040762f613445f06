# level: 0
# claims: flags badly structured programs
def operator(task, code):
    lines = code.splitlines()
    blank = sum(not line.strip() for line in lines)
    quotes = code.count("'") - code.count('"')
    trailing = code.endswith("\n\n") or "\t" in code
    return "FLAG" if trailing or (blank and quotes > 0) or "  #" in code else "PASS"
