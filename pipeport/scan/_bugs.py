"""Shared by bug rules: positions of bugs, mapped functions, arguments of boundaries."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeport import meanings
from pipeport.scan._body import Body
from pipeport.scan._boundaries import BoundarySite
from pipeport.scan._module import FUNCTIONS, Module, parameters
from pipeport.scan._resolve import Location, Resolver, Target

DATASET_METHODS = meanings.names(
    "map batch shuffle repeat prefetch cache take skip filter interleave enumerate unbatch padded_batch "
    "with_options concatenate shard flat_map ignore_errors"
)
# What must stand in a file, beside TensorFlow's name, that has one of the bugs and no boundary.
_WORDS = re.compile(
    rb"cv2\.imread|random_(?:flip|crop)|ensure_shape|@tf\.function|\b(?:resize|rotate|zoom|warp\w+)\(|"
    rb"\.(?:" + "|".join(sorted(DATASET_METHODS)).encode() + rb")\("
)
# Names of what holds classes rather than brightness.
MASK = re.compile(
    r"(?:^|_)(?:mask|masks|segmentation|seg|segmap|label_?map|class_?map)(?:$|_|\d)", re.IGNORECASE
)
_DEEP = 3  # functions of functions that a dataset maps


def may_have(data: bytes) -> bool:
    """Whether a file of TensorFlow may have one of the bugs that need no boundary, PP114 apart."""
    return _WORDS.search(data) is not None


@dataclass(frozen=True)
class Bug:
    """A bug in its place.

    `reason`: what is wrong there, and what to write.
    """

    code: str
    module: Module
    node: Any
    reason: str


@dataclass(frozen=True)
class Examined:
    """A boundary with all that is known of it; `inputs` are the dtypes of parameters, where they are."""

    boundary: BoundarySite
    target: Target
    body: Body
    verdict: str
    resolver: Resolver
    inputs: Mapping[str, str] = field(default_factory=dict)

    @property
    def arrays(self) -> bool:
        """Whether the function is handed NumPy's arrays and bytes, rather than tensors."""
        return self.boundary.wrapper in ("numpy_function", "py_func")

    @property
    def at(self) -> Any:
        """Where the boundary stands: the call, or the decorator."""
        node = self.boundary.node
        return node.decorator_list[0] if self.boundary.form == "decorator" else node

    @property
    def function(self) -> Any:
        """The definition of the function, where it runs as it stands; else None."""
        node = self.target.node
        if self.target.kind != "function" or not isinstance(node, FUNCTIONS):
            return None
        marks = len(getattr(node, "decorator_list", [])) - (self.boundary.form == "decorator")
        return None if marks else node

    def handed(self) -> list[str]:
        """Return the parameters that the boundary fills."""
        names = parameters(self.function)[1 if self.target.bound else 0 :]
        return [name for name in names[len(self.target.args) :] if name not in self.target.keywords]

    def library(self, node: ast.expr, line: int) -> str:
        """Return the dotted name of what an expression in the function is of a library; else ''."""
        module = self.target.module
        if module is None:
            return ""
        location = Location(module, module.scopes[id(self.function)], line)
        found = self.resolver.resolve(node, location, self.target.env)
        return found.name if found.kind == "library" else ""


def own(function: Any) -> Iterator[Any]:
    """Yield the nodes of a function in the order of the text, without those of functions inside it."""
    todo = [function.body] if isinstance(function, ast.Lambda) else list(function.body)
    while todo:
        node = todo.pop(0)
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            todo[:0] = ast.iter_child_nodes(node)


def _stores(function: Any, name: str) -> list[int]:
    """Return the lines that give a name another value; `x += 1` is not one of them."""
    changed = {id(node.target) for node in own(function) if isinstance(node, ast.AugAssign)}
    return [
        node.lineno
        for node in own(function)
        if isinstance(node, ast.Name)
        and node.id == name
        and not isinstance(node.ctx, ast.Load)
        and id(node) not in changed
    ]


def untouched(function: Any, name: str, line: int) -> bool:
    """Whether a parameter still is what was handed over when a line is reached."""
    stores = _stores(function, name)
    if not stores:
        return True
    loops = any(isinstance(node, (ast.For, ast.While)) for node in own(function))
    return not loops and min(stores) >= line and not _assigned_at(function, name, line)


def _assigned_at(function: Any, name: str, line: int) -> bool:
    """Whether a line asks what a parameter is: `x = f(x) if isinstance(x, bytes) else x`."""
    return any(
        isinstance(node, ast.IfExp)
        and node.lineno <= line <= (node.end_lineno or line)
        and name in ast.unparse(node)
        for node in own(function)
    )


@dataclass(frozen=True)
class Mapped:
    """A call of `map` on a dataset, and the functions that run in its graph."""

    call: ast.Call
    parallel: bool
    functions: tuple[Target, ...]


def mapped(module: Module, resolver: Resolver) -> list[Mapped]:
    """Return the calls of `map` that hand a function to a dataset.

    Returns: in the order of the source.
    """
    found = []
    for node, scope, chain in module.calls:
        if (
            not isinstance(node.func, ast.Attribute)
            or node.func.attr != "map"
            or not (node.args or node.keywords)
        ):
            continue
        location = Location(module, scope, node.lineno, chain)
        named = {one.arg: one.value for one in node.keywords}
        count = named.get("num_parallel_calls", node.args[1] if len(node.args) > 1 else None)
        if "num_parallel_calls" not in named and not is_dataset(node.func.value, location, resolver):
            continue
        function = node.args[0] if node.args else named.get("map_func")
        if function is None:
            continue
        parallel = count is not None and not (isinstance(count, ast.Constant) and count.value in (None, 1))
        reached: dict[int, Target] = {}
        _reach(resolver.resolve(function, location, {}), resolver, reached, 0)
        found.append(Mapped(node, parallel, tuple(reached.values())))
    return found


def is_dataset(node: ast.expr, location: Location, resolver: Resolver) -> bool:
    """Whether an expression gives a dataset of TensorFlow."""
    found = resolver.resolve(node, location, {})
    return found.kind == "object" and found.name.startswith("tensorflow.data.")


def _reach(target: Target, resolver: Resolver, reached: dict[int, Target], deep: int) -> None:
    node, module = target.node, target.module
    if target.kind != "function" or module is None or id(node) in reached or deep > _DEEP:
        return
    reached[id(node)] = target
    if getattr(node, "decorator_list", []):
        return
    scope = module.scopes[id(node)]
    for one in own(node):
        if isinstance(one, ast.Call):
            called = resolver.resolve(one.func, Location(module, scope, one.lineno), target.env)
            _reach(called, resolver, reached, deep + 1)
