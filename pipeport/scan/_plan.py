"""What is written in the place of a boundary: the drop-in, another name for the wrapper that it calls."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pipeport.scan._boundaries import DROP_INS, BoundarySite
from pipeport.scan._module import Module, Span
from pipeport.scan._resolve import Location, Resolver

# Where a session runs a graph, nothing of ours was ever run.
_SESSIONS = ("disable_eager_execution", "disable_v2_behavior", "placeholder", "InteractiveSession", "Session")


@dataclass(frozen=True)
class Plan:
    """What to write for a boundary until a run decides otherwise.

    `span`: the place of the wrapper's name. `name`: what is written there; empty where it is written already.
    `imports`: whether the file has to import pipeport for it. `stays`: why it cannot be written in this file;
    empty where it can.
    """

    span: Span
    lines: tuple[str, ...]
    name: str
    imports: bool
    stays: str


def plan_of(boundary: BoundarySite, resolver: Resolver) -> Plan | None:
    """Plan the drop-in for a boundary.

    `resolver`: follows the names of its file. Returns: None where there is no drop-in: of generators, and
    where the boundary is in a helper that is called.
    """
    if boundary.name is None or boundary.wrapper == "from_generator":
        return None
    module = boundary.module
    span = module.span(boundary.name)
    own = "py_function" if boundary.wrapper == "py_function" else "numpy_function"
    name = "" if ast.unparse(boundary.name) in DROP_INS else f"pipeport.{own}"
    lacking, stays = needed(module)
    if session := session_of(module, resolver):
        stays = f"The file runs graphs in sessions (`{session}`): pipeport works in TensorFlow 2."
    return Plan(span, tuple(module.lines[span[0] - 1 : span[2]]), name, lacking, stays)


@functools.lru_cache(maxsize=2)
def session_of(module: Module, resolver: Resolver) -> str:
    """Return the call by which a file runs graphs in sessions of TensorFlow 1; empty where none does."""
    for node, scope, chain in module.calls:
        if getattr(node.func, "attr", getattr(node.func, "id", "")) in _SESSIONS:
            target = resolver.resolve(node.func, Location(module, scope, node.lineno, chain), {})
            if target.kind == "library" and target.name.startswith("tensorflow."):
                return ast.unparse(node.func)
    return ""


def needed(module: Module) -> tuple[bool, str]:
    """Say whether a file has to import pipeport, and why it cannot; the reason is empty where it can."""
    scopes = [module.top, *module.scopes.values()]
    bound = [(scope, one) for scope in scopes for one in scope.names.get("pipeport", [])]
    if any(one.kind != "import" or one.value[1:] != ("pipeport", None) for _, one in bound):
        return False, "The name pipeport means something else in this file: give that another name."
    return not any(scope is module.top and one.chain == () for scope, one in bound), ""


def diffs(plans: Iterable[Plan]) -> dict[Span, str]:
    """Return the changed lines of a file by the places of its plans.

    `plans`: all that is written in the file: two of them may change the same line. Returns: lines that begin
    with '-' and '+'.
    """
    found: dict[Span, str] = {}
    for together in _sharing(sorted(plans, key=lambda one: one.span)):
        first = together[0].span[0]
        old = {first + n: line for n, line in enumerate(together[0].lines)}
        for one in together[1:]:
            old |= {one.span[0] + n: line for n, line in enumerate(one.lines)}
        new = dict(old)
        for one in reversed(together):
            start, left, end, right = one.span
            new[start] = f"{new[start][:left]}{one.name}{new[end][right:]}"
            for line in range(start + 1, end + 1):
                del new[line]
        head = ["+import pipeport"] if together[0].imports else []
        text = [*head, *(f"-{line}" for line in old.values()), *(f"+{line}" for line in new.values())]
        found |= dict.fromkeys((one.span for one in together), "\n".join(text))
    return found


def _sharing(plans: list[Plan]) -> Iterator[list[Plan]]:
    """Yield plans that have lines in common together."""
    group: list[Plan] = []
    for one in plans:
        if group and one.span[0] > max(other.span[2] for other in group):
            yield group
            group = []
        group.append(one)
    if group:
        yield group
