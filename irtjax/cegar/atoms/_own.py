"""Atoms of an answer's own behaviour, over the visible and the perturbed inputs.

A value's text is canonical JSON (`irtjax.cegar.sandbox` says how), so equal texts are
equal values. Each function stands alone: rendered operators carry its text.
"""

from ._seen import Context, Shown, Value


def visible_errors(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the visible inputs on which it returns no value."""
    kinds = [ctx.run(code, arguments).kind for arguments in ctx.visible_inputs]
    return sum(kind != "value" for kind in kinds) / len(kinds) if kinds else None


def visible_empty(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the visible inputs on which it returns None or something empty."""
    empty = {"null", '""', "[]", '{"tuple":[]}', '{"dict":[]}', '{"set":[]}'}
    seen = [ctx.run(code, arguments) for arguments in ctx.visible_inputs]
    return sum(one.text in empty for one in seen) / len(seen) if seen else None


def visible_written(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the visible outputs that stand in the program as a constant."""
    import ast
    import json

    constants = {
        json.dumps(node.value)
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Constant) and type(node.value) in (int, float, str)
    }
    seen = [ctx.run(code, arguments).text for arguments in ctx.visible_inputs]
    plain = {"0", "1", "2", '""'}
    found = sum(text in constants and text not in plain for text in seen)
    return found / len(seen) if seen else None


def errors(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the perturbed inputs on which it raises."""
    kinds = [ctx.run(code, arguments).kind for arguments in ctx.inputs]
    return sum(kind == "error" for kind in kinds) / len(kinds) if kinds else None


def kinds_of_error(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Number of different exceptions that it raises on perturbed inputs."""
    seen = [ctx.run(code, arguments) for arguments in ctx.inputs]
    return len({one.text for one in seen if one.kind == "error"}) if seen else None


def timeouts(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the perturbed inputs on which it uses up its time, or its process dies."""
    kinds = [ctx.run(code, arguments).kind for arguments in ctx.inputs]
    late = sum(kind in ("timeout", "crash") for kind in kinds)
    return late / len(kinds) if kinds else None


def returns_none(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the perturbed inputs on which it returns None."""
    seen = [ctx.run(code, arguments) for arguments in ctx.inputs]
    return sum(one.text == "null" for one in seen) / len(seen) if seen else None


def returns_empty(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the perturbed inputs on which it returns an empty text or container."""
    empty = {'""', "[]", '{"tuple":[]}', '{"dict":[]}', '{"set":[]}'}
    seen = [ctx.run(code, arguments) for arguments in ctx.inputs]
    return sum(one.text in empty for one in seen) / len(seen) if seen else None


def returns_bool(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the perturbed inputs on which it returns True or False."""
    seen = [ctx.run(code, arguments) for arguments in ctx.inputs]
    found = sum(one.text in ("true", "false") for one in seen)
    return found / len(seen) if seen else None


def distinct_outputs(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Number of different outputs, as a share of the perturbed inputs."""
    seen = [ctx.run(code, arguments) for arguments in ctx.inputs]
    texts = {one.text for one in seen if one.kind == "value"}
    return len(texts) / len(seen) if seen else None


def commonest_output(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the perturbed inputs on which it gives its commonest output."""
    seen = [ctx.run(code, arguments) for arguments in ctx.inputs]
    texts = [(one.kind, one.text) for one in seen]
    return max(map(texts.count, set(texts))) / len(texts) if texts else None


def types_of_output(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Number of different types that it returns over all inputs, None left out."""
    import json

    found = set()
    for arguments in [*ctx.visible_inputs, *ctx.inputs]:
        one = ctx.run(code, arguments)
        if one.kind == "value" and one.text != "null":
            value = json.loads(one.text)
            kind = type(value).__name__
            found.add(next(iter(value)) if kind == "dict" else kind)
    return len(found)


def new_type(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of perturbed inputs with an output of a type that no visible one has."""
    import json

    def kind_of(one):
        if one.kind != "value":
            return one.kind
        value = json.loads(one.text)
        return next(iter(value)) if isinstance(value, dict) else type(value).__name__

    known = {kind_of(ctx.run(code, arguments)) for arguments in ctx.visible_inputs}
    kinds = [kind_of(ctx.run(code, arguments)) for arguments in ctx.inputs]
    return sum(kind not in known for kind in kinds) / len(kinds) if kinds else None


def echoes(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the perturbed inputs on which it returns one of its arguments."""
    import json

    found = 0
    for arguments in ctx.inputs:
        one = ctx.run(code, arguments)
        if one.kind == "value":
            value = json.loads(one.text)
            if isinstance(value, dict) and "tuple" in value:
                value = value["tuple"]
            same = [
                list(argument) if isinstance(argument, tuple) else argument
                for argument in arguments
            ]
            found += any(type(x) is type(value) and x == value for x in same)
    return found / len(ctx.inputs) if ctx.inputs else None


def ignored_arguments(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Number of arguments whose change alone never changed the output.

    Only arguments that some two inputs differ in alone are counted.
    """
    outputs = {}
    for arguments in [*ctx.visible_inputs, *ctx.inputs]:
        one = ctx.run(code, arguments)
        outputs[tuple(map(repr, arguments))] = (one.kind, one.text)
    ignored = 0
    for place in range(max(map(len, outputs), default=0)):
        groups = {}
        for arguments, output in outputs.items():
            rest = arguments[:place] + arguments[place + 1 :]
            groups.setdefault((len(arguments), rest), []).append(output)
        groups = [group for group in groups.values() if len(group) > 1]
        ignored += bool(groups) and all(len(set(group)) == 1 for group in groups)
    return ignored


def falls(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of neighbours with a smaller output for a larger number; else unknown."""
    import itertools
    import json

    points = []
    for arguments in [*ctx.visible_inputs, *ctx.inputs]:
        one = ctx.run(code, arguments)
        value = json.loads(one.text) if one.kind == "value" else None
        point = (*arguments, value)
        if len(point) == 2 and all(type(one) in (int, float) for one in point):
            points.append(point)
    pairs = list(itertools.pairwise(sorted(set(points))))
    return sum(b[1] < a[1] for a, b in pairs) / len(pairs) if pairs else None
