"""Atoms that compare an answer with other answers to the same task.

Answers are compared by their outputs on the perturbed inputs. A majority is more than
half of the peers; one that ran out of time has no vote. Each function stands alone:
rendered operators carry its text.
"""

from ._seen import Context, Shown, Value


def same_behaviour(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the peers with the same output on every perturbed input."""
    inputs, peers = ctx.inputs, ctx.peers

    def outputs(program):
        return [ctx.run(program, arguments) for arguments in inputs]

    own = outputs(code)
    same = {peer: outputs(peer) == own for peer in set(peers)}
    return sum(same[peer] for peer in peers) / len(peers) if peers else None


def same_on_visible(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the peers with the same output on every visible input."""
    inputs, peers = ctx.visible_inputs, ctx.peers

    def outputs(program):
        return [ctx.run(program, arguments) for arguments in inputs]

    own = outputs(code)
    same = {peer: outputs(peer) == own for peer in set(peers)}
    return sum(same[peer] for peer in peers) / len(peers) if peers else None


def rank_of_behaviour(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Number of behaviours that more answers share than the own one, plus 1."""
    inputs, peers = ctx.inputs, ctx.peers

    def outputs(program):
        return tuple(ctx.run(program, arguments) for arguments in inputs)

    known = {program: outputs(program) for program in {code, *peers}}
    every = [known[program] for program in [code, *peers]]
    sizes = {behaviour: every.count(behaviour) for behaviour in set(every)}
    return 1 + sum(size > sizes[known[code]] for size in sizes.values())


def behaviours(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Number of different behaviours among all answers, as a share of the answers."""
    inputs, peers = ctx.inputs, ctx.peers

    def outputs(program):
        return tuple(ctx.run(program, arguments) for arguments in inputs)

    return len({outputs(program) for program in {code, *peers}}) / (1 + len(peers))


def largest_behaviour(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the peers that have the behaviour commonest among them."""
    inputs, peers = ctx.inputs, ctx.peers

    def outputs(program):
        return tuple(ctx.run(program, arguments) for arguments in inputs)

    known = {program: outputs(program) for program in set(peers)}
    every = [known[program] for program in peers]
    return max(map(every.count, set(every))) / len(every) if every else None


def differs_from_majority(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the perturbed inputs on which most peers agree, and it differs."""
    peers, found = ctx.peers, 0
    for arguments in ctx.inputs:
        own = ctx.run(code, arguments)
        seen = {peer: ctx.run(peer, arguments) for peer in set(peers)}
        votes = [seen[peer] for peer in peers if seen[peer].kind != "timeout"]
        most = max(set(votes), key=votes.count, default=own)
        found += own != most and votes.count(most) > len(peers) / 2
    return found / len(ctx.inputs) if peers and ctx.inputs else None


def differs_where_sure(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the inputs on which nine in ten peers agree, on which it differs."""
    peers, sure, found = ctx.peers, 0, 0
    for arguments in ctx.inputs:
        own = ctx.run(code, arguments)
        seen = {peer: ctx.run(peer, arguments) for peer in set(peers)}
        votes = [seen[peer] for peer in peers if seen[peer].kind != "timeout"]
        most = max(set(votes), key=votes.count, default=own)
        if votes.count(most) >= 0.9 * len(peers) and peers:
            sure += 1
            found += own != most
    return found / sure if sure else None


def weight_of_difference(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Mean over the inputs of the vote for the commonest output, where it differs."""
    peers, found = ctx.peers, 0.0
    for arguments in ctx.inputs:
        own = ctx.run(code, arguments)
        seen = {peer: ctx.run(peer, arguments) for peer in set(peers)}
        votes = [seen[peer] for peer in peers if seen[peer].kind != "timeout"]
        most = max(map(votes.count, set(votes)), default=0)
        found += most / len(peers) if votes.count(own) < most else 0.0
    return found / len(ctx.inputs) if peers and ctx.inputs else None


def mean_agreement(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Mean over the perturbed inputs of the share of peers with the same output."""
    peers, found = ctx.peers, 0
    for arguments in ctx.inputs:
        own = ctx.run(code, arguments)
        same = {peer: ctx.run(peer, arguments) == own for peer in set(peers)}
        found += sum(same[peer] for peer in peers)
    return found / len(peers) / len(ctx.inputs) if peers and ctx.inputs else None


def least_agreement(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Least share of peers with the same output, over the perturbed inputs."""
    peers, least = ctx.peers, 1.0
    for arguments in ctx.inputs:
        own = ctx.run(code, arguments)
        same = {peer: ctx.run(peer, arguments) == own for peer in set(peers)}
        least = (
            min(least, sum(same[peer] for peer in peers) / len(peers)) if peers else 1.0
        )
    return least if peers and ctx.inputs else None


def alone(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the perturbed inputs with an output that no peer gives."""
    peers, found = set(ctx.peers), 0
    for arguments in ctx.inputs:
        own = ctx.run(code, arguments)
        found += all(ctx.run(peer, arguments) != own for peer in peers)
    return found / len(ctx.inputs) if peers and ctx.inputs else None


def raises_alone(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the perturbed inputs on which it raises, and most peers do not."""
    peers, found = ctx.peers, 0
    for arguments in ctx.inputs:
        if ctx.run(code, arguments).kind == "error":
            fine = {p: ctx.run(p, arguments).kind == "value" for p in set(peers)}
            found += sum(fine[peer] for peer in peers) > len(peers) / 2
    return found / len(ctx.inputs) if peers and ctx.inputs else None


def answers_alone(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the perturbed inputs on which it returns, and most peers raise."""
    peers, found = ctx.peers, 0
    for arguments in ctx.inputs:
        if ctx.run(code, arguments).kind == "value":
            raising = {p: ctx.run(p, arguments).kind == "error" for p in set(peers)}
            found += sum(raising[peer] for peer in peers) > len(peers) / 2
    return found / len(ctx.inputs) if peers and ctx.inputs else None


def other_type(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the perturbed inputs with an output of another type than most peers'."""
    import json

    def kind_of(one):
        if one.kind != "value":
            return one.kind
        value = json.loads(one.text)
        return next(iter(value)) if isinstance(value, dict) else type(value).__name__

    peers, found = ctx.peers, 0
    for arguments in ctx.inputs:
        own = kind_of(ctx.run(code, arguments))
        kinds = {peer: kind_of(ctx.run(peer, arguments)) for peer in set(peers)}
        votes = [kinds[peer] for peer in peers if kinds[peer] != "timeout"]
        most = max(set(votes), key=votes.count, default=own)
        found += own != most and votes.count(most) > len(peers) / 2
    return found / len(ctx.inputs) if peers and ctx.inputs else None


def fewer_outputs(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Different outputs that the middle peer has more of, as a share of the inputs."""
    inputs, peers = ctx.inputs, ctx.peers

    def outputs(program):
        return len({ctx.run(program, arguments) for arguments in inputs})

    known = {program: outputs(program) for program in {code, *peers}}
    middle = sorted(known[peer] for peer in peers)[len(peers) // 2] if peers else 0
    return (middle - known[code]) / len(inputs) if peers and inputs else None


def same_shape(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the peers whose syntax tree has the same kinds of nodes in order."""
    import ast

    def shape(program):
        try:
            tree = ast.parse(program)
        except (SyntaxError, ValueError):
            return None
        return [type(node).__name__ for node in ast.walk(tree)]

    own = shape(code)
    same = {peer: shape(peer) == own for peer in set(ctx.peers)}
    return (
        sum(same[peer] for peer in ctx.peers) / len(ctx.peers)
        if own and ctx.peers
        else None
    )


def size_beside_peers(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Its nodes of the syntax tree, by those of the middle peer."""
    import ast

    def size(program):
        try:
            return sum(1 for _ in ast.walk(ast.parse(program)))
        except (SyntaxError, ValueError):
            return 0

    sizes = sorted(filter(None, map(size, ctx.peers)))
    return size(code) / sizes[len(sizes) // 2] if sizes else None
