"""Regions: statements of a function that stay Python together, or a helper that does as a whole.

A call may return what no tensor holds, such as an open archive. The smallest helper around it, or else the
statements from the call to the last use of the object, take and give arrays, numbers and strings: they are
one island. Which they are is found by trying: what refuses an example says what it lacks.
"""

from __future__ import annotations

import ast
import copy
import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pipeport.errors import PipeportError, PortRefused
from pipeport.porting.frontend._scopes import declared, scope, stored
from pipeport.porting.frontend._source import Source, plain, read

_LOOPS = (ast.For, ast.While)
_NEVER = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.Delete)
# Methods that change their object.
CHANGING = frozenset(
    {
        *("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"),
        *("update", "setdefault", "popitem", "add", "discard"),
    }
)
# What is not solved in so many runs of the example has no solution.
_MOST = 40


class IslandRefused(PortRefused):
    """An island cannot be, on an example.

    Attributes
    ----------
    where : str
        The place of the call.
    objects : tuple of int
        Which of its results hold what no tensor holds.
    inputs : tuple of int
        Which of its arguments no island takes.
    varies : bool
        Whether it returns lists, which of another element may have another length.
    of : Region, Kept or None
        The statements or the helper that the island is.
    """

    where = ""
    objects: tuple[int, ...] = ()
    inputs: tuple[int, ...] = ()
    varies = False
    of: Region | Kept | None = None

    @property
    def needs_more(self) -> bool:
        """Whether an island of more statements may do."""
        return bool(self.objects or self.inputs or self.varies)


@dataclass
class _Stretch:
    """What is asked of one region: lines in it, names that no other statement may use, and why it is one."""

    lines: set[int]
    why: str
    together: set[str] = field(default_factory=set)


class Kept:
    """What stays Python of one function."""

    def __init__(self, source: Source) -> None:
        self.function = source.function
        self.tree = copy.deepcopy(source.tree)
        self.whole = False
        self.may_be_whole = True
        self.why = ""
        self.stretches: list[_Stretch] = []

    @property
    def lines(self) -> str:
        """Its lines, in words."""
        return _lines(self.tree.lineno, self.tree.end_lineno or self.tree.lineno)


@dataclass
class Region:
    """Statements that stay Python together.

    Attributes
    ----------
    lines, text : str
        Their lines, in words, and the first of them.
    why : str
        What has no native among them.
    function : ast.FunctionDef
        A function of them: it takes what they read, and returns what they set.
    inputs, results : list of str
        Names. Of statements that return, the function returns what they do.
    returns : bool
        Whether they return.
    complete : bool
        Whether they are all of the function that is ported.
    written : set of str
        Results that are the values of before, which they may change.
    kept, stretch : Kept, _Stretch
        What asks for it.
    """

    lines: str
    text: str
    why: str
    function: ast.FunctionDef
    inputs: list[str]
    results: list[str]
    returns: bool
    complete: bool
    written: set[str]
    kept: Kept
    stretch: _Stretch


class Regions:
    """What stays Python of a function and of its helpers, besides single calls.

    Parameters
    ----------
    named : iterable of str
        Names of helpers that stay Python as a whole.
    draws : bool
        Whether pipelines of albumentations may stay Python, whose draws no seed reaches.
    """

    def __init__(self, named: Iterable[str] = (), *, draws: bool = False) -> None:
        self._named = frozenset(named)
        self._draws = draws
        self._kept: dict[tuple[str, int], Kept] = {}
        self._top: tuple[str, int] | None = None
        self._as_shown: set[str] = set()
        self._asked: dict[tuple[str, int], Any] = {}
        self._tries = 0
        self._origin: Exception | None = None
        self._before: Any = None

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process needs."""
        kept = {key: (one.whole, one.why, one.stretches) for key, one in self._kept.items()}
        return {"named": self._named, "draws": self._draws, "as_shown": self._as_shown, "asked": kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["named"], draws=state["draws"])  # type: ignore[misc]
        self._as_shown, self._asked = state["as_shown"], state["asked"]

    def cut(self, source: Source) -> None:
        """Put a call in the place of each region of a function; it knows its region."""
        key = _key(source.function)
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = Kept(source)
            if key in self._asked:
                kept.whole, kept.why, kept.stretches = self._asked[key]
        self._top = self._top or key
        _merge(kept)
        for stretch in sorted(kept.stretches, key=lambda one: -min(one.lines)):
            _cut(source.tree, kept, stretch)

    def whole(self, function: Any, name: str) -> Kept | None:
        """Return a helper that stays Python as a whole, by the function and its dotted name."""
        try:
            inner = plain(function)[0]
        except PipeportError:
            return None
        if name in self._named and _key(inner) not in self._kept:
            kept = self._kept[_key(inner)] = Kept(read(inner))
            kept.whole, kept.why = True, "its results are stated"
        found = self._kept.get(_key(inner))
        return found if found is not None and found.whole else None

    @property
    def origin(self) -> Exception | None:
        """The error for which statements stay Python; None where single calls do."""
        return self._origin

    def takes_lists_as_shown(self, where: str) -> bool:
        """Say whether lists that a call returns are taken as the example shows them."""
        return where in self._as_shown

    def widen(self, error: Exception, places: list[tuple[str, int]]) -> Exception | None:
        """Find what else stays Python after an error of an example.

        Parameters
        ----------
        error : Exception
            The error.
        places : list of (str, int)
            The lines of the user's files in which it came about, outermost first.

        Returns
        -------
        Exception or None
            None where something was found, and the example may run again; else the error to raise.
        """
        if getattr(error, "called", "").startswith("albumentations.") and not self._draws:
            return error
        self._tries += 1
        of = error.of if isinstance(error, IslandRefused) else None
        if of is None:
            self._origin, self._before = error, self._state()
        if self._tries <= _MOST and self._widened(error, places, of):
            return None
        origin = self._origin
        if isinstance(origin, IslandRefused) and origin.varies and origin.where not in self._as_shown:
            self._back(self._before)
            self._as_shown.add(origin.where)
            return None
        if origin is not None and isinstance(of, (Region, Kept)):
            origin.add_note(f"An island of {of.lines} is refused, too:\n  {error}")
        return origin

    def _state(self) -> Any:
        return {
            key: (one.whole, one.may_be_whole, one.why, copy.deepcopy(one.stretches))
            for key, one in self._kept.items()
        }

    def _back(self, state: Any) -> None:
        for key, one in self._kept.items():
            one.whole, one.may_be_whole, one.why, one.stretches = state.get(key, (False, True, "", []))

    def _widened(self, error: Any, places: list[tuple[str, int]], of: Region | Kept | None) -> bool:
        if isinstance(error, IslandRefused) and not error.needs_more:
            if isinstance(of, Kept):  # a part of it may do what it does not
                of.whole = of.may_be_whole = False
                return True
            return False
        if isinstance(of, Region):
            return self._more(error, of)
        for file, line in reversed(places):
            kept = self._at(file, line)
            if kept is not None and kept is not of:
                return self._begun(kept, line, error)
        return not places and self._all_of_it()

    def _all_of_it(self) -> bool:
        """Have all of the function stay Python: of an error of a running graph nobody knows the line."""
        kept = self._kept.get(self._top)  # type: ignore[arg-type]
        if kept is None or kept.stretches:
            return False
        ends = {kept.tree.body[0].lineno, kept.tree.body[-1].end_lineno or kept.tree.body[-1].lineno}
        kept.stretches.append(_Stretch(ends, "what the graph refuses when it runs"))
        return _extent(kept.tree, kept.stretches[0]) is not None

    def _more(self, error: IslandRefused, region: Region) -> bool:
        """Have a region hold all uses of what it cannot give or take."""
        names = region.results if error.objects or error.varies else region.inputs
        numbers = error.objects or error.inputs or range(len(names))
        found = {names[number] for number in numbers if number < len(names)}
        stretch = region.stretch
        if found and not found <= stretch.together:
            stretch.together |= found
            if _extent(region.kept.tree, stretch) is not None:
                return True
        region.kept.stretches.remove(stretch)
        return self._as_a_whole(region.kept, stretch.why)

    def _begun(self, kept: Kept, line: int, error: Any) -> bool:
        why = getattr(error, "called", "") or getattr(error, "parameter", "") or type(error).__name__
        if self._as_a_whole(kept, why):
            return True
        stretch = _Stretch({line}, why)
        if any(_covers(kept, one, line) for one in kept.stretches) or _extent(kept.tree, stretch) is None:
            return False
        kept.stretches.append(stretch)
        return True

    def _as_a_whole(self, kept: Kept, why: str) -> bool:
        if self._kept.get(self._top) is kept or not kept.may_be_whole or kept.whole:  # type: ignore[arg-type]
            return False
        own, _ = scope(kept.tree)
        if _kept_on(own) - {name for node in own for name in stored(node)}:
            return False
        kept.whole, kept.why = True, why
        return True

    def _at(self, file: str, line: int) -> Kept | None:
        """Return the function in which a line stands, the innermost of those that were read."""
        inside = [
            one
            for (name, _), one in self._kept.items()
            if name == file and one.tree.lineno <= line <= (one.tree.end_lineno or 0)
        ]
        return max(inside, key=lambda one: one.tree.lineno, default=None)


def region_of(node: ast.AST) -> Region | None:
    """Return the region that a call stands for."""
    return getattr(node, "pipeport_region", None)


def _key(function: Any) -> tuple[str, int]:
    code = function.__code__
    return code.co_filename, code.co_firstlineno


def _lines(first: int, last: int) -> str:
    return f"line {first}" if first == last else f"lines {first} to {last}"


def _blocks(node: Any) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
    for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield inner.body


def _path(tree: ast.FunctionDef, line: int) -> list[tuple[list[ast.stmt], int]]:
    """Return the statements around a line, outermost first, each by its block and its place in it."""
    path: list[tuple[list[ast.stmt], int]] = []
    node: Any = tree
    while node is tree or not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        found = None
        for block in _blocks(node):
            for place, one in enumerate(block):
                if one.lineno <= line <= (one.end_lineno or one.lineno):
                    found = (block, place)
        if found is None:
            break
        path.append(found)
        node = found[0][found[1]]
    return path


def _extent(tree: ast.FunctionDef, stretch: _Stretch) -> tuple[list[ast.stmt], int, int] | None:
    """Return the smallest run of statements in one block that is what a stretch asks for."""
    paths = [_path(tree, line) for line in stretch.lines]
    for block, _ in reversed(paths[0] if paths else []):
        places = [place for path in paths for other, place in path if other is block]
        if len(places) == len(paths):
            places += [place for place, one in enumerate(block) if _stands_in(one, stretch.lines)]
            found = _grown(tree, block, min(places), max(places), stretch.together)
            if found is not None:
                return block, *found
    return None


def _stands_in(statement: ast.stmt, lines: set[int]) -> bool:
    """Say whether a statement shares a line with another, and the line is among those."""
    end = statement.end_lineno or statement.lineno
    return any(statement.lineno <= line <= end for line in lines)


def _grown(
    tree: ast.FunctionDef, block: list[ast.stmt], first: int, last: int, together: set[str]
) -> tuple[int, int] | None:
    uses = [place for place, one in enumerate(block) if not together.isdisjoint(_mentioned([one]))]
    first, last = min([first, *uses]), max([last, *uses])
    own, _ = scope(_function_of(block[first : last + 1]))
    if any(isinstance(node, ast.Return) for node in own):
        if block is not tree.body:
            return None
        last = len(block) - 1
        own, _ = scope(_function_of(block[first:]))
    part = block[first : last + 1]
    if any(isinstance(node, _NEVER) for node in own) or any(map(_leaves_a_loop, part)):
        return None
    kept = _kept_on(own)
    if kept - {name for node in own for name in stored(node)}:
        before, _ = scope(tree)
        made = {name for node in before for name in stored(node)} - _parameters(tree)
        # An object that the function makes is made in the island, too.
        return _grown(tree, block, first, last, together | kept) if kept <= made and kept - together else None
    if not together.isdisjoint(_mentioned_around(tree, part) | _parameters(tree)):
        return None
    return first, last


def _kept_on(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names whose attributes statements assign."""
    kept = [one for one in nodes if isinstance(one, ast.Attribute) and not isinstance(one.ctx, ast.Load)]
    return {one.value.id if isinstance(one.value, ast.Name) else "" for one in kept}


def _statements(tree: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the expressions and simple statements of a function: what holds no other statement."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            yield from (one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.stmt))


def _mentioned_around(tree: ast.FunctionDef, part: list[ast.stmt]) -> set[str]:
    """Return the names that a function uses outside of some of its statements."""
    within = {id(inner) for one in part for inner in ast.walk(one)}
    return _mentioned([one for one in _statements(tree) if id(one) not in within])


def _mentioned(nodes: list[Any]) -> set[str]:
    """Return the names that statements use."""
    return {one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)} | {
        name for node in nodes for one in ast.walk(node) for name in declared(one)
    }


def _parameters(tree: ast.FunctionDef) -> set[str]:
    return {one.arg for one in ast.walk(tree.args) if isinstance(one, ast.arg)}


def _leaves_a_loop(node: ast.AST) -> bool:
    """Say whether a statement ends or goes on with a loop around it."""
    if isinstance(node, (ast.Break, ast.Continue)):
        return True
    if isinstance(node, (*_LOOPS, ast.FunctionDef, ast.Lambda, ast.ClassDef)):
        return any(map(_leaves_a_loop, node.orelse)) if isinstance(node, _LOOPS) else False
    return any(map(_leaves_a_loop, ast.iter_child_nodes(node)))


def _covers(kept: Kept, stretch: _Stretch, line: int) -> bool:
    found = _extent(kept.tree, stretch)
    if found is None:
        return False
    block, first, last = found
    return block[first].lineno <= line <= (block[last].end_lineno or 0)


def _overlapping(kept: Kept) -> Iterator[tuple[_Stretch, _Stretch]]:
    for one, other in itertools.permutations(kept.stretches, 2):
        if any(_covers(kept, one, line) for line in other.lines):
            yield one, other


def _merge(kept: Kept) -> None:
    """Make one of stretches that overlap."""
    while (pair := next(_overlapping(kept), None)) is not None:
        one, other = pair
        one.lines |= other.lines
        one.together |= other.together
        kept.stretches = [each for each in kept.stretches if each is not other]


def _function_of(part: list[ast.stmt]) -> ast.FunctionDef:
    return ast.FunctionDef("part", ast.arguments([], [], None, [], [], None, []), part, [], None)


def _cut(tree: ast.FunctionDef, kept: Kept, stretch: _Stretch) -> None:
    """Put a call of a function of them in the place of the statements that a stretch asks for."""
    found = _extent(tree, stretch)
    if found is None:
        return
    block, first, last = found
    part = block[first : last + 1]
    own, _ = scope(_function_of(part))
    bound = _bound_in_comprehensions(part)
    sets = {name for node in own if id(node) not in bound for name in (*stored(node), *declared(node))}
    written = {name for node in own for name in _written(node)} - sets
    read = {
        one.id
        for node in part
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    }
    read |= {
        node.target.id
        for node in own
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }
    before, _ = scope(tree)
    earlier = _parameters(tree) | {
        name
        for node in before
        if _position(node) < _position(part[0])
        for name in (*stored(node), *declared(node))
    }
    returns = any(isinstance(node, ast.Return) for node in own)
    results = [] if returns else sorted((sets | written) & _mentioned_around(tree, part))
    inputs = sorted(earlier & (read | set(results)))
    at, end = part[0], part[-1]
    text = ast.unparse(at).partition("\n")[0]
    complete = returns and not any(map(_does_something, block[:first]))
    lines = _lines(at.lineno, end.end_lineno or end.lineno)
    back: list[ast.stmt] = []
    if not returns:
        names: list[ast.expr] = [ast.Name(name, ast.Load()) for name in results]
        back = [ast.copy_location(ast.Return(ast.Tuple(names, ast.Load())), end)]
    arguments = ast.arguments([], [ast.arg(name) for name in inputs], None, [], [], None, [])
    name = lines.replace(" ", "_")
    function = ast.copy_location(ast.FunctionDef(name, arguments, [*part, *back], [], None), at)
    call: Any = ast.Call(ast.Name(name, ast.Load()), [ast.Name(one, ast.Load()) for one in inputs], [])
    call.pipeport_region = Region(
        lines, text, stretch.why, function, inputs, results, returns, complete, written, kept, stretch
    )
    made: ast.stmt = ast.Return(call) if returns else ast.Expr(call)
    if results:
        made = ast.Assign([ast.Tuple([ast.Name(one, ast.Store()) for one in results], ast.Store())], call)
    block[first : last + 1] = [ast.fix_missing_locations(ast.copy_location(made, at))]


def _position(node: Any) -> tuple[float, float]:
    """Return where a node begins; of what has no place, behind all others."""
    return getattr(node, "lineno", math.inf), getattr(node, "col_offset", math.inf)


def _written(node: ast.AST) -> Iterator[str]:
    """Yield the name of what a node may change: by a method such as `append`, or an element."""
    target: Any = None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
        target = node.func.value
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        target = node
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    if isinstance(target, ast.Name):
        yield target.id


def _does_something(statement: ast.stmt) -> bool:
    """Say whether a statement is neither a docstring nor an import."""
    told = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return not told and not isinstance(statement, (ast.Import, ast.ImportFrom))


def _bound_in_comprehensions(part: list[ast.stmt]) -> set[int]:
    """Return which nodes are names that only a comprehension knows."""
    targets = [node.target for one in part for node in ast.walk(one) if isinstance(node, ast.comprehension)]
    return {id(inner) for target in targets for inner in ast.walk(target)}
