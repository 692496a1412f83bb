"""`pipeport.port`: a function people have, unmodified, as its native form."""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import linecache
import operator
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from pipeport._lazy import tf
from pipeport._shown import as_html
from pipeport._tensorflow_private import OPERATORS, recorded
from pipeport.arrays._give import entered, giving
from pipeport.arrays._lines import translate
from pipeport.arrays._sharing import hand_over
from pipeport.contract import Agreement
from pipeport.errors import NotEquivalent, OutsideDomain, PipeportError, PortRefused, WrongType, explain
from pipeport.porting import _reached
from pipeport.porting._example import compare, learn, with_shapes
from pipeport.porting._limit import OutOfTime
from pipeport.porting._origins import line_of, origins, places_of
from pipeport.porting._results import as_wrapped, left
from pipeport.porting._runtime import Runtime
from pipeport.porting._values import is_array
from pipeport.porting.control import _flow
from pipeport.porting.frontend import _check, _tensorflow
from pipeport.porting.frontend import _meaning as meanings
from pipeport.porting.frontend._foreign import instead, refuse
from pipeport.porting.frontend._islands import UNSEEDED, Islands
from pipeport.porting.frontend._source import compiled, plain, read
from pipeport.porting.frontend._transform import RUNTIME, branches, transformed
from pipeport.porting.optimise._costs import GraphLoop
from pipeport.porting.optimise._partition import emitted
from pipeport.porting.optimise._traced import traced
from pipeport.porting.strings._compiled import refuse_compiled
from pipeport.porting.strings._lazy_file import UnstatedDtype, check_dtypes, dtypes_of, given_back
from pipeport.porting.strings._text import with_text
from pipeport.seeds._ambient import in_part, taker_back

_T = TypeVar("_T")
_SIZED = "needs static sizes"
_LOOP = "loop of the graph"
_WRAPPERS = ("numpy_function", "py_function")
# A function that collects arguments: those have no name of their own.
_PACKAGE = str(Path(__file__).parents[1])
_COLLECTS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


def port(
    function: Callable[..., Any],
    *,
    example: Any = None,
    agreement: Agreement | None = None,
    islands: Any = False,
    wrapper: str = "numpy_function",
    Tout: Any = None,
) -> Ported:
    """Return the native form of a function written for NumPy, OpenCV and the like.

    `ds.map(port(augment))` replaces `ds.map(lambda x: tf.numpy_function(augment, [x], tf.float32))`. Calls
    are looked up as objects, where they stand: functions of the libraries are replaced by their natives,
    the function's own helpers are ported in turn, draws take their seeds from `pipeport.seeds.seeded_map`.
    Conditions and loops on computed values become part of the graph. The function itself, its module and its
    globals stay as they are.

    Parameters
    ----------
    function : callable
        A function, a lambda, a method, a partial, or an object with `__call__`; of a library, one that has
        a native. `port` is a decorator too.
    example : tuple or object, optional
        Arguments. Original and port are run on them with the same draws, and compared: eagerly, in a graph of
        their sizes, and in one without sizes. What the last one refuses is not an error: `needs_sizes` keeps
        it, `report` shows it, and with islands such graphs have islands of their own.
    agreement : Agreement, optional
        How equal the results on the example must be: `Exact()`, `Ulps(n)`, `Within(absolute, reason)` or
        `WithinLevels(n, fraction)` of `pipeport.contract`. By default floats may differ by rounding, bytes by
        one grey level, and what was cast or scaled from interpolated bytes by one level of those.
    islands : bool, 'unseeded', or dict of str to True or nest of tf.TensorSpec, default False
        Whether calls without a native equivalent stay Python, each in a `tf.numpy_function` of its own: an
        island. True needs an example, which shows the dtypes and ranks of their results and which arguments
        they change; where a call returns what no tensor holds, the helper or the statements around it are
        the island. 'unseeded': as True, and pipelines of albumentations without natives may draw what no
        seed reaches. A dictionary states results by the name of the call, for calls the example does not
        reach, or True for those it shows. A call that it names stays Python where it has a native, too, as
        ``{'numpy.cumsum': True}``, whose native is slower. One warning names all islands.
    wrapper : {'numpy_function', 'py_function'}, default 'numpy_function'
        What the function was wrapped in: it says whether its arguments arrived as NumPy's arrays or as
        tensors. Beside a tensor TensorFlow promotes: bytes divided by 255 are float32.
    Tout : dtype, or list or tuple of dtypes, optional
        The dtypes of the results, as the wrapper takes them; of a `tf.numpy_function` results of other dtypes
        are refused, of a `tf.py_function` cast, as it does. A list among several results is one array. An
        array of a file, whose dtype a graph cannot know, takes it from here: that of its result, or where it
        is computed with the one float among them. The graph stops at a file of another dtype.

    Returns
    -------
    Ported
        Takes tensors and gives tensors, eagerly and in graphs.

    Raises
    ------
    PortRefused
        Something in it has no native form; all that is known beforehand is listed, with file and line. With
        islands: a call draws where the seed does not reach, or returns what a graph cannot hold.
    OutsideDomain
        `islands=True` or an agreement without an example, an unknown `wrapper`, or islands that the function
        does not call on the example.
    NotEquivalent
        On the example the two differ, eagerly or in a graph.
    WrongType
        Called: a result has another dtype than `Tout` states, or there is another number of them.

    Notes
    -----
    In a graph, stretches that are computed pixel by pixel on images of known size are compiled, where that
    saves passes over the images. Draws, symbolic slices and whatever has unknown sizes are not, so nothing is
    compiled again per element. Whole values stay those of the graph; functions such as `exp` may differ in
    the last bit. ``pipeport.config.set_jit("never")`` leaves everything in the graph.

    A port is pickled as the name of its function, and the options: another process imports the function and
    ports it again. Of a lambda or a local function, which have no such name, pickling raises `WrongType`.

    Examples
    --------
    >>> import numpy as np
    >>> import pipeport
    >>> def scale(image):
    ...     return image.astype(np.float32) / 255
    >>> pipeport.port(scale)(np.full([2, 2], 51, np.uint8)).numpy().tolist()
    [[0.20000000298023224, 0.20000000298023224], [0.20000000298023224, 0.20000000298023224]]
    """
    if not (isinstance(islands, (bool, dict)) or islands == UNSEEDED):
        allowed = f"True, False, {UNSEEDED!r} or a dictionary"
        raise OutsideDomain(explain("islands", repr(islands), allowed, ""))
    each = islands.values() if isinstance(islands, dict) else (islands,)
    if any(one is True or one == UNSEEDED for one in each) and example is None:
        advice = "Give example=(arguments,), or the results: islands={'pkg.function': tf.TensorSpec(...)}."
        raise OutsideDomain(explain("islands", f"{islands!r} without an example", "an example", advice))
    if agreement is not None and example is None:
        given, advice = type(agreement).__name__, "Give example=(arguments,)."
        raise OutsideDomain(explain("agreement", f"{given} without an example", "None", advice))
    if wrapper not in _WRAPPERS:
        advice = "Name the wrapper of the function."
        raise OutsideDomain(explain("wrapper", repr(wrapper), " or ".join(map(repr, _WRAPPERS)), advice))
    kept = Islands(islands) if islands else None
    if example is None:
        ported = Ported(function, kept, wrapper, dtypes_of(Tout))
    else:

        def compared(ported: Ported) -> None:
            with tf.init_scope():  # a function of a dataset may port another
                ported.needs_sizes = compare(ported, example, agreement)

        def holding(ported: Ported) -> None:
            compared(ported)
            if ported.needs_sizes is not None:
                raise ported.needs_sizes

        ported, _ = _shown(compared, function, kept, wrapper, Tout)
        if kept is not None:
            kept.refuse_unmet()
        if ported.needs_sizes is not None and islands:
            with contextlib.suppress(PipeportError):
                ported.unsized, _ = _shown(holding, function, Islands(islands), wrapper, Tout)
    if kept is not None:
        kept.warn(None if ported.unsized is None else ported.unsized._islands)
    return ported


def _shown(
    show: Callable[[Ported], _T],
    function: Callable[..., Any],
    islands: Islands | None,
    wrapper: str,
    Tout: Any,
) -> tuple[Ported, _T]:
    """Port a function and show the port an example, again with more islands as long as that helps.

    `show`: runs the port. The others are those of `port`. Returns: the port, and what `show` gave.
    """
    if islands is not None:
        islands.widens = True
    while True:
        try:
            ported = Ported(function, islands, wrapper, dtypes_of(Tout))
            found = show(ported)
            break
        except NotEquivalent as error:
            if islands is None or islands.regions.origin is None:
                raise
            islands.regions.origin.add_note(
                f"An island of the statements around it is refused, too:\n  {error}"
            )
            raise islands.regions.origin from None
        except Exception as error:
            if islands is None or isinstance(error, OutOfTime):
                raise
            origin = islands.regions.widen(error, list(getattr(error, "places", ())))
            if origin is not None:
                raise origin from None
            islands.forget()
    if islands is not None:
        islands.widens = False
    return ported, found


def learned(
    function: Callable[..., Any],
    example: tuple[Any, ...],
    use: Callable[[Ported], _T],
    *,
    islands: Any,
    wrapper: Any,
    Tout: Any,
) -> tuple[Ported, _T]:
    """Port a function with what one run of its port shows, which is not compared with the original.

    `example`: arguments. `use`: uses the port; what that refuses more islands may serve, if pipeport refuses
    it. The others are those of `port`. Returns: the port, and what `use` gave.
    """
    kept = Islands(islands) if islands else None

    def shown(ported: Ported) -> _T:
        learn(ported, example)
        return with_shapes(ported, example, lambda: use(ported))

    found = _shown(shown, function, kept, wrapper, Tout)
    if kept is not None:
        kept.warn()
    return found


class Ported:
    """A function's native form; see `port`.

    Parameters
    ----------
    function : callable
        What is ported.
    islands : Islands or None
        Where calls without a native equivalent stay Python.
    wrapper : str
        As of `port`.
    dtypes : tuple of numpy.dtype or None
        Of the results, where they are stated.

    Attributes
    ----------
    original : callable
        The function as it was given.
    needs_sizes : PipeportError or None
        Why a graph without sizes refuses it, as far as an example has shown.
    unsized : Ported or None
        What takes its place in such a graph: with islands, the form that has more of them.
    loops : list of GraphLoop
        Loops that stay loops of the graph, as far as an example has shown.
    shapes : tuple
        Of the arguments, as far as an example has shown: the number of axes, and of channels where a graph
        needs that. None of what is no array.
    """

    autograph_info__: ClassVar[dict[str, Any]] = {}  # AutoGraph's mark for what it need not convert again

    def __init__(
        self,
        function: Callable[..., Any],
        islands: Islands | None = None,
        wrapper: str = _WRAPPERS[0],
        dtypes: tuple[Any, ...] | None = None,
    ) -> None:
        self.original = function
        self.needs_sizes: PipeportError | None = None
        self.unsized: Ported | None = None
        self.loops: list[GraphLoop] = []
        self.shapes: tuple[list[int | None] | None, ...] = ()
        self.body = calling(function) if meanings.is_of_library(function) else function
        self.takes_tensors = wrapper == "py_function"
        self._islands, self._wrapper, self.dtypes = islands, wrapper, dtypes
        if islands is not None:
            islands.takes_tensors = self.takes_tensors
        self._rows = _check.report(self.body, islands)
        refused = [row for row in self._rows if row.refused]
        if refused:
            error = PortRefused(_all_refused(function, refused, is_own=self.body is function))
            error.places = [(refused[0].file, refused[0].line)]
            error.called = refused[0].name
            raise error
        self._functions: dict[int, tuple[Any, Callable[..., Any]]] = {}
        self._ported(self.body)
        functools.update_wrapper(self, function, updated=())
        self.__wrapped__ = self.body  # a function of C may have no signature

    def __repr__(self) -> str:
        calls = ", ".join(dict.fromkeys(row.name for row in self._rows if row.is_call))
        return f"<port of {meanings.dotted(self.original)}{calls and f': {calls}'}>"

    def _repr_html_(self) -> str:
        return as_html([repr(self), *_check.parts(self.report())])

    def report(self) -> list[_check.Row]:
        """Return the replacement of each call, in the order of the source.

        Then the loops of the graph that cost a millisecond or more with the sizes of the example, and what
        needs static sizes.
        """
        slow = {(loop.file, loop.number): loop for loop in self.loops if loop.is_slow}
        rows = [*self._rows, *map(self._told, slow.values())]
        if self.needs_sizes is None:
            return rows
        source = read(plain(self.body)[0])
        line = source.tree.lineno
        why = "\n".join([str(self.needs_sizes), *getattr(self.needs_sizes, "__notes__", ())])
        if self.unsized is not None and self.unsized._islands is not None:
            why = "\n".join([why, "A graph without sizes has these islands:", *self.unsized._islands.lines()])
        return [*rows, _check.Row(source.file, line, source.line(line), _SIZED, source.name, why)]

    def _told(self, loop: GraphLoop) -> _check.Row:
        """Return the row of a loop of the graph, which names the island that keeps it in Python."""
        around = [one for one, _ in self._functions.values() if _holds(read(one), loop)]
        name, advice = (
            "module.function",
            "To keep it in Python, put it into a function of its own, and name that",
        )
        if around and around[0] is not plain(self.body)[0]:
            name, advice = meanings.dotted(around[0]), "To keep its function in Python"
        advice = f'{loop.reason}. {advice}: islands={{"{name}": tf.TensorSpec(...)}}.'
        text = linecache.getline(loop.file, loop.number).strip()
        return _check.Row(loop.file, loop.number, text, _LOOP, loop.cost, advice)

    def stated_islands(self) -> dict[str, Any] | None:
        """Return what its islands give, as `port(islands=...)` takes it.

        Returns
        -------
        dict of str to nest of (str, int), or None
            Dtype and rank of each array, by name; None where a text cannot state them.
        """
        return {} if self._islands is None else self._islands.stated()

    @property
    def is_an_island(self) -> bool:
        """Whether all of it stays Python."""
        return self._islands is not None and self._islands.all_of_it

    @property
    def draws_unseeded(self) -> bool:
        """Whether an island draws what no seed reaches."""
        return self._islands is not None and bool(self._islands.drawing)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            with giving():
                if tf.executing_eagerly():
                    return self._left(args, kwargs)
                take_back = taker_back()
                try:
                    return self._in_graph(args, kwargs)
                except PipeportError:
                    if self.unsized is None:
                        raise
                take_back()
                return self.unsized(*args, **kwargs)
        except Exception as error:
            found = error if tf.executing_eagerly() else instead(error)
            _locate(found, plain(self.body)[0].__code__)
            if found is not error:
                raise found from None
            raise

    def _left(self, args: Any, kwargs: Any) -> Any:
        if self.takes_tensors:
            args = tuple(map(_tensorflow.handed, args))
        elif self._islands is not None:  # another element has another path
            args = tuple(tf.constant(one) if isinstance(one, bytes) else one for one in args)
        args, kwargs = entered(args, apart=True), entered(kwargs, apart=True)
        if self.takes_tensors:
            _tensorflow.mark([*args, *kwargs.values()])
        else:
            args, kwargs = with_text(args), with_text(kwargs)
        run, function = self._ported(self.body), plain(self.body)[0]
        given = (*args, *kwargs.values())
        _reached.reach_by(function, [one for one in given if type(one) not in (list, tuple, dict)])
        if not function.__code__.co_flags & _COLLECTS:
            for one in given:
                if is_array(one):
                    hand_over(one)
        results = given_back(run(*args, **kwargs), self.dtypes)
        found = left(as_wrapped(results, self.dtypes, casts=self.takes_tensors), top=True)
        for one in tf.nest.flatten(found):
            refuse("result", one)
        check_dtypes(found, self.dtypes)
        return found

    def _in_graph(self, args: Any, kwargs: Any) -> Any:
        """Trace the body as a function of its own, and add it in stages."""
        outputs: list[Any] = []
        rows: list[Any] = []
        args = (*map(_of_shape, args, self.shapes), *args[len(self.shapes) :])
        refuse_compiled("argument", [args, kwargs])

        def body() -> list[Any]:
            graph = tf.compat.v1.get_default_graph()
            outputs.clear()
            with in_part():
                rows[:] = [self._left(args, kwargs)]
            outputs.extend(
                one
                for one in tf.nest.flatten(rows)
                if tf.is_tensor(one) and getattr(one, "graph", None) is graph
            )
            return outputs

        concrete = self._traced(body)
        refuse_compiled("result", rows)
        results = recorded(lambda: emitted(concrete, ends=True), concrete.captured_inputs)
        added = {tensor.ref(): value for tensor, value in zip(outputs, results, strict=True)}

        def leaf(value: Any) -> Any:
            return added.get(value.ref(), value) if tf.is_tensor(value) else value

        return tf.nest.map_structure(leaf, rows[0])

    def _traced(self, body: Callable[[], Any]) -> Any:
        """Trace a body, again where it uses an array whose dtype `Tout` tells."""
        take_back = taker_back()
        while True:
            try:
                return _reached.unchanging(lambda: traced(body))
            except UnstatedDtype as error:
                if not error.settle(self.dtypes or ()):
                    raise
            take_back()

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Return how another process finds the function, and the options: it is ported there again."""
        found = _findable(self.original)
        if isinstance(found, _Name) and found.held() is self:
            return found.name
        shown = (self.needs_sizes, self.unsized, self.shapes)
        return _again, (found, self._islands, self._wrapper, self.dtypes, shown)

    def __copy__(self) -> Ported:
        return self

    def __deepcopy__(self, memo: Any) -> Ported:
        return self

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        method = types.MethodType(self.original, instance)
        return Ported(method, self._islands, self._wrapper, self.dtypes)

    def _ported(self, function: Any) -> Callable[..., Any]:
        """Return the transformed form of one of the user's functions; each is made once."""
        inner, first, named = plain(function)
        kept = self._functions.get(id(inner))
        if kept is None:
            kept = (inner, self._converted(inner))
            self._functions[id(inner)] = kept
        _reached.reach_by(inner, (*first, *named.values()))
        return functools.partial(kept[1], *first, **named) if first or named else kept[1]

    def _converted(self, function: types.FunctionType) -> Callable[..., Any]:
        source = read(function)
        if self._islands is not None:
            self._islands.regions.cut(source)
        tree, places = transformed(source)
        made = compiled(source, tree, {RUNTIME: Runtime(places, self._ported, self._islands)})
        if not branches(tree):
            return made
        converted: Any = tf.autograph.to_graph(made, recursive=False)
        for name, cell in zip(converted.__code__.co_freevars, converted.__closure__, strict=True):
            if name == OPERATORS:
                cell.cell_contents = _flow.Operators(cell.cell_contents)
        _note_lines(converted)
        return converted  # type: ignore[no-any-return]


def _holds(source: Any, loop: GraphLoop) -> bool:
    """Say whether a loop stands in a function."""
    last = source.tree.end_lineno or source.tree.lineno
    return bool(source.file == loop.file and source.tree.lineno <= loop.number <= last)


def _held(module: str, name: str) -> Any:
    """Return what a module has under a name."""
    return operator.attrgetter(name)(importlib.import_module(module))


@dataclass(frozen=True)
class _Name:
    """The name of a function in a module; unpickled, what the module has under it."""

    module: str
    name: str

    def held(self) -> Any:
        return _held(self.module, self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _held, (self.module, self.name)


def _findable(function: Any) -> Any:
    """Return the name of a function, or the callable itself where that is pickled by what it consists of."""
    inner = function
    while isinstance(inner, functools.partial):
        inner = inner.func
    module, name = getattr(inner, "__module__", None), getattr(inner, "__qualname__", None)
    if isinstance(inner, types.MethodType) or module is None or name is None:
        return function
    with contextlib.suppress(ImportError, AttributeError):
        named = _Name(module, name)
        held = named.held()
        if held is inner or (isinstance(held, Ported) and held.original is inner):
            return named if inner is function else function
    given = f"{meanings.dotted(inner)}, which its module does not have under this name"
    advice = "Define it with `def` at the top level of a module: another process finds it there."
    raise WrongType(explain("function", given, "a function that can be imported, to pickle its port", advice))


def _again(
    found: Any, islands: Islands | None, wrapper: str, dtypes: tuple[Any, ...] | None, shown: Any
) -> Ported:
    """Return the port that was pickled, of a function or of what holds its port."""
    ported = Ported(found.original if isinstance(found, Ported) else found, islands, wrapper, dtypes)
    ported.needs_sizes, ported.unsized, ported.shapes = shown
    return ported


def _of_shape(value: Any, shape: list[int | None] | None) -> Any:
    """Return an argument whose axes and channels are those of the example, where the graph does not know."""
    if shape is None or not isinstance(value, tf.Tensor) or value.shape.rank not in (None, len(shape)):
        return value
    known = [None] * len(shape) if value.shape.rank is None else value.shape.as_list()
    adds = value.shape.rank is None or any(
        one is None and other is not None for one, other in zip(known, shape, strict=True)
    )
    if not adds:
        return value
    given = tf.shape(value)
    holds = tf.equal(tf.size(given), len(shape))
    for channels in shape[-1:]:
        if channels is not None:
            holds &= tf.reduce_all(given[-1:] == channels)
    told = ", ".join("any" if one is None else str(one) for one in shape)
    text = explain(
        "argument", "the shape behind this", f"({told}), as on the example", "Give an example of it."
    )
    with tf.control_dependencies([tf.debugging.Assert(holds, [text, given])]):
        return tf.ensure_shape(value, shape)


def calling(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls another, which has no source of its own to port."""

    def body(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return body


def _all_refused(function: Any, rows: list[_check.Row], *, is_own: bool) -> str:
    name = meanings.dotted(function)
    lines = [f"{name} cannot be ported:"]
    if not is_own:
        lines = [f"{row.name} cannot be ported: {row.advice}" for row in rows]
    for row in rows if is_own else ():
        lines.append(f"  {row.file}, line {row.line}: {row.text}")
        lines.append(f"    {row.name}: {row.advice}")
    if all(map(Islands.may_serve, rows)):
        lines.append("  With islands=True and an example=, such calls stay Python and the rest is ported.")
    return "\n".join(lines)


translate(line_of)


def _note_lines(converted: Any) -> None:
    """Remember which line of the user's file each line of a converted function comes from."""
    for place, origin in getattr(converted, "ag_source_map", {}).items():
        found = line_of(origin.loc.filename, origin.loc.lineno)
        if found is not None:
            origins.setdefault(place.filename, (found[0], {}))[1][place.lineno] = found[1]


def _locate(error: Exception, code: types.CodeType) -> None:
    """Add to an error the lines of the user's files in which it came about, and leave the user's frames.

    An error of what the function takes or gives has those of the function, of which `code` is.
    """
    if getattr(error, "__pipeport_located__", False):
        return
    around = [
        "In what this function takes or gives:",
        f'  File "{code.co_filename}", line {code.co_firstlineno}',
    ]
    with contextlib.suppress(AttributeError):
        error.places = places_of(error)  # type: ignore[attr-defined]
    for note in _lines_of(error) or (around if isinstance(error, PipeportError) else []):
        error.add_note(note)
    if isinstance(error, PipeportError):  # it says what the errors that it comes from meant
        error.__cause__, error.__suppress_context__ = None, True
    _trim(error)
    with contextlib.suppress(AttributeError):
        error.__pipeport_located__ = True  # type: ignore[attr-defined]


def _lines_of(error: BaseException) -> list[str]:
    notes: list[str] = []
    for found in places_of(error):
        note = f'  File "{found[0]}", line {found[1]}'
        if note not in notes[-2:]:
            notes += [note, f"    {linecache.getline(*found).strip()}"]
    return ["In the function that was ported:", *notes] if notes else []


def _frames(error: BaseException) -> list[types.TracebackType]:
    frames: list[types.TracebackType] = []
    trace = error.__traceback__
    while trace is not None:
        frames.append(trace)
        trace = trace.tb_next
    return frames


def _trim(error: BaseException) -> None:
    """Leave the user's frames in the traceback of an error, and in those of the errors that it comes from."""
    if not tf.debugging.is_traceback_filtering_enabled():
        return
    seen: list[BaseException] = []
    while error not in seen:
        seen.append(error)
        kept = None
        for trace in reversed(_frames(error)):
            if _is_users(trace.tb_frame.f_code.co_filename):
                kept = types.TracebackType(kept, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)
        error.__traceback__ = kept
        error = error.__cause__ or error.__context__ or error


def _is_users(file: str) -> bool:
    written = file.startswith("<") or "__autograph_generated_file" in file
    return meanings.is_own(file) and not written and not file.startswith(_PACKAGE)
