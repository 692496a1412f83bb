"""OpenCV's warps over a batch of images: affine, projective, or through given coordinates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.opencv import _warp_bytes as bytes_
from pipeport.kernels.opencv import _warp_packed
from pipeport.kernels.opencv._warp_maps import Form, Map, stored_coordinates
from pipeport.kernels.opencv._warp_sample import MARGIN, from_coordinates, from_steps, reads, sample
from pipeport.kernels.sampling._coordinates import LOADED, in_memory
from pipeport.kernels.sampling._maps import FORMULAS, PaddedSide
from pipeport.kernels.xla._materialize import materialize, opaque_true

# Height and width of the output, None where tracing does not know.
Known = tuple[int | None, int | None]


@dataclass(frozen=True)
class Plan:
    """All that is static about a warp: what a compiled body is built for.

    `method`: {'nearest', 'linear', 'cubic', 'lanczos4'}. `border`: a key of `_cv2_warp_sample.BORDERS`.
    `exact`: whether coordinates are float32, instead of steps of 1/32 pixel. `fill`: value outside per
    channel, in range of the image's dtype.
    """

    map: Map
    method: str
    border: str
    exact: bool
    fill: tuple[float, ...]


def uses_float32_coordinates(version: int, method: str, dtype: Any, channels: int) -> bool:
    """Say whether that version of OpenCV computes coordinates in float32 for such images."""
    if version < 5 or method == "lanczos4":
        return False
    return method == "cubic" or (dtype in (tf.uint8, tf.uint16, tf.float32) and channels in (1, 3, 4))


def _table(plan: Plan, images: Any, size: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return the pixels to read from, (N, C), and how many stand in a row."""
    if plan.border == "constant":
        static = images.shape[1:3].is_fully_defined() and isinstance(size[0], int)
        widths = [[0, 0], [MARGIN, MARGIN], [MARGIN, MARGIN], [0, 0]]
        same = all(value == plan.fill[0] for value in plan.fill)
        inside = None
        if not (static and same):
            height, width = tf.shape(images)[1], tf.shape(images)[2]
            rows = tf.range(height + 2 * MARGIN)[:, tf.newaxis] - MARGIN
            columns = tf.range(width + 2 * MARGIN)[tf.newaxis, :] - MARGIN
            inside = (rows >= 0) & (rows < size[0]) & (columns >= 0) & (columns < size[1])
        first = tf.constant(plan.fill[0], tf.float64)
        images = tf.pad(images, widths, constant_values=tf.cast(first, images.dtype))
        if inside is not None:
            fill = tf.cast(tf.constant(plan.fill, tf.float64), images.dtype)
            images = tf.where(inside[tf.newaxis, :, :, tf.newaxis], images, fill)
    stride = images.shape[2] or tf.shape(images)[2]
    return tf.reshape(images, [-1, images.shape[3]]), stride


def _body(
    plan: Plan, images: Any, parameters: Any, size: tuple[Any, Any], out: tuple[Any, Any], isolate: bool
) -> Any:
    count = tf.shape(images)[0]
    pixels, stride = _table(plan, images, size)
    form, sure = Form(plan.exact, plan.method == "nearest"), opaque_true(images)
    if isolate:
        columns, rows = stored_coordinates(plan.map, parameters, out, form, sure)
    else:
        already = plan.map in LOADED
        columns, rows = in_memory(lambda: plan.map(parameters, out, form), sure, already=already)()

    def find() -> Any:
        if plan.exact:
            point = from_coordinates(columns, rows, plan.method, plan.border, size)
        else:
            point = from_steps(columns, rows, plan.method)
        found = reads(point, plan.method, plan.border, plan.exact, size, stride)
        if images.shape[0] == 1:
            return found
        per_image = tf.shape(pixels)[0] // tf.maximum(count, 1)
        offset = tf.reshape(tf.range(count) * per_image, [-1] + [1] * (found.rows.shape.rank - 1))
        return found._replace(rows=found.rows + offset)

    found = materialize(sure, find) if isolate else find()
    return sample(pixels, found, plan.method, plan.exact, stride, isolate)


def warp(plan: Plan, images: Any, parameters: tuple[Any, ...], out: tuple[Any, Any]) -> Any:
    """Warp a batch of images.

    `images`: shape (B, H, W, C). `parameters`: what the plan's map takes, with a leading axis of size B or 1.
    `out`: integers, or scalar int32 tensors. Returns: shape (B, height, width, C); the warped images, dtype
    of `images`.
    """
    _checks.index_range(images, MARGIN, "src")
    result = xla.choose(True, program=_compiled, otherwise=_as_operations)(plan, images, parameters, out)
    sides = [side if isinstance(side, int) else tf.get_static_value(side) for side in out]
    return tf.ensure_shape(result, [images.shape[0], *sides, images.shape[3]])


def _as_operations(plan: Plan, images: Any, parameters: tuple[Any, ...], out: tuple[Any, Any]) -> Any:
    shape = tf.shape(images)
    return _body(plan, images, parameters, (shape[1], shape[2]), out, False)


def _compiled(plan: Plan, images: Any, parameters: tuple[Any, ...], out: tuple[Any, Any]) -> Any:
    if all(isinstance(side, int) for side in out):
        return _to_target(plan, images, parameters, (out[0], out[1]), ())
    known = tuple(side if isinstance(side, int) else None for side in out)
    true_out = tf.stack([tf.convert_to_tensor(side, tf.int32) for side in out])
    if plan.map not in FORMULAS:
        known = (None, None)  # coordinates were given, and are padded as a whole
        parameters = tuple(xla.padded_to_bucket(one, range(1, 3)) for one in parameters)
    sides = tf.where([side is None for side in known], xla.bucket(true_out), true_out)
    # Only its shape says something: XLA knows that, and no other number, when it compiles.
    room = tf.zeros(tf.concat([sides, [0]], 0), tf.bool)
    result = _to_target(plan, images, parameters, (known[0], known[1]), (true_out, room))
    return result[:, : true_out[0], : true_out[1]]


def _to_target(plan: Plan, images: Any, parameters: Any, known: Known, unknown: Any) -> Any:
    """Run a compiled body; `unknown` is what `_sides` takes for sides that are not known."""
    if plan.exact and plan.method == "linear" and _warp_packed.fits(images):
        rule = bytes_.Rule(plan.map, plan.border, plan.fill)
        return _from_flat(rule, images, parameters, known, unknown)
    if images.shape[1:3].is_fully_defined():
        return xla.compiled(_static_body, plan, known)(images, parameters, unknown)
    return _in_buckets(plan, images, parameters, known, unknown)


def _sides(known: Known, unknown: Any) -> tuple[Any, Any]:
    """Return the output's sides inside a compiled body."""
    if not unknown:
        return known
    true_out, room = unknown
    height, width = (side or PaddedSide(true_out[k], tf.shape(room)[k]) for k, side in enumerate(known))
    return height, width


def _static_body(plan: Plan, known: Known) -> Callable[..., Any]:
    def run(images: Any, parameters: Any, unknown: Any) -> Any:
        height, width = images.shape[1:3].as_list()
        return _body(plan, images, parameters, (height, width), _sides(known, unknown), True)

    return run


def _bucket_body(plan: Plan, known: Known) -> Callable[..., Any]:
    def run(images: Any, parameters: Any, size: Any, unknown: Any) -> Any:
        return _body(plan, images, parameters, (size[0], size[1]), _sides(known, unknown), True)

    return run


def _flat_static_body(rule: bytes_.Rule, size: tuple[int, int], known: Known) -> Callable[..., Any]:
    def run(pixels: Any, parameters: Any, unknown: Any) -> Any:
        return bytes_.warped(rule, pixels, parameters, size, _sides(known, unknown))

    return run


def _flat_bucket_body(rule: bytes_.Rule, known: Known) -> Callable[..., Any]:
    def run(pixels: Any, parameters: Any, size: Any, unknown: Any) -> Any:
        return bytes_.warped(rule, pixels, parameters, (size[0], size[1]), _sides(known, unknown))

    return run


def _from_flat(rule: bytes_.Rule, images: Any, parameters: Any, known: Known, unknown: Any) -> Any:
    """Run the body compiled for a number of pixels; an unknown one is rounded up to a bucket."""
    if images.shape[1:3].is_fully_defined():
        height, width, channels = images.shape[1:].as_list()
        # Here and not in the program, where rows and columns of each pixel would be counted to read it.
        pixels = tf.reshape(images, [images.shape[0] or -1, height * width, channels])
        return xla.compiled(_flat_static_body, rule, (height, width), known)(pixels, parameters, unknown)
    shape, channels = tf.shape(images), images.shape[3]
    count = shape[1] * shape[2]
    extra = tf.zeros([shape[0], xla.bucket(count) - count, channels], images.dtype)
    # Two copies: to pad height and width took 0.1 ms more for 256x256x3.
    pixels = tf.concat([tf.reshape(images, [shape[0], count, channels]), extra], 1)
    pixels = tf.ensure_shape(pixels, [images.shape[0], None, channels])
    return xla.compiled(_flat_bucket_body, rule, known)(pixels, parameters, shape[1:3], unknown)


def _in_buckets(plan: Plan, images: Any, parameters: Any, known: Known, unknown: Any) -> Any:
    """Pad to a size bucket and run the body compiled for it, which knows the true size."""
    padded = xla.padded_to_bucket(images, range(1, 3))
    return xla.compiled(_bucket_body, plan, known)(padded, parameters, tf.shape(images)[1:3], unknown)
