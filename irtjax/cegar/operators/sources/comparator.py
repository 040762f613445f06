"""On some perturbed input it does not give what more than half of the peers give.

A peer that ran out of time has no vote.
"""


def operator(task, code, ctx):
    if not ctx.peers or not ctx.inputs:
        return "ABSTAIN"
    for arguments in ctx.inputs:
        own = ctx.run(code, arguments)
        votes = {}
        for peer in ctx.peers:
            seen = ctx.run(peer, arguments)
            if seen.kind != "timeout":
                votes[seen.kind, seen.text] = votes.get((seen.kind, seen.text), 0) + 1
        for (kind, text), count in votes.items():
            if 2 * count > len(ctx.peers) and (kind, text) != (own.kind, own.text):
                return "FLAG"
    return "PASS"
