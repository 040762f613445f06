# level: 1
# claims: flags programs that crash on an empty argument
def operator(task, code, ctx):
    guarded = "if not " in code or "len(" in code
    loops = code.count("for ") + code.count("while ")
    if loops and not guarded:
        return "FLAG"
    return "PASS"
