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
    tensorflow = ast.unparse(boundary.node.func).rpartition(".")[0]
    given = _arguments(boundary, tensorflow)
    told = _told(boundary)
    if function is None or given is None or told is None:
        return ""
    native = meanings.meaning(target.name).native if target.kind == "library" else ""
    bare = isinstance(boundary.function.node, (ast.Name, ast.Attribute))
    if native and boundary.wrapper != "py_function":
        called = native
    elif unwrap:
        called = function if bare else f"({function})"
    else:
        called = f"pipeport.port({', '.join([_flat(function), *told])})"
    return _replaced(
        boundary.module, boundary.node, f"{called}({given})", needs=called.startswith("pipeport.")
    )


def _told(boundary: Boundary) -> list[str] | None:
    """Return what `port` is told beside the function; None where the text of `Tout` does not say enough."""
    tout = boundary.tout
    if tout is None or tout.location.module is not boundary.module:
        return None
    if isinstance(tout.node, (ast.List, ast.Tuple)) and len(tout.node.elts) == 1:
        return None  # a list of one tensor
    if boundary.wrapper != "py_function":
        return []
    return [f"Tout={_flat(ast.unparse(tout.node))}", 'wrapper="py_function"']


def _arguments(boundary: Boundary, tensorflow: str) -> str | None:
    """Return the arguments; what TensorFlow made a tensor of, a number of Python, is made one."""
    if boundary.arguments is None:
        return None
    node = boundary.arguments.node
    text = ast.get_source_segment("\n".join(boundary.module.lines), node)
    if text is None:
        return None
    if isinstance(node, (ast.List, ast.Tuple)):
        parts = [ast.get_source_segment("\n".join(boundary.module.lines), one) or "" for one in node.elts]
        numbers = [
            isinstance(one.operand if isinstance(one, ast.UnaryOp) else one, ast.Constant)
            for one in node.elts
        ]
        if any(numbers) and not tensorflow:
            return None
        return ", ".join(
            f"{tensorflow}.convert_to_tensor({_flat(part)})" if number else _flat(part)
            for part, number in zip(parts, numbers, strict=True)
        )
    return f"*{_flat(text)}"


def _flat(text: str) -> str:
    return " ".join(text.split())


def _of_decorator(boundary: Boundary, *, unwrap: bool) -> str:
    lines = boundary.module.lines
    if boundary.wrapper == "py_function" and not unwrap:
        return ""
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
