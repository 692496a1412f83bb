"""Bugs outside of boundaries: mapped functions, discarded results, colours, masks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from pipeport import meanings
from pipeport.scan._bugs import DATASET_METHODS, MASK, Bug, Mapped, is_dataset, own
from pipeport.scan._dtypes import channels_of
from pipeport.scan._module import FUNCTIONS, Chain, Module, Scope, parameters
from pipeport.scan._resolve import Location, Resolver, Target

# Functions that interpolate: where their method stands, by position and by name, and what keeps classes.
_SMOOTH = {
    "cv2.resize": (5, "interpolation", "interpolation=cv2.INTER_NEAREST"),
    "cv2.warpAffine": (4, "flags", "flags=cv2.INTER_NEAREST"),
    "cv2.warpPerspective": (4, "flags", "flags=cv2.INTER_NEAREST"),
    "tensorflow.image.resize": (2, "method", 'method="nearest"'),
    "scipy.ndimage.rotate": (5, "order", "order=0"),
    "scipy.ndimage.zoom": (3, "order", "order=0"),
    "scipy.ndimage.affine_transform": (5, "order", "order=0"),
}
_FLIPS = meanings.names(
    "tensorflow.image.random_flip_left_right tensorflow.image.random_flip_up_down "
    "tensorflow.image.random_crop"
)
_READS = re.compile(r"read|load|decode|open")
_WITH_IMAGE = re.compile(r"(?:^|_)(?:masks?|segmentation|boxes|bbox(?:es)?|keypoints|landmarks)(?:$|_)")
_IMAGE = re.compile(r"(?:^|_)(?:image|img)s?(?:$|_)")
_TAKES_RGB = {
    "matplotlib.pyplot.imshow": "matplotlib",
    "PIL.Image.fromarray": "PIL",
    "tensorflow.image.rgb_to_grayscale": "rgb_to_grayscale",
    "tensorflow.image.rgb_to_hsv": "rgb_to_hsv",
    "tensorflow.image.rgb_to_yuv": "rgb_to_yuv",
    "skimage.color.rgb2gray": "rgb2gray",
    "skimage.color.rgb2hsv": "rgb2hsv",
    "skimage.color.rgb2lab": "rgb2lab",
}
# Functions that keep the order of channels.
_SAME_CHANNELS = meanings.names(
    "cv2.resize cv2.GaussianBlur cv2.flip cv2.warpAffine numpy.array numpy.asarray numpy.float32 "
    "numpy.fliplr numpy.flipud numpy.rot90 tensorflow.cast tensorflow.constant "
    "tensorflow.convert_to_tensor"
)


def bugs_outside(module: Module, resolver: Resolver, maps: list[Mapped]) -> Iterator[Bug]:
    """Yield the bugs of a file that need no boundary."""
    yield from _bgr(module, resolver)
    calls = [(node, Location(module, scope, node.lineno, chain)) for node, scope, chain in module.calls]
    statements = [one for one in ast.walk(module.tree) if isinstance(one, ast.Assign)]
    assigned = {id(one.value): ast.unparse(one.targets[0]) for one in statements}
    for node, location in calls:
        yield from mixed_classes(node, location, resolver, assigned.get(id(node), ""))
        yield from _own_draw(node, location, resolver)
    yield from _label(module, resolver)
    yield from _discarded(module, resolver)
    yield from _frozen(module, resolver, maps)


def _library(node: ast.expr, location: Location, resolver: Resolver) -> str:
    found = resolver.resolve(node, location, {})
    return meanings.current(found.name) if found.kind == "library" else ""


# PP104: the channels of cv2.imread.


def _bgr(module: Module, resolver: Resolver) -> Iterator[Bug]:
    if not any("imread" in line for line in module.lines):
        return
    for function, scope in _functions(module):
        names: set[str] = set()  # of images with blue first
        for node in own(function):
            location = Location(module, scope, getattr(node, "lineno", 0))
            if isinstance(node, ast.Assign):
                # What the value calls is looked at before the name has it.
                for inner in ast.walk(node.value):
                    yield from _reads_rgb(inner, names, location, resolver)
                blue = _is_bgr(node.value, names, location, resolver)
                for target in node.targets:
                    stored = {one.id for one in ast.walk(target) if isinstance(one, ast.Name)}
                    names = names | stored if blue and isinstance(target, ast.Name) else names - stored
            elif isinstance(node, (ast.Expr, ast.Return)) and node.value is not None:
                for inner in ast.walk(node.value):
                    yield from _reads_rgb(inner, names, location, resolver)
            elif isinstance(node, ast.For):
                names -= {one.id for one in ast.walk(node.target) if isinstance(one, ast.Name)}


def _functions(module: Module) -> Iterator[tuple[Any, Scope]]:
    yield module.tree, module.top
    for scope in module.scopes.values():
        if isinstance(scope.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield scope.node, scope


def _is_bgr(node: ast.expr, names: set[str], location: Location, resolver: Resolver) -> bool:
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.BinOp):
        return _is_bgr(node.left, names, location, resolver) and isinstance(node.right, ast.Constant)
    if not isinstance(node, ast.Call):
        return False
    name = _library(node.func, location, resolver)
    if name == "cv2.imread":
        return channels_of(node) == 3
    if name in _SAME_CHANNELS and node.args:
        return _is_bgr(node.args[0], names, location, resolver)
    astype = isinstance(node.func, ast.Attribute) and node.func.attr in ("astype", "copy")
    return astype and _is_bgr(node.func.value, names, location, resolver)  # type: ignore[attr-defined]


def _reads_rgb(node: ast.AST, names: set[str], location: Location, resolver: Resolver) -> Iterator[Bug]:
    """Find a call that takes such an image in the other order."""
    if (
        not isinstance(node, ast.Call)
        or not node.args
        or not _is_bgr(node.args[0], names, location, resolver)
    ):
        return
    name = _library(node.func, location, resolver)
    takes = "" if any(key.arg == "cmap" for key in node.keywords) else _TAKES_RGB.get(name, "")
    if name == "cv2.cvtColor" and len(node.args) > 1:
        code = ast.unparse(node.args[1]).rpartition(".")[2]
        other = code.startswith("COLOR_RGB2") and code not in ("COLOR_RGB2BGR", "COLOR_RGB2BGRA")
        takes = f"cv2.{code}" if other else ""
    if takes:
        reason = (
            f"cv2.imread gives blue, green, red, and {takes} takes red, green, blue. Convert after the file "
            "is read: cv2.cvtColor(image, cv2.COLOR_BGR2RGB)."
        )
        yield Bug("PP104", location.module, node, reason)


# PP105: classes between classes.


def mixed_classes(node: ast.Call, location: Location, resolver: Resolver, other: str) -> Iterator[Bug]:
    """Yield PP105 of a call that interpolates classes.

    `other`: what its first argument, or its result, is called elsewhere.
    """
    if not node.args:
        return
    first = node.args[0]
    names = [ast.unparse(first), other, *_value_of(first, location)]
    named = next((one for one in names if MASK.search(re.split(r"[.\[(]", one)[0])), "")
    if not named or any(re.search(r"prob|soft|logit|pred|score", one) for one in names):
        return
    name = _library(node.func, location, resolver)
    if name not in _SMOOTH:
        return
    position, key, write = _SMOOTH[name]
    if any(one.arg is None for one in node.keywords) or any(
        isinstance(one, ast.Starred) for one in node.args
    ):
        return
    given = next((one.value for one in node.keywords if one.arg == key), None)
    if given is None and len(node.args) > position:
        given = node.args[position]
    if given is not None and not _interpolates(given):
        return
    if _thresholded(node, location):
        return
    how = f"`{key}={ast.unparse(given)}`" if given is not None else f"{name} without {key}"
    reason = f"{how} mixes the classes of `{named}`, and makes some that are not there. Write {write}."
    yield Bug("PP105", location.module, node, reason)


def _value_of(node: ast.expr, location: Location) -> Iterator[str]:
    """Yield another name of what a name was given once, or the file: of `x = cv2.imread(mask_path)`."""
    bound = location.scope.names.get(node.id, []) if isinstance(node, ast.Name) else []
    value: Any = bound[0].value if len(bound) == 1 and bound[0].kind == "assign" else None
    while isinstance(value, ast.Call) and value.args and _READS.search(ast.unparse(value.func)):
        value = value.args[0]
    if isinstance(value, ast.Name):
        yield value.id


def _interpolates(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return node.value in ("bilinear", "bicubic", "area", "lanczos3", "lanczos5", 1, 2, 3, 4, 5)
    return ast.unparse(node).rpartition(".")[2] in (
        "INTER_LINEAR", "INTER_CUBIC", "INTER_AREA", "INTER_LANCZOS4", "BILINEAR", "BICUBIC", "AREA",
    )  # fmt: skip


def _thresholded(node: ast.Call, location: Location) -> bool:
    """Whether the function around a call compares or rounds later: then the values in between are gone."""
    around = location.scope.function
    function = location.module.tree if around is None else around.node
    for one in ast.walk(function):
        if getattr(one, "lineno", 0) < node.lineno:
            continue
        if isinstance(one, ast.Compare) and any(
            isinstance(op, (ast.Gt, ast.GtE, ast.Lt, ast.LtE)) for op in one.ops
        ):
            return True
        if isinstance(one, ast.Call):
            last = ast.unparse(one.func).rpartition(".")[2]
            if last in (
                "round",
                "rint",
                "around",
                "argmax",
                "threshold",
                "where",
                "sign",
                "greater",
                "digitize",
            ):
                return True
    return False


# PP111: the label stays where it was.


def _own_draw(node: ast.Call, location: Location, resolver: Resolver) -> Iterator[Bug]:
    if not node.args or not isinstance(node.args[0], ast.Name) or not MASK.search(node.args[0].id):
        return
    if any(one.arg == "seed" for one in node.keywords) or len(node.args) > 2:
        return
    name = _library(node.func, location, resolver)
    if name in _FLIPS:
        reason = (
            f"{name} draws anew for `{node.args[0].id}`, which then does not follow its image. Draw once, "
            f"with tf.image.stateless_{name.rpartition('.')[2]} and one seed for both."
        )
        yield Bug("PP111", location.module, node, reason)


def _label(module: Module, resolver: Resolver) -> Iterator[Bug]:
    """Find an image that is flipped beside a mask that is returned as it came."""
    for function, scope in _functions(module):
        if not isinstance(function, FUNCTIONS):
            continue
        with_image = [name for name in parameters(function) if _WITH_IMAGE.search(name)]
        if not with_image:
            continue
        nodes = list(own(function))
        uses = {
            name: [one for one in nodes if isinstance(one, ast.Name) and one.id == name]
            for name in with_image
        }
        for node in nodes:
            if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Name):
                continue
            if not _IMAGE.search(node.args[0].id):
                continue
            name = _library(node.func, Location(module, scope, node.lineno), resolver)
            if name not in _FLIPS and name.replace("stateless_", "") not in _FLIPS:
                continue
            left = [
                one
                for one in with_image
                if uses[one] and all(_only_returned(use, nodes) for use in uses[one])
            ]
            if left:
                moved = node.args[0].id
                reason = f"{name} moves `{moved}`, and `{left[0]}` is returned as it came: move it likewise."
                yield Bug("PP111", module, node, reason)
                return


def _only_returned(use: ast.Name, nodes: list[Any]) -> bool:
    returned = [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]
    parts = [part for one in returned for part in (one.elts if isinstance(one, ast.Tuple) else [one])]
    return any(part is use for part in parts)


# PP107: nothing happens.


def _discarded(module: Module, resolver: Resolver) -> Iterator[Bug]:
    statements = {id(node.value): node for node in ast.walk(module.tree) if isinstance(node, ast.Expr)}
    for node, scope, chain in module.calls:
        statement = statements.get(id(node))
        if statement is None or not isinstance(node.func, ast.Attribute):
            continue
        if scope is module.top and module.path.suffix == ".ipynb":
            continue  # a cell shows it
        location = Location(module, scope, node.lineno, chain)
        method = node.func.attr
        if method in DATASET_METHODS and is_dataset(node.func.value, location, resolver):
            text = ast.unparse(node.func.value)
            owner = text if text.isidentifier() else "dataset"
            reason = (
                f"A dataset is not changed by {method}: it gives a new one, which is lost here. "
                f"Write {owner} = {owner}.{method}(...)."
            )
            yield Bug("PP107", module, statement, reason)
        elif (
            method == "ensure_shape" and _library(node.func, location, resolver) == "tensorflow.ensure_shape"
        ):
            reason = "ensure_shape gives a new tensor, which is lost here: assign what it gives."
            yield Bug("PP107", module, statement, reason)


# PP108: one draw for all.


def _frozen(module: Module, resolver: Resolver, maps: list[Mapped]) -> Iterator[Bug]:
    seen: set[int] = set()
    graphs: list[tuple[Target, str]] = [
        (target, "a dataset's map") for one in maps for target in one.functions
    ]
    for node, scope, chain in module.decorated:
        if len(node.decorator_list) == 1 and _is_tf_function(
            node.decorator_list[0], module, scope, chain, resolver
        ):
            graphs.append((Target("function", node.name, module, node), "tf.function"))
    for target, where in graphs:
        function, inside = target.node, target.module
        if inside is None or id(function) in seen or (where != "tf.function" and _marks(function)):
            continue
        seen.add(id(function))
        for node in own(function):
            if not isinstance(node, ast.Call):
                continue
            location = Location(inside, inside.scopes[id(function)], node.lineno)
            found = resolver.resolve(node.func, location, target.env)
            name = meanings.current(found.name) if found.kind == "library" else ""
            if name.startswith(("numpy.random.", "random.")) and meanings.meaning(name).kind == meanings.DRAW:
                reason = (
                    f"{name} runs once, while {where} is traced: every element gets the same draw. Draw with "
                    "tf.random, or port the function and map it with pipeport.seeds.seeded_map."
                )
                yield Bug("PP108", inside, node, reason)


def _marks(function: Any) -> bool:
    return bool(getattr(function, "decorator_list", []))


def _is_tf_function(mark: ast.expr, module: Module, scope: Scope, chain: Chain, resolver: Resolver) -> bool:
    called = mark.func if isinstance(mark, ast.Call) else mark
    return _library(called, Location(module, scope, mark.lineno, chain), resolver) == "tensorflow.function"
