"""Imports of TensorFlow Addons and calls of tf.contrib: the mirror's, where it has all that is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeport import catalog, meanings
from pipeport.rewrite._plan import Stays
from pipeport.scan._module import Module
from pipeport.scan._plan import needed, session_of
from pipeport.scan._resolve import Location, Resolver

if TYPE_CHECKING:
    from pipeport.rewrite._edit import Edits

WORDS = (b"tensorflow_addons", b".contrib.")
_TOP, _CONTRIB = "tensorflow_addons", "tensorflow.contrib"
# What a native refuses is told with an error that names it: nothing comes out that is not what it was.
_TOLD = re.compile(r"\b(?:refused|raises?|TypeError|needs)\b")
_BY_PLACE = 3  # arguments that tf.contrib and TensorFlow Addons have in one order


@dataclass(frozen=True)
class Use:
    """A statement or a name of TensorFlow Addons.

    `edits`: what changes; None where it stays. `reason`: why it stays; of what changes, the declared
    differences that no error tells of.
    """

    node: Any
    names: tuple[str, ...]
    edits: Edits | None
    reason: str = ""


def addons(module: Module, resolver: Resolver) -> Iterator[Use]:
    """Yield what is imported of TensorFlow Addons, and called of tf.contrib.

    Yields: in the order of the text.
    """
    nodes = list(ast.walk(module.tree))
    parents = {id(child): node for node in nodes for child in ast.iter_child_nodes(node)}
    found = [one for one in nodes if isinstance(one, (ast.Import, ast.ImportFrom)) and _imports(one)]
    contrib = [one for one in nodes if isinstance(one, ast.Call) and _contrib(one, module, resolver)]
    for node in sorted([*found, *contrib], key=lambda one: (one.lineno, one.col_offset)):
        names: tuple[str, ...] = ()
        try:
            if isinstance(node, ast.Call):
                names = (_contrib(node, module, resolver),)
                edits = _of_contrib(node, names[0], module, session_of(module, resolver))
            else:
                if isinstance(parents.get(id(node)), ast.Try):
                    raise Stays("The file goes on where it cannot be imported: look at it.")
                names = tuple(_used(node, nodes, parents))
                edits = _of_import(node, names)
            yield Use(node, names, edits, _differing(names))
        except Stays as stays:
            yield Use(node, names, None, str(stays))


def _imports(node: ast.Import | ast.ImportFrom) -> bool:
    names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
    return not getattr(node, "level", 0) and any(name.partition(".")[0] == _TOP for name in names)


def _native(name: str) -> str:
    return meanings.natives_of(_TOP).get(name, "")


def _differing(names: tuple[str, ...]) -> str:
    """Return which functions may give another result where nothing tells of it; empty for none."""
    natives = {_native(name): name for name in names}
    found = []
    for contract in catalog.of_facade(_TOP).values():
        told = natives.get(contract.native)
        for difference in contract.differences if told else ():
            if not _TOLD.search(difference.summary):
                found.append(f"{told} differs where it is declared to: {difference.summary}")
    return " ".join(found)


def _used(
    node: ast.Import | ast.ImportFrom, nodes: list[ast.AST], parents: dict[int, ast.AST]
) -> Iterator[str]:
    """Yield the names of functions that a file uses through an import."""
    for one in node.names:
        if one.name == "*":
            raise Stays("It imports all names: import those that are used.")
        dotted = f"{node.module}.{one.name}" if isinstance(node, ast.ImportFrom) else one.name
        if _mirrored(dotted):
            yield dotted
            continue
        bound = one.asname or (one.name if isinstance(node, ast.ImportFrom) else one.name.partition(".")[0])
        prefix = dotted if one.asname or isinstance(node, ast.ImportFrom) else bound
        for use in nodes:
            if isinstance(use, ast.Name) and use.id == bound:
                yield _chain(use, prefix, parents)


def _mirrored(name: str) -> bool:
    """Whether the mirror has a name at the same place."""
    return _native(name) == f"pipeport.{name}"


def _chain(use: ast.Name, prefix: str, parents: dict[int, ast.AST]) -> str:
    name, node = prefix, parents.get(id(use))
    while isinstance(node, ast.Attribute):
        name = f"{name}.{node.attr}"
        if _mirrored(name):
            return name
        node = parents.get(id(node))
    raise Stays(f"pipeport.tensorflow_addons does not have all that is used: {name}, line {use.lineno}.")


def _of_import(node: ast.Import | ast.ImportFrom, names: tuple[str, ...]) -> Edits:
    from pipeport.rewrite._edit import Edits

    if not names:
        raise Stays("Nothing that it imports is used: remove it.")
    edits = Edits()
    if isinstance(node, ast.ImportFrom):
        edits.modules[node.lineno, node.col_offset] = (f"pipeport.{node.module}", "")
        return edits
    for one in node.names:
        if one.name.partition(".")[0] == _TOP:
            if one.name != _TOP and not one.asname:
                raise Stays(f"It imports {one.name} without a name of its own: write `import ... as`.")
            edits.modules[one.lineno, one.col_offset] = (f"pipeport.{one.name}", one.asname or one.name)
    return edits


def _contrib(node: ast.Call, module: Module, resolver: Resolver) -> str:
    """Return the name of a function of tf.contrib that has a native; empty for other calls."""
    if not isinstance(node.func, ast.Attribute) or "contrib" not in ast.unparse(node.func):
        return ""
    target = resolver.resolve(node.func, Location(module, module.top, 1 << 30), {})
    return target.name if target.name.startswith(_CONTRIB) and _native(target.name) else ""


def _of_contrib(node: ast.Call, name: str, module: Module, session: str) -> Edits:
    from pipeport.rewrite._edit import Edits

    if session:
        raise Stays(f"The file runs graphs in sessions (`{session}`).")
    if len(node.args) > _BY_PLACE or any(isinstance(one, ast.Starred) for one in node.args):
        raise Stays("tf.contrib has its later arguments in another order: write their names.")
    lacking, stays = needed(module)
    if stays:
        raise Stays(stays)
    return Edits(replaced={module.span(node.func): _native(name)}, imports=lacking)
