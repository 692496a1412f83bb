"""Where Python is called inside a graph: every form of `numpy_function` and its kin."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pipeport.scan._module import Module, Scope
from pipeport.scan._resolve import Location, Ref, Resolver, Target

# What must stand in a file that calls one of them.
WORDS = re.compile(rb"numpy_function|py_func|from_generator")
# Those of pipeport are TensorFlow's own until a run decides otherwise.
DROP_INS = ("pipeport.numpy_function", "pipeport.py_function")
_NAMES = ("numpy_function", "py_function", "py_func", "eager_py_func")
_TENSORFLOW = re.compile(r"_?tf\w*|tensorflow\w*|v1|v2")
_ORDER = ("func", "inp", "Tout")


@dataclass(frozen=True)
class BoundarySite:
    """One call of Python inside a graph.

    `node`: the call, or the function that a decorator makes a boundary. `function`: what is called; None
    where the call does not say. `location`: where the names of the call mean what they mean. `name`: the
    expression that names the wrapper.
    """

    module: Module
    node: Any
    wrapper: str
    form: str
    function: Ref | None
    arguments: Ref | None
    tout: Ref | None
    location: Location
    name: Any = None

    @property
    def line(self) -> int:
        """The line of the call, or of the decorator."""
        if self.form == "decorator":
            return int(self.node.decorator_list[0].lineno)
        return int(self.node.lineno)


def wrapper_of(name: str) -> str | None:
    """Say which boundary a dotted name is.

    Returns: None where it is none.
    """
    owner, _, last = name.rpartition(".")
    if name in DROP_INS:
        return last
    near = owner.rpartition(".")[2]
    if last == "from_generator":
        inside = near == "Dataset" and (name.startswith("tensorflow.") or _TENSORFLOW.search(owner))
        return last if inside and not owner.startswith(("datasets", "torch")) else None
    if last not in _NAMES:
        return None
    if name.startswith("tensorflow.") or _TENSORFLOW.fullmatch(near) or near == "script_ops":
        return "py_function" if last == "eager_py_func" else last
    return None


def boundaries(module: Module, resolver: Resolver) -> list[BoundarySite]:
    """Find every boundary of a file.

    Returns: in the order of the source.
    """
    found = [*_called(module, resolver), *_decorating(module, resolver)]
    return sorted(found, key=lambda one: (one.line, getattr(one.node, "col_offset", 0)))


def _target(node: ast.expr, location: Location, resolver: Resolver) -> tuple[str, Target] | None:
    target = resolver.resolve(node, location, {})
    if target.kind == "library":
        wrapper = wrapper_of(target.name)
    elif target.kind in ("unknown", "param") and isinstance(node, ast.Attribute):
        # TensorFlow under a name that cannot be followed: a parameter, a lazy import.
        wrapper = wrapper_of(ast.unparse(node))
    else:
        wrapper = None
    return None if wrapper is None else (wrapper, target)


def _called(module: Module, resolver: Resolver) -> Iterator[BoundarySite]:
    marks = {id(mark) for node, _, _ in module.decorated for mark in node.decorator_list}
    outer = {id(node.func): node for node, _, _ in module.calls if isinstance(node.func, ast.Call)}
    for node, scope, chain in module.calls:
        location = Location(module, scope, node.lineno, chain)
        found = _target(node.func, location, resolver)
        if found is not None:
            given = _given(node, location, found[1])
            if given.get("func") is None:
                if id(node) in marks or "inp" in given:
                    continue
                applied = outer.get(id(node))
                if applied is not None and applied.args:  # tf.numpy_function(Tout=...)(f)
                    function = Ref(applied.args[0], location, {})
                    about = (function, None, given.get("Tout"), location, node.func)
                    yield BoundarySite(module, node, found[0], "partial", *about)
                    continue
            already = found[1].keywords.get("func") or (found[1].args[:1] or (None,))[0]
            if already is None:
                yield _boundary(module, node, found[0], "call", given, location, node.func)
            continue
        partial = _partial(node, location, resolver, marks)
        if partial is not None:
            yield partial


def _partial(node: ast.Call, location: Location, resolver: Resolver, marks: set[int]) -> BoundarySite | None:
    if not node.args or not isinstance(node.args[0], (ast.Name, ast.Attribute)):
        return None
    called = resolver.resolve(node.func, location, {})
    if called.kind != "library" or called.name != "functools.partial":
        return None
    found = _target(node.args[0], location, resolver)
    if found is None or id(node) in marks:
        return None
    given = _given(ast.Call(node.func, node.args[1:], node.keywords), location, found[1])
    if given.get("func") is None:
        return None
    return _boundary(location.module, node, found[0], "partial", given, location, node.args[0])


def _given(node: ast.Call, location: Location, target: Target) -> dict[str, Ref | None]:
    starred = any(isinstance(one, ast.Starred) for one in node.args)
    positional = [*target.args] if starred else [*target.args, *(Ref(one, location, {}) for one in node.args)]
    if starred and not isinstance(node.args[0], ast.Starred):
        positional.append(Ref(node.args[0], location, {}))
    given: dict[str, Ref | None] = dict(zip(_ORDER, positional, strict=False))
    given |= target.keywords
    for one in node.keywords:
        name = {"generator": "func", "func": "func", "inp": "inp", "Tout": "Tout"}.get(one.arg or "")
        if name:
            given[name] = Ref(one.value, location, {})
    return given


def _boundary(
    module: Module,
    node: Any,
    wrapper: str,
    form: str,
    given: dict[str, Ref | None],
    location: Location,
    name: ast.expr,
) -> BoundarySite:
    about = (given.get("func"), given.get("inp"), given.get("Tout"), location, name)
    return BoundarySite(module, node, wrapper, form, *about)


def _decorating(module: Module, resolver: Resolver) -> Iterator[BoundarySite]:
    for node, scope, chain in module.decorated:
        location = Location(module, scope, node.lineno + 1, chain)
        for mark in node.decorator_list:
            found = None
            tout = None
            name: Any = mark
            if isinstance(mark, ast.Call):
                name = mark.func
                found = _target(name, location, resolver)
                inner = mark
                if found is None and mark.args:
                    called = resolver.resolve(mark.func, location, {})
                    if called.kind == "library" and called.name == "functools.partial":
                        name = mark.args[0]
                        found = _target(name, location, resolver)
                        inner = ast.Call(mark.func, mark.args[1:], mark.keywords)
                if found is not None:
                    given = _given(inner, location, found[1])
                    tout = given.get("Tout")
                    if given.get("func") is not None:
                        continue
            elif isinstance(mark, (ast.Name, ast.Attribute)):
                found = _target(mark, location, resolver)
            if found is not None:
                function = Ref(ast.Name(node.name, ast.Load()), location, {})
                yield BoundarySite(module, node, found[0], "decorator", function, None, tout, location, name)


def is_boundary(target: Target) -> bool:
    """Say whether a target is the wrapper itself, under another name."""
    return target.kind == "library" and wrapper_of(target.name) is not None


def scope_names(scope: Scope) -> list[str]:
    """Return the names of the parameters of all functions around a place."""
    names: list[str] = []
    inner = scope.function
    while inner is not None:
        names += [name for name, found in inner.names.items() if found[0].kind == "param"]
        inner = inner.parent.function if inner.parent is not None else None
    return names
