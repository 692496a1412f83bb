"""Bugs of a boundary: its declaration, and the function behind it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from pipeport import meanings
from pipeport.scan._boundaries import BoundarySite
from pipeport.scan._bugs import MASK, Bug, Examined, Mapped, own, untouched
from pipeport.scan._bugs_outside import mixed_classes
from pipeport.scan._dtypes import channels_of, declared, dtype_of
from pipeport.scan._resolve import Location, returns
from pipeport.scan._rules import ELSEWHERE
from pipeport.scan._verdict import only_tensorflow

_IMAGES = ("PIL", "albumentations", "cv2", "imageio", "skimage")
_SHAPES = meanings.names("set_shape ensure_shape reshape _set_shape padded_batch merge_with _shape")
_RANDOM_TRANSFORMS = meanings.names(
    "HorizontalFlip VerticalFlip Flip Rotate ShiftScaleRotate Affine ColorJitter GaussNoise CoarseDropout "
    "HueSaturationValue OneOf Transpose"
)
_GENERATORS = (
    "numpy.random.default_rng",
    "numpy.random.RandomState",
    "random.Random",
    "numpy.random.Generator",
)
_SEEDS = ("numpy.random.seed", "random.seed")
_IN_PLACE = meanings.names("sort fill partition itemset setfield byteswap")
# Functions that change their first argument.
_CHANGING = meanings.names(
    "cv2.rectangle cv2.circle cv2.line cv2.putText cv2.ellipse cv2.fillPoly cv2.fillConvexPoly "
    "cv2.polylines cv2.drawContours numpy.random.shuffle random.shuffle numpy.fill_diagonal numpy.copyto "
    "numpy.put numpy.put_along_axis numpy.place numpy.putmask"
)
_TEXT_METHODS = meanings.names("split rsplit replace endswith startswith rstrip lstrip rfind")
_JOINS = ("os.path.join", "posixpath.join")
_READERS = meanings.names("cv2.imread numpy.load PIL.Image.open builtins.open imageio.imread")


def bugs_inside(one: Examined, maps: list[Mapped]) -> Iterator[Bug]:
    """Yield the bugs of a boundary."""
    if one.boundary.wrapper == "from_generator" or one.boundary.form == "partial":
        return
    yield from _shape(one, maps)
    yield from _parallel(one, maps)
    yield from _tensorflow_alone(one)
    if one.function is None or one.target.module is None:
        return
    yield from _tout(one)
    yield from _seeded_again(one)
    yield from _in_place(one)
    yield from _numpy_of_array(one)
    yield from _bytes(one)
    yield from _classes(one)


def _in(boundary: BoundarySite, maps: list[Mapped]) -> list[Mapped]:
    """Return the maps that run a boundary."""
    found = []
    for one in maps:
        for target in one.functions:
            inside = boundary.form == "decorator" and target.node is boundary.node
            if inside or (
                boundary.form == "call" and any(node is boundary.node for node in own(target.node))
            ):
                found.append(one)
                break
    return found


def _shape(one: Examined, maps: list[Mapped]) -> Iterator[Bug]:
    """PP101: nothing in the file puts a shape back."""
    boundary = one.boundary
    if one.verdict == ELSEWHERE or not _in(boundary, maps):
        return
    if any(dtype in (None, "string") for dtype in declared(boundary)[0]):
        return
    inside = {id(node) for node in ast.walk(one.target.node)} if one.target.node is not None else set()
    for node in ast.walk(boundary.module.tree):
        if isinstance(node, ast.Attribute) and node.attr in _SHAPES and id(node) not in inside:
            return
        if isinstance(node, ast.Expr) and node.value is boundary.node:
            return  # nobody has the result
    shape = "(None, None, 3)" if _gives_colours(one) else "shape), with None for sizes that differ"
    write = f"tf.ensure_shape(y, {shape}{')' * shape.startswith('(')}"
    reason = (
        "The result has no static shape, not even a rank, and nothing puts it back. "
        f"Write y = {write}, or port the function."
    )
    yield Bug("PP101", boundary.module, one.at, reason)


def _gives_colours(one: Examined) -> bool:
    """Say whether a body is of images, and no flag tells that they may have other channels."""
    images = [use for use in one.body.uses if use.name.partition(".")[0] in _IMAGES]
    reads = [use.node for use in images if use.name == "cv2.imread" and use.node is not None]
    return bool(images) and all(channels_of(node) == 3 for node in reads)


def _parallel(one: Examined, maps: list[Mapped]) -> Iterator[Bug]:
    """PP102: draws that no seed can repeat."""
    if not any(mapping.parallel for mapping in _in(one.boundary, maps)):
        return
    draws = [use for use in one.body.uses if use.meaning.kind == meanings.DRAW and _is_random(use.name)]
    if not draws or (one.function is not None and _seeds_itself(one)):
        return
    name = draws[0].name
    reason = (
        f"{name} draws from one generator for all threads of the map, so no seed repeats a run. Port the "
        "function, and map it with pipeport.seeds.seeded_map, which gives each element a seed."
    )
    yield Bug("PP102", one.boundary.module, one.at, reason)


def _is_random(name: str) -> bool:
    last = name.rpartition(".")[2]
    if name.startswith("albumentations."):
        return last.startswith("Random") or last in _RANDOM_TRANSFORMS
    return name.startswith(("numpy.random.", "random.")) and last not in (
        "Generator",
        "RandomState",
        "Random",
    )


def _seeds_itself(one: Examined) -> bool:
    """Whether the function makes a generator, or seeds one."""
    for node in own(one.function):
        if isinstance(node, ast.Call) and (node.args or node.keywords):
            name = one.library(node.func, node.lineno)
            if name in (*_SEEDS, *_GENERATORS):
                return True
    return False


def _tensorflow_alone(one: Examined) -> Iterator[Bug]:
    """PP103: a body that needs no Python."""
    if only_tensorflow(one.boundary, one.body):
        name = one.target.name
        reason = f"{name} is nothing but TensorFlow: call it as it is, without {one.boundary.wrapper}."
        yield Bug("PP103", one.boundary.module, one.at, reason)


def _tout(one: Examined) -> Iterator[Bug]:
    """PP106: Tout disagrees with what the function gives."""
    dtypes, listed = declared(one.boundary)
    module = one.target.module
    if not dtypes or module is None:
        return
    function = one.function
    if isinstance(function, ast.Lambda):
        found: list[tuple[ast.expr, ast.AST]] = [(function.body, function.body)]
    else:
        found = [(node.value, node) for node in returns(function) if node.value is not None]
        if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own(function)):
            return
    for value, node in found:
        several = isinstance(value, ast.Tuple) or (one.arrays and not listed)
        if (
            several
            and isinstance(value, (ast.Tuple, ast.List))
            and not any(isinstance(part, ast.Starred) for part in value.elts)
        ):
            count = len(value.elts)
            if count != len(dtypes) and not (count == 1 and not listed):
                reason = (
                    f"It returns {count} values, and Tout declares {len(dtypes)}: name one dtype for each."
                )
                yield Bug("PP106", module, node, reason)
                continue
            parts = list(value.elts)
        else:
            parts = [value]
            if len(dtypes) != 1:
                continue
        for part, dtype in zip(parts, dtypes, strict=False):
            given = dtype_of(part, one)
            if given is None or dtype is None or given == dtype:
                continue
            if one.arrays:
                what = f"It returns {given}, and Tout declares {dtype}, which is an error at run time."
                reason = f"{what} {_cast(part, dtype)}"
            elif given.startswith("float") and "int" in dtype:
                reason = (
                    f"It returns {given}, and Tout declares {dtype}: fractions are cut off without a word."
                )
            else:
                continue
            yield Bug("PP106", module, node, reason)


def _cast(part: ast.expr, dtype: str) -> str:
    text = ast.unparse(part)
    if isinstance(part, (ast.Name, ast.Call, ast.Subscript)) and len(text) < 40:
        return f"Write {text}.astype(np.{dtype}), or declare the other."
    return f"Add .astype(np.{dtype}), or declare the other."


def _seeded_again(one: Examined) -> Iterator[Bug]:
    """PP109: one seed for every element."""
    module = one.target.module
    for node in own(one.function):
        if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
            continue
        seed = node.args[0]
        if not isinstance(seed, ast.Constant) or not isinstance(seed.value, int):
            continue
        name = one.library(node.func, node.lineno)
        if name in (*_SEEDS, *_GENERATORS[:3]) and module is not None:
            reason = (
                f"{name}({seed.value}) runs anew for each element, so all of them get the same draws. "
                "Leave it out, and map with pipeport.seeds.seeded_map, which gives each element a seed."
            )
            yield Bug("PP109", module, node, reason)


def _in_place(one: Examined) -> Iterator[Bug]:
    """PP110: TensorFlow's own memory is changed."""
    if not one.arrays:
        return
    module, function = one.target.module, one.function
    if module is None:
        return
    for name in one.handed():
        for node in own(function):
            changed = _changes(node, name, one)
            if changed and untouched(function, name, node.lineno):
                reason = (
                    f"`{changed}` changes `{name}` in place: it is TensorFlow's own memory, which cache() "
                    f"and other branches of the pipeline read again. Write {name} = {name}.copy() first."
                )
                yield Bug("PP110", module, node, reason)
                break


def _changes(node: Any, name: str, one: Examined) -> str:
    """Return the text of what changes a name in place; '' where a node does not."""
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AugAssign)
        else []
    )
    for target in targets:
        if isinstance(target, ast.Subscript) and _is(target.value, name):
            return ast.unparse(node)[:60]
        if isinstance(node, ast.AugAssign) and _is(target, name) and _used_as_array(one.function, name):
            return ast.unparse(node)[:60]
    if isinstance(node, ast.Call):
        method = (
            isinstance(node.func, ast.Attribute)
            and node.func.attr in _IN_PLACE
            and _is(node.func.value, name)
        )
        out = any(key.arg == "out" and _is(key.value, name) for key in node.keywords)
        first = bool(node.args) and _is(node.args[0], name)
        if method or out or (first and one.library(node.func, node.lineno) in _CHANGING):
            return ast.unparse(node)[:60]
    return ""


def _is(node: Any, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _used_as_array(function: Any, name: str) -> bool:
    """Whether a function asks of a name what scalars do not have."""
    for node in own(function):
        if isinstance(node, ast.Subscript) and _is(node.value, name):
            return True
        if isinstance(node, ast.Attribute) and _is(node.value, name) and node.attr in ("shape", "ndim", "T"):
            return True
    return any(word in name.lower() for word in ("image", "img", "volume", "mask", "frame", "arr"))


def _numpy_of_array(one: Examined) -> Iterator[Bug]:
    """PP113: a method that arrays do not have."""
    if not one.arrays or one.target.module is None:
        return
    names = one.handed()
    for node in own(one.function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "numpy":
            owner = node.func.value
            if (
                isinstance(owner, ast.Name)
                and owner.id in names
                and untouched(one.function, owner.id, node.lineno)
            ):
                reason = (
                    f"`{owner.id}` is an array of NumPy already, which has no method numpy: leave `.numpy()` "
                    "out, or use tf.py_function."
                )
                yield Bug("PP113", one.target.module, node, reason)


def _bytes(one: Examined) -> Iterator[Bug]:
    """PP112: a path that is bytes, or a tensor, is used as text."""
    module = one.target.module
    if module is None:
        return
    for name in one.handed():
        for node in own(one.function):
            if not isinstance(node, ast.Call) or not untouched(one.function, name, node.lineno):
                continue
            used = _as_text(node, name, one)
            if used:
                what, write = ("bytes", f"{name} = {name}.decode()")
                if not one.arrays:
                    what, write = ("a tensor", f"{name} = {name}.numpy().decode()")
                reason = f"`{name}` is {what}, and {used} takes text. Write {write} first."
                yield Bug("PP112", module, node, reason)
                break


def _classes(one: Examined) -> Iterator[Bug]:
    """PP105: a map of classes that is handed over under another name."""
    given, module = one.boundary.arguments, one.target.module
    if module is None or given is None or not isinstance(given.node, (ast.List, ast.Tuple)):
        return
    handed = dict(zip(one.handed(), map(ast.unparse, given.node.elts), strict=False))
    for node in own(one.function):
        first = node.args[0] if isinstance(node, ast.Call) and node.args else None
        if isinstance(first, ast.Name) and not MASK.search(first.id) and first.id in handed:
            location = Location(module, module.scopes[id(one.function)], node.lineno)
            yield from mixed_classes(node, location, one.resolver, handed[first.id])


def _as_text(node: ast.Call, name: str, one: Examined) -> str:
    if isinstance(node.func, ast.Attribute) and _is(node.func.value, name):
        method = node.func.attr
        if method == "decode" and not one.arrays:
            return "decode()"
        first = node.args[0] if node.args else None
        text = isinstance(first, ast.Constant) and isinstance(first.value, str)
        return f"{method}()" if method in _TEXT_METHODS and text else ""
    called = one.library(node.func, node.lineno)
    first = node.args[0] if node.args else None
    if called == "cv2.imread" and _is(first, name):
        return "cv2.imread before OpenCV 5" if one.arrays else called
    if called in _READERS and isinstance(first, ast.Call) and ast.unparse(first) == f"str({name})":
        return f"str({name}) is not a path: {called}"
    given = any(_is(one, name) for one in node.args)
    text = any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in node.args)
    return "os.path.join beside text" if called in _JOINS and given and text else ""
