"""Declared differences of the natives that a body calls, without those that the text excludes."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pipeport import catalog, meanings
from pipeport.contract import Contract, Difference
from pipeport.scan._body import Use
from pipeport.scan._bugs import Examined
from pipeport.scan._dtypes import KEEPING, declared, dtype_of, of_tensor
from pipeport.scan._module import parameters
from pipeport.scan._resolve import Location, Resolver, Target, returns

# What a native refuses is told with an error that names it: nothing comes out that is not what it was.
_TOLD = re.compile(r"\b(?:refused|raises?|TypeError|needs)\b")
_UNKNOWN = object()


@dataclass(frozen=True)
class Doubt:
    """A declared difference that a body may meet.

    Attributes
    ----------
    name : str
        Of the reference.
    summary : str
        The difference in a sentence.
    kinds : str
        The kinds of dtypes that it concerns, as NumPy's letters; empty for all.
    of : str
        The parameter of the body whose dtype decides; empty where it is none.
    """

    name: str
    summary: str
    kinds: str = ""
    of: str = ""


def silent(one: Examined) -> list[Doubt]:
    """Return the declared differences in results that a body may meet, and that no error tells of.

    Parameters
    ----------
    one : Examined
        A boundary and its body.

    Returns
    -------
    list of Doubt
        Those that neither arguments nor dtypes exclude, as far as the text tells.
    """
    kinds = (meanings.NATIVE, meanings.DRAW)
    found: dict[Doubt, None] = {}
    for use in one.body.uses:
        if use.meaning.kind not in kinds:
            continue
        for contract, difference in _silent({use.meaning.native}):
            doubt = _doubt(use, contract, difference, one)
            if doubt is not None:
                found[doubt] = None
    return list(found)


def of_natives(names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return such differences of some natives, whatever they are called with.

    Parameters
    ----------
    names : mapping of str to str
        Natives, and the names under which they are told.

    Returns
    -------
    list of (str, str)
        Name, and the difference in a sentence.
    """
    return [(names[contract.native], one.summary) for contract, one in _silent(set(names))]


def _silent(natives: set[str]) -> Iterator[tuple[Contract, Difference]]:
    for facade in sorted({native.split(".")[1] for native in natives if native.count(".")}):
        for contract in catalog.of_facade(facade).values():
            if contract.native in natives:
                found = (one for one in contract.differences if not _TOLD.search(one.summary))
                yield from ((contract, one) for one in found)


def _doubt(use: Use, contract: Contract, difference: Difference, one: Examined) -> Doubt | None:
    """Return a difference as far as a call may meet it; None where the text excludes it."""
    kinds, of = "", ""
    for name, needed in difference.only.items():
        given = _given(use, name, contract, one)
        if isinstance(needed, tuple):
            location = (
                one.boundary.location if use.scope is None else Location(use.module, use.scope, use.line)
            )
            value = _value(given, contract, location, one.resolver)
            if value is not _UNKNOWN and value not in needed:
                return None
            continue
        dtype = "" if given is None else _dtype(given, use, one)
        if dtype and not dtype.startswith("@"):
            if np.dtype(dtype).kind not in needed:
                return None
        else:
            kinds, of = needed, dtype.removeprefix("@")
    return Doubt(use.name, difference.summary, kinds, of)


def _given(use: Use, name: str, contract: Contract, one: Examined) -> Any:
    """Return the expression that a call hands over as a parameter; None where the text does not tell.

    An argument that is not given is its default, of the class `inspect.Parameter`.
    """
    known = contract.signature.parameters
    if name not in known:  # it goes through `**options`
        return None
    at = list(known).index(name)
    if use.node is None:  # the boundary calls it
        handed = _handed(one)
        return None if handed is None else handed[at] if at < len(handed) else known[name]
    if any(isinstance(part, ast.Starred) for part in use.node.args) or any(
        key.arg is None for key in use.node.keywords
    ):
        return None
    named = {key.arg: key.value for key in use.node.keywords}
    if name in named:
        return named[name]
    return use.node.args[at] if at < len(use.node.args) else known[name]


def _handed(one: Examined) -> list[ast.expr] | None:
    """Return what a boundary hands to a function of a library."""
    given = None if one.boundary.arguments is None else one.boundary.arguments.node
    plain = one.target.kind == "library" and not one.target.args and not one.target.keywords
    if not plain or not isinstance(given, (ast.List, ast.Tuple)):
        return None
    return None if any(isinstance(part, ast.Starred) for part in given.elts) else given.elts


def _location(use: Use, one: Examined) -> Location:
    return one.boundary.location if use.scope is None else Location(use.module, use.scope, use.line)


def _value(given: Any, contract: Contract, location: Location, resolver: Resolver) -> Any:
    """Return the value of an argument, where it is written out: a literal, constants of the library."""
    if given is None:
        return _UNKNOWN
    if not isinstance(given, ast.AST):
        return _UNKNOWN if given.default is given.empty else given.default
    if isinstance(given, ast.Constant):
        return given.value
    if isinstance(given, ast.BinOp) and isinstance(given.op, ast.BitOr):
        sides = [_value(side, contract, location, resolver) for side in (given.left, given.right)]
        both = all(isinstance(side, int) for side in sides)
        return (sides[0] | sides[1]) if both else _UNKNOWN
    if isinstance(given, ast.Attribute):
        target, library = resolver.resolve(given, location, {}), contract.native.split(".")[1]
        if target.kind == "library" and target.name == f"{library}.{given.attr}":
            found = getattr(importlib.import_module(f"pipeport.{library}"), given.attr, _UNKNOWN)
            return found if isinstance(found, int) else _UNKNOWN
    return _UNKNOWN


def _dtype(given: Any, use: Use, one: Examined) -> str:
    """Return the dtype of an argument, or @ and the parameter of the body that has it; else ''."""
    boundary = one.boundary
    strict = boundary.wrapper != "py_function"  # `Tout` is what comes, or an error
    tout = [] if boundary.tout is None else declared(boundary)[0]
    if not isinstance(given, ast.expr):
        return ""
    if use.node is None:
        kept = tout[0] if strict and len(tout) == 1 and use.name in KEEPING else None
        return kept or of_tensor(given, boundary.location, one.resolver) or ""
    inner = _around(use, one)
    if inner is None:
        return ""
    names = _parameters(inner, one)
    inputs = {name: f"@{name}" for name in names}
    if strict:
        inputs |= _as_returned(replace(inner, inputs=inputs), tout)
    handed = None if boundary.arguments is None else boundary.arguments.node
    if isinstance(handed, (ast.List, ast.Tuple)) and boundary.arguments is not None:
        for name, part in zip(names, handed.elts, strict=False):
            if isinstance(part, ast.Starred):
                break
            inputs[name] = of_tensor(part, boundary.arguments.location, one.resolver) or inputs[name]
    return dtype_of(given, replace(inner, inputs=inputs)) or ""


def _around(use: Use, one: Examined) -> Examined | None:
    """Return the function that a call stands in, as if a boundary called it; None where it has decorators."""
    scope = None if use.scope is None else use.scope.function
    if scope is None:
        return None
    target = Target("function", "", use.module, scope.node, one.target.env)
    inner = replace(one, target=target)
    return inner if inner.function is not None else None


def _parameters(inner: Examined, one: Examined) -> list[str]:
    """Return the parameters that the boundary fills, where it calls this function itself."""
    target, node = one.target, inner.function
    if target.kind == "instance" and target.module is not None:
        own = node.name == "__call__" if not isinstance(node, ast.Lambda) else False
        around = target.module.around.get(id(node))
        return parameters(node)[1:] if own and around is not None and around.node is target.node else []
    if target.node is not node:
        return []
    names = parameters(node)[1 if target.bound else 0 :][len(target.args) :]
    return [name for name in names if name not in target.keywords]


def _as_returned(inner: Examined, tout: list[str | None]) -> dict[str, str]:
    """Return the parameters that come back in a dtype that `Tout` declares, with it."""
    node = inner.function
    lines = [node.body] if isinstance(node, ast.Lambda) else [one.value for one in returns(node)]
    if len(lines) != 1:
        return {}
    parts = lines[0].elts if isinstance(lines[0], ast.Tuple) else lines
    if len(parts) != len(tout):
        return {}
    found = {
        dtype_of(part, inner): dtype for part, dtype in zip(parts, tout, strict=True) if part is not None
    }
    return {name[1:]: dtype for name, dtype in found.items() if name and dtype and name.startswith("@")}
