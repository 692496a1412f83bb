"""What becomes of one boundary: a form to write in its place, or the reason why it stays."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeport.rewrite._evidence import Evidence
from pipeport.scan._boundaries import BoundarySite
from pipeport.scan._findings import Finding
from pipeport.scan._module import Module
from pipeport.scan._resolve import Location, Resolver

TENSORFLOW = ("tensorflow", "tensorflow.compat.v2", "tensorflow.compat.v1")
DROP_IN, PORT, IMPORT = "drop-in", "port", "import"


class Stays(Exception):
    """A boundary stays as it is, and why; the code of a run's reason, where that is known."""

    def __init__(self, reason: str, code: str = "") -> None:
        super().__init__(reason)
        self.code = code


@dataclass(frozen=True)
class Form:
    """What to write instead of a boundary.

    `why`: why it is not a port although a report was given; empty without one. `options`: what `port` is told
    beside `Tout`: 'wrapper', and 'islands' by name.
    """

    kind: str
    why: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    tensors: tuple[bool, ...] = ()


def form_of(
    finding: Finding, boundary: BoundarySite | None, file: Path, evidence: Evidence | None
) -> Form | None:
    """Say what a boundary becomes.

    `finding`: what a scan says of it, and plans. `boundary`: the boundary; None of a generator. Returns: what
    to write; None where it is written already.
    """
    if finding.plan is None or boundary is None:
        raise Stays(finding.reason)
    written = not finding.plan.name
    if evidence is None:
        if finding.stays and not written:
            raise Stays(finding.stays)
        return None if written else Form(DROP_IN)
    if finding.plan.stays:
        raise Stays(finding.plan.stays)
    decorated = boundary.form == "decorator"
    last = boundary.node.lineno if decorated else boundary.node.end_lineno
    seen = evidence.of(file, boundary.line, last, decorated=decorated)
    if not seen:
        raise Stays("The run did not trace it: run a script that does.")
    for one in seen:
        if changed := evidence.changed(one):
            raise Stays(f"{changed} is not what it was when it ran: run it again.")
        if not one["native"]:
            raise Stays(f"{one['why'][0].upper()}{one['why'][1:]}. {one['advice']}", one["code"])
    why = _no_port(boundary, seen)
    if why:
        return None if written else Form(DROP_IN, why)
    first = seen[0]
    options: dict[str, Any] = {}
    if first["wrapper"] == "py_function":
        options["wrapper"] = "py_function"
    if first["islands"]:
        options["islands"] = first["stated"]
    return Form(PORT, "", options, tuple(first["tensors"]))


def _no_port(boundary: BoundarySite, seen: Sequence[dict[str, Any]]) -> str:
    """Return why a boundary that became native is written as the drop-in; empty where it need not be."""
    first = seen[0]
    if any(one["draws"] for one in seen):
        return (
            "It draws: a port takes its seeds from pipeport.seeds.seeded_map, which changes the map around. "
            "See `pipeport recipe own-augmentation`."
        )
    if any(one["exact_bits"] for one in seen):
        return "It agrees only where natives give every bit."
    if boundary.form != "call":
        return "It is not a call that names function, arguments and Tout."
    if any(one["islands"] and one["stated"] is None for one in seen):
        return "It keeps calls in Python whose results no text can state."
    alike = ("wrapper", "tensors", "islands", "stated")
    if any(one[name] != first[name] for one in seen for name in alike):
        return "It was passed functions that need different options."
    return ""


def name_of(module: Module, resolver: Resolver, *libraries: str) -> str:
    """Return what a module calls a library; empty where it has no name for it."""
    location = Location(module, module.top, 1 << 30)
    for name in module.top.names:
        found = resolver.resolve(ast.Name(name, ast.Load()), location, {})
        if found.kind == "library" and found.name in libraries:
            return name
    return ""
