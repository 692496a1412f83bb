"""Which arguments of a boundary are tensors: a graph makes tensors of all, a call of a function does not."""

from __future__ import annotations

import ast
from typing import Any

from pipeport.scan._module import FUNCTIONS, Binding, Scope, parameters
from pipeport.scan._resolve import Location, Ref, Resolver, Target

_DEEP = 6
_NO_TENSORS = frozenset({"shape", "dtype", "ndim", "size", "name", "device"})


class Tensors:
    """Says of expressions whether they are tensors.

    Parameters
    ----------
    resolver : Resolver
        Follows names.
    mapped : set of int
        The identities of functions that a dataset maps: what they are handed are tensors.
    """

    def __init__(self, resolver: Resolver, mapped: set[int]) -> None:
        self._resolver = resolver
        self._mapped = mapped

    def sure(self, node: ast.expr, location: Location, deep: int = 0) -> bool:
        """Whether an expression surely is a tensor.

        Parameters
        ----------
        node : ast.expr
            The expression.
        location : Location
            Where it stands.
        deep : int, default 0
            How many names it was reached through.

        Returns
        -------
        bool
            False where the text does not tell.
        """
        if deep > _DEEP:
            return False
        if isinstance(node, ast.Starred):
            return self._collected(node.value, location)
        if isinstance(node, ast.Name):
            return self._named(node, location, deep)
        if isinstance(node, ast.Attribute):
            return node.attr not in _NO_TENSORS and self.sure(node.value, location, deep + 1)
        if isinstance(node, ast.Subscript):
            return self.sure(node.value, location, deep + 1)
        if isinstance(node, ast.BinOp):
            return self.sure(node.left, location, deep + 1) or self.sure(node.right, location, deep + 1)
        if isinstance(node, ast.UnaryOp):
            return self.sure(node.operand, location, deep + 1)
        if isinstance(node, ast.Call):
            return self._called(node, location, deep)
        return False

    def _called(self, node: ast.Call, location: Location, deep: int) -> bool:
        target = self._resolver.resolve(node.func, location, {})
        if target.kind == "library":
            return target.name.startswith("tensorflow.") and not target.name.endswith("Variable")
        return isinstance(node.func, ast.Attribute) and self.sure(node.func.value, location, deep + 1)

    def _named(self, node: ast.Name, location: Location, deep: int) -> bool:
        scope: Scope | None = location.scope
        while scope is not None and node.id not in scope.names:
            scope = scope.parent
        if scope is None:
            return False
        found = scope.names[node.id]
        if all(one.kind == "param" for one in found):
            inner = scope.function is location.scope.function
            return self._parameter(node.id, found[0], scope, location, deep, inner=inner)
        before = [one for one in found if one.kind == "param" or one.line < location.line]
        return bool(before) and all(self._binding(node.id, one, scope, location, deep) for one in before)

    def _binding(self, name: str, one: Binding, scope: Scope, location: Location, deep: int) -> bool:
        if one.kind == "param":
            inner = scope.function is location.scope.function
            return self._parameter(name, one, scope, location, deep, inner=inner)
        if one.kind != "assign":
            return False
        return self.sure(one.value, Location(location.module, scope, one.line, one.chain), deep + 1)

    def _parameter(
        self, name: str, one: Binding, scope: Scope, location: Location, deep: int, *, inner: bool
    ) -> bool:
        """Whether the calls of a function hand over tensors alone as one of its parameters."""
        function = scope.node
        if id(function) in self._mapped:
            return True
        if not inner or not isinstance(function, FUNCTIONS) or one.value is not None:
            return False
        if isinstance(function, ast.Lambda):
            return True
        names = parameters(function)
        if name not in names:
            return self._collected(ast.Name(name, ast.Load()), location)
        return all(
            self._handed(name, names, call, Location(location.module, around, call.lineno, chain), deep)
            for call, around, chain in location.module.calls
            if self._of(call, function, Location(location.module, around, call.lineno, chain))
        )

    def _of(self, call: ast.Call, function: Any, location: Location) -> bool:
        last = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        return last == function.name and self._resolver.resolve(call.func, location, {}).node is function

    def _handed(self, name: str, names: list[str], call: ast.Call, location: Location, deep: int) -> bool:
        target: Target = self._resolver.resolve(call.func, location, {})
        at = names.index(name) - (1 if target.bound else 0)
        given = {one.arg: one.value for one in call.keywords}
        if name in given:
            return self.sure(given[name], location, deep + 1)
        if any(isinstance(one, ast.Starred) for one in call.args):
            return True
        return at < len(call.args) and self.sure(call.args[at], location, deep + 1)

    def _collected(self, node: ast.expr, location: Location) -> bool:
        """Whether a name collects the arguments of a function: `def f(*inputs)`."""
        function = location.scope.function
        starred = None if function is None else function.node.args.vararg
        return isinstance(node, ast.Name) and starred is not None and starred.arg == node.id

    def all_of(self, arguments: Ref) -> bool:
        """Whether an expression for all arguments at once holds tensors alone."""
        return self._collected(arguments.node, arguments.location)
