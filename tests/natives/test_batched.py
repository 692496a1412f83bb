"""`pipeport.batched`: empty batches are served, and parameters of another length are refused in our words."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import catalog
from pipeport._batched import element_rank
from pipeport.contract import Exact, batchable, replaces
from pipeport.cv2 import getRotationMatrix2D, remap, warpAffine
from pipeport.errors import OutsideDomain
from pipeport.idioms import letterbox, random_flip_pair, rotate_volume
from pipeport.kernels.sampling import _margins
from pipeport.numpy import fliplr, roll, rot90
from pipeport.PIL import Image
from pipeport.scipy import ndimage
from pipeport.skimage import transform
from tests.catalog import arguments

NATIVES = [
    pair.native
    for pair in arguments.here()
    if hasattr(pair.function, "__pipeport_batch_form__") and arguments.typical(pair).data
]
IMAGES = np.arange(96.0, dtype=np.float32).reshape(2, 4, 4, 3) % 7


@pytest.fixture(autouse=True, scope="module")
def _plain_graphs() -> Iterator[None]:
    with arguments.run_once():
        yield


def over_batch(call: arguments.Call) -> Callable[..., Any]:
    """Return the batched native as a function of its data alone."""
    native = pipeport.batched(call.contract.function)

    def function(**data: Any) -> Any:
        given: dict[str, Any] = {}
        for name, value in data.items():
            name, part, _ = name.partition(arguments.PART)
            given = {**given, name: [*given.get(name, []), value] if part else value}
        return native(**given, **call.options)

    return function


def test_one_function_is_the_native_and_its_batch_form() -> None:
    def rolled(batch_axes: int, x: Any, /, by: int = 2, *, most: int = 9) -> Any:
        """Roll."""
        return x, by, most, batch_axes

    promise = replaces("numpy.flip", domain={}, agreement=Exact(), proven_against=">=1")
    native = promise(batchable(rolled))
    form = native.__pipeport_batch_form__
    assert str(inspect.signature(native)) == "(x: 'Any', /, by: 'int' = 2, *, most: 'int' = 9) -> 'Any'"
    assert (native.__name__, inspect.unwrap(native)) == ("rolled", rolled)
    assert native([[1, 2, 3]]) == ([[1, 2, 3]], 2, 9, 0)
    assert form([[1, 2, 3]], most=4) == ([[1, 2, 3]], 2, 4, 1)
    for one in (native, form):
        with pytest.raises(TypeError, match=r"rolled\(\) got .*'batch_axes'"):
            one([[1, 2, 3]], batch_axes=4)


@pytest.mark.parametrize("native", NATIVES)
def test_an_empty_batch_has_an_empty_result(native: str) -> None:
    call = arguments.typical(catalog.find(native)).without_splines()
    function = over_batch(call)
    specs = {k: tf.TensorSpec([None, *v.shape], v.dtype) for k, v in call.elements.items()}
    empty = {k: tf.zeros([0, *v.shape], v.dtype) for k, v in call.elements.items()}
    graph = tf.function(function, autograph=False).get_concrete_function(**specs)
    found = tf.nest.flatten(graph(**empty))
    eager = tf.nest.flatten(function(**empty))
    for traced, here, there in zip(tf.nest.flatten(graph.outputs), found, eager, strict=True):
        for result in (here, there):
            assert result.dtype == traced.dtype
            assert result.shape[0] == 0
            assert traced.shape.is_compatible_with(result.shape)


# Loops over the batch have a form of their own, as XLA compiles none over nothing.
COMPILED: dict[str, Callable[[Any], Any]] = {
    "at once": pipeport.batched(fliplr),
    "one by one": lambda x: pipeport.batched(ndimage.geometric_transform)(x, lambda at: at, order=1),
    "flips": lambda x: pipeport.batched(random_flip_pair)(x, x, seed=(1, 2)),
}


@pytest.mark.parametrize("name", COMPILED)
def test_an_empty_batch_compiles(name: str) -> None:
    native = COMPILED[name]
    full, empty = native(tf.constant(IMAGES)), tf.function(native, jit_compile=True)(tf.constant(IMAGES[:0]))
    for some, none in zip(tf.nest.flatten(full), tf.nest.flatten(empty), strict=True):
        assert none.dtype == some.dtype
        assert none.shape == (0, *some.shape[1:])


def test_an_empty_batch_has_mirrored_margins() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, 4, 1], tf.float32)])
    def wider(lines: Any) -> Any:
        return _margins.extended(lines, [1], "mirror", 2, 0.0)

    lines = tf.constant(IMAGES[0, :, :, :1])
    assert wider(lines[:0]).shape == (0, 8, 1)
    assert _margins.extended(lines[:0], [1], "mirror", 2, 0.0).shape == (0, 8, 1)
    np.testing.assert_array_equal(wider(lines), np.pad(lines, [(0, 0), (2, 2), (0, 0)], "reflect"))


def test_images_of_no_pixels_are_refused_in_a_batch_too() -> None:
    for images in (np.zeros((2, 0, 4, 3), np.float32), np.zeros((0, 0, 4, 3), np.float32)):
        with pytest.raises(OutsideDomain, match=r"image: got a side of no pixels, shape \(0, 4\)"):
            pipeport.batched(transform.rotate)(images, 30)


LENGTHS: dict[str, tuple[Callable[..., Any], str, tuple[Any, ...]]] = {
    "angle": (transform.rotate, "angle", (IMAGES, np.float32([10, 20, 30]))),
    "a list": (transform.rotate, "angle", (IMAGES, [10.0, 20.0, 30.0])),
    "matrix": (warpAffine, "M", (IMAGES, np.stack([np.eye(2, 3)] * 3), (4, 4))),
    "maps": (remap, "map2", (IMAGES, np.zeros((2, 4, 4), np.float32), np.zeros((3, 4, 4), np.float32), 1)),
    "centre": (getRotationMatrix2D, "scale", ((1.0, 2.0), np.float32([1, 2]), np.float32([1, 2, 3]))),
    "Pillow's": (Image.rotate, "angle", (IMAGES.astype(np.uint8), np.float32([1, 2, 3]))),
    "shift": (ndimage.shift, "shift", (IMAGES, np.zeros((3, 3), np.float32))),
    "volume": (rotate_volume, "angle", (IMAGES, np.float32([1, 2, 3]))),
    "boxes": (letterbox, "boxes", (IMAGES, (4, 4), np.zeros((3, 1, 4), np.float32))),
    "roll": (roll, "shift", (IMAGES, np.int32([1, 2, 3]), 1)),
    "turns": (rot90, "k", (IMAGES, np.int32([1, 2, 3]))),
    "one": (transform.rotate, "angle", (IMAGES, np.float32([10]))),
}


@pytest.mark.parametrize("name", LENGTHS)
def test_another_length_is_refused_while_tracing(name: str) -> None:
    native, parameter, given = LENGTHS[name]
    with pytest.raises(OutsideDomain, match=rf"^{parameter}: got .*; allowed: .*[.]$"):
        pipeport.batched(native)(*given)


@pytest.mark.parametrize("name", ["angle", "matrix", "boxes", "roll"])
def test_another_length_unknown_while_tracing_is_refused_in_the_graph(name: str) -> None:
    native, parameter, given = LENGTHS[name]
    data = [value for value in given if isinstance(value, np.ndarray)]

    @tf.function(
        autograph=False, input_signature=[tf.TensorSpec([None, *v.shape[1:]], v.dtype) for v in data]
    )
    def function(*data: Any) -> Any:
        rest = iter(data)
        return pipeport.batched(native)(
            *[next(rest) if isinstance(value, np.ndarray) else value for value in given]
        )

    with pytest.raises(
        tf.errors.InvalidArgumentError, match=f"{parameter}: got another number .*; allowed: "
    ):
        function(*data)
    images, values = data
    assert all(result.shape[0] == 2 for result in tf.nest.flatten(function(images, values[:2])))


def test_every_parameter_per_element_is_counted() -> None:
    """No native is left to find out by itself: each refuses another length before anything is computed."""
    counted = 0
    for pair in arguments.here():
        if not hasattr(pair.function, "__pipeport_batch_form__"):
            continue
        call = arguments.typical(pair, tensors=True)
        names = [
            n
            for n in call.tensors
            if np.ndim(call.tensors[n]) == element_rank(pair.domain.get(n, pair.extra.get(n)))
        ]  # type: ignore[arg-type]
        for name in names if call.data else []:
            full = call.batch(3)
            with pytest.raises(OutsideDomain, match="as many entries as the batch has elements"):
                over_batch(call)(**{**full, name: full[name][:2]})
            counted += 1
    assert counted > 15


def test_every_batched_native_is_pickled_by_its_name():
    for pair in catalog.pairs().values():
        if pair.function is not None and pair.kind != "class" and pair.compared is None:
            found = pickle.loads(pickle.dumps(pipeport.batched(pair.function)))
            assert found.__wrapped__ is pair.function, pair.native
