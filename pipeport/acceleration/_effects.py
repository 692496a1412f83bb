"""What a function does besides computing its result, and what it reads from outside, as its source tells."""

from __future__ import annotations

import ast
import functools
import random
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport import meanings
from pipeport._own import is_own
from pipeport.errors import PipeportError
from pipeport.meanings import names
from pipeport.porting.frontend import _meaning as meanings_of
from pipeport.porting.frontend._check import LATER, UNKNOWN, Body, Row, followed
from pipeport.porting.frontend._scopes import stored
from pipeport.porting.frontend._source import Source

# Libraries whose functions change nothing but their arguments, and what of them is an exception.
PURE = names(
    "PIL SimpleITK albumentations cmath colorsys cv2 h5py imageio json librosa math nibabel numpy pydicom "
    "random scipy skimage soundfile statistics tifffile xml"
)
_NOT_PURE = (
    "Write", "dump", "imsave", "imshow", "imwrite", "save", "seed", "set_num", "set_state", "setNum",
    "setRNG", "setUse", "setstate", "show", "tofile", "tofits", "waitKey", "write",
)  # fmt: skip
# Of TensorFlow, whose other functions only compute.
_TENSORFLOW_NOT_PURE = (
    "Variable", "assign", "copy", "delete", "make", "mkdir", "print", "remove", "rename", "save", "scatter_",
    "set_", "summary", "write",
)  # fmt: skip
MUTATORS = names(
    "add append appendleft byteswap clear difference_update discard extend extendleft fill insert "
    "intersection_update itemset partition pop popitem popleft put remove resize reverse rotate "
    "setdefault setfield setflags shuffle sort symmetric_difference_update update"
)
# They read on in their object; videos and parsed files have more methods that change nothing else.
_READING_ON = names("grab read readline readlines readinto retrieve seek")
_OF_FILES = names(
    "close find findall findtext getroot grab isOpened iter iterfind itertext read release retrieve"
)
# Methods that Python calls.
_IMPLICIT = ("__contains__", "__getitem__", "__iter__", "__len__")
# Methods and built-ins that give what their owner or an argument holds.
_GIVING = names("__getitem__ get items keys pop popitem setdefault values")
_PASSING = names("dict enumerate filter getattr iter list map max min next reversed sorted tuple zip")
# Elements of a container that are looked at.
_MOST = 10_000
_PLAIN = (bool, bytes, complex, float, int, str, frozenset, np.generic, np.dtype, types.NoneType)
_CODE = (types.BuiltinFunctionType, types.FunctionType, types.ModuleType, type, np.ufunc)
_ITERATING = ("iter", "next")
_OPENS = ("open", "io.open", "h5py.File")
_VOLUME = "nibabel.Nifti1Image."
# Functions that write to their first argument.
_WRITING = names(
    "arrowedLine circle copyto drawContours drawMarker ellipse fillConvexPoly fillPoly fill_diagonal "
    "line place polylines put put_along_axis putText putmask rectangle shuffle"
)


@dataclass(frozen=True)
class Read:
    """A value from outside of a function.

    `kind`: {'global', 'closure', 'attribute'}. `value`: what was there; of what is computed from an element,
    the object it comes from is read as well.
    """

    kind: str
    name: str
    module: str
    value: Any


@dataclass(frozen=True)
class Known:
    """What the source of a function and of its helpers tells.

    `effect`: the first that may be more than a result, in words; empty where all calls are known and have
    none.
    """

    effect: str
    reads: tuple[Read, ...] = ()
    sources: tuple[Source, ...] = ()


def known(function: Callable[..., Any]) -> Known:
    """Return what the source of a function tells; a function without a source may do anything.

    Returns: nothing of the user's is run.
    """
    return _known(function, set())


def _known(function: Any, seen: set[int]) -> Known:
    if id(function) in seen:
        return Known("")
    seen.add(id(function))
    if meanings_of.is_of_library(function):
        return _of_callable(function, seen)
    try:
        rows, bodies = followed(function)
    except PipeportError as error:
        return Known(f"it cannot be read ({str(error).partition('; ')[0]})")
    each = [_Names(body) for body in bodies]
    inner = [_of_callable(one, seen) for one in _called(rows, each)]
    effects = (
        *_of_rows(rows, each),
        *(one for own in each for one in own.effects()),
        *(one.effect for one in inner if one.effect),
    )
    reads = [one for own in each for one in own.reads()]
    implicit = [_known(one, seen) for read in reads for one in _implicit(read.value)]
    inner += implicit
    effects += tuple(one.effect for one in implicit if one.effect)
    effects += tuple(
        f"it goes on with `{one.name}`, an iterator from outside" for one in reads if _goes_on(one.value)
    )
    reads += [one for own in inner for one in own.reads]
    sources = [body.source for body in bodies]
    sources += [one for own in inner for one in own.sources]
    return Known(effects[0] if effects else "", tuple(reads), tuple(sources))


def _called(rows: list[Row], each: list[_Names]) -> list[Any]:
    """Return the functions from outside that names of the function stand for where it calls them."""
    named = sorted({row.name for row in rows if row.kind == LATER})
    return [one for name in named for own in each for one in own.called(name) or ()]


def _implicit(value: Any) -> list[Any]:
    """Return the methods of the user's that Python calls by itself where an object is used."""
    return [
        made for one in _flat(value) for name in _IMPLICIT if (made := _own_method(one, name)) is not None
    ]


def _own_method(value: Any, name: str) -> Any:
    """Return a method of an object of the user's; None where it is anything else."""
    found = getattr(type(value), name, None)
    if not isinstance(found, types.FunctionType) or not is_own(found.__code__.co_filename):
        return None
    return types.MethodType(found, value)


def _goes_on(value: Any) -> bool:
    """Say whether a value is an iterator, or holds one: each use of it changes it."""
    return any(hasattr(type(one), "__next__") for one in _flat(value))


def _flat(value: Any) -> Iterator[Any]:
    """Yield a value, or what containers in it hold."""
    if isinstance(value, (dict, list, tuple)) and len(value) <= _MOST:
        for one in value.values() if isinstance(value, dict) else value:
            yield from _flat(one)
    else:
        yield value


def _of_callable(function: Any, seen: set[int]) -> Known:
    """Return what is known of an object from outside that is called."""
    found = meanings_of.meaning(function)
    if found.kind == meanings.OWN:
        return _known(function, seen)
    row = Row("", 0, found.name, found.kind, found.name, is_call=True)
    return Known(next(_of_rows([row], []), ""))


def _of_rows(rows: list[Row], each: list[_Names]) -> Iterator[str]:
    for row in rows:
        top, last = row.name.partition(".")[0], row.name.rpartition(".")[2]
        if row.kind == LATER:
            if any(own.called(row.name) is not None for own in each):
                continue
            if "." not in row.name:
                yield f"`{row.text}` (line {row.line}) calls what only runs tell"
            elif last not in _methods():
                yield f"`.{last}` (line {row.line}) is not a method known to change nothing"
        elif row.kind == meanings.TENSORFLOW:
            if last.startswith(_TENSORFLOW_NOT_PURE):
                yield f"{row.name} (line {row.line})"
        elif row.kind == meanings.BUILT_IN and row.name == "print":
            yield f"it prints (line {row.line})"
        elif row.is_call and row.name in _OPENS and not _reads_only(row.text):
            yield f"it opens a file to write (line {row.line})"
        elif row.refused and top in PURE:
            if last.startswith(_NOT_PURE):
                yield f"{row.name} (line {row.line})"
        elif row.refused and row.name not in _ITERATING and (row.is_call or not row.name.startswith("`")):
            yield f"{row.name} (line {row.line})"


def _reads_only(call: str) -> bool:
    try:
        node = ast.parse(call, mode="eval").body
    except SyntaxError:  # shortened
        return False
    if not isinstance(node, ast.Call):
        return False
    modes = [*node.args[1:2], *(one.value for one in node.keywords if one.arg == "mode")]
    return all(isinstance(one, ast.Constant) and one.value in ("r", "rb", "rt") for one in modes)


@functools.cache
def _methods() -> frozenset[str]:
    """Return names of methods that change nothing but their owner: of arrays, containers, images, draws."""
    from pipeport.PIL.Image import Image
    from pipeport.porting.strings import _opened

    draws = (np.random.Generator, np.random.RandomState, random.Random)
    kinds = (np.ndarray, Image, *draws, _opened.File)
    found = {name for kind in kinds for name in dir(kind) if not name.startswith(("_", *_NOT_PURE))}
    of_volumes = {name.rpartition(".")[2] for name in meanings.READERS if name.startswith(_VOLUME)}
    others = {"apply", "enhance", "get_shape", "numpy", "set_shape"}
    return frozenset(found | of_volumes | others | _OF_FILES | set(meanings.PYTHON_METHODS))


class _Names:
    """A function's names: which of them may stand for an object from outside that can be changed."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._nodes = list(ast.walk(body.source.tree))
        self._shared: set[str] = set()
        before = -1
        while before != len(self._shared):
            before = len(self._shared)
            for targets, value in self._bindings():
                if self.shared(value):
                    self._shared |= {name for one in targets for name in _stored(one)}

    def _bindings(self) -> Iterator[tuple[list[ast.expr], ast.expr]]:
        for node in self._nodes:
            if isinstance(node, ast.Assign):
                yield node.targets, node.value
            elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
                yield [node.target], node.value
            elif isinstance(node, (ast.For, ast.comprehension)):
                yield [node.target], node.iter
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                yield [node.optional_vars], node.context_expr

    def shared(self, node: ast.expr) -> bool:
        """Say whether an expression may give an object from outside that can be changed."""
        if isinstance(node, ast.Name):
            if node.id in self._shared:
                return True
            return can_change(self._body.resolved(node))
        if isinstance(node, ast.Attribute):
            value = self._body.resolved(node)
            return self.shared(node.value) if value is UNKNOWN else can_change(value)
        if isinstance(node, (ast.Subscript, ast.Starred, ast.NamedExpr)):
            return self.shared(node.value)
        if isinstance(node, ast.IfExp):
            return self.shared(node.body) or self.shared(node.orelse)
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return any(map(self.shared, node.elts))
        if isinstance(node, ast.BoolOp):
            return any(map(self.shared, node.values))
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
            return self.shared(node.elt)
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in _GIVING:
                return self.shared(node.func.value)
            if isinstance(node.func, ast.Name) and node.func.id in _PASSING:
                return any(map(self.shared, node.args))
        return False

    def called(self, name: str) -> list[Any] | None:
        """Return the functions from outside that a call of a name stands for; None where it may be any.

        `name`: a name, or one with a method behind it: of objects from outside, all of which have it. Those
        that are defined in the function are part of it.
        """
        owner, _, method = name.rpartition(".")
        if "." in owner or (method and not (owner or name).isidentifier()):
            return None
        values = [
            value for to, value in self._bindings() if any((owner or name) in _stored(one) for one in to)
        ]
        parts = [one for value in values for one in ast.walk(value)]
        held = [self._body.resolved(one) for one in parts if isinstance(one, (ast.Name, ast.Attribute))]
        if owner:
            objects = [
                one for value in held if not (value is UNKNOWN or callable(value)) for one in _flat(value)
            ]
            methods = [_own_method(one, method) for one in objects]
            return methods if methods and None not in methods else None
        found = [one for value in held for one in _functions_in(value)]
        inner = any(isinstance(one, ast.FunctionDef) and one.name == name for one in self._nodes[1:])
        return found if found or inner or any(isinstance(one, ast.Lambda) for one in parts) else None

    def effects(self) -> Iterator[str]:
        """Yield in words what the function changes outside."""
        for node in self._nodes:
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                yield f"it assigns `{node.names[0]}` outside (line {node.lineno})"
            for target in _written(node):
                if self.shared(target) and not self._is_own(node):
                    line = getattr(node, "lineno", 0)
                    yield f"it may change `{ast.unparse(target)}`, which is outside (line {line})"

    def _is_own(self, node: ast.AST) -> bool:
        """Say whether a call is one of the user's functions, which is looked into itself."""
        function = self._body.resolved(node.func) if isinstance(node, ast.Call) else UNKNOWN
        code = getattr(function, "__code__", None)
        return code is not None and is_own(code.co_filename)

    def reads(self) -> Iterator[Read]:
        """Yield what the function reads from outside: names, and attributes of objects from outside."""
        function = self._body.source.function
        for node in self._nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                value = self._body.resolved(node)
                if value is not UNKNOWN and not _is_code(value):
                    closed = node.id in function.__code__.co_freevars
                    kind = "closure" if closed else "global"
                    if closed or node.id in function.__globals__:
                        yield Read(kind, node.id, function.__module__ or "", value)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                owner, value = self._body.resolved(node.value), self._body.resolved(node)
                if isinstance(owner, types.ModuleType):
                    if is_own(getattr(owner, "__file__", None) or "<frozen>") and not _is_code(value):
                        yield Read("global", node.attr, owner.__name__, value)
                elif self.shared(node.value) and not (isinstance(owner, np.ndarray) or _is_code(value)):
                    yield Read("attribute", node.attr, "", value)


def _functions_in(value: Any) -> list[Any]:
    """Return the functions in a value from outside, those in containers included."""
    if isinstance(value, dict):
        return [one for part in value.values() for one in _functions_in(part)]
    if isinstance(value, (list, tuple)):
        return [one for part in value for one in _functions_in(part)]
    return [value] if callable(value) and not isinstance(value, types.ModuleType) else []


def _is_code(value: Any) -> bool:
    """Say whether a value is a function, a class or a module: nobody is expected to change one."""
    return isinstance(value, (*_CODE, types.MethodType, types.MethodDescriptorType))


def can_change(value: Any) -> bool:
    """Say whether a value can be changed in place."""
    if value is UNKNOWN or _is_code(value) or isinstance(value, _PLAIN):
        return False
    return any(map(can_change, value)) if isinstance(value, tuple) else True


def _stored(target: ast.expr) -> set[str]:
    return {name for one in ast.walk(target) for name in stored(one)}


def _written(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions whose object a node changes."""
    targets: list[ast.expr] = []
    if isinstance(node, (ast.Assign, ast.Delete)):
        targets = node.targets
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For)):
        targets = [node.target]
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield ast.Name(node.target.id, ast.Load())
    for target in targets:
        for part in ast.walk(target):
            if isinstance(part, (ast.Subscript, ast.Attribute)) and not isinstance(part.ctx, ast.Load):
                yield part.value
    if isinstance(node, ast.Call):
        yield from (one.value for one in node.keywords if one.arg == "out")
        if isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS | _READING_ON:
            yield node.func.value
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name == "next" or name in _WRITING:
            yield from node.args[:1]
