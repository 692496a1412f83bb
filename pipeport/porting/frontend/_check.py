"""Check a function before it runs: its calls, and all refusals at once."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import types
import typing
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._shown import Part, Table
from pipeport.contract import OneOf, contract_of
from pipeport.errors import AttributeRefused, PipeportError
from pipeport.meanings import cast_at_once, refused_in
from pipeport.porting.frontend import _generator
from pipeport.porting.frontend import _meaning as meanings
from pipeport.porting.frontend._islands import Islands
from pipeport.porting.frontend._regions import region_of
from pipeport.porting.frontend._scopes import declared, local_names, scope, stored
from pipeport.porting.frontend._source import Source, plain, read
from pipeport.porting.frontend._transform import first_evaluated, is_boundary, shortened

UNKNOWN = object()
LATER = "decided when it runs"
_LOADED = (
    "In a graph the dtype must be known: cast it first, `np.load(path).astype(np.float32)`, or give `port` "
    "an example or `Tout`."
)
# What a tensor tells of itself before it has elements.
_OF_TRACES = frozenset({"shape", "ndim", "size", "dtype", "itemsize"})


@dataclass(frozen=True)
class Row:
    """One line of the report.

    Attributes
    ----------
    file : str
        Where it stands.
    line : int
        Its line.
    text : str
        The source.
    kind : str
        What becomes of it: 'native', 'draw', 'built-in', 'own function', 'TensorFlow', 'Python', 'refused',
        'island', or 'decided when it runs'.
    name : str
        What is called.
    advice : str
        Of a refusal: why, and the nearest way; of a native, what a graph needs besides.
    is_call : bool
        Whether it is a call of a known object.
    """

    file: str
    line: int
    text: str
    kind: str
    name: str
    advice: str = ""
    is_call: bool = False

    @property
    def refused(self) -> bool:
        """Whether it keeps the function from being ported."""
        return self.kind == meanings.REFUSED


def report(function: Any, islands: Islands | None = None) -> list[Row]:
    """Report the replacement of every call of a function and of its helpers.

    Parameters
    ----------
    function : callable
        The function.
    islands : Islands or None
        Where calls without a native equivalent stay Python; None refuses them.

    Returns
    -------
    list of Row
        In the order of the source.
    """
    return followed(function, islands)[0]


def parts(rows: Sequence[Row]) -> list[Part]:
    """Return a report as it is shown: its places in a table, then what was refused and what else to know."""
    cells: list[tuple[str, str, str]] = []
    file = ""
    for row in rows:
        if row.file != file:
            file = row.file
            cells.append(("", file, ""))
        cells.append((str(row.line), row.text, row.kind if row.kind == LATER else f"{row.kind} {row.name}"))
    found: list[Part] = [Table(("line", "call", "becomes"), cells, ("call", "becomes"))]
    if islands := sum(row.kind == "island" for row in rows):
        what = "1 call stays Python, an island" if islands == 1 else f"{islands} calls stay Python, islands"
        found.append(
            f"{what}: port(function, example=..., islands=True). Islands hold Python's lock, and cannot be "
            "saved or served."
        )
        names = dict.fromkeys(row.name.partition(",")[0] for row in rows if row.kind == "island")
        stated = ", ".join(f'"{name}": tf.TensorSpec([None, None], tf.float32)' for name in names)
        found.append(f"Without an example, put in what each of them returns: islands={{{stated}}}.")
    told = [row for row in rows if row.refused or (row.advice and row.kind != "island")]
    told.sort(key=lambda row: not row.refused)
    return [*found, *(f"{row.file}, line {row.line}: {row.name}: {row.advice}" for row in told)]


def followed(function: Any, islands: Islands | None = None) -> tuple[list[Row], list[Body]]:
    """Report as `report`, and return the function and its helpers too, each with what its names stand for.

    `function`: the function. `islands`: as of `report`. Returns: the function is the first body.
    """
    rows: list[Row] = []
    checker = _Checker(rows, set(), islands)
    checker.function(function)
    return rows, checker.bodies


def _of_a_list(node: ast.Call) -> str:
    """Return what to write in the place of an array of objects."""
    row = next((one for one in node.args[:1] if isinstance(one, (ast.List, ast.ListComp))), None)
    kept = "a list" if row is None else f"the list, `{ast.unparse(row)}`"
    return f"Keep {kept}, or give its elements one shape and dtype."


class _Checker:
    def __init__(self, rows: list[Row], seen: set[Any], islands: Islands | None) -> None:
        self._rows = rows
        self._seen = seen
        self.islands = islands
        self.bodies: list[Body] = []

    def function(self, function: Any, known: Callable[[list[str]], frozenset[str]] | None = None) -> None:
        """Check a function; `known` gives those of its parameters that are known while tracing."""
        inner, first, named = plain(function)
        if inner.__code__ in self._seen:
            return
        self._seen.add(inner.__code__)
        source = read(inner)
        if self.islands is not None:
            self.islands.regions.cut(source)
        code = inner.__code__
        bound: dict[str, Any] = dict(zip(code.co_varnames, first, strict=False)) | named
        names = [one for one in code.co_varnames[: code.co_argcount] if one not in bound]
        names = names[isinstance(function, types.MethodType) :]
        body = Body(self, source, bound, frozenset() if known is None else known(names))
        self.bodies.append(body)
        body.check()

    def add(
        self, source: Source, node: Any, kind: str, name: str, advice: str = "", *, is_call: bool = False
    ) -> None:
        text = shortened(ast.unparse(node)) if isinstance(node, ast.expr) else source.line(node.lineno)
        self._rows.append(Row(source.file, node.lineno, text, kind, name, advice, is_call))

    def add_row(self, row: Row) -> None:
        self._rows.append(row)

    def own(
        self,
        source: Source,
        node: Any,
        function: Any,
        known: Callable[[list[str]], frozenset[str]] | None = None,
    ) -> None:
        try:
            self.function(function, known)
        except PipeportError as error:
            self.add(source, node, meanings.REFUSED, meanings.dotted(function), str(error))


class Body:
    """One function with its names; see `report`."""

    def __init__(
        self, checker: _Checker, source: Source, bound: dict[str, Any], known: frozenset[str]
    ) -> None:
        self._checker = checker
        self.source = source
        self._bound = bound
        function = source.function
        names = function.__code__.co_freevars
        self._cells = dict(zip(names, function.__closure__ or (), strict=True))
        nodes = list(ast.walk(source.tree))
        self._stored = {name for node in nodes for name in stored(node)}
        declares = (node for node in nodes if node is not source.tree)
        self._local = self._stored | {name for node in declares for name in declared(node)}
        self._hoisted = list(_hoisted(source.tree))
        self._imports = dict(_imported(nodes))
        self._cast = {id(one) for one in cast_at_once(nodes)}
        times = Counter(name for node in nodes for name in (*stored(node), *declared(node)))
        self._made = {name: call for name, call in _made(nodes) if times[name] == 1}
        self._given_to = _assigned(nodes)
        arguments = source.tree.args
        every = (
            *arguments.posonlyargs,
            *arguments.args,
            *arguments.kwonlyargs,
            arguments.vararg,
            arguments.kwarg,
        )
        self._known_parameters = known
        self._parameters = {one.arg for one in every if one is not None} - bound.keys()
        self._asks = any(isinstance(node, ast.Name) and node.id == "hasattr" for node in nodes)

    def check(self) -> None:
        for node in _in_order(self.source.tree):
            for what, advice in refused_in(node):
                self._refuse(node, what, advice)
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                self._refuse(node, "a decorated inner function", "Define it outside of the function.")
            elif isinstance(node, ast.NamedExpr):
                self._named(node)
            elif isinstance(node, ast.Call):
                self._call(node)
            elif isinstance(node, ast.Attribute):
                self._attribute(node)
            elif isinstance(node, (ast.Subscript, ast.Compare)):
                self._special(node)
        for node, name in _written_outside(self.source.tree):
            if isinstance(node, ast.Call) and not meanings.writes(self.resolved(node.func)):
                continue
            what = f"writing to `{name}`, which is outside of the function"
            self._refuse(node, what, "Take a copy first (`x = x.copy()`), and return it.")

    def _refuse(self, node: Any, what: str, advice: str) -> None:
        self._checker.add(self.source, node, meanings.REFUSED, what, advice)

    def _named(self, node: ast.NamedExpr) -> None:
        if not any(node is one for one in self._hoisted):
            advice = "Assign it in a line of its own."
            self._refuse(node, "`:=` that is not evaluated first", advice)

    def _call(self, node: ast.Call) -> None:
        region = region_of(node)
        if region is not None:
            text = f"{region.lines}: {shortened(region.text)}"
            self._checker.add_row(
                Row(self.source.file, node.lineno, text, meanings.ISLAND, region.why, is_call=True)
            )
            return
        function = self.resolved(node.func)
        if function is UNKNOWN:
            if isinstance(node.func, ast.Attribute) and node.func.attr == "astype" and self._of_objects(node):
                self._refuse(node, "an array of Python's objects", _of_a_list(node))
                return
            self._checker.add(self.source, node, LATER, ast.unparse(node.func))
            return
        if isinstance(node.func, ast.Name) and function in (super, locals, globals, vars, eval, exec):
            self._refuse(node, f"`{node.func.id}`", "Name what you need.")
            return
        found, islands = meanings.meaning(function), self._checker.islands
        if islands is not None:
            found = islands.meaning(found)
        if found.kind == meanings.NATIVE and self._of_objects(node):
            self._refuse(node, "an array of Python's objects", _of_a_list(node))
            return
        kind = found.kind
        if kind == meanings.REFUSED and found.function is not None and self._may_be_known(node):
            kind = meanings.PYTHON
            if islands is not None:
                text = shortened(ast.unparse(node))
                islands.computed.add(f"{self.source.file}, line {node.lineno}: {text}")
        elif kind == meanings.REFUSED and islands is not None and islands.accept(found.name):
            kind = meanings.ISLAND
        whole = (
            islands.regions.whole(function, found.name)
            if kind == meanings.OWN and islands is not None
            else None
        )
        if whole is not None:
            name = f"{found.name}, {whole.lines}"
            self._checker.add(self.source, node, meanings.ISLAND, name, is_call=True)
            return
        if kind == meanings.NATIVE and (why := self._argument_refused(node, found)):
            self._refuse(node, found.name.removeprefix("pipeport."), why)
            return
        advice = found.advice
        if found.name == "pipeport.numpy.load" and id(node) not in self._cast:
            advice = _LOADED
        self._checker.add(self.source, node, kind, found.name, advice, is_call=True)
        length = (
            meanings.own_method(self.resolved(node.args[0]), "__len__")
            if function is len and node.args
            else None
        )
        if length is not None:
            self._given(node, length)
        elif found.kind == meanings.OWN and _generator.method_of(function):
            for one in _generator.called_by(function):
                self._given(node, one)
        elif found.kind == meanings.OWN:
            self._checker.own(self.source, node, function, lambda names: self._known_of(node, names))

    def _attribute(self, node: ast.Attribute) -> None:
        """Refuse an attribute that an object of ours lacks, where the source tells what makes the object."""
        kind: Any = None if self._asks else self._kind(node.value)
        if kind is None or hasattr(kind, node.attr):
            return
        try:
            kind.__getattr__(kind.__new__(kind), node.attr)
        except AttributeRefused as error:
            self._refuse(node, f"{kind.__name__}.{node.attr}", str(error))
        except AttributeError:  # one of Python's own
            return

    def _kind(self, node: ast.expr, around: tuple[ast.expr, ...] = ()) -> type | None:
        """Return the class of ours whose object an expression makes, and which refuses what it lacks."""
        call = self._made.get(node.id) if isinstance(node, ast.Name) else node
        if not isinstance(call, ast.Call) or call in around:
            return None
        function = self.resolved(call.func)
        made: Any = None if function is UNKNOWN else meanings.meaning(function).function
        if made is None and isinstance(call.func, ast.Attribute):
            made = getattr(self._kind(call.func.value, (call, *around)), call.func.attr, None)
        if isinstance(made, types.FunctionType):
            try:
                made = typing.get_type_hints(made).get("return")
            except (NameError, TypeError):
                return None
        return made if isinstance(made, type) and hasattr(made, "__getattr__") else None

    def _special(self, node: ast.Subscript | ast.Compare) -> None:
        """Add the user's `__getitem__` or `__contains__` that an element or an `in` calls."""
        called: list[tuple[ast.expr, str]] = []
        if isinstance(node, ast.Compare):
            pairs = zip(node.ops, node.comparators, strict=True)
            called = [(side, "__contains__") for one, side in pairs if isinstance(one, (ast.In, ast.NotIn))]
        elif isinstance(node.ctx, ast.Load):
            called = [(node.value, "__getitem__")]
        for side, name in called:
            function = meanings.own_method(self.resolved(side), name)
            if function is not None:
                self._given(node, function)

    def _given(self, node: ast.expr, function: Any) -> None:
        """Add a function of the user that an object calls."""
        found = meanings.meaning(function)
        self._checker.add(self.source, node, found.kind, found.name, found.advice)
        if found.kind == meanings.OWN:
            self._checker.own(self.source, node, function)

    def _may_be_known(self, call: ast.Call, within: frozenset[str] = frozenset()) -> bool:
        """Say whether nothing in the source makes an argument of a call depend on an element or a draw.

        `within`: names that are asked about already.
        """
        return all(self._is_known(one, within) for one in [*call.args, *(one.value for one in call.keywords)])

    def _known_of(self, call: ast.Call, names: list[str]) -> frozenset[str]:
        """Return the parameters to which a call gives what is known while tracing."""
        if any(isinstance(one, ast.Starred) for one in call.args) or any(
            one.arg is None for one in call.keywords
        ):
            return frozenset()
        given = [*zip(names, call.args, strict=False), *((str(one.arg), one.value) for one in call.keywords)]
        known = {name for name, value in given if self._is_known(value, frozenset())}
        return frozenset(known | set(names) - {name for name, _ in given})

    def _is_known(self, node: ast.AST, within: frozenset[str]) -> bool:
        if isinstance(node, ast.Name):
            if node.id in within or node.id not in self._local:
                return True
            if node.id in self._parameters:
                return node.id in self._known_parameters
            given = self._given_to.get(node.id, ())
            return bool(given) and all(self._is_known(one, within | {node.id}) for one in given)
        if isinstance(node, ast.Attribute) and node.attr in _OF_TRACES:
            return True
        if isinstance(node, ast.Call):
            function = self.resolved(node.func)
            if function is len:
                return True
            if function is not UNKNOWN and meanings.meaning(function).kind == meanings.DRAW:
                return False
            if function is not UNKNOWN:
                return self._may_be_known(node, within)
        return all(self._is_known(one, within) for one in ast.iter_child_nodes(node))

    def _of_objects(self, node: ast.Call) -> bool:
        """Say whether a call states the dtype of Python's objects."""
        named = ast.unparse(node.func).rpartition(".")[2]
        place = {"astype": 0, "array": 1, "asarray": 1, "empty": 1, "zeros": 1, "ones": 1}.get(named)
        stated = [one.value for one in node.keywords if one.arg == "dtype"]
        if place is not None and place < len(node.args):
            stated.append(node.args[place])
        values = [one.value if isinstance(one, ast.Constant) else self.resolved(one) for one in stated]
        return any(
            value is object or value is np.object_ or (isinstance(value, str) and value in ("object", "O"))
            for value in values
        )

    def _argument_refused(self, node: ast.Call, found: meanings.Meaning) -> str:
        """Return why a native refuses an argument that the source tells: a named constant, or a text."""
        contract = contract_of(found.function)
        if contract is None or any(isinstance(one, ast.Starred) for one in node.args):
            return ""
        names = list(inspect.signature(found.function).parameters)  # type: ignore[arg-type]
        given = [*zip(names, node.args, strict=False), *((one.arg, one.value) for one in node.keywords)]
        known = {str(name): self._constant(argument) for name, argument in given}
        known = {name: value for name, value in known.items() if value is not UNKNOWN and name != names[0]}
        for name, argument in given:
            spec, value = contract.domain.get(name or ""), known.get(str(name))
            text = isinstance(argument, ast.Constant) and isinstance(value, str)
            if not isinstance(spec, OneOf) or not (text or isinstance(argument, ast.Attribute)):
                continue
            if isinstance(value, (int, str)) and not any(_same(value, one) for one in spec.values):
                image = np.zeros([8, 8, 3], np.uint8)
                if why := _answer(found.function, str(name), {names[0]: image, **known}):
                    return why
        return ""

    def _constant(self, node: ast.expr) -> Any:
        """Return the value of a literal, or of an attribute of a module that is a number."""
        try:
            return ast.literal_eval(node)
        except (SyntaxError, TypeError, ValueError):
            value = self.resolved(node) if isinstance(node, ast.Attribute) else UNKNOWN
            return value if isinstance(value, (int, float)) else UNKNOWN

    def resolved(self, node: ast.expr) -> Any:
        """Return the object an expression stands for, where that is known beforehand."""
        if isinstance(node, ast.Name):
            return self._named_object(node.id)
        if isinstance(node, ast.Attribute):
            owner = self.resolved(node.value)
            if owner is UNKNOWN:
                return UNKNOWN
            # Of an object only what is not a property: looking those up would run code.
            if not isinstance(owner, (types.ModuleType, type)) and isinstance(
                getattr(type(owner), node.attr, None), property
            ):
                return UNKNOWN
            return getattr(owner, node.attr, UNKNOWN)
        return UNKNOWN

    def _named_object(self, name: str) -> Any:
        if name in self._bound and name not in self._stored:
            return self._bound[name]
        if name in self._imports and name not in self._stored:
            return _of_import(*self._imports[name])
        if name in self._local:
            return UNKNOWN
        if name in self._cells:
            try:
                return self._cells[name].cell_contents
            except ValueError:
                return UNKNOWN
        space = self.source.function.__globals__
        return space.get(name, getattr(builtins, name, UNKNOWN))


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _answer(function: Any, parameter: str, arguments: dict[str, Any]) -> str:
    """Return what a native says of an argument when it is called; empty where it says nothing of that."""
    try:
        function(**arguments)
    except PipeportError as error:
        return str(error) if error.parameter == parameter else ""
    except Exception:  # it needs more arguments
        return ""
    return ""


def _imported(nodes: list[Any]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the names that imports make, each with the module and the name in it."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for one in node.names:
                name = one.asname or one.name.partition(".")[0]
                yield name, (one.name if one.asname else name, "")
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            for one in node.names:
                yield one.asname or one.name, (node.module, one.name)


def _made(nodes: list[Any]) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that are given what a call makes, each with the call."""
    for node in nodes:
        target: ast.expr | None
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.withitem):
            target, value = node.optional_vars, node.context_expr
        else:
            continue
        if isinstance(target, ast.Name) and isinstance(value, ast.Call):
            yield target.id, value


def _assigned(nodes: list[Any]) -> dict[str, list[ast.expr]]:
    """Return what the source gives to each name: values, and what loops take elements of."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            pairs = [(node.target, node.value)]
        elif isinstance(node, (ast.For, ast.comprehension)):
            pairs = [(node.target, node.iter)]
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            pairs = [(node.optional_vars, node.context_expr)]
        else:
            continue
        for target, value in pairs:
            for one in ast.walk(target):
                if isinstance(one, ast.Name):
                    found.setdefault(one.id, []).append(value)
    return found


def _of_import(module: str, name: str) -> Any:
    """Return what an import in the function gives; the function would import it when it is traced."""
    try:
        found = importlib.import_module(module)
        return getattr(found, name) if name else found
    except Exception:  # whatever a module does
        return UNKNOWN


def _in_order(tree: ast.AST) -> Iterator[Any]:
    """Yield the nodes below one in the order of the source."""
    boundary = is_boundary(tree)
    for child in ast.iter_child_nodes(tree):
        if boundary and isinstance(child.value if isinstance(child, ast.keyword) else child, ast.Lambda):
            continue  # stays Python
        yield child
        yield from _in_order(child)


def _written_outside(
    function: ast.FunctionDef, around: frozenset[str] = frozenset()
) -> Iterator[tuple[Any, str]]:
    """Yield writes to elements of names from outside of the function, inner functions included.

    Calls with `out=` are among them, whatever they call.
    """
    own, inner = scope(function)
    local = around | local_names(function)
    for node in own:
        for target in _written(node):
            while isinstance(target, (ast.Subscript, ast.Attribute, ast.Starred)):
                target = target.value
            if isinstance(target, ast.Name) and target.id not in local:
                yield node, target.id
    for one in inner:
        yield from _written_outside(one, frozenset(local))


def _written(node: Any) -> list[Any]:
    """Return the targets of a node that are elements, and what a call may write to."""
    if isinstance(node, ast.Call):
        return [one.value for one in node.keywords if one.arg == "out"]
    if not isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        return []
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    parts = [part for target in targets for part in ast.walk(target)]
    return [one for one in parts if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store)]


def _hoisted(tree: ast.AST) -> Iterator[ast.NamedExpr]:
    """Yield each `:=` that the transformation can put into a line of its own."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.Expr, ast.Return, ast.Assign)):
            for _, _, inner in first_evaluated(node):
                if isinstance(inner, ast.NamedExpr):
                    yield inner
                    break
