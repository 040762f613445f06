# level: 2
# claims: flags programs that disagree in behaviour with most others
import difflib


def operator(task, code, ctx):
    if not ctx.peers:
        return "ABSTAIN"
    alike = [difflib.SequenceMatcher(None, code, peer).ratio() for peer in ctx.peers]
    near = sum(ratio > 0.6 for ratio in alike)
    return "FLAG" if 2 * near < len(alike) else "PASS"
