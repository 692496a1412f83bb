"""The findings of one file: its boundaries, and who hands functions to them."""

from __future__ import annotations

import ast
import functools
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeport import meanings
from pipeport.errors import UnsupportedArgument
from pipeport.scan import _files
from pipeport.scan._body import Body, body_of
from pipeport.scan._boundaries import WORDS, Boundary, boundaries, is_boundary
from pipeport.scan._bugs import Bug, Examined, mapped, may_have
from pipeport.scan._bugs_inside import bugs_inside
from pipeport.scan._bugs_outside import bugs_outside
from pipeport.scan._bugs_removed import removed
from pipeport.scan._diff import diff
from pipeport.scan._files import Problem
from pipeport.scan._gains import gain
from pipeport.scan._module import FUNCTIONS, Module, parameters, parsed
from pipeport.scan._resolve import Place, Ref, Resolver, Target, filled
from pipeport.scan._rules import CLEAR, CODES, ELSEWHERE, NEVER, UNKNOWN
from pipeport.scan._settings import ignored
from pipeport.scan._verdict import Judgement, judge, only_tensorflow


@dataclass(frozen=True)
class Finding:
    """One place where Python is called inside a graph.

    Attributes
    ----------
    path : str
        The file.
    line : int
        Its line.
    code : str
        See `scan.RULES`.
    kind : str
        'boundary', 'generator' (the source of a dataset), 'helper' (a call that hands a function to a
        boundary inside a function of the user's), or 'bug'.
    wrapper : str or None
        'numpy_function', 'py_function', 'py_func' or 'from_generator'; None for bugs.
    function : str or None
        The function that Python runs; None where the text does not tell.
    body : tuple of str and int, or None
        File and line where it is defined.
    calls : tuple of str
        Dotted names of what it calls of libraries.
    verdict : str or None
        See `scan.VERDICTS`; None for bugs.
    reason : str
        Why.
    reason_at : tuple of str and int
        Where that shows.
    diff : str
        What to write instead; empty where that is not known.
    gain : str
        What the newest release measured of the one call in it; empty where it did not.
    cell : int or None
        Of a notebook: the number of the cell, `line` counts in it.
    """

    path: str
    line: int
    code: str
    kind: str
    wrapper: str | None
    function: str | None
    body: tuple[str, int] | None
    calls: tuple[str, ...]
    verdict: str | None
    reason: str
    reason_at: tuple[str, int]
    diff: str
    gain: str = ""
    cell: int | None = None


@dataclass(frozen=True)
class Helper:
    """A function of the user's that hands one of its parameters to a boundary.

    Attributes
    ----------
    path : Path
        Its file.
    line : int
        Its line.
    name : str
        What it, or its class, is called.
    parameter : str
        The parameter.
    wrapper : str
        What it hands it to.
    boundary : tuple of str and int
        Where that stands.
    """

    path: Path
    line: int
    name: str
    parameter: str
    wrapper: str
    boundary: tuple[str, int]


class Reader:
    """Reads files, and keeps the parsed ones."""

    def __init__(self, names: dict[Path, str], given: dict[Path, bytes] | None = None) -> None:
        self._names = names
        self._given = given or {}
        self.problems: list[Problem] = []
        self.resolver = Resolver(self.load, functools.cache(_files.find_module))

    def content(self, path: Path) -> bytes:
        """Return the bytes of a file, or what stands for them."""
        return self._given[path] if path in self._given else _files.content(path)

    def shown(self, path: Path) -> str:
        """Return the path as the user gave it."""
        return self._names.get(path, str(path))

    @functools.lru_cache(maxsize=256)  # noqa: B019 - lives as long as one scan
    def load(self, path: Path) -> Module | None:
        """Return a parsed file; None, and one problem, where it cannot be."""
        try:
            return self.parse(path, self.content(path))
        except ValueError:
            return None

    def parse(self, path: Path, raw: bytes) -> Module:
        """Parse a file.

        Raises
        ------
        ValueError
            It is no Python of today; the message says why.
        """
        text = _files.text_of(path, raw)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # invalid escapes in strings
                return parsed(path, text)
        except SyntaxError as error:
            raise _NoPython(f"is no Python 3: {error.msg}", error.lineno) from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise ValueError(f"cannot be parsed: {type(error).__name__}") from error


class _NoPython(ValueError):
    def __init__(self, reason: str, line: int | None) -> None:
        super().__init__(reason)
        self.line = line


def scan_file(path: Path, reader: Reader) -> tuple[list[Finding], list[Helper]]:
    """Find the boundaries of a file.

    Parameters
    ----------
    path : Path
        The file.
    reader : Reader
        Reads it; what cannot be scanned is added to its problems.

    Returns
    -------
    (list of Finding, list of Helper)
        Its findings, and the functions of it that hand theirs to a boundary.
    """
    reader.resolver.forget()
    module = _module(path, reader, lambda data: WORDS.search(data) is not None or may_have(data))
    if module is None:
        return [], []
    findings: list[Finding] = []
    helpers: list[Helper] = []
    maps = mapped(module, reader.resolver)
    bugs: list[Bug] = []
    called = WORDS.search("\n".join(module.lines).encode(errors="replace"))
    for boundary in boundaries(module, reader.resolver) if called else ():
        helper = _helper(boundary, reader)
        finding, examined = finding_of(boundary, _function(boundary, reader), reader)
        findings += _kept(finding, boundary.node, module, reader)
        bugs += bugs_inside(examined, maps)
        if helper is not None:
            helpers.append(helper)
    bugs += [*bugs_outside(module, reader.resolver, maps), *removed(module, reader.resolver)]
    for bug in bugs:
        findings += _kept(_of_bug(bug, reader), bug.node, bug.module, reader)
    helpers += _aliases(module, reader)
    return findings, helpers


def _of_bug(bug: Bug, reader: Reader) -> Finding:
    at = (reader.shown(bug.module.path), int(bug.node.lineno))
    return Finding(
        *at,
        code=bug.code,
        kind="bug",
        wrapper=None,
        function=None,
        body=None,
        calls=(),
        verdict=None,
        reason=bug.reason,
        reason_at=at,
        diff="",
    )


def _kept(finding: Finding, node: Any, module: Module, reader: Reader) -> list[Finding]:
    """Return a finding, unless a comment in the lines of its node ignores it."""
    last = node.lineno if isinstance(node, FUNCTIONS) else node.end_lineno
    try:
        codes = ignored(module.lines, finding.line, last)
    except UnsupportedArgument as error:
        reader.problems.append(Problem(finding.path, finding.line, str(error)))
        return [finding]
    return [] if codes is None or finding.code in codes else [finding]


def _module(path: Path, reader: Reader, wanted: Callable[[bytes], bool]) -> Module | None:
    try:
        data = reader.content(path)
        return reader.parse(path, data) if wanted(data) else None
    except _NoPython as error:
        reader.problems.append(Problem(reader.shown(path), error.line, str(error)))
    except ValueError as error:
        reader.problems.append(Problem(reader.shown(path), None, str(error)))
    return None


def _function(boundary: Boundary, reader: Reader) -> Target:
    if boundary.function is None:
        return Target("unknown", "a function that the call does not name")
    ref = boundary.function
    return reader.resolver.resolve(ref.node, ref.place, ref.env)


def finding_of(
    boundary: Boundary, target: Target, reader: Reader, at: Place | None = None
) -> tuple[Finding, Examined]:
    """Return the finding of a boundary that calls a target.

    Parameters
    ----------
    boundary : Boundary
        The boundary.
    target : Target
        What it calls.
    reader : Reader
        Knows the paths.
    at : Place, optional
        Of a call that hands the function to a helper.

    Returns
    -------
    (Finding, Examined)
        With its verdict; what is known, for the rules of bugs.
    """
    place = at or boundary.place
    eager = boundary.wrapper == "py_function"
    body = body_of(target, place, reader.resolver, eager=eager)
    judged = _of_generator(target, body) if boundary.wrapper == "from_generator" else None
    judged = judged or judge(boundary, target, body)
    here = (reader.shown(place.module.path), place.line if at else boundary.line)
    clear = judged.verdict == CLEAR and at is None
    if judged.module is None or judged.line is None:
        reason_at = here
    else:
        reason_at = (reader.shown(judged.module.path), judged.line)
    kind = "helper" if at else "generator" if boundary.wrapper == "from_generator" else "boundary"
    calls = dict.fromkeys(
        use.name for use in (*body.uses, *body.missing) if not use.name.startswith("builtins.")
    )
    finding = Finding(
        *here,
        code=CODES[judged.verdict],
        kind=kind,
        wrapper=boundary.wrapper,
        function=_shown_name(target),
        body=_defined(target, reader),
        calls=tuple(calls),
        verdict=judged.verdict,
        reason=judged.reason,
        reason_at=reason_at,
        diff=diff(boundary, target, unwrap=only_tensorflow(boundary, body)) if clear else "",
        gain=gain(boundary, body) if clear else "",
    )
    return finding, Examined(boundary, target, body, judged.verdict, reader.resolver)


def _of_generator(target: Target, body: Body) -> Judgement | None:
    first = next((use for use in body.uses if use.meaning.kind == meanings.ELSEWHERE), None)
    if first is not None:
        return Judgement(ELSEWHERE, f"{first.name}: {first.meaning.advice}", first.module, first.line)
    if target.kind in ("unknown", "param"):
        return Judgement(UNKNOWN, f"What it calls is not found in the scanned files: {target.name}.")
    reason = (
        "A generator runs in Python. Where it reads files, make a dataset of their paths and map a reader; "
        "arrays go to from_tensor_slices: pipeport recipe data-from-python."
    )
    line = getattr(target.node, "lineno", None)
    return Judgement(NEVER, reason, target.module, line)


def _shown_name(target: Target) -> str | None:
    if target.kind in ("unknown", "constant"):
        return None
    if target.kind == "param":
        return target.default.name if target.default and target.default.name != "None" else target.name
    return target.name


def _defined(target: Target, reader: Reader) -> tuple[str, int] | None:
    if target.kind == "param" and target.default is not None:
        target = target.default
    if target.module is None or target.kind not in ("function", "instance", "object"):
        return None
    return reader.shown(target.module.path), int(target.node.lineno)


# Functions that hand theirs on.


def _helper(boundary: Boundary, reader: Reader) -> Helper | None:
    target = _function(boundary, reader)
    if target.kind != "param":
        return None
    return _as_helper(target, boundary.wrapper, (str(boundary.module.path), boundary.line))


def _as_helper(target: Target, wrapper: str, boundary: tuple[str, int]) -> Helper | None:
    module, node = target.module, target.node
    if module is None or isinstance(node, ast.Lambda):
        return None
    around = module.around.get(id(node))
    name = node.name
    if name == "__init__" and around is not None:
        name = around.node.name
    return Helper(module.path, node.lineno, name, target.name, wrapper, boundary)


def _aliases(module: Module, reader: Reader) -> list[Helper]:
    """Return the names of a module that are a wrapper under another name."""
    found = []
    for name, bindings in module.top.names.items():
        if bindings[-1].kind not in ("assign", "import"):
            continue
        if name in ("numpy_function", "py_function", "py_func"):
            continue
        target = reader.resolver.resolve(ast.Name(name, ast.Load()), Place(module, module.top, 1 << 30), {})
        if is_boundary(target):
            found.append(Helper(module.path, 0, name, "", "", (str(module.path), bindings[-1].line)))
    return found


def scan_uses(path: Path, helpers: list[Helper], reader: Reader) -> tuple[list[Finding], list[Helper]]:
    """Find the calls of helpers in a file.

    Parameters
    ----------
    path : Path
        The file.
    helpers : list of Helper
        Whose calls are looked for.
    reader : Reader
        Reads it.

    Returns
    -------
    (list of Finding, list of Helper)
        One finding for each function that is handed over, and further helpers.
    """
    try:
        data = reader.content(path)
    except ValueError:
        return [], []
    helpers = [helper for helper in helpers if _may_use(path, data, helper)]
    reader.resolver.forget()
    module = reader.load(path) if helpers else None
    if module is None:
        return [], []
    findings: list[Finding] = []
    further: list[Helper] = []
    if any(not helper.parameter and helper.path != path for helper in helpers):
        words = WORDS.search(data)
        for one in [] if words else boundaries(module, reader.resolver):
            finding, _ = finding_of(one, _function(one, reader), reader)
            findings += _kept(finding, one.node, module, reader)
    by_place = {(helper.path, helper.line): helper for helper in helpers if helper.parameter}
    for handed, at in _handed(module, by_place, reader):
        helper, ref = handed
        target = reader.resolver.resolve(ref.node, ref.place, ref.env)
        if target.kind == "param" and target.default is None:
            more = _as_helper(target, helper.wrapper, helper.boundary)
            if more is not None:
                further.append(more)
            continue
        boundary = Boundary(module, at[0], helper.wrapper, "helper", ref, None, None, at[1])
        finding, _ = finding_of(boundary, target, reader, at[1])
        findings += _kept(finding, at[0], module, reader)
    return findings, further


@functools.cache
def _package(path: Path) -> Path:
    """Return the outermost package a file belongs to, or the file."""
    package = path
    while (package.parent / "__init__.py").exists():
        package = package.parent
    return package


def _may_use(path: Path, data: bytes, helper: Helper) -> bool:
    """Whether a file names a helper, and its package where it stands outside of it."""
    package = _package(helper.path)
    inside = path == package or package in path.parents
    return helper.name.encode() in data and (inside or package.stem.encode() in data)


_Handed = tuple[tuple[Helper, Ref], tuple[ast.AST, Place]]


def _handed(module: Module, helpers: dict[tuple[Path, int], Helper], reader: Reader) -> list[_Handed]:
    found: list[_Handed] = []
    for node, scope, chain in module.calls:
        place = Place(module, scope, node.lineno, chain)
        target = reader.resolver.resolve(node.func, place, {})
        call = node
        if target.kind == "library" and target.name == "functools.partial" and node.args:
            target = reader.resolver.resolve(node.args[0], place, {})
            call = ast.Call(node.args[0], node.args[1:], node.keywords)
        ref = _filled_by(call, target, place, helpers, reader)
        if ref is not None:
            found.append((ref, (node, place)))
    for node, scope, chain in module.decorated:
        for mark in node.decorator_list:
            place = Place(module, scope, node.lineno + 1, chain)
            target = reader.resolver.resolve(mark, place, {})
            call = ast.Call(mark, [ast.Name(node.name, ast.Load())], [])
            ref = _filled_by(call, target, place, helpers, reader)
            if ref is not None:
                found.append((ref, (mark, replace(place, line=mark.lineno))))
                # The name means the function below the decorator.
                found[-1] = ((ref[0], replace(ref[1], place=place)), found[-1][1])
    return found


def _filled_by(
    call: ast.Call, target: Target, place: Place, helpers: dict[tuple[Path, int], Helper], reader: Reader
) -> tuple[Helper, Ref] | None:
    """Return what a call hands to a helper."""
    if target.kind == "class" and target.module is not None:
        member = reader.resolver.attribute(
            replace(target, kind="instance"), ast.Attribute(call.func, "__init__", ast.Load()), 0
        )
        target = replace(member, bound=True)
    if target.kind != "function" or target.module is None or not isinstance(target.node, FUNCTIONS):
        return None
    helper = helpers.get((target.module.path, target.node.lineno))
    if helper is None:
        return None
    refs = [Ref(one, place, {}) for one in call.args if not isinstance(one, ast.Starred)]
    named = {one.arg: Ref(one.value, place, {}) for one in call.keywords if one.arg}
    whole = filled(replace(target, args=(*target.args, *refs), keywords={**target.keywords, **named}))
    ref = whole.env.get((id(target.node), helper.parameter))
    if ref is None and helper.parameter not in parameters(target.node):
        return None
    return None if ref is None else (helper, ref)
