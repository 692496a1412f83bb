"""One file: its boundaries, what becomes of each, and its text afterwards."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path
from typing import Any

from pipeport.errors import UnsupportedArgument
from pipeport.rewrite._addons import WORDS as addons_words
from pipeport.rewrite._addons import addons
from pipeport.rewrite._evidence import Evidence
from pipeport.rewrite._imports import needed
from pipeport.rewrite._notebook import Notebook
from pipeport.rewrite._plan import DROP_IN, IMPORT, TENSORFLOW, Form, Stays, form_of, name_of, session_of
from pipeport.rewrite._records import Change, Refusal, Rewritten
from pipeport.rewrite._results import MANY, UNKNOWN
from pipeport.scan._boundaries import WORDS, Boundary, boundaries
from pipeport.scan._files import Problem
from pipeport.scan._findings import Finding, finding_of, function_of
from pipeport.scan._module import FUNCTIONS, Module
from pipeport.scan._reader import NoPython, Reader
from pipeport.scan._settings import ignored

Span = tuple[int, int, int, int]


def rewrite_file(path: Path, reader: Reader, evidence: Evidence | None = None) -> Rewritten | None:
    """Rewrite the text of a file; nothing is written.

    Parameters
    ----------
    path : Path
        The file.
    reader : Reader
        Reads it; what cannot be read or parsed is added to its problems.
    evidence : Evidence, optional
        What a run has seen.

    Returns
    -------
    Rewritten or None
        None where no boundary stands in it, or it cannot be read.
    """
    reader.resolver.forget()
    shown = reader.shown(path)
    book = None
    try:
        old = reader.content(path)
        if not WORDS.search(old) and not any(word in old for word in addons_words):
            return None
        if path.suffix == ".ipynb":
            book = Notebook(old)
            module = reader.parsed(path, book.text)
            program = _File(path, shown, module, reader, evidence, book)
            new, changes, refusals = program.rewritten(book.text)
            data, cells = book.rebuilt(new)
            texts = [(f"{shown}, cell {cell}", before, after) for cell, before, after in cells]
            return Rewritten(path, shown, old, data, tuple(texts), changes, refusals)
        module = reader.parse(path, old)
        text, encoding = _text(old)
        program = _File(path, shown, module, reader, evidence)
        new, changes, refusals = program.rewritten(text)
        return Rewritten(path, shown, old, new.encode(encoding), ((shown, text, new),), changes, refusals)
    except NoPython as error:
        place = (None, error.line) if book is None or error.line is None else book.place(error.line)
        reader.problems.append(Problem(shown, place[1], str(error), place[0]))
    except (ValueError, UnsupportedArgument) as error:
        reader.problems.append(Problem(shown, None, str(error)))
    return None


def _text(raw: bytes) -> tuple[str, str]:
    encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    text = raw.decode(encoding)
    if text.encode(encoding) != raw:
        raise ValueError(f"cannot be written back in its encoding, {encoding}")
    return text, encoding


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

    def rewritten(self, text: str) -> tuple[str, tuple[Change, ...], tuple[Refusal, ...]]:
        """Return the new text, what changes, and what stays."""
        from pipeport.rewrite._edit import Edits, applied

        edits = Edits()
        changes: dict[Any, Change] = {}
        refusals: list[Refusal] = []
        session = session_of(self._module, self._reader.resolver)
        for one in boundaries(self._module, self._reader.resolver):
            finding = finding_of(one, function_of(one, self._reader), self._reader)[0]
            if self._left_out(one.node, one.line, finding.code):
                continue
            try:
                form = form_of(one, finding, self._path, self._evidence, session)
                if form is None:
                    continue
                own = self._edits(one, form)
            except Stays as stays:
                refusals.append(self._refusal(finding, stays))
                continue
            edits.add(own)
            changes[id(one)] = self._change(finding, form)
        for use in addons(self._module, self._reader.resolver, self.span):
            line, cell = self._line(use.node.lineno)
            about = (self._shown, line, "tensorflow_addons", ", ".join(use.names) or None)
            if self._left_out(use.node, use.node.lineno, "PP114"):
                continue
            if use.edits is None:
                refusals.append(Refusal(*about, "PP114", use.reason, cell))
            else:
                edits.add(use.edits)
                changes[id(use)] = Change(*about[:3], about[3] or "", IMPORT, use.reason, cell)
        new = text
        if changes:
            new, found = applied(text, edits)
            if edits.places != found or not _parses(new):
                raise ValueError("holds a call that cannot be found again in its text: nothing is rewritten")
        kept = sorted(changes.values(), key=_in_order)
        return new, tuple(kept), tuple(sorted(refusals, key=_in_order))

    def _line(self, line: int) -> tuple[int, int | None]:
        """Return the line, and in a notebook that in its cell, with the cell."""
        if self._book is None:
            return int(line), None
        cell, line = self._book.place(line)
        return line, cell

    def _change(self, finding: Finding, form: Form) -> Change:
        line, cell = self._line(finding.line)
        about = (self._shown, line, finding.wrapper or "", finding.function or "")
        return Change(*about, form.kind, form.why, cell)

    def _left_out(self, node: Any, first: int, code: str) -> bool:
        last = node.lineno if isinstance(node, FUNCTIONS) else node.end_lineno
        codes = ignored(self._module.lines, first, last)
        return codes is None or code in codes

    def _refusal(self, finding: Finding, stays: Stays) -> Refusal:
        line, cell = self._line(finding.line)
        about = (finding.wrapper or "", finding.function, stays.code or finding.code, str(stays), cell)
        return Refusal(self._shown, line, *about)

    # What changes in the text.

    def _edits(self, boundary: Boundary, form: Form) -> Any:
        from pipeport.rewrite._edit import Edits

        edits = Edits(imports=needed(self._module, "pipeport"))
        if form.kind == DROP_IN:
            name = "py_function" if boundary.wrapper == "py_function" else "numpy_function"
            edits.replaced[self.span(boundary.name)] = f"pipeport.{name}"
        else:
            edits.calls[self.span(boundary.node)] = self._call(boundary, form)
        return edits

    def _call(self, boundary: Boundary, form: Form) -> Any:
        from pipeport.rewrite._edit import Call

        given, declared = boundary.arguments, form.declared
        if given is None or given.location.module is not boundary.module:
            raise Stays("The call does not say what is handed over (`inp`).")
        if declared is None or declared.form == UNKNOWN:
            raise Stays("Its `Tout` does not tell how many results there are: write the dtypes in the call.")
        tensorflow = self._tensorflow(boundary)
        maker = f"{tensorflow}.convert_to_tensor"
        written = given.node.elts if isinstance(given.node, (ast.List, ast.Tuple)) else None
        made: tuple[str, ...] | None = None
        all_of = "" if all(form.tensors) else maker
        if written is not None and not any(isinstance(one, ast.Starred) for one in written):
            made, all_of = tuple("" if one else maker for one in form.tensors), ""
        many = len(declared.dtypes) if declared.form == MANY else 0
        options = {"wrapper": '"py_function"'} if "wrapper" in form.options else {}
        if "islands" in form.options:
            nests = form.options["islands"].items()
            stated = ", ".join(f'"{name}": {_stated(nest, tensorflow)}' for name, nest in nests)
            options["islands"] = f"{{{stated}}}"
        if not tensorflow and (all_of or any(made or ()) or many == 1 or "islands" in options):
            raise Stays("The file has no name for TensorFlow itself: import tensorflow as tf.")
        return Call(options, made, all_of, many, tensorflow, self._needs_list(boundary.node))

    def _needs_list(self, node: ast.AST) -> bool:
        """Whether what stands around a call may tell a tuple from a list."""
        parent = self._parents.get(id(node))
        if isinstance(parent, ast.Assign):
            return not all(isinstance(one, (ast.Tuple, ast.List)) for one in parent.targets)
        if isinstance(parent, ast.Call):
            return ast.unparse(parent.func) not in ("tuple", "list")
        return not isinstance(parent, (ast.Return, ast.Lambda, ast.Subscript, ast.Starred))

    def _tensorflow(self, boundary: Boundary) -> str:
        node = boundary.node
        called: Any = node.func if isinstance(node, ast.Call) else None
        while isinstance(called, ast.Attribute):
            called = called.value
        if isinstance(called, ast.Name):
            found = self._reader.resolver.resolve(called, boundary.location, {})
            if found.kind == "library" and found.name in TENSORFLOW:
                return called.id
        return name_of(self._module, self._reader.resolver, *TENSORFLOW)

    def span(self, node: Any) -> Span:
        """Return the place of a node, columns in characters."""
        lines = self._module.lines

        def column(line: int, offset: int) -> int:
            return len(lines[line - 1].encode()[:offset].decode())

        start, end = column(node.lineno, node.col_offset), column(node.end_lineno, node.end_col_offset)
        return node.lineno, start, node.end_lineno, end


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
