"""The decorator form: `@tf.numpy_function(Tout=...)` becomes `@pipeport.port`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pipeport.rewrite._arguments import Tensors
from pipeport.rewrite._plan import Form, Stays
from pipeport.rewrite._results import MANY
from pipeport.scan._bugs import Examined
from pipeport.scan._resolve import Location, returns

if TYPE_CHECKING:
    from pipeport.rewrite._edit import Edits


def decorated(
    one: Examined, form: Form, tensors: Tensors, tensorflow: str, numpy: str, span: Callable[[Any], Any]
) -> tuple[Edits, Any]:
    """Return what changes where a decorator makes a boundary.

    Parameters
    ----------
    one : Examined
        The boundary.
    form : Form
        What it becomes.
    tensors : Tensors
        Knows which arguments are tensors.
    tensorflow : str
        What TensorFlow is called in the file.
    numpy : str
        What NumPy is called there.
    span : callable
        Gives the place of a node.

    Returns
    -------
    (Edits, tuple)
        What changes, and the place of the decorator.

    Raises
    ------
    Stays
        A call hands over what is no tensor, or `Tout` casts what the text does not show.
    """
    from pipeport.rewrite._edit import Edits

    boundary = one.boundary
    node, module = boundary.node, boundary.module
    mark = _mark(one)
    if boundary.location.scope.node is not module.tree and isinstance(
        boundary.location.scope.node, ast.ClassDef
    ):
        raise Stays("It decorates a method, whose object is no tensor: decorate a function.")
    for call, scope, chain in module.calls:
        location = Location(module, scope, call.lineno, chain)
        last = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if last == node.name and one.resolver.resolve(call.func, location, {}).node is node:
            strange = [arg for arg in call.args if not tensors.sure(arg, location)]
            if strange or call.keywords:
                given = ast.unparse(strange[0] if strange else call)
                raise Stays(f"Line {call.lineno} hands over `{given}`, perhaps no tensor: convert it there.")
    edits = Edits()
    place = span(mark)
    edits.replaced[place] = "pipeport.port"
    named = ", ".join(f"{name}={text}" for name, text in form.options(numpy).items())
    if named:
        edits.replaced[place] = f"functools.partial(pipeport.port, {named})"
    if form.cast:
        if not tensorflow:
            raise Stays("The file has no name for TensorFlow itself: import tensorflow as tf.")
        many = form.declared.form == MANY
        for back in returns(node):
            plain = isinstance(back.value, ast.Tuple) and len(back.value.elts) == len(form.declared.dtypes)
            if back.value is None or (many and not plain):
                raise Stays("`Tout` casts what it returns, and that is no tuple: return one.")
            where = span(back)[:2]
            edits.casts[where] = (tensorflow, form.declared.dtypes)
    return edits, place


def _mark(one: Examined) -> ast.expr:
    """Return the decorator."""
    boundary = one.boundary
    marks = [mark for mark in boundary.node.decorator_list if _is_wrapper(mark, boundary.wrapper)]
    if len(marks) != 1 or not isinstance(marks[0], ast.Call):
        raise Stays("The decorator is not written as `@tf.numpy_function(Tout=...)`.")
    return marks[0]


def _is_wrapper(mark: ast.expr, wrapper: str) -> bool:
    return wrapper in ast.unparse(mark) or "Tout" in ast.unparse(mark)
