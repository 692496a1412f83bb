"""The dtype that an expression gives, where the text alone tells."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pipeport.meanings import names
from pipeport.scan._boundaries import BoundarySite
from pipeport.scan._bugs import own, untouched
from pipeport.scan._module import Scope
from pipeport.scan._resolve import Location, Resolver

if TYPE_CHECKING:
    from pipeport.scan._bugs import Examined

_NAMES = names(
    "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 float64 complex64 complex128 "
    "string"
)
_ALIASES = {"double": "float64", "bool_": "bool", "single": "float32", "half": "float16"}
_PYTHON = {"float": "float64", "bool": "bool"}
# Functions that give the dtype of their first argument.
KEEPING = names(
    "cv2.resize cv2.flip cv2.cvtColor cv2.GaussianBlur cv2.warpAffine cv2.blur numpy.flip numpy.fliplr "
    "numpy.flipud numpy.rot90 numpy.transpose numpy.expand_dims numpy.squeeze numpy.reshape "
    "numpy.ascontiguousarray numpy.pad numpy.copy numpy.roll scipy.ndimage.rotate scipy.ndimage.zoom "
    "scipy.ndimage.gaussian_filter"
)
_FLOAT64 = frozenset(
    {"numpy.random.uniform", "numpy.random.normal", "numpy.random.rand", "numpy.random.randn"}
)
# TensorFlow's functions that give bytes, and those that give the dtype of their first argument.
_DECODING = frozenset(
    f"{module}.decode_{kind}" for module in ("io", "image") for kind in ("jpeg", "png", "bmp", "gif", "image")
) | {"io.decode_and_crop_jpeg"}
_SAME_DTYPE = frozenset(
    ["identity", "ensure_shape", "reshape", "squeeze", "expand_dims", "transpose", "reverse"]
    + [
        f"image.{name}"
        for name in ("flip_left_right", "flip_up_down", "random_flip_left_right", "random_crop", "rot90",
                     "crop_to_bounding_box", "central_crop", "resize_with_crop_or_pad")
    ]
)  # fmt: skip
_FILLED = frozenset({"numpy.zeros", "numpy.ones", "numpy.empty"})
_CONVERTING = frozenset({"numpy.array", "numpy.asarray"})
_METHODS = frozenset({"copy", "reshape", "transpose", "flatten", "ravel", "squeeze"})


def declared(boundary: BoundarySite) -> tuple[list[str | None], bool]:
    """Return the dtypes that a boundary declares, and whether they stand in a list.

    Returns: None for what the text does not tell; an empty list where it does not tell how many.
    """
    if boundary.tout is None:
        return [], False
    node = _value(boundary.tout.node, boundary.tout.location.scope)
    if isinstance(node, (ast.List, ast.Tuple)):
        starred = any(isinstance(one, ast.Starred) for one in node.elts)
        return ([] if starred else [named(one) for one in node.elts]), True
    found = named(node)
    one = found is not None or (isinstance(node, ast.Attribute) and node.attr == "dtype")
    return ([found] if one else []), False


def _value(node: ast.expr, scope: Scope | None) -> ast.expr:
    """Return what a name was given, where it is given something once."""
    while isinstance(node, ast.Name) and scope is not None:
        found = scope.names.get(node.id)
        if found is not None:
            return found[0].value if len(found) == 1 and found[0].kind == "assign" else node
        scope = scope.parent
    return node


def named(node: ast.expr) -> str | None:
    """Return the dtype that an expression names: `tf.uint8`, `np.float32`, `"int64"`."""
    if isinstance(node, ast.Attribute):
        name = _ALIASES.get(node.attr, node.attr)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        name = node.value
    else:
        return None
    return name if name in _NAMES else None


def dtype_of(node: ast.expr, one: Examined, deep: int = 0) -> str | None:
    """Return the dtype of an expression in the function of a boundary.

    `deep`: how many names it was reached through. Returns: None where the text does not tell.
    """
    if deep > 12:
        return None
    if isinstance(node, ast.Name):
        return _of_name(node, one, deep)
    if isinstance(node, ast.Subscript):
        plain = not any(
            isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(node.slice)
        )
        return dtype_of(node.value, one, deep + 1) if plain and not isinstance(node.value, ast.Call) else None
    if isinstance(node, ast.BinOp):
        return _of_arithmetic(node, one, deep)
    if isinstance(node, ast.Call):
        return _of_call(node, one, deep)
    return None


def _of_name(node: ast.Name, one: Examined, deep: int) -> str | None:
    """Follow a name to the last value it was given, in straight lines alone."""
    last: ast.AST | None = None
    for statement in own(one.function):
        stored = any(isinstance(part, ast.Name) and part.id == node.id for part in _targets(statement))
        if stored and _done(statement) < node.lineno:
            last = statement
    if last is None and node.id in one.inputs and untouched(one.function, node.id, node.lineno):
        return one.inputs[node.id]
    if not isinstance(last, ast.Assign) or last not in one.function.body:
        return None
    if len(last.targets) != 1 or not isinstance(last.targets[0], ast.Name):
        return None
    return dtype_of(last.value, one, deep + 1)


def _done(statement: ast.AST) -> int:
    """Return the line after which a name has the value that a statement gives it."""
    line = statement.end_lineno if isinstance(statement, ast.Assign) else getattr(statement, "lineno", 0)
    return line or 0


def _targets(statement: ast.AST) -> list[ast.AST]:
    if isinstance(statement, ast.Assign):
        return [part for target in statement.targets for part in ast.walk(target) if _stored(part)]
    if isinstance(statement, (ast.AugAssign, ast.AnnAssign, ast.For, ast.NamedExpr)):
        return [part for part in ast.walk(statement.target) if _stored(part)]
    if isinstance(statement, ast.withitem) and statement.optional_vars is not None:
        return list(ast.walk(statement.optional_vars))
    return []


def _stored(part: ast.AST) -> bool:
    return isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)


def _of_arithmetic(node: ast.BinOp, one: Examined, deep: int) -> str | None:
    """Return the dtype of an array and a number."""
    for array, number in ((node.left, node.right), (node.right, node.left)):
        value = number.value if isinstance(number, ast.Constant) else None
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            continue
        dtype = dtype_of(array, one, deep + 1)
        if dtype is None or dtype == "bool":
            return None
        if dtype.startswith(("float", "complex")):
            return dtype
        if isinstance(node.op, ast.Div) or isinstance(value, float):
            return "float64" if dtype in ("uint8", "int32", "int64", "uint16", "int16", "uint32") else None
        # Of a small integer and a larger number NumPy 1 and 2 make different things.
        return dtype if isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)) and abs(value) < 100 else None
    return None


def _of_call(node: ast.Call, one: Examined, deep: int) -> str | None:
    keys = {key.arg: key.value for key in node.keywords}
    if isinstance(node.func, ast.Attribute) and node.func.attr == "astype":
        given = node.args[0] if node.args else keys.get("dtype")
        return None if given is None else _written(given)
    name = one.library(node.func, node.lineno)
    if name.startswith("numpy.") and name.count(".") == 1 and name[6:] in _NAMES and node.args:
        return name[6:]
    if name in _CONVERTING or name in _FILLED:
        given = keys.get("dtype", node.args[1] if len(node.args) > 1 else None)
        if given is not None:
            return _written(given)
        return "float64" if name in _FILLED else dtype_of(node.args[0], one, deep + 1) if node.args else None
    if name in _FLOAT64:
        scalar = "size" not in keys and (not node.args or name.endswith(("uniform", "normal")))
        return None if scalar else "float64"
    if name in ("cv2.imread", "cv2.imdecode"):
        return None if channels_of(node) is None else "uint8"
    if name in KEEPING and node.args and not set(keys) & {"dtype", "output", "dst"}:
        return dtype_of(node.args[0], one, deep + 1)
    method = isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS and not name
    return dtype_of(node.func.value, one, deep + 1) if method else None  # type: ignore[attr-defined]


def channels_of(node: ast.Call) -> int | None:
    """Return how many channels a call of `cv2.imread` or its kin gives; None where the file decides."""
    keys = {key.arg: key.value for key in node.keywords}
    flags = ast.unparse(node.args[1] if len(node.args) > 1 else keys.get("flags", ast.Constant(1)))
    return {"0": 1, "1": 3, "IMREAD_GRAYSCALE": 1, "IMREAD_COLOR": 3}.get(flags.rpartition(".")[2])


def of_tensor(node: ast.expr, location: Location, resolver: Resolver, deep: int = 0) -> str | None:
    """Return the dtype of a tensor that a boundary is handed.

    `deep`: how many calls it was reached through. Returns: None where the text does not tell.
    """
    found = resolver.resolve(node, location, {})
    if deep > 12 or found.kind != "object" or found.made is None or not isinstance(found.node, ast.Call):
        return None
    call, name = found.node, found.name.removeprefix("tensorflow.")
    keys = {key.arg: key.value for key in call.keywords}
    if name == "cast":
        given = keys.get("dtype", call.args[1] if len(call.args) > 1 else None)
        return None if given is None else named(given)
    if name in _DECODING:
        plain = "dtype" not in keys and len(call.args) < 3
        return "uint8" if plain else named(keys.get("dtype", call.args[-1]))
    if name in _SAME_DTYPE and call.args:
        return of_tensor(call.args[0], found.made, resolver, deep + 1)
    return None


def _written(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return _PYTHON.get(node.id)
    return named(node)
