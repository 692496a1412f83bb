"""What a boundary gives, as its `Tout` declares it, and in which form the function behind it returns."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from pipeport.scan._dtypes import named
from pipeport.scan._module import Scope
from pipeport.scan._resolve import Location, Ref, Target, returns

ONE, MANY, UNKNOWN = "one", "many", "unknown"


@dataclass(frozen=True)
class Declared:
    """What `Tout` says.

    Attributes
    ----------
    form : str
        'one' dtype, 'many' in a list or tuple, or 'unknown'.
    dtypes : tuple of str
        The expressions of the dtypes.
    here : bool
        Whether they stand in the call itself.
    """

    form: str
    dtypes: tuple[str, ...] = ()
    here: bool = True


def declared(tout: Ref | None) -> Declared:
    """Read `Tout`.

    Parameters
    ----------
    tout : Ref or None
        The expression.

    Returns
    -------
    Declared
        Of form 'unknown' where the text does not tell whether it is one dtype or a list.
    """
    if tout is None:
        return Declared(UNKNOWN)
    node = _followed(tout.node, tout.location)
    here = node is tout.node
    if isinstance(node, (ast.List, ast.Tuple)):
        if not node.elts or any(isinstance(one, ast.Starred) for one in node.elts):
            return Declared(UNKNOWN)
        return Declared(MANY, tuple(map(ast.unparse, node.elts)), here)
    one = named(node) is not None or (isinstance(node, ast.Attribute) and node.attr == "dtype")
    return Declared(ONE, (ast.unparse(node),), here) if one else Declared(UNKNOWN)


def _followed(node: ast.expr, location: Location) -> ast.expr:
    """Return what a name was given, where it is given something once."""
    scope: Scope | None = location.scope
    while isinstance(node, ast.Name) and scope is not None:
        found = scope.names.get(node.id)
        if found is not None:
            return found[0].value if len(found) == 1 and found[0].kind == "assign" else node
        scope = scope.parent
    return node


def returns_a_list(target: Target) -> bool:
    """Whether a function of the user's returns a list: of numbers, a port makes one tensor of it."""
    node = target.node
    if target.kind != "function" or node is None:
        return False
    if isinstance(node, ast.Lambda):
        given = [node.body]
    else:
        given = [one.value for one in returns(node) if one.value is not None]
    names = {one.id for one in given if isinstance(one, ast.Name)}
    for one in ast.walk(node):
        targets = one.targets if isinstance(one, ast.Assign) else []
        if any(isinstance(target, ast.Name) and target.id in names for target in targets):
            given.append(one.value)  # type: ignore[attr-defined]
    return any(_is_list(one) for one in given)


def _is_list(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        return called in ("list", "sorted", "map") or called.endswith(".tolist")
    return isinstance(node, (ast.List, ast.ListComp))
