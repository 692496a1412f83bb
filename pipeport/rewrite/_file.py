"""One file: its boundaries, what becomes of each, and its text afterwards."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipeport.errors import UnsupportedArgument
from pipeport.rewrite._addons import WORDS as addons_words
from pipeport.rewrite._addons import addons
from pipeport.rewrite._evidence import Evidence
from pipeport.rewrite._plan import DROP_IN, IMPORT, TENSORFLOW, Form, Stays, form_of, name_of
from pipeport.rewrite._records import Change, Refusal, Rewritten
from pipeport.scan._boundaries import BoundarySite, boundaries
from pipeport.scan._dtypes import declared
from pipeport.scan._files import Problem, decoded
from pipeport.scan._findings import Finding
from pipeport.scan._module import Module
from pipeport.scan._notebook import Notebook
from pipeport.scan._reader import NoPython, Reader
from pipeport.scan._settings import ignored


def rewrite_file(
    path: Path, findings: Sequence[Finding], reader: Reader, evidence: Evidence | None = None
) -> Rewritten | None:
    """Rewrite the text of a file; nothing is written.

    `findings`: of a scan, of this file. `reader`: reads it; what cannot be read or parsed is added to its
    problems. Returns: None where no boundary stands in it, or it cannot be read.
    """
    reader.resolver.forget()
    shown = reader.shown(path)
    book = None
    try:
        old = reader.content(path)
        if not findings and not any(word in old for word in addons_words):
            return None
        if path.suffix == ".ipynb":
            book = Notebook(old)
            module = reader.parsed(path, book.text)
            new, changes, refusals = _File(path, shown, module, reader, evidence, book).rewritten(
                book.text, findings
            )
            data, cells = book.rebuilt(new)
            texts = [(f"{shown}, cell {cell}", before, after) for cell, before, after in cells]
            return Rewritten(path, shown, old, data, tuple(texts), changes, refusals)
        text, encoding = decoded(old)
        module = reader.parsed(path, text)
        if text.encode(encoding) != old:
            raise ValueError(f"cannot be written back in its encoding, {encoding}")
        new, changes, refusals = _File(path, shown, module, reader, evidence).rewritten(text, findings)
        return Rewritten(path, shown, old, new.encode(encoding), ((shown, text, new),), changes, refusals)
    except NoPython as error:
        place = (None, error.line) if book is None or error.line is None else book.place(error.line)
        reader.problems.append(Problem(shown, place[1], str(error), place[0]))
    except (ValueError, UnsupportedArgument) as error:
        reader.problems.append(Problem(shown, None, str(error)))
    return None


class _File:
    def __init__(
        self,
        path: Path,
        shown: str,
        module: Module,
        reader: Reader,
        evidence: Evidence | None,
        book: Notebook | None = None,
    ) -> None:
        self._path, self._shown, self._module, self._reader = path, shown, module, reader
        self._evidence, self._book = evidence, book
        nodes = ast.walk(module.tree)
        self._parents = {id(child): node for node in nodes for child in ast.iter_child_nodes(node)}

    def rewritten(
        self, text: str, findings: Sequence[Finding]
    ) -> tuple[str, tuple[Change, ...], tuple[Refusal, ...]]:
        """Return the new text, what changes, and what stays."""
        from pipeport.rewrite._edit import Edits, applied

        edits = Edits()
        changes: list[Change] = []
        refusals: list[Refusal] = []
        found = {self._module.span(one.name): one for one in boundaries(self._module, self._reader.resolver)}
        for finding in findings:
            boundary = None if finding.plan is None else found[finding.plan.span]
            about = (self._shown, finding.line, finding.wrapper or "")
            try:
                form = form_of(finding, boundary, self._path, self._evidence)
                if form is None or boundary is None or finding.plan is None:
                    continue
                own = Edits(imports=finding.plan.imports)
                if form.kind == DROP_IN:
                    own.replaced[finding.plan.span] = finding.plan.name
                else:
                    own.calls[self._module.span(boundary.node)] = self._call(boundary, form)
            except Stays as stays:
                code = stays.code or finding.code
                refusals.append(Refusal(*about, finding.function, code, str(stays), finding.cell))
                continue
            edits.add(own)
            changes.append(Change(*about, finding.function or "", form.kind, form.why, finding.cell))
        for use in addons(self._module, self._reader.resolver):
            codes = ignored(self._module.lines, use.node.lineno, use.node.end_lineno)
            if codes is None or "PP114" in codes:
                continue
            line, cell = use.node.lineno, None
            if self._book is not None:
                cell, line = self._book.place(line)
            kind, names = "tensorflow_addons", ", ".join(use.names)
            if use.edits is None:
                refusals.append(Refusal(self._shown, line, kind, names or None, "PP114", use.reason, cell))
            else:
                edits.add(use.edits)
                changes.append(Change(self._shown, line, kind, names, IMPORT, use.reason, cell))
        new = text
        if changes:
            new, places = applied(text, edits)
            if edits.places != places or not _parses(new):
                raise ValueError("holds a call that cannot be found again in its text: nothing is rewritten")
        return new, tuple(sorted(changes, key=_in_order)), tuple(sorted(refusals, key=_in_order))

    # What changes in the text.

    def _call(self, boundary: BoundarySite, form: Form) -> Any:
        from pipeport.rewrite._edit import PortCall

        given, (dtypes, listed) = boundary.arguments, declared(boundary)
        if given is None or given.location.module is not boundary.module:
            raise Stays("The call does not say what is handed over (`inp`).")
        if not dtypes:
            raise Stays("Its `Tout` does not tell how many results there are: write the dtypes in the call.")
        tensorflow = self._tensorflow(boundary)
        maker = f"{tensorflow}.convert_to_tensor"
        written = given.node.elts if isinstance(given.node, (ast.List, ast.Tuple)) else None
        made: tuple[str, ...] | None = None
        all_of = "" if all(form.tensors) else maker
        if written is not None and not any(isinstance(one, ast.Starred) for one in written):
            made, all_of = tuple("" if one else maker for one in form.tensors), ""
        many = len(dtypes) if listed else 0
        options = {"wrapper": '"py_function"'} if "wrapper" in form.options else {}
        if "islands" in form.options:
            nests = form.options["islands"].items()
            stated = ", ".join(f'"{name}": {_stated(nest, tensorflow)}' for name, nest in nests)
            options["islands"] = f"{{{stated}}}"
        if not tensorflow and (all_of or any(made or ()) or many == 1 or "islands" in options):
            raise Stays("The file has no name for TensorFlow itself: import tensorflow as tf.")
        return PortCall(options, made, all_of, many, tensorflow, self._needs_list(boundary.node))

    def _needs_list(self, node: ast.AST) -> bool:
        """Whether what stands around a call may tell a tuple from a list."""
        parent = self._parents.get(id(node))
        if isinstance(parent, ast.Assign):
            return not all(isinstance(one, (ast.Tuple, ast.List)) for one in parent.targets)
        if isinstance(parent, ast.Call):
            return ast.unparse(parent.func) not in ("tuple", "list")
        return not isinstance(parent, (ast.Return, ast.Lambda, ast.Subscript, ast.Starred))

    def _tensorflow(self, boundary: BoundarySite) -> str:
        node = boundary.node
        called: Any = node.func if isinstance(node, ast.Call) else None
        while isinstance(called, ast.Attribute):
            called = called.value
        if isinstance(called, ast.Name):
            found = self._reader.resolver.resolve(called, boundary.location, {})
            if found.kind == "library" and found.name in TENSORFLOW:
                return called.id
        return name_of(self._module, self._reader.resolver, *TENSORFLOW)


def _in_order(one: Change | Refusal) -> tuple[int, int]:
    return one.cell or 0, one.line


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _stated(nest: Any, tensorflow: str) -> str:
    """Return the expression of what an island gives."""
    if isinstance(nest, dict):
        return f"{{{', '.join(f'{name!r}: {_stated(one, tensorflow)}' for name, one in nest.items())}}}"
    dtype, rank = nest if len(nest) == 2 and isinstance(nest[0], str) else ("", 0)
    if not dtype:
        return f"({''.join(f'{_stated(one, tensorflow)}, ' for one in nest)})"
    return f"{tensorflow}.TensorSpec([{', '.join(['None'] * rank)}], {tensorflow}.{dtype})"
