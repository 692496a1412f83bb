"""The source of a live function: its tree, with the lines of the user's file, and back to a function."""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import io
import itertools
import linecache
import textwrap
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pipeport._tensorflow_private import body_of, holds_operators
from pipeport.errors import PortRefused, explain
from pipeport.porting._origins import origins
from pipeport.porting.frontend._unconverted import unconverted

_numbers = itertools.count(1)
_ADVICE = "Write it as a `def` in a file."


@dataclass
class Source:
    """A function's tree.

    `function`: the plain function. `file`: where it stands. `tree`: its definition; lines are those of the
    file. `text`: the lines of the file.
    """

    function: types.FunctionType
    file: str
    tree: ast.FunctionDef
    text: list[str] = field(repr=False)

    @property
    def name(self) -> str:
        """Dotted name within its module."""
        return self.function.__qualname__

    def line(self, number: int) -> str:
        """Return a line of the file, without its indentation."""
        return self.text[number - 1].strip() if 0 < number <= len(self.text) else ""


def read(function: types.FunctionType) -> Source:
    """Find the source of a function.

    `function`: a `def` or a lambda. Returns: its tree. Raises PortRefused: there is no source, or several
    lambdas of one line cannot be told apart.
    """
    code = function.__code__
    # Of a function's code `inspect` would look for the module among the files of all that are loaded, for a
    # third of a second.
    file = inspect.getsourcefile(function) or code.co_filename
    try:
        text, first = inspect.findsource(function)
    except (OSError, TypeError) as error:
        given = f"{function.__qualname__}, whose source is not to be found"
        raise PortRefused(explain("function", given, "functions with a source", _ADVICE)) from error
    nodes = _functions("".join(text), first)
    found = [node for node in nodes if _first_line(node) == code.co_firstlineno and _is(node, function)]
    if len(found) > 1:
        found = _around(found, code)
    if len(found) != 1:
        if found and all(ast.dump(node) == ast.dump(found[0]) for node in found):
            found = found[:1]
        else:
            given = f"{function.__qualname__} in {file}, line {code.co_firstlineno}"
            raise PortRefused(explain("function", given, "one function in its line", _ADVICE))
    node = copy.deepcopy(found[0])
    if isinstance(node, ast.AsyncFunctionDef):
        raise PortRefused(explain("function", "async def", "def", "Nothing can be awaited in a graph."))
    if isinstance(node, ast.Lambda):
        back = ast.copy_location(ast.Return(node.body), node.body)
        node = ast.FunctionDef("lambda_", node.args, [back], [], None, lineno=node.lineno, col_offset=0)
        ast.fix_missing_locations(node)
    node.decorator_list = []
    node.returns = None
    return Source(function, file, node, text)


def _functions(text: str, first: int) -> list[Any]:
    """Return the functions in a file, or in the block of it that begins at a line."""
    found = _functions_of_file(text)
    if found is None:  # a notebook's cell with magics, or an interactive session
        block = inspect.getblock(list(io.StringIO(text))[first:])
        tree = ast.increment_lineno(ast.parse(textwrap.dedent("".join(block))), first)
        return _functions_in(tree)
    return found


@functools.lru_cache(maxsize=16)
def _functions_of_file(text: str) -> list[Any] | None:
    """Return the functions in a file, or None if it is not Python; each is read twice, as helpers are."""
    try:
        return _functions_in(ast.parse(text))
    except SyntaxError:
        return None


def _functions_in(tree: ast.AST) -> list[Any]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def _first_line(node: Any) -> int:
    """Return the line Python counts a function from: that of its first decorator."""
    decorators = getattr(node, "decorator_list", [])
    return int(min([node.lineno, *(one.lineno for one in decorators)]))


def _is(node: Any, function: types.FunctionType) -> bool:
    """Say whether a node is that function: by name and parameters."""
    own = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    code = function.__code__
    if tuple(own) != code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        return False
    return bool(getattr(node, "name", "<lambda>") == code.co_name)


def _around(nodes: list[Any], code: types.CodeType) -> list[Any]:
    """Return the node that code was compiled of, among several that begin in one line: by its columns."""
    places = [(line, column) for line, _, column, _ in code.co_positions() if line and column]
    bodies = [(node, node.body if isinstance(node, ast.Lambda) else node) for node in nodes]
    inside = [
        (end - start, node)
        for node, body in bodies
        for start, end in [
            (_offset(body.lineno, body.col_offset), _offset(body.end_lineno, body.end_col_offset))
        ]
        if places and all(start <= _offset(*place) <= end for place in places)
    ]
    smallest = min((size for size, _ in inside), default=0)
    return [node for size, node in inside if size == smallest]


def _offset(line: Any, column: Any) -> int:
    return int(line) * 10_000 + int(column)


def is_cached(function: Any) -> bool:
    """Say whether a callable is what `functools.lru_cache` or `functools.cache` makes of a function."""
    return isinstance(function, functools._lru_cache_wrapper)


def plain(function: Any) -> tuple[types.FunctionType, tuple[Any, ...], dict[str, Any]]:
    """Return the function in a callable, and what it is given beforehand.

    `function`: a function, a method, a partial, an object with `__call__`, or a decorated function. Returns:
    the function, its first positional arguments and its keyword arguments. Raises PortRefused: it is none of
    these.
    """
    if isinstance(function, types.FunctionType):
        return unconverted(function), (), {}
    if isinstance(function, types.MethodType):
        inner, args, named = plain(function.__func__)
        return inner, (function.__self__, *args), named
    if isinstance(function, functools.partial):
        inner, args, named = plain(function.func)
        return inner, (*args, *function.args), {**named, **function.keywords}
    if is_cached(function):
        return plain(function.__wrapped__)
    if hasattr(function, "python_function"):  # tf.function
        return plain(body_of(function))
    call = getattr(type(function), "__call__", None)  # noqa: B004 - that of its objects, not of the class
    if isinstance(call, types.FunctionType) and not isinstance(function, type):
        return call, (function,), {}
    advice = "Give a function, a method, a partial or an object with `__call__` in Python."
    raise PortRefused(explain("function", repr(function), "a callable written in Python", advice))


def is_inner(function: Any) -> bool:
    """Say whether a function was defined inside a transformed one, and is transformed with it."""
    while isinstance(function, functools.partial):
        function = function.func
    code = getattr(function, "__code__", None)
    if isinstance(function, types.FunctionType) and unconverted(function) is not function:
        return False
    return bool(getattr(function, "ag_module", None)) or (
        code is not None and (holds_operators(code) or code.co_filename.startswith("<pipeport "))
    )


def compiled(source: Source, tree: ast.FunctionDef, names: dict[str, Any]) -> Callable[..., Any]:
    """Make a function of a transformed tree, with the closure and the globals of the original.

    Parameters
    ----------
    source : Source
        The original.
    tree : ast.FunctionDef
        The transformed definition.
    names : dict
        Further names it uses.

    Returns
    -------
    function
        Known to `linecache` under a name of its own, which `origins` leads back to the user's file.
    """
    original = source.function
    free = original.__code__.co_freevars
    arguments = ast.arguments([], [ast.arg(name) for name in free], None, [], [], None, [])
    back = ast.Return(ast.Name(tree.name, ast.Load()))
    # A function of a module that calls itself reads its name there.
    own: list[ast.stmt] = [] if tree.name in free else [ast.Global([tree.name])]
    outer: Any = ast.FunctionDef("outer_", arguments, [*own, tree, back], [], None)
    module = ast.fix_missing_locations(ast.Module([outer], []))
    text = ast.unparse(module)
    again = ast.parse(text)
    file = f"<pipeport {next(_numbers)}: {source.name}>"
    pairs = zip(_statements(module), _statements(again), strict=True)
    lines = {new.lineno: old.lineno for old, new in pairs if old is not outer}
    origins[file] = (source.file, lines)
    # Under the original's name AutoGraph would read the original; without a time of change it stays.
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {}
    exec(compile(again, file, "exec"), space)  # the user's own function, transformed
    made = space["outer_"](*[None] * len(free))
    cells = dict(zip(free, original.__closure__ or (), strict=True))
    closure = tuple(cells[name] for name in made.__code__.co_freevars)
    function = types.FunctionType(
        made.__code__, {**original.__globals__, **names}, tree.name, original.__defaults__, closure
    )
    function.__kwdefaults__ = original.__kwdefaults__
    function.__qualname__ = original.__qualname__
    return function


def _statements(tree: ast.AST) -> list[ast.stmt]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
