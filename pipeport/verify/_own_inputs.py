"""Whether a user's two functions take the inputs that were named for them."""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Callable, Iterable
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from pipeport.errors import OutsideDomain, explain

Parameters = list[inspect.Parameter]
_P = inspect.Parameter
_BY_NAME = (_P.POSITIONAL_OR_KEYWORD, _P.KEYWORD_ONLY)
_BY_PLACE = (_P.POSITIONAL_ONLY, _P.POSITIONAL_OR_KEYWORD)


def parameters_of(function: Callable[..., Any]) -> Parameters | None:
    """Return the parameters of a function, or None where they cannot be known."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some builtins
        return None


def parameters_in_source(module: str, name: str) -> Parameters | None:
    """Return the parameters of `module.name` from its source, or None; nothing is imported.

    Known are functions that stand once at the top of a module, undecorated: what is importing TensorFlow
    takes seconds, and a misspelt input is told before.
    """
    source = _source_of(module)
    if source is None:
        return None
    try:
        tree = ast.parse(source.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):  # the import will say so
        return None
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    if len(found) != 1 or found[0].decorator_list or name in _bound_otherwise(tree):
        return None
    return _parameters(found[0].args)


def _source_of(module: str) -> Path | None:
    """Return the file of a module, found along its packages without importing them."""
    folders = None
    origin = None
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        try:
            spec = PathFinder.find_spec(".".join(parts[:length]), folders)
        except KeyError:  # a folder without __init__.py inside another one: known once that is imported
            return None
        if spec is None:
            return None
        folders, origin = spec.submodule_search_locations, spec.origin
    return Path(origin) if origin and origin.endswith(".py") else None


def _bound_otherwise(tree: ast.Module) -> set[str]:
    """Return the names that are assigned or imported anywhere in a module."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
    return names


def _parameters(given: ast.arguments) -> Parameters:
    placed = [*given.posonlyargs, *given.args]
    defaults = [*[None] * (len(placed) - len(given.defaults)), *given.defaults]
    found = []
    for index, (one, default) in enumerate(zip(placed, defaults, strict=True)):
        kind = _P.POSITIONAL_ONLY if index < len(given.posonlyargs) else _P.POSITIONAL_OR_KEYWORD
        found.append(_P(one.arg, kind, default=_P.empty if default is None else default))
    found += [_P(given.vararg.arg, _P.VAR_POSITIONAL)] if given.vararg else []
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        found.append(_P(one.arg, _P.KEYWORD_ONLY, default=_P.empty if default is None else default))
    return [*found, *([_P(given.kwarg.arg, _P.VAR_KEYWORD)] if given.kwarg else [])]


def check_names(names: Iterable[str], functions: Iterable[tuple[str, Parameters | None]]) -> None:
    """Raise unless the functions take these inputs, and need no others.

    `functions`: name and parameters of each function; None where they are not known.
    """
    given = list(names)
    both = list(functions)
    known = [(name, parameters) for name, parameters in both if parameters is not None]
    taken = [[name for name in given if _takes(parameters, name)] for _, parameters in known]
    strangers = [name for name in given if not any(name in own for own in taken)]
    # Where no name fits, all inputs are given by place.
    if len(known) == len(both) and strangers and any(taken):
        function, parameters = known[max(range(len(known)), key=lambda index: len(taken[index]))]
        _refuse_stranger(strangers[0], function, [p.name for p in parameters if p.kind in _BY_NAME])
    for (name, parameters), names_taken in zip(known, taken, strict=True):
        by_name = len(names_taken) == len(given)
        missing = [p.name for p in _needed(parameters, given, by_name=by_name)]
        if missing:
            advice = (
                f"Add {_listed(missing)} to the inputs, for instance `{missing[0]}: float32[H,W,3] in [0,1]`."
            )
            allowed = f"inputs for all that {name} needs: also {_listed(missing)}"
            raise OutsideDomain(explain("inputs", _listed(given), allowed, advice))


def _takes(parameters: Parameters, name: str) -> bool:
    return any(p.kind is _P.VAR_KEYWORD or (p.name == name and p.kind in _BY_NAME) for p in parameters)


def _needed(parameters: Parameters, given: list[str], *, by_name: bool) -> Parameters:
    """Return the parameters without a default that get no input."""
    needed = [p for p in parameters if p.default is _P.empty and p.kind in {*_BY_NAME, *_BY_PLACE}]
    if by_name:
        return [p for p in needed if p.name not in given]
    placed = [p for p in parameters if p.kind in _BY_PLACE][: len(given)]
    return [p for p in needed if p not in placed]


def _refuse_stranger(name: str, function: str, parameters: list[str]) -> None:
    near = difflib.get_close_matches(name, parameters, n=1)
    advice = f"Did you mean {near[0]}?" if near else "Name the inputs like the parameters."
    allowed = f"the parameters of {function}: {_listed(parameters)}"
    raise OutsideDomain(explain("inputs", f"{name!r}, which is not a parameter", allowed, advice))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
