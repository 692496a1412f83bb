"""One file: its boundaries, what becomes of each, and its text afterwards."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeport.errors import UnsupportedArgument
from pipeport.rewrite._addons import WORDS as addons_words
from pipeport.rewrite._addons import addons
from pipeport.rewrite._arguments import Tensors
from pipeport.rewrite._decorators import decorated
from pipeport.rewrite._imports import needed
from pipeport.rewrite._notebook import Notebook
from pipeport.rewrite._plan import IMPORT, TENSORFLOW, UNWRAP, Form, Options, Stays, form_of, name_of
from pipeport.rewrite._records import Change, Refusal, Rewritten
from pipeport.rewrite._results import MANY
from pipeport.scan._boundaries import WORDS, Boundary, boundaries
from pipeport.scan._bugs import Examined, mapped
from pipeport.scan._files import Problem
from pipeport.scan._findings import Finding, finding_of, function_of
from pipeport.scan._module import FUNCTIONS, Module
from pipeport.scan._reader import NoPython, Reader
from pipeport.scan._resolve import Location
from pipeport.scan._settings import ignored

Span = tuple[int, int, int, int]
# A file, a line in it, and the cell of a notebook.
At = tuple[str, int, int | None]
_MAPS = ("map", "flat_map", "interleave", "filter")


def rewrite_file(path: Path, reader: Reader, options: Options) -> Rewritten | None:
    """Rewrite the text of a file; nothing is written.

    Parameters
    ----------
    path : Path
        The file.
    reader : Reader
        Reads it; what cannot be read or parsed is added to its problems.
    options : Options
        What is asked for.

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
            program = _File(path, shown, module, reader, options, book)
            new, changes, refusals = program.rewritten(book.text)
            data, cells = book.rebuilt(new)
            texts = [(f"{shown}, cell {cell}", before, after) for cell, before, after in cells]
            return Rewritten(path, shown, old, data, tuple(texts), changes, refusals)
        module = reader.parse(path, old)
        text, encoding = _text(old)
        program = _File(path, shown, module, reader, options)
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
        options: Options,
        book: Notebook | None = None,
    ) -> None:
        self._path, self._shown, self._module, self._reader = path, shown, module, reader
        self._options, self._book = options, book
        self._maps = mapped(module, reader.resolver)
        self._tensors = Tensors(reader.resolver, set(_handed_elements(module, reader)))
        nodes = ast.walk(module.tree)
        self._parents = {id(child): node for node in nodes for child in ast.iter_child_nodes(node)}

    def rewritten(self, text: str) -> tuple[str, tuple[Change, ...], tuple[Refusal, ...]]:
        """Return the new text, what changes, and what stays."""
        from pipeport.rewrite._edit import Edits, applied

        edits = Edits()
        changes: dict[Any, Change] = {}
        refusals: list[Refusal] = []
        for one in boundaries(self._module, self._reader.resolver):
            examined, finding = self._examined(one)
            if self._left_out(one.node, one.line, finding.code):
                continue
            try:
                known = self._options.refused.get((self._shown, *self._line(finding.line)))
                if known is not None:
                    raise Stays(known)
                form = form_of(examined, finding, self._options)
                place, own = self._edits(examined, form)
                if form.draws:
                    own.maps |= self._seeded(one)
            except Stays as stays:
                refusals.append(self._refusal(finding, str(stays)))
                continue
            edits.add(own)
            changes[place] = self._change(examined, finding, form)
        for use in addons(self._module, self._reader.resolver, self.span, unsafe=self._options.unsafe):
            line, cell = self._line(use.node.lineno)
            about = (self._shown, line, "tensorflow_addons", ", ".join(use.names) or None)
            if self._left_out(use.node, use.node.lineno, "PP114"):
                continue
            if use.edits is None:
                refusals.append(Refusal(*about, "PP114", use.reason, cell))
            else:
                edits.add(use.edits)
                changes[id(use)] = Change(*about[:3], about[3] or "", IMPORT, None, cell=cell)
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

    def _change(self, one: Examined, finding: Finding, form: Form) -> Change:
        target = one.target
        around = None if target.module is None else target.module.around.get(id(target.node))
        top = around is not None and target.module is not None and around is target.module.top
        plain = target.kind == "function" and not target.bound and not target.args and not target.keywords
        line, cell = self._line(finding.line)
        return Change(
            self._shown,
            line,
            one.boundary.wrapper,
            finding.function or "",
            form.kind,
            finding.body,
            native=form.native,
            option=form.wrapper,
            importable=top and plain and cell is None and not isinstance(target.node, ast.Lambda),
            decorated=bool(getattr(target.node, "decorator_list", [])),
            cell=cell,
            doubts=form.doubts,
            example=form.example,
        )

    def _examined(self, one: Boundary) -> tuple[Examined, Finding]:
        finding, examined = finding_of(one, function_of(one, self._reader), self._reader)
        return examined, finding

    def _left_out(self, node: Any, first: int, code: str) -> bool:
        last = node.lineno if isinstance(node, FUNCTIONS) else node.end_lineno
        codes = ignored(self._module.lines, first, last)
        return codes is None or code in codes

    def _refusal(self, finding: Finding, reason: str) -> Refusal:
        line, cell = self._line(finding.line)
        about = (finding.wrapper or "", finding.function, finding.code, reason, cell)
        return Refusal(self._shown, line, *about)

    # What changes in the text.

    def _edits(self, one: Examined, form: Form) -> tuple[Any, Any]:
        from pipeport.rewrite._edit import Edits

        boundary = one.boundary
        if boundary.form == "decorator":
            edits, place = decorated(
                one, form, self._tensors, self._tensorflow(boundary), self._numpy() or "numpy", self.span
            )
            more = ["functools"] if form.options("") else []
            edits.imports = needed(self._module, "pipeport", *more, *self._numpy_too(form))
            return place, edits
        call = self._call(boundary, form)
        place = self.span(boundary.node)
        edits = Edits(calls={place: call})
        if form.kind != UNWRAP:
            edits.imports = needed(self._module, "pipeport", *self._numpy_too(form))
        return place, edits

    def _numpy_too(self, form: Form) -> list[str]:
        return ["numpy"] if form.example and not self._numpy() else []

    def _seeded(self, boundary: Boundary) -> set[Span]:
        """Return the places of the maps that run a boundary, which need a seed for each element."""
        around = getattr(boundary.location.scope.function, "node", None)
        if boundary.form == "decorator":
            around = boundary.node
        maps = [one for one in self._maps if any(target.node is around for target in one.functions)]
        if not maps:
            raise Stays(
                "It draws, and no map of a dataset is found in this file that runs it: each element needs a "
                "seed, from pipeport.seeds.seeded_map.",
                "own-augmentation",
            )
        for one in maps:
            names = {key.arg for key in one.call.keywords}
            first = one.call.args[0] if one.call.args else one.call.keywords[0]
            odd = isinstance(first, ast.Starred) or getattr(first, "arg", "map_func") != "map_func"
            if odd or len(one.call.args) > 2 or names - {"map_func", "num_parallel_calls", "deterministic"}:
                raise Stays(f"The map in line {one.call.lineno} has arguments that seeded_map has not.")
        return {self.span(one.call) for one in maps}

    def _call(self, boundary: Boundary, form: Form) -> Any:
        from pipeport.rewrite._edit import Call

        given = boundary.arguments
        if given is None or given.location.module is not boundary.module:
            raise Stays("The call does not say what is handed over (`inp`).")
        tensorflow = self._tensorflow(boundary)
        made: tuple[str, ...] | None = None
        all_of = ""
        if isinstance(given.node, (ast.List, ast.Tuple)):
            made = tuple(self._maker(one, given.location, tensorflow, form) for one in given.node.elts)
        elif not self._tensors.all_of(given):
            all_of = f"{tensorflow}.convert_to_tensor"
        wraps = form.cast or form.declared.form == MANY or all_of or any(made or ())
        if wraps and not tensorflow:
            raise Stays("The file has no name for TensorFlow itself: import tensorflow as tf.")
        if form.cast and not form.declared.here and form.declared.form == MANY:
            raise Stays("Its `Tout` stands elsewhere, and casts: write the dtypes in the call.")
        named = form.options(self._numpy() or "numpy")
        return Call(form, named, made, all_of, tensorflow, self._needs_list(boundary.node))

    def _maker(self, node: ast.expr, location: Location, tensorflow: str, form: Form) -> str:
        """Return what makes of an argument what the boundary made of it; empty where nothing need."""
        if isinstance(node, ast.Starred):
            if not self._tensors.sure(node, location):
                raise Stays(f"What `{ast.unparse(node)}` holds is not known: write the arguments out.")
            return ""
        if self._tensors.sure(node, location):
            return ""
        value = node.operand if isinstance(node, ast.UnaryOp) else node
        number = isinstance(value, ast.Constant) and type(value.value) in (bool, int, float)
        if number and not form.wrapper and form.kind == "port":
            name = self._numpy()
            kind = {bool: "bool_", int: "int32", float: "float32"}[type(value.value)]  # type: ignore[attr-defined]
            if name and not (kind == "int32" and abs(value.value) >= 2**31):  # type: ignore[attr-defined]
                return f"{name}.{kind}"
        return f"{tensorflow}.convert_to_tensor"

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

    def _numpy(self) -> str:
        return name_of(self._module, self._reader.resolver, "numpy")

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


def _handed_elements(module: Module, reader: Reader) -> Iterator[int]:
    """Yield the identities of the functions that a dataset maps as they are: their arguments are tensors."""
    for node, scope, chain in module.calls:
        if isinstance(node.func, ast.Attribute) and node.func.attr in _MAPS:
            location = Location(module, scope, node.lineno, chain)
            for one in node.args[:1]:
                target = reader.resolver.resolve(one, location, {})
                if target.kind == "function" and not target.args and not target.keywords:
                    yield id(target.node)
