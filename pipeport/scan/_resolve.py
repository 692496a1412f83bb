"""Resolve an expression from text alone: a name of a library, or a function of the scanned files."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pipeport import meanings
from pipeport.scan._module import FUNCTIONS, Binding, Chain, Module, Scope, defaults, parameters

_DEEP = 40  # what is named through more names than this is not followed
# Functions that give the function they are given.
_SAME = {
    "tensorflow.function", "tensorflow.autograph.experimental.do_not_convert", "numba.jit", "numba.njit",
    "functools.lru_cache", "functools.cache", "builtins.staticmethod", "tensorflow.autograph.to_graph",
    "pipeport.port", "tensorflow.contrib.eager.defun", "functools.update_wrapper",
}  # fmt: skip


@dataclass(frozen=True)
class Location:
    """Where an expression stands: names mean what they mean there."""

    module: Module
    scope: Scope
    line: int
    chain: Chain = ()


@dataclass(frozen=True)
class Ref:
    """An expression with its location, and what the parameters around it are known to be."""

    node: ast.expr
    location: Location
    env: Env


Env = Mapping[tuple[int, str], Ref]


@dataclass(frozen=True)
class Target:
    """The target of an expression.

    `kind`: 'library', 'object' (an object that a library made), 'module', 'function', 'class', 'instance',
    'param' (a parameter that nobody fills), or 'unknown'. `name`: dotted name, or what it is called. `node`:
    its definition; of an object the call that makes it. `env`: what parameters of functions around it are.
    `bound`: whether it is a method with its object.
    """

    kind: str
    name: str
    module: Module | None = None
    node: Any = None
    env: Env = field(default_factory=dict)
    bound: bool = False
    args: tuple[Ref, ...] = ()
    keywords: Mapping[str, Ref] = field(default_factory=dict)
    default: Target | None = None
    made: Location | None = None

    @property
    def same(self) -> tuple[Any, ...]:
        """The key that identifies it."""
        path = None if self.module is None else self.module.path
        return self.kind, self.name, path, getattr(self.node, "lineno", None)


def unknown(node: ast.expr, why: str = "") -> Target:
    """Return that of which nothing is known."""
    return Target("unknown", why or ast.unparse(node)[:80])


class Resolver:
    """Follows names through the scanned files.

    `load`: gives the parsed module of a path, or None. `find`: gives the file of a module: dotted name, level
    of a relative import, file that imports it.
    """

    def __init__(
        self, load: Callable[[Path], Module | None], find: Callable[[str, int, Path], Path | None]
    ) -> None:
        self._load = load
        self._find = find
        self._attributes: dict[int, dict[str, list[tuple[ast.expr, Location]]]] = {}
        self._known: dict[Any, tuple[Any, Target]] = {}
        self._returning: set[int] = set()  # functions whose results are being followed

    def forget(self) -> None:
        """Forget results from other files."""
        self._known.clear()
        self._attributes.clear()

    def resolve(self, node: ast.expr, location: Location, env: Env, deep: int = 0) -> Target:
        """Resolve an expression.

        `env`: what parameters of functions around it are known to be. `deep`: how many names it was reached
        through. Returns: 'unknown' among them; nothing is raised.
        """
        if deep > _DEEP:
            return unknown(node)
        # Names that lead to several others, which lead to several others, are followed once each.
        key = (id(node), id(location.scope), location.line, location.chain, id(env) if env else 0)
        if key not in self._known:
            kept = (node, location, env)  # or their identities would be given to others
            self._known[key] = (kept, unknown(node))  # what leads to itself is nothing
            self._known[key] = (kept, self._followed(node, location, env, deep + 1))
        return self._known[key][1]

    def _followed(self, node: ast.expr, location: Location, env: Env, deep: int) -> Target:
        if isinstance(node, ast.Name):
            return self._name(node, location, env, deep)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, location, env, deep)
        if isinstance(node, ast.Call):
            return self._call(node, location, env, deep)
        if isinstance(node, ast.Lambda):
            return Target("function", "lambda", location.module, node, env)
        if isinstance(node, ast.NamedExpr):
            return self.resolve(node.value, location, env, deep)
        if isinstance(node, ast.IfExp):
            return self._one(
                [self.resolve(one, location, env, deep) for one in (node.body, node.orelse)], node
            )
        if isinstance(node, ast.Constant):
            return Target("constant", repr(node.value), node=node)
        if isinstance(node, ast.Subscript):
            return self._looked_up(node, location, env, deep)
        return unknown(node)

    def _looked_up(self, node: ast.Subscript, location: Location, env: Env, deep: int) -> Target:
        """Say what an entry of a dictionary, a list or a tuple is that is written out."""
        held = self._written_out(node.value, location)
        if held is None:
            return unknown(node)
        values, keys, where = held
        if isinstance(node.slice, ast.Constant):
            values = [value for key, value in zip(keys, values, strict=True) if key == node.slice.value]
        elif isinstance(node.value, ast.Name) and _grows(node.value.id, location.module):
            return unknown(node)
        found = [self.resolve(one, where, env, deep) for one in values]
        return self._one(found, node) if found else unknown(node)

    def _written_out(
        self, node: ast.expr, location: Location
    ) -> tuple[list[Any], list[Any], Location] | None:
        """Return the entries of an expression, their keys, and where they stand."""
        scope: Scope | None = location.scope
        while isinstance(node, ast.Name) and scope is not None:
            found = scope.names.get(node.id, [])
            if found:
                if len(found) > 1 or found[0].kind != "assign":
                    return None
                location = Location(location.module, scope, found[0].line, found[0].chain)
                node = found[0].value
                break
            scope = scope.parent
        if isinstance(node, ast.Dict):
            return node.values, [getattr(key, "value", node) for key in node.keys], location
        if isinstance(node, (ast.List, ast.Tuple)):
            return node.elts, list(range(len(node.elts))), location
        return None

    # Names.

    def _name(self, node: ast.Name, location: Location, env: Env, deep: int) -> Target:
        scope: Scope | None = location.scope
        first = True
        while scope is not None:
            skipped = isinstance(scope.node, ast.ClassDef) and not first
            if not skipped and node.id in scope.names:
                found = scope.names[node.id]
                here = scope is location.scope or isinstance(location.scope.node, ast.comprehension)
                return self._chosen(node, found, scope, location, here, env, deep)
            first = False
            scope = scope.parent
        for level, module in location.module.top.stars:
            star = self.imported(level, module, node.id, location.module, deep)
            if star.kind not in ("unknown", "library") or self._of_library(star):
                return star
        if hasattr(builtins, node.id):
            return Target("library", f"builtins.{node.id}")
        return unknown(node)

    def _of_library(self, target: Target) -> bool:
        if target.kind != "library":
            return False
        if target.name.rpartition(".")[2] in meanings.BOUNDARIES:
            return target.name.startswith("tensorflow.")
        return meanings.meaning(target.name).kind in (meanings.NATIVE, meanings.DRAW)

    def _chosen(
        self,
        node: ast.Name,
        found: list[Binding],
        scope: Scope,
        location: Location,
        here: bool,
        env: Env,
        deep: int,
    ) -> Target:
        if all(one.kind == "import" for one in found):
            targets = [self._bound(one, node, scope, location, env, deep) for one in found]
            return next((one for one in targets if one.kind != "unknown"), targets[0])
        if here:
            found = [one for one in found if one.line < location.line or one.kind == "param"] or found
        last = found[-1]
        certain = len(found) == 1 or (
            last.chain == location.chain[: len(last.chain)] if here else last.chain == ()
        )
        if certain:
            return self._bound(last, node, scope, location, env, deep)
        return self._one([self._bound(one, node, scope, location, env, deep) for one in found], node)

    def _one(self, targets: list[Target], node: ast.expr) -> Target:
        if len({one.same for one in targets}) == 1:
            return targets[0]
        if all(one.name.rpartition(".")[2] in meanings.BOUNDARIES for one in targets):
            return targets[0]
        known = [one for one in targets if one.kind in ("function", "library", "instance", "object")]
        others = [one for one in targets if one not in known]
        if len({one.same for one in known}) == 1 and all(map(_nothing, others)):
            return known[0]
        names = ", ".join(dict.fromkeys(one.name for one in targets))
        return unknown(node, f"{ast.unparse(node)[:40]}, one of several ({names})"[:120])

    def _bound(
        self, one: Binding, node: ast.Name, scope: Scope, location: Location, env: Env, deep: int
    ) -> Target:
        module = location.module
        if one.kind == "import":
            level, name, inner = one.value
            return self.imported(level, name, inner, module, deep)
        if one.kind == "def":
            return self._function(one.value, scope, module, env)
        if one.kind == "class":
            return Target("class", one.value.name, module, one.value, env)
        if one.kind == "assign":
            return self.resolve(one.value, Location(module, scope, one.line, one.chain), env, deep)
        if one.kind == "each":
            inside = Location(module, scope, one.line, one.chain)
            return self._one([self.resolve(value, inside, env, deep) for value in one.value], node)
        if one.kind == "param":
            return self._parameter(one, node.id, scope, module, env, deep)
        return unknown(node)

    def _function(self, node: Any, scope: Scope, module: Module, env: Env) -> Target:
        owner = f"{scope.node.name}." if isinstance(scope.node, ast.ClassDef) else ""
        return Target("function", f"{owner}{node.name}", module, node, env)

    def _parameter(
        self, one: Binding, name: str, scope: Scope, module: Module, env: Env, deep: int
    ) -> Target:
        known = env.get((id(scope.node), name))
        if known is not None:
            return self.resolve(known.node, known.location, known.env, deep)
        around = module.around.get(id(scope.node))
        if around is not None and isinstance(around.node, ast.ClassDef):
            marks = {ast.unparse(one) for one in getattr(scope.node, "decorator_list", [])}
            if parameters(scope.node)[:1] == [name] and "staticmethod" not in marks:
                kind = "class" if "classmethod" in marks else "instance"
                return Target(kind, around.node.name, module, around.node, env)
        default = None
        if one.value is not None and around is not None:
            default = self.resolve(one.value, Location(module, around, one.line), env, deep)
        return Target("param", name, module, scope.node, env, default=default)

    def imported(self, level: int, name: str, inner: str | None, module: Module, deep: int = 0) -> Target:
        """Resolve an import.

        `inner`: what is imported from it; None for the module itself. `deep`: how many names it was reached
        through. Returns: a library's name where no scanned file has it.
        """
        dotted = ".".join(one for one in (name, inner) if one)
        if not level and name.partition(".")[0] in meanings.LIBRARIES:
            return Target("library", dotted)
        path = self._find(name, level, module.path)
        if inner is not None:
            within = self._find(dotted, level, module.path)
            loaded = None if path is None else self._load(path)
            if loaded is not None:
                found = self._member_of_module(loaded, inner, deep)
                if found is not None:
                    return found
            path = within
        loaded = None if path is None else self._load(path)
        if loaded is not None:
            return Target("module", dotted, loaded)
        if inner is None and self._find_below(name, level, module.path):
            return Target("module", dotted)
        return Target("library", "." * level + dotted)

    def _find_below(self, name: str, level: int, path: Path) -> bool:
        return False if level else self._find(f"{name}.__init__", level, path) is not None

    def _member_of_module(self, module: Module, name: str, deep: int) -> Target | None:
        if deep > _DEEP:
            return None
        location = Location(module, module.top, 1 << 30)
        if name in module.top.names:
            return self.resolve(ast.Name(name, ast.Load()), location, {}, deep + 1)
        for level, star in module.top.stars:
            found = self.imported(level, star, name, module, deep + 1)
            if found.kind not in ("unknown", "library") or self._of_library(found):
                return found
        return None

    # Attributes.

    def _attribute(self, node: ast.Attribute, location: Location, env: Env, deep: int) -> Target:
        owner = self.resolve(node.value, location, env, deep)
        return self.attribute(owner, node, deep)

    def attribute(self, owner: Target, node: ast.Attribute, deep: int) -> Target:
        """Resolve an attribute of a target."""
        if owner.kind in ("library", "object"):
            return Target("library", f"{owner.name}.{node.attr}", made=owner.made)
        if owner.kind == "module":
            if owner.module is not None:
                found = self._member_of_module(owner.module, node.attr, deep)
                if found is not None:
                    return found
                inner = self._find(node.attr, 1, owner.module.path)
                loaded = None if inner is None or inner == owner.module.path else self._load(inner)
                if loaded is not None:
                    return Target("module", f"{owner.name}.{node.attr}", loaded)
            return Target("library", f"{owner.name}.{node.attr}")
        if owner.kind in ("class", "instance"):
            found = self._member(owner, node.attr, deep)
            if found is not None:
                return found
        return unknown(node)

    def _member(self, owner: Target, name: str, deep: int) -> Target | None:
        if deep > _DEEP or owner.module is None:
            return None
        scope = owner.module.scopes[id(owner.node)]
        assigned = self._values(owner).get(name, [])
        if name in scope.names:
            one = scope.names[name][-1]
            location = Location(owner.module, scope, 1 << 30)
            found = self._bound(one, ast.Name(name, ast.Load()), scope, location, owner.env, deep)
            if found.kind == "function" and one.kind == "def":
                marks = {ast.unparse(mark) for mark in one.value.decorator_list}
                if marks & {"property", "functools.cached_property", "cached_property"}:
                    return self._returned(found, deep)
                bound = "staticmethod" not in marks and (owner.kind == "instance" or "classmethod" in marks)
                return replace(found, bound=bound)
            if not (_nothing(found) and assigned):  # `transform = None`, and a method that sets it
                return found
        field = _field(owner.node, name)
        if field is not None:
            known = owner.env.get((id(owner.node), name))
            if known is not None:
                return self.resolve(known.node, known.location, known.env, deep + 1)
            return Target("param", name, owner.module, owner.node, owner.env)
        if assigned:
            values = [self.resolve(value, location, owner.env, deep + 1) for value, location in assigned]
            return self._one(values, assigned[0][0])
        for base in owner.node.bases:
            around = owner.module.around[id(owner.node)]
            parent = self.resolve(base, Location(owner.module, around, 1 << 30), {}, deep + 1)
            if parent.kind == "class":
                inherited = self._member(replace(parent, kind=owner.kind, env=owner.env), name, deep + 1)
                if inherited is not None:
                    return inherited
        return None

    def _values(self, owner: Target) -> dict[str, list[tuple[ast.expr, Location]]]:
        """Return the values that methods of a class assign to attributes of their object."""
        known = self._attributes.get(id(owner.node))
        if known is not None or owner.module is None:
            return known or {}
        found: dict[str, list[tuple[ast.expr, Location]]] = {}
        for method in owner.node.body:
            if not isinstance(method, FUNCTIONS) or not parameters(method):
                continue
            first, scope = parameters(method)[0], owner.module.scopes[id(method)]
            for one in ast.walk(method):
                if isinstance(one, ast.Assign):
                    targets, value = one.targets, one.value
                elif isinstance(one, ast.AnnAssign) and one.value is not None:
                    targets, value = [one.target], one.value
                else:
                    continue
                for target in targets:
                    if isinstance(target, ast.Attribute) and ast.unparse(target.value) == first:
                        location = Location(owner.module, scope, one.lineno)
                        found.setdefault(target.attr, []).append((value, location))
        self._attributes[id(owner.node)] = found
        return found

    # Calls.

    def _call(self, node: ast.Call, location: Location, env: Env, deep: int) -> Target:
        called = self.resolve(node.func, location, env, deep)
        refs = [Ref(one, location, env) for one in node.args if not isinstance(one, ast.Starred)]
        named = {one.arg: Ref(one.value, location, env) for one in node.keywords if one.arg}
        if called.kind == "library":
            if called.name == "functools.partial" and refs:
                inner = self.resolve(node.args[0], location, env, deep)
                return replace(inner, args=(*inner.args, *refs[1:]), keywords={**inner.keywords, **named})
            if called.name == "builtins.getattr" and len(node.args) >= 2:
                key = node.args[1]
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    owner = self.resolve(node.args[0], location, env, deep)
                    return self.attribute(owner, ast.Attribute(node.args[0], key.value, ast.Load()), deep)
            if called.name in _SAME and refs:
                return self.resolve(node.args[0], location, env, deep)
            name = meanings.GIVES.get(meanings.current(called.name), called.name)
            return Target("object", name, location.module, node, env, made=location)
        if called.kind == "class":
            return self._instance(called, refs, named)
        if called.kind == "function":
            return self._returned(filled(replace(called, args=(*called.args, *refs),
                                                 keywords={**called.keywords, **named})), deep)  # fmt: skip
        return unknown(node)

    def _instance(self, cls: Target, refs: list[Ref], named: Mapping[str, Ref]) -> Target:
        made = replace(cls, kind="instance")
        init = self._member(made, "__init__", 0)
        env = cls.env
        if init is not None and init.kind == "function":
            env = filled(replace(init, args=tuple(refs), keywords=named, bound=True)).env
        return replace(made, env=env)

    def _returned(self, function: Target, deep: int) -> Target:
        """Resolve the result of a user's function, if it is a function or an object."""
        node, module = function.node, function.module
        if module is None or id(node) in self._returning:
            return unknown(ast.Name(function.name, ast.Load()))
        scope = module.scopes[id(node)]
        if isinstance(node, ast.Lambda):
            found = [(node.body, node.body.lineno)]
        else:
            found = [(one.value, one.lineno) for one in returns(node) if one.value is not None]
        followed = [
            one for one in found if isinstance(one[0], (ast.Name, ast.Lambda, ast.Call, ast.Attribute))
        ]
        if not followed or len(followed) < len(found):
            return unknown(ast.Name(function.name, ast.Load()))
        self._returning.add(id(node))
        targets = [
            self.resolve(value, Location(module, scope, line + 1), function.env, deep + 1)
            for value, line in followed
        ]
        self._returning.remove(id(node))
        return self._one(targets, ast.Name(function.name, ast.Load()))


def filled(function: Target) -> Target:
    """Return a function whose environment holds what partials and calls have filled."""
    names = parameters(function.node)[1 if function.bound else 0 :]
    given = dict(zip(names, function.args, strict=False))
    known = {one.arg for one, _ in defaults(function.node.args)}
    given |= {name: ref for name, ref in function.keywords.items() if name in known}
    if not given:
        return function
    env = {**function.env, **{(id(function.node), name): ref for name, ref in given.items()}}
    return replace(function, env=env)


def returns(function: Any) -> Iterator[ast.Return]:
    """Yield the `return` statements of a function, without those of inner ones."""
    todo = list(function.body)
    while todo:
        node = todo.pop(0)
        if isinstance(node, ast.Return):
            yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            todo.extend(ast.iter_child_nodes(node))


def _field(cls: ast.ClassDef, name: str) -> ast.AnnAssign | None:
    """Return the field of a dataclass that its objects are made with."""
    return next(
        (one for one in fields(cls) if isinstance(one.target, ast.Name) and one.target.id == name), None
    )


def fields(cls: ast.ClassDef) -> list[ast.AnnAssign]:
    """Return what the objects of a class are made with, in order, where it is a dataclass."""
    marks = " ".join(ast.unparse(one) for one in (*cls.decorator_list, *cls.bases))
    if not re.search(r"\b(?:dataclass|NamedTuple|attrs?|define|frozen)\b", marks):
        return []
    return [one for one in cls.body if isinstance(one, ast.AnnAssign)]


def _grows(name: str, module: Module) -> bool:
    """Whether a module adds entries to what it has written out."""
    adds = re.compile(rf"\b{name}\s*(?:\[[^\]]*\]\s*=(?!=)|\.(?:update|setdefault|append|extend|insert)\()")
    return any(adds.search(line) for line in module.lines)


def is_abstract(node: Any) -> bool:
    """Whether a function says nothing but that others define it."""
    if isinstance(node, ast.Lambda):
        return False
    body = [
        one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    ]
    if not body or all(isinstance(one, ast.Pass) for one in body):
        return "abstractmethod" in " ".join(map(ast.unparse, node.decorator_list))
    return len(body) == 1 and isinstance(body[0], ast.Raise) and "NotImplemented" in ast.unparse(body[0])


def _nothing(target: Target) -> bool:
    """Whether a target is None, as attributes are before they are set."""
    return target.kind == "constant" and target.name == "None"
