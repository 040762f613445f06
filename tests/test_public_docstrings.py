"""Every public name has a docstring and full annotations.

The linter is silent in underscored files, where all of the library is written, so the
public names are walked here.
"""

import importlib
import inspect
import pkgutil

import irtjax

# Operators are data: read as text, never imported, with a docstring for a whole file.
DATA = "irtjax.cegar.operators.sources."


def _packages():
    names = ["irtjax"]
    for found in pkgutil.walk_packages(irtjax.__path__, "irtjax."):
        hidden = any(part.startswith("_") for part in found.name.split("."))
        if not hidden and not found.name.startswith(DATA):
            names.append(found.name)
    return [importlib.import_module(name) for name in names]


def _public():
    """The public functions and classes by the name under which a user finds them."""
    found = {}
    for package in _packages():
        for name, value in vars(package).items():
            if name.startswith("_") or inspect.ismodule(value):
                continue
            ours = getattr(value, "__module__", "").split(".")[0] == "irtjax"
            if ours and (inspect.isclass(value) or inspect.isroutine(value)):
                found[f"{package.__name__}.{name}"] = value
    return found


def _methods(cls):
    """The public methods and properties written in a class, with their functions."""
    for name, value in vars(cls).items():
        if name.startswith("_") and name != "__call__":
            continue
        function = inspect.unwrap(
            value.fget
            if isinstance(value, property)
            else getattr(value, "__func__", value)
        )
        if inspect.isfunction(function) and function.__module__ == cls.__module__:
            yield name, function


def _has_docstring(cls, name, function):
    """Whether a method, or the abstract one that it implements, has a docstring."""
    if function.__doc__:
        return True
    parents = [vars(base)[name] for base in cls.__mro__[1:] if name in vars(base)]
    return any(inspect.getdoc(parent) for parent in parents)


def _unannotated(function):
    signature = inspect.signature(function)
    bare = [
        name
        for name, parameter in signature.parameters.items()
        if parameter.annotation is inspect.Parameter.empty
        and name not in ("self", "cls")
    ]
    if signature.return_annotation is inspect.Signature.empty:
        bare.append("the result")
    return bare


def test_there_is_something_public():
    assert "irtjax.data.BinomialResponses" in _public()


def test_every_module_has_a_docstring():
    names = [found.name for found in pkgutil.walk_packages(irtjax.__path__, "irtjax.")]
    assert [n for n in names if not importlib.import_module(n).__doc__] == []


def test_every_public_name_has_a_docstring():
    missing = []
    for path, value in _public().items():
        if not (value.__doc__ or "").strip() or _is_made_up(value):
            missing.append(path)
        if inspect.isclass(value):
            missing += [
                f"{path}.{name}"
                for name, function in _methods(value)
                if not _has_docstring(value, name, function)
                and function.__qualname__.startswith(value.__qualname__)
            ]
    assert missing == []


def _is_made_up(value):
    """Whether the docstring is the one that `dataclass` writes where there is none."""
    return inspect.isclass(value) and (value.__doc__ or "").startswith(
        f"{value.__name__}("
    )


def test_every_public_function_is_annotated():
    bare = {}
    for path, value in _public().items():
        if inspect.isclass(value):
            for name, function in _methods(value):
                if function.__qualname__.startswith(value.__qualname__):
                    bare[f"{path}.{name}"] = _unannotated(function)
        else:
            bare[path] = _unannotated(value)
    assert {path: names for path, names in bare.items() if names} == {}
