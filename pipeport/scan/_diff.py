"""The lines to write instead of a boundary, as a short diff."""

from __future__ import annotations

import ast

from pipeport import meanings
from pipeport.scan._boundaries import Boundary
from pipeport.scan._module import Module
from pipeport.scan._resolve import Target


def diff(boundary: Boundary, target: Target, *, unwrap: bool) -> str:
    """Return the suggested lines.

    Parameters
    ----------
    boundary : Boundary
        The call.
    target : Target
        The function it calls.
    unwrap : bool
        Whether the function can be called as it is.

    Returns
    -------
    str
        Lines that begin with '-', '+' or a blank; empty where the text does not tell.
    """
    if boundary.form == "decorator":
        return _of_decorator(boundary, unwrap=unwrap)
    if boundary.form != "call" or boundary.function is None:
        return ""
    function = ast.get_source_segment("\n".join(boundary.module.lines), boundary.function.node)
    if boundary.function.location.module is not boundary.module:
        return ""
    given = _arguments(boundary)
    if function is None or given is None:
        return ""
    native = meanings.meaning(target.name).native if target.kind == "library" else ""
    bare = isinstance(boundary.function.node, (ast.Name, ast.Attribute))
    if native:
        called = native
    elif unwrap:
        called = function if bare else f"({function})"
    else:
        called = f"pipeport.port({_flat(function)})"
    return _replaced(
        boundary.module, boundary.node, f"{called}({given})", needs=called.startswith("pipeport.")
    )


def _arguments(boundary: Boundary) -> str | None:
    if boundary.arguments is None:
        return None
    node = boundary.arguments.node
    text = ast.get_source_segment("\n".join(boundary.module.lines), node)
    if text is None:
        return None
    if isinstance(node, (ast.List, ast.Tuple)):
        parts = [ast.get_source_segment("\n".join(boundary.module.lines), one) for one in node.elts]
        return ", ".join(_flat(part) for part in parts if part is not None)
    return f"*{_flat(text)}"


def _flat(text: str) -> str:
    return " ".join(text.split())


def _of_decorator(boundary: Boundary, *, unwrap: bool) -> str:
    lines = boundary.module.lines
    marks = [mark for mark in boundary.node.decorator_list if "Tout" in ast.unparse(mark)]
    marks = marks or boundary.node.decorator_list[:1]
    mark = marks[0]
    old = lines[mark.lineno - 1 : mark.end_lineno or mark.lineno]
    indent = old[0][: len(old[0]) - len(old[0].lstrip())]
    new = [] if unwrap else [f"{indent}@pipeport.port"]
    head = [] if unwrap or _knows_pipeport(boundary.module) else ["+import pipeport"]
    return "\n".join([*head, *(f"-{line}" for line in old), *(f"+{line}" for line in new)])


def _replaced(module: Module, node: ast.expr, text: str, *, needs: bool) -> str:
    last = node.end_lineno or node.lineno
    old = module.lines[node.lineno - 1 : last]
    before = old[0].encode()[: node.col_offset].decode()
    after = old[-1].encode()[node.end_col_offset or 0 :].decode()
    new = f"{before}{text}{after}"
    head = [] if not needs or _knows_pipeport(module) else ["+import pipeport"]
    return "\n".join([*head, *(f"-{line}" for line in old), f"+{new}"])


def _knows_pipeport(module: Module) -> bool:
    return "pipeport" in module.top.names
