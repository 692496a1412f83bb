"""Functions of the user's that hand one of their parameters to a boundary, and who calls them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pipeport.scan._boundaries import is_boundary
from pipeport.scan._module import FUNCTIONS, Module, parameters
from pipeport.scan._reader import Reader
from pipeport.scan._resolve import Location, Ref, Target, fields, filled, is_abstract


@dataclass(frozen=True)
class Helper:
    """A function of the user's that hands one of its parameters to a boundary.

    `name`: what it, or its class, is called. `parameter`: the parameter, or a dot and an abstract method of
    its class.
    """

    path: Path
    line: int
    name: str
    parameter: str
    wrapper: str
    boundary: tuple[str, int]


def as_helper(target: Target, wrapper: str, boundary: tuple[str, int]) -> Helper | None:
    module, node = target.module, target.node
    if target.kind == "function" and module is not None and target.bound and is_abstract(node):
        owner = module.around[id(node)].node
        return Helper(module.path, owner.lineno, owner.name, f".{node.name}", wrapper, boundary)
    if target.kind != "param" or module is None or isinstance(node, ast.Lambda):
        return None
    around = module.around.get(id(node))
    name = node.name
    if name == "__init__" and around is not None:
        name = around.node.name
    return Helper(module.path, node.lineno, name, target.name, wrapper, boundary)


def aliases(module: Module, reader: Reader) -> list[Helper]:
    """Return the names of a module that are a wrapper under another name."""
    found = []
    for name, bindings in module.top.names.items():
        if bindings[-1].kind not in ("assign", "import"):
            continue
        if name in ("numpy_function", "py_function", "py_func"):
            continue
        target = reader.resolver.resolve(
            ast.Name(name, ast.Load()), Location(module, module.top, 1 << 30), {}
        )
        if is_boundary(target):
            found.append(Helper(module.path, 0, name, "", "", (str(module.path), bindings[-1].line)))
    return found


@functools.cache
def _package(path: Path) -> Path:
    """Return the outermost package a file belongs to, or the file."""
    package = path
    while (package.parent / "__init__.py").exists():
        package = package.parent
    return package


def may_use(path: Path, data: bytes, helper: Helper) -> bool:
    """Whether a file names a helper, and its package where it stands outside of it."""
    package = _package(helper.path)
    inside = path == package or package in path.parents
    return helper.name.encode() in data and (inside or package.stem.encode() in data)


_Handed = tuple[tuple[Helper, Ref], tuple[ast.AST, Location]]


def handed(module: Module, helpers: dict[tuple[Path, int], Helper], reader: Reader) -> list[_Handed]:
    found: list[_Handed] = []
    for node, scope, chain in module.calls:
        location = Location(module, scope, node.lineno, chain)
        target = reader.resolver.resolve(node.func, location, {})
        call = node
        if target.kind == "library" and target.name == "functools.partial" and node.args:
            target = reader.resolver.resolve(node.args[0], location, {})
            call = ast.Call(node.args[0], node.args[1:], node.keywords)
        ref = _filled_by(call, target, location, helpers, reader)
        if ref is not None:
            found.append((ref, (node, location)))
    for node, scope, chain in module.decorated:
        for mark in node.decorator_list:
            location = Location(module, scope, node.lineno + 1, chain)
            target = reader.resolver.resolve(mark, location, {})
            call = ast.Call(mark, [ast.Name(node.name, ast.Load())], [])
            ref = _filled_by(call, target, location, helpers, reader)
            if ref is not None:
                found.append((ref, (mark, replace(location, line=mark.lineno))))
                # The name means the function below the decorator.
                found[-1] = ((ref[0], replace(ref[1], location=location)), found[-1][1])
    return found


def overriding(
    module: Module, helpers: dict[tuple[Path, int], Helper], reader: Reader
) -> Iterator[tuple[Helper, Target, Location]]:
    """Yield the methods of a module that stand for an abstract one which a boundary calls."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.ClassDef):
            continue
        around = Location(module, module.around[id(node)], 1 << 30)
        for base in node.bases:
            parent = reader.resolver.resolve(base, around, {})
            if parent.kind != "class" or parent.module is None:
                continue
            helper = helpers.get((parent.module.path, parent.node.lineno))
            for method in node.body if helper is not None else ():
                if not isinstance(method, ast.FunctionDef) or is_abstract(method) or helper is None:
                    continue
                if f".{method.name}" == helper.parameter:
                    found = Target("function", f"{node.name}.{method.name}", module, method, bound=True)
                    yield helper, found, Location(module, module.scopes[id(node)], method.lineno)


def _filled_by(
    call: ast.Call,
    target: Target,
    location: Location,
    helpers: dict[tuple[Path, int], Helper],
    reader: Reader,
) -> tuple[Helper, Ref] | None:
    """Return the function that a call passes to a helper."""
    if target.kind == "class" and target.module is not None and fields(target.node):
        helper = helpers.get((target.module.path, target.node.lineno))
        return None if helper is None else _of_field(call, target, location, helper)
    if target.kind == "class" and target.module is not None:
        member = reader.resolver.attribute(
            replace(target, kind="instance"), ast.Attribute(call.func, "__init__", ast.Load()), 0
        )
        target = replace(member, bound=True)
    if target.kind != "function" or target.module is None or not isinstance(target.node, FUNCTIONS):
        return None
    helper = helpers.get((target.module.path, target.node.lineno))
    if helper is None:
        return None
    refs = [Ref(one, location, {}) for one in call.args if not isinstance(one, ast.Starred)]
    named = {one.arg: Ref(one.value, location, {}) for one in call.keywords if one.arg}
    whole = filled(replace(target, args=(*target.args, *refs), keywords={**target.keywords, **named}))
    ref = whole.env.get((id(target.node), helper.parameter))
    if ref is None and helper.parameter not in parameters(target.node):
        return None
    return None if ref is None else (helper, ref)


def _of_field(call: ast.Call, cls: Target, location: Location, helper: Helper) -> tuple[Helper, Ref] | None:
    """Return what a call of a dataclass hands to one of its fields."""
    names = [one.target.id for one in fields(cls.node) if isinstance(one.target, ast.Name)]
    given = dict(zip(names, call.args, strict=False)) | {
        one.arg: one.value for one in call.keywords if one.arg
    }
    value = given.get(helper.parameter)
    return None if value is None else (helper, Ref(value, location, {}))
