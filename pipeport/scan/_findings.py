"""The findings of one file: its boundaries, and who hands functions to them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeport import meanings
from pipeport.errors import UnsupportedArgument
from pipeport.scan._body import Body, body_of
from pipeport.scan._boundaries import WORDS, BoundarySite, boundaries
from pipeport.scan._bugs import Bug, Examined, mapped, may_have
from pipeport.scan._bugs_inside import bugs_inside
from pipeport.scan._bugs_outside import bugs_outside
from pipeport.scan._bugs_removed import WORDS as WORDS_OF_REMOVED
from pipeport.scan._bugs_removed import removed
from pipeport.scan._dtypes import declared, of_tensor
from pipeport.scan._files import Problem
from pipeport.scan._gains import gain
from pipeport.scan._helpers import Helper, aliases, as_helper, handed, may_use, overriding
from pipeport.scan._module import FUNCTIONS, Module
from pipeport.scan._plan import Plan, plan_of
from pipeport.scan._reader import Reader
from pipeport.scan._resolve import Location, Target
from pipeport.scan._rules import CLEAR, CODES, ELSEWHERE, GENERATOR, NEVER, UNKNOWN
from pipeport.scan._settings import ignored
from pipeport.scan._verdict import Judgement, judge

_WIDE = 60  # letters of an expression that stands for a function's name


@dataclass(frozen=True)
class Trial:
    """Whether a function was ported, on inputs that were assumed.

    Attributes
    ----------
    ports : bool or None
        None where it was not tried.
    reason : str
        Why it does not port, or was not tried.
    assumed : str
        What it was handed, in the language of `pipeport verify --input`.
    """

    ports: bool | None
    reason: str = ""
    assumed: str = ""


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
        The function that Python runs, or the expression that gives it; None where the call has none.
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
        The lines that `pipeport rewrite` changes; empty where it changes none.
    gain : str
        What the newest release measured of the one call in it; empty where it did not.
    cell, body_cell, reason_cell : int or None
        Of a notebook: the numbers of the cells, in which the lines of the finding, of `body` and of
        `reason_at` count.
    in_file : int or None
        Of a notebook: the line of the file itself; None where it is not known.
    top : str
        The function at the top of the module in which the boundary stands; empty where there is none.
    handed : tuple of str
        The dtypes of what the boundary hands over, each empty where the text does not tell.
    gives : tuple of str
        The dtypes that `Tout` states; empty where the text does not tell them all.
    filled : bool
        Whether some of its arguments are filled already, as by a partial.
    trial : Trial or None
        What porting it showed; None where nothing was run.
    plan : Plan or None
        What to write for a boundary.
    parameter : str
        The parameter whose default the function is.
    boundary : tuple of str and int, or None
        Of a helper: file and line of the boundary that it hands its function to.
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
    diff: str = ""
    gain: str = ""
    cell: int | None = None
    body_cell: int | None = None
    reason_cell: int | None = None
    in_file: int | None = None
    top: str = ""
    handed: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    filled: bool = False
    trial: Trial | None = None
    plan: Plan | None = None
    parameter: str = ""
    boundary: tuple[str, int] | None = None

    @property
    def stays(self) -> str:
        """Why nothing is written for a boundary; empty where something is."""
        return self.reason if self.plan is None or self.verdict in (NEVER, ELSEWHERE) else self.plan.stays

    @property
    def is_written(self) -> bool:
        """Whether a line is changed."""
        return self.plan is not None and self.plan.name != "" and not self.stays


def scan_file(path: Path, reader: Reader) -> tuple[list[Finding], list[Helper]]:
    """Find the boundaries of a file.

    `reader`: reads it; what cannot be scanned is added to its problems. Returns: its findings, and the
    functions of it that hand theirs to a boundary.
    """
    reader.resolver.forget()
    module = _module(path, reader, _wanted)
    if module is None:
        return [], []
    findings: list[Finding] = []
    helpers: list[Helper] = []
    maps = mapped(module, reader.resolver)
    bugs: list[Bug] = []
    called = WORDS.search("\n".join(module.lines).encode(errors="replace"))
    for boundary in boundaries(module, reader.resolver) if called else ():
        target = function_of(boundary, reader)
        helper = as_helper(target, boundary.wrapper, (str(module.path), boundary.line))
        finding, examined = finding_of(boundary, target, reader)
        findings += _kept(finding, boundary.node, module, reader)
        bugs += bugs_inside(examined, maps)
        if helper is not None:
            helpers.append(helper)
    bugs += [*bugs_outside(module, reader.resolver, maps), *removed(module, reader.resolver)]
    for bug in bugs:
        findings += _kept(_of_bug(bug, reader), bug.node, bug.module, reader)
    helpers += aliases(module, reader)
    return findings, helpers


def _wanted(data: bytes) -> bool:
    bugs = b"tensorflow" in data and (may_have(data) or WORDS_OF_REMOVED.search(data))
    return bool(bugs or WORDS.search(data))


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
        unwanted = not wanted(reader.content(path))
    except ValueError:
        unwanted = False  # it is told why
    return None if unwanted else reader.load(path)


def function_of(boundary: BoundarySite, reader: Reader) -> Target:
    """Return what a boundary calls."""
    if boundary.function is None:
        return Target("unknown", "a function that the call does not name")
    ref = boundary.function
    return reader.resolver.resolve(ref.node, ref.location, ref.env)


def finding_of(
    boundary: BoundarySite,
    target: Target,
    reader: Reader,
    at: Location | None = None,
    through: tuple[str, int] | None = None,
) -> tuple[Finding, Examined]:
    """Return the finding of a boundary that calls a target.

    `at`: of a call that hands the function to a helper. `through`: where the boundary of that helper stands.
    Returns: with its verdict; what is known, for the rules of bugs.
    """
    location = at or boundary.location
    eager = boundary.wrapper == "py_function"
    body = body_of(target, location, reader.resolver, eager=eager)
    judged = _of_generator(target, body) if boundary.wrapper == "from_generator" else None
    judged = judged or judge(boundary, target, body)
    here = (reader.shown(location.module.path), location.line if at else boundary.line)
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
        function=_shown_name(target, boundary),
        body=_defined(target, reader),
        calls=tuple(calls),
        verdict=judged.verdict,
        reason=judged.reason,
        reason_at=reason_at,
        gain=gain(boundary, body) if clear else "",
        top=_top(boundary),
        handed=_handed(boundary, reader),
        gives=_given(boundary),
        filled=bool(target.args or target.keywords),
        plan=plan_of(boundary, reader.resolver),
        parameter=target.name if target.kind == "param" and target.default is not None else "",
        boundary=through and (reader.shown(Path(through[0])), through[1]),
    )
    return finding, Examined(boundary, target, body, judged.verdict, reader.resolver)


def _top(boundary: BoundarySite) -> str:
    scope = boundary.location.scope
    while scope.parent is not None and scope.parent is not boundary.module.top:
        scope = scope.parent
    return str(scope.node.name) if isinstance(scope.node, ast.FunctionDef) else ""


def _handed(boundary: BoundarySite, reader: Reader) -> tuple[str, ...]:
    given = boundary.arguments
    if given is None or not isinstance(given.node, (ast.List, ast.Tuple)):
        return ()
    return tuple(of_tensor(one, given.location, reader.resolver) or "" for one in given.node.elts)


def _given(boundary: BoundarySite) -> tuple[str, ...]:
    dtypes = [one for one in declared(boundary)[0] if one is not None]
    return tuple(dtypes) if len(dtypes) == len(declared(boundary)[0]) else ()


def _of_generator(target: Target, body: Body) -> Judgement | None:
    first = next((use for use in body.uses if use.meaning.kind == meanings.ELSEWHERE), None)
    if first is not None:
        return Judgement(ELSEWHERE, f"{first.name}: {first.meaning.advice}", first.module, first.line)
    if target.kind in ("unknown", "param"):
        return Judgement(UNKNOWN, f"What it calls is not found in the scanned files: {target.name}.")
    line = getattr(target.node, "lineno", None)
    return Judgement(NEVER, GENERATOR, target.module, line)


def _shown_name(target: Target, boundary: BoundarySite) -> str | None:
    if target.kind in ("unknown", "constant"):
        return None if boundary.function is None else ast.unparse(boundary.function.node)[:_WIDE]
    if target.kind == "param":
        known = target.default is not None and target.default.kind not in ("unknown", "constant")
        return target.default.name if known and target.default is not None else target.name
    return target.name


def _defined(target: Target, reader: Reader) -> tuple[str, int] | None:
    if target.kind == "param" and target.default is not None:
        target = target.default
    if target.module is None or target.kind not in ("function", "instance", "object"):
        return None
    return reader.shown(target.module.path), int(target.node.lineno)


def scan_uses(path: Path, helpers: list[Helper], reader: Reader) -> tuple[list[Finding], list[Helper]]:
    """Find the calls of helpers in a file.

    Returns: one finding for each function that is handed over, and further helpers.
    """
    try:
        data = reader.content(path)
    except ValueError:
        return [], []
    helpers = [helper for helper in helpers if may_use(path, data, helper)]
    reader.resolver.forget()
    module = reader.load(path) if helpers else None
    if module is None:
        return [], []
    findings: list[Finding] = []
    further: list[Helper] = []
    if any(not helper.parameter and helper.path != path for helper in helpers):
        words = WORDS.search(data)
        for one in [] if words else boundaries(module, reader.resolver):
            finding, _ = finding_of(one, function_of(one, reader), reader)
            findings += _kept(finding, one.node, module, reader)
    by_place = {(helper.path, helper.line): helper for helper in helpers if helper.parameter}
    for (helper, ref), at in handed(module, by_place, reader):
        target = reader.resolver.resolve(ref.node, ref.location, ref.env)
        if target.kind == "param" and target.default is None:
            more = as_helper(target, helper.wrapper, helper.boundary)
            if more is not None:
                further.append(more)
            continue
        boundary = BoundarySite(module, at[0], helper.wrapper, "helper", ref, None, None, at[1])
        finding, _ = finding_of(boundary, target, reader, at[1], helper.boundary)
        findings += _kept(finding, at[0], module, reader)
    for helper, target, where in overriding(module, by_place, reader):
        boundary = BoundarySite(module, target.node, helper.wrapper, "helper", None, None, None, where)
        finding, _ = finding_of(boundary, target, reader, where, helper.boundary)
        findings += _kept(finding, target.node, module, reader)
    return findings, further
