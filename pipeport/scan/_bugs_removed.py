"""PP114: names that libraries no longer have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pipeport.scan._bugs import Bug
from pipeport.scan._module import Module
from pipeport.scan._resolve import Location, Resolver

_TF2 = "TensorFlow 2 has no {}: write {}."
# Names of TensorFlow 1 that input pipelines use: what to write in TensorFlow 2.
_TENSORFLOW = {
    "py_func": "tf.numpy_function",
    "read_file": "tf.io.read_file",
    "decode_raw": "tf.io.decode_raw",
    "parse_single_example": "tf.io.parse_single_example",
    "FixedLenFeature": "tf.io.FixedLenFeature",
    "VarLenFeature": "tf.io.VarLenFeature",
    "random_crop": "tf.image.random_crop",
    "random_uniform": "tf.random.uniform",
    "random_normal": "tf.random.normal",
    "random_shuffle": "tf.random.shuffle",
    "to_float": "tf.cast(x, tf.float32)",
    "to_int32": "tf.cast(x, tf.int32)",
    "to_int64": "tf.cast(x, tf.int64)",
    "string_split": "tf.strings.split",
    "image.resize_images": "tf.image.resize",
    "image.resize_bilinear": 'tf.image.resize(..., method="bilinear")',
    "image.resize_nearest_neighbor": 'tf.image.resize(..., method="nearest")',
    "image.resize_bicubic": 'tf.image.resize(..., method="bicubic")',
    "image.resize_area": 'tf.image.resize(..., method="area")',
    "image.resize_image_with_crop_or_pad": "tf.image.resize_with_crop_or_pad",
}
_SCIPY = {
    "imresize": "cv2.resize or PIL.Image.Image.resize",
    "imread": "cv2.imread or PIL.Image.open",
    "imsave": "PIL.Image.Image.save",
    "imrotate": "scipy.ndimage.rotate",
    "imfilter": "PIL.ImageFilter",
    "bytescale": "a scale of your own",
    "toimage": "PIL.Image.fromarray",
    "fromimage": "numpy.asarray",
}
_NUMPY = {
    "float": "float", "int": "int", "object": "object", "complex": "complex", "float_": "np.float64",
    "complex_": "np.complex128", "product": "np.prod", "cumproduct": "np.cumprod", "sometrue": "np.any",
    "alltrue": "np.all", "Inf": "np.inf", "NaN": "np.nan", "asscalar": "x.item()",
}  # fmt: skip
REMOVED = (
    {f"tensorflow.{name}": _TF2.format(f"tf.{name}", write) for name, write in _TENSORFLOW.items()}
    | {
        f"scipy.misc.{name}": f"SciPy 1.3 has no scipy.misc.{name}: write {write}."
        for name, write in _SCIPY.items()
    }
    | {f"numpy.{name}": f"NumPy of today has no np.{name}: write {write}." for name, write in _NUMPY.items()}
)
_LAST = frozenset(name.rpartition(".")[2] for name in REMOVED) | {"contrib"}
# What must stand in a file that uses one.
WORDS = re.compile(
    rb"tensorflow_addons|IAA|(?:\.|import .*\b)(?:" + "|".join(sorted(_LAST)).encode() + rb")\b"
)
_ADDONS = (
    "TensorFlow Addons has ended, and works with TensorFlow 2.15 at most. Functions with a native have "
    "the same name in pipeport.tensorflow_addons: `pipeport catalog tensorflow_addons`."
)
_CONTRIB = (
    "TensorFlow 2 has no tf.contrib. Of tf.contrib.image, see `pipeport catalog tensorflow_addons.image`."
)

_IAA = "albumentations 1.0 and later have no {}: write the transform of that name without IAA."


def removed(module: Module, resolver: Resolver) -> Iterator[Bug]:
    """Yield the first use of each name that its library no longer has.

    Yields: nothing in a file that asks for versions or attributes before.
    """
    seen: set[str] = set()
    nodes = list(ast.walk(module.tree))
    careful = _careful(nodes)
    for node in sorted((one for one in nodes if isinstance(one, _NODES)), key=lambda one: one.lineno):
        for name in _names(node, module, resolver):
            key, reason = _why(name)
            if reason and key not in seen and not careful:
                seen.add(key)
                yield Bug("PP114", module, node, reason)


_NODES = (ast.Import, ast.ImportFrom, ast.Attribute)


def _careful(nodes: list[ast.AST]) -> bool:
    """Whether a file knows that names may be missing."""
    for node in nodes:
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            if any(
                word in ast.unparse(node.type) for word in ("ImportError", "ModuleNotFound", "AttributeError")
            ):
                return True
        elif (
            (isinstance(node, ast.Attribute) and node.attr in ("__version__", "VERSION"))
            or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hasattr")
            or (
                isinstance(node, ast.Attribute)
                and node.attr in ("disable_v2_behavior", "disable_eager_execution")
            )
        ):
            return True
    return False


def _names(node: ast.AST, module: Module, resolver: Resolver) -> list[str]:
    if isinstance(node, ast.Import):
        return [one.name for one in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module or ''}.{one.name}" for one in node.names] if not node.level else []
    if not isinstance(node, ast.Attribute) or not (node.attr in _LAST or node.attr.startswith("IAA")):
        return []
    first: ast.expr = node
    while isinstance(first, ast.Attribute):
        first = first.value
    if not isinstance(first, ast.Name) or first.id not in module.top.names:
        return []
    if any(one.kind != "import" for one in module.top.names[first.id]):
        return []
    found = resolver.resolve(node, Location(module, module.top, 1 << 30), {})
    return [found.name] if found.kind == "library" else []


def _why(name: str) -> tuple[str, str]:
    if name.partition(".")[0] == "tensorflow_addons":
        return "tensorflow_addons", _ADDONS
    if name.startswith("tensorflow.contrib"):
        return "tensorflow.contrib", _CONTRIB
    if name.startswith("albumentations.") and name.rpartition(".")[2].startswith("IAA"):
        return name, _IAA.format(name.rpartition(".")[2])
    return name, REMOVED.get(name, "")
