"""The calls of a body: functions of libraries by name, functions of the user followed."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field, replace
from typing import Any

from pipeport import meanings
from pipeport.meanings import Meaning
from pipeport.scan._module import FUNCTIONS, Module, Scope
from pipeport.scan._resolve import Env, Location, Ref, Resolver, Target, filled

_MANY = 200  # functions of the user's that are followed for one body

# Objects that nobody can follow and whose names say what they are: receiver, method, what stands for it.
_HINTS = (
    (re.compile(r"tokeni[sz]er|encoder|vocab|spm|subword|bpe|\bsp\b"),
     re.compile(r"encode|tokeni[sz]e|encode_plus|batch_encode_plus|EncodeAsIds|encode_as_ids|texts_to_sequences|"
                r"decode_batch|convert_tokens_to_ids"),
     "tokenizers.Tokenizer"),
    (re.compile(r"\benvs?\b|environment"), re.compile(r"step|reset|render"), "gymnasium.Env"),
    (re.compile(r"logger|\blog(ging)?\b|writer"), re.compile(r"info|debug|warning|warn|error|add_scalar|log"),
     "logging.Logger"),
)  # fmt: skip


@dataclass(frozen=True)
class Use:
    """One call of a body.

    `name`: dotted name of what is called, or its text. `node`: the call; None where a boundary or another
    function calls it.
    """

    name: str
    meaning: Meaning
    module: Module
    line: int
    node: ast.Call | None = None
    scope: Scope | None = None


@dataclass
class Body:
    """Everything a body calls and holds, in the order in which it was found.

    `changes`: what a graph cannot hold and the user can write otherwise. `arrays`: whether it calls methods
    that tensors do not have.
    """

    uses: list[Use] = field(default_factory=list)
    changes: list[Use] = field(default_factory=list)
    missing: list[Use] = field(default_factory=list)
    arrays: bool = False


def body_of(target: Target, at: Location, resolver: Resolver, *, eager: bool) -> Body:
    """Return the calls of a body.

    `at`: the boundary, for functions of libraries. `eager`: whether the body is handed tensors
    (`py_function`).
    """
    reader = _Reader(resolver, eager)
    reader.target(target, at.module, at.line)
    return reader.body


class _Reader:
    def __init__(self, resolver: Resolver, eager: bool) -> None:
        self._resolver = resolver
        self._eager = eager
        self._seen: set[tuple[Any, int]] = set()
        self.body = Body()

    def target(self, target: Target, module: Module, line: int) -> None:
        """Add the effects of a call of a target."""
        if target.kind in ("library", "object"):
            self._library(target, module, line)
            return
        if target.kind == "instance":
            self._object(target, module, line)
            return
        if target.kind != "function" or target.module is None:
            name = target.name
            if target.kind == "param":
                if target.default is not None and target.default.name != "None":
                    self.target(target.default, module, line)
                    return
                name = f"{target.name}, a parameter"
            self.body.missing.append(Use(name, Meaning(meanings.UNKNOWN), module, line))
            return
        key = (target.module.path, id(target.node))
        if key in self._seen or len(self._seen) > _MANY:
            return
        self._seen.add(key)
        self._function(filled(target))

    def _object(self, target: Target, module: Module, line: int) -> None:
        call = ast.Attribute(ast.Name("object", ast.Load()), "__call__", ast.Load())
        method = self._resolver.attribute(target, call, 0)
        if method.kind == "function":
            self.target(method, module, line)
        else:
            self.body.missing.append(Use(target.name, Meaning(meanings.UNKNOWN), module, line))

    def _library(self, target: Target, module: Module, line: int) -> None:
        self.use(target.name, module, line)
        if target.made is None or target.module is None:
            return
        # What an object was made of: the transforms in a composition of albumentations.
        for node in ast.walk(target.node):
            if isinstance(node, ast.Call) and node is not target.node:
                inner = self._resolver.resolve(node.func, target.made, target.env)
                if inner.kind == "library":
                    self.use(inner.name, target.module, node.lineno)

    def use(
        self,
        name: str,
        module: Module,
        line: int,
        node: ast.Call | None = None,
        scope: Scope | None = None,
        shown: str = "",
    ) -> None:
        """Add a call of a library; `shown` is what the text says, where it only tells what is meant."""
        name = meanings.current(name)
        found = meanings.meaning(name)
        use = Use(shown or name, found, module, line, node, scope)
        if found.kind == meanings.UNKNOWN:
            self.body.missing.append(use)
        elif found.kind == meanings.CHANGE:
            self.body.changes.append(use)
            self.body.uses.append(use)
        else:
            self.body.uses.append(use)

    def change(self, what: str, advice: str, module: Module, line: int) -> None:
        """Add a construct that a graph cannot hold."""
        self.body.changes.append(Use(what, Meaning(meanings.CHANGE, advice=advice), module, line))

    # A function of the user's.

    def _function(self, target: Target) -> None:
        node, module = target.node, target.module
        if module is None:
            return
        scope = module.scopes[id(node)]
        inside = [node.body] if isinstance(node, ast.Lambda) else node.body
        for one in inside:
            self._walk(one, Location(module, scope, one.lineno), target.env)

    def _walk(self, node: Any, location: Location, env: Env) -> None:
        module = location.module
        if isinstance(node, FUNCTIONS):
            inner = Location(module, module.scopes[id(node)], node.lineno)
            for one in [node.body] if isinstance(node, ast.Lambda) else node.body:
                self._walk(one, inner, env)
            return
        if hasattr(node, "lineno"):
            location = replace(location, line=node.lineno)
        for what, advice in meanings.refused_in(node):
            self.change(what, advice, module, node.lineno)
        for child in ast.iter_child_nodes(node):
            self._walk(child, location, env)
        if isinstance(node, ast.Call):
            self._call(node, location, env)

    def _call(self, node: ast.Call, location: Location, env: Env) -> None:
        target = self._resolver.resolve(node.func, location, env)
        line, module = node.lineno, location.module
        if target.kind == "library":
            self._named(node, target, location)
        elif target.kind in ("function", "instance", "object"):
            refs = tuple(Ref(one, location, env) for one in node.args if not isinstance(one, ast.Starred))
            named = {one.arg: Ref(one.value, location, env) for one in node.keywords if one.arg}
            if target.kind == "function":
                target = replace(target, args=(*target.args, *refs), keywords={**target.keywords, **named})
            self.target(target, module, line)
        elif target.kind == "class":
            self._made(target, module, line)
        elif isinstance(node.func, ast.Attribute):
            self._method(node.func, target, module, line)
        else:
            self.target(target, module, line)
        for one in (*node.args, *(keyword.value for keyword in node.keywords)):
            if isinstance(one, (ast.Name, ast.Attribute)):
                given = self._resolver.resolve(one, location, env)
                if given.kind == "function" and target.kind in ("library", "unknown"):
                    self.target(given, module, line)

    def _named(self, node: ast.Call, target: Target, location: Location) -> None:
        name = meanings.current(target.name)
        owner = name.rpartition(".")[0]
        known = meanings.meaning(name)
        method = isinstance(node.func, ast.Attribute) and target.made is not None
        if method and known.kind in (meanings.REFUSED, meanings.UNKNOWN):
            # A method of what a function gave: an array's, where the function has a native that gives arrays.
            by = meanings.meaning(owner)
            if by.kind in (
                meanings.NATIVE,
                meanings.DRAW,
                meanings.BUILT_IN,
                meanings.PYTHON,
                meanings.TENSORFLOW,
            ):
                last = name.rpartition(".")[2]
                self._method(ast.Attribute(ast.Name("it", ast.Load()), last, ast.Load()), target,
                             location.module, node.lineno)  # fmt: skip
                return
        if (
            known.kind in (meanings.REFUSED, meanings.UNKNOWN)
            and meanings.computes(name)
            and _is_constant(node, location.scope)
        ):
            known = Meaning(meanings.PYTHON)
            self.body.uses.append(Use(name, known, location.module, node.lineno, node, location.scope))
            return
        self.use(name, location.module, node.lineno, node, location.scope)
        refused = meanings.refused_parameters(name)
        for keyword in node.keywords:
            if keyword.arg is not None and keyword.arg in refused and not _is_default(keyword.value):
                advice = f"The native refuses it: {refused[keyword.arg]}."
                self.change(f"`{keyword.arg}` of {name}", advice, location.module, node.lineno)

    def _made(self, target: Target, module: Module, line: int) -> None:
        marks = " ".join(ast.unparse(one) for one in (*target.node.decorator_list, *target.node.bases))
        if not re.search(r"dataclass|NamedTuple|namedtuple|Exception|Error", marks):
            advice = "Make the object outside of the function."
            self.change(f"an object of {target.name} made inside", advice, module, line)

    def _method(self, node: ast.Attribute, target: Target, module: Module, line: int) -> None:
        receiver = ast.unparse(node.value)
        self.body.arrays = True
        for whose, what, stands in _HINTS:
            if what.fullmatch(node.attr) and whose.search(receiver.lower()):
                self.use(f"{stands}.{node.attr}", module, line, shown=f"`{ast.unparse(node)}`")
                return
        if node.attr == "numpy":
            if not self._eager:
                advice = "A body of numpy_function is handed arrays: leave `.numpy()` out."
                self.change(f"`{ast.unparse(node)}()`", advice, module, line)
        elif node.attr == "SerializeToString":
            self.use("tensorflow.train.Example.SerializeToString", module, line)
        elif node.attr in meanings.ARRAY_METHODS | meanings.PYTHON_METHODS | {"resize"}:
            pass
        elif node.attr in meanings.ARRAY_METHODS_REFUSED:
            advice = meanings.ARRAY_METHODS_REFUSED[node.attr]
            self.change(f"`{ast.unparse(node)}`", advice, module, line)
        else:
            name = (
                target.name if target.kind == "unknown" and " one of " in target.name else ast.unparse(node)
            )
            self.body.missing.append(Use(name[:80], Meaning(meanings.UNKNOWN), module, line))


def _is_constant(call: ast.Call, scope: Scope) -> bool:
    """Say whether the arguments of a call are constants and names from outside of the function."""
    within: Scope | None = scope.function
    names: set[str] = set()
    while within is not None:
        names |= within.names.keys()
        within = within.parent.function if within.parent is not None else None
    given = [*call.args, *(one.value for one in call.keywords)]
    parts = [part for one in given for part in ast.walk(one)]
    return not any(
        isinstance(part, ast.Call) or (isinstance(part, ast.Name) and part.id in names) for part in parts
    )


def _is_default(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (None, False)
