"""Lists and tuples that hold tensors, and KerasTensors: a result, or an error of our own.

People write `shift(x, [dy, dx, 0.0])` inside `tf.function`. For every parameter of every native: a
tensor whose value is not known while tracing, a list of such scalars, and a list of one of them and
Python numbers either give what the plain value gives, or are refused in our words.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import catalog, cv2
from pipeport import contract as c
from pipeport.errors import OutsideDomain, PipeportError, UnsupportedArgument, WrongType
from pipeport.kernels.inputs import arrays
from pipeport.numpy import asarray, flip, repeat, roll, rot90, stack, take
from pipeport.scipy import ndimage
from pipeport.skimage import transform
from tests.catalog import arguments

pytestmark = pytest.mark.newest_only

# A transform is made of Python values, and drawn from later: its parameters never enter a graph.
NATIVES = [name for name, pair in catalog.pairs().items() if pair.kind != "transform"]
# A list of more entries is an array that nobody writes as one.
LONGEST = 16

Feed = dict[str, np.ndarray]


@dataclasses.dataclass(frozen=True)
class Form:
    """One way to give a parameter: `given` builds it of tensors, `plain` is its value without them."""

    parameter: str
    name: str
    feed: Feed
    given: Callable[[dict[str, Any]], Any]
    plain: Any


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number, np.bool_))


def _scalar(value: Any) -> np.ndarray:
    kind = np.asarray(value).dtype
    return np.asarray(value, {"f": np.float32, "i": np.int32}.get(kind.kind, kind))


def _shape_of(value: Any) -> Any:
    """Return what tells two values apart as forms: their nesting, and whether they hold numbers."""
    return [_shape_of(part) for part in value] if isinstance(value, (list, tuple)) else _is_number(value)


def _values(spec: c.Spec | None, value: Any) -> Iterator[Any]:
    """Yield values of a parameter that differ in form."""
    inner = spec.spec if isinstance(spec, c.Maybe) else spec
    choices = [value]
    if isinstance(inner, c.OneOf):
        choices += inner.values
    if isinstance(inner, c.PerAxis) and inner.single and isinstance(value, tuple):
        choices.append(value[0])
    if isinstance(inner, (c.PadWidths, c.PadValues)):
        choices += [1, (1, 1), ((1, 1),)]
    known: list[Any] = []
    for choice in choices:
        if choice is not None and choice is not np._NoValue and _shape_of(choice) not in known:
            known.append(_shape_of(choice))
            yield choice


def _forms(parameter: str, value: Any) -> Iterator[Form]:
    array = value if isinstance(value, np.ndarray) else None
    nest = value.tolist() if array is not None else value
    leaves = tf.nest.flatten(nest)
    if isinstance(nest, dict) or not leaves or not all(map(_is_number, leaves)):
        # No number can be meant: a tensor, and a list with one, must be refused in our words.
        yield Form(parameter, "tensor", {"0": np.float32(1)}, lambda t: t["0"], value)
        yield Form(parameter, "list", {"0": np.float32(1)}, lambda t: [t["0"]], value)
        return
    whole = array if array is not None else np.asarray(tf.nest.map_structure(_scalar, nest))
    plain = array if array is not None else tf.nest.map_structure(lambda one: _scalar(one).item(), nest)
    yield Form(parameter, "tensor", {"0": whole}, lambda t: t["0"], plain)
    if not isinstance(nest, (list, tuple)):
        yield Form(parameter, "list", {"0": _scalar(nest)}, lambda t: [t["0"]], [plain])
        return
    if len(leaves) > LONGEST:
        return
    # Every other entry: readers that look at the first alone, or at whether all are tensors, show.
    tensors = {
        str(i): _scalar(leaves[i]) if array is None else array.flat[i] for i in range(0, len(leaves), 2)
    }

    def given(t: dict[str, Any]) -> Any:
        return tf.nest.pack_sequence_as(nest, [t.get(str(i), one) for i, one in enumerate(leaves)])

    fed = given({key: one.item() for key, one in tensors.items()})
    yield Form(parameter, "list", tensors, given, array if array is not None else fed)


def forms_of(call: arguments.Call) -> Iterator[Form]:
    """Yield the forms of every parameter of a native but its images."""
    contract = call.contract
    parameters = contract.signature.parameters
    specs = {**contract.domain, **contract.extra}
    data = {name.partition(arguments.PART)[0] for name in call.data}
    proven = {name for name, spec in specs.items() if _takes_tensors(spec)}
    for name in dict.fromkeys([*parameters, *specs]):
        if name in data or name == "name" or (name in parameters and parameters[name].kind in (2, 4)):
            continue  # TensorFlow reads the name of an operation, and refuses what is not text
        value = call.options.get(name, getattr(parameters.get(name), "default", None))
        value = None if value is np._NoValue else value
        if value is None and isinstance(specs.get(name), c.LabelOf | c.Maybe) and "mask" in name:
            continue  # an image too
        if value is None and name in specs:
            value = arguments._value(specs[name], call.data, name)
        for number, one in enumerate(_values(specs.get(name), value) if value is not None else [None]):
            for form in _forms(name, one):
                if form.name != "tensor" or name not in proven:
                    yield dataclasses.replace(form, name=f"{form.name}{number}")


def _takes_tensors(spec: c.Spec) -> bool:
    """Whether verify gives the parameter as a tensor, so that there is no need to here."""
    return spec.tensor or (isinstance(spec, c.Maybe | c.PerAxis) and _takes_tensors(spec.spec))


def _raised(function: Callable[[], Any]) -> Exception | None:
    try:
        function()
    except Exception as error:
        return error
    return None


def check(call: arguments.Call, forms: list[Form]) -> None:
    """Trace all forms in one graph, run it, and compare with what plain values give."""
    errors: dict[int, Exception] = {}
    data = {name: tf.constant(value) for name, value in call.data.items()}
    feed = {str(i): {k: tf.constant(v) for k, v in form.feed.items()} for i, form in enumerate(forms)}

    def with_form(form: Form, value: Any, data: Any) -> Any:
        return dataclasses.replace(call, options={**call.options, form.parameter: value})(**data)

    def graph_of(chosen: Iterable[int]) -> Any:
        def every(data: Any, feed: Any) -> dict[str, Any]:
            outputs = {}
            for index in chosen:
                try:
                    outputs[str(index)] = with_form(forms[index], forms[index].given(feed[str(index)]), data)
                except Exception as error:
                    errors[index] = error
            return outputs

        return tf.function(every, autograph=False).get_concrete_function(data, feed)

    graph = graph_of(range(len(forms)))
    for index, error in errors.items():
        form = forms[index]
        where = f"{form.parameter} as {form.name}: {type(error).__name__}: {error}"
        if not isinstance(error, PipeportError):
            # What the plain value is answered with, as by a callable of the user's.
            plain = form.given({k: v.item() if v.ndim == 0 else v for k, v in form.feed.items()})
            assert repr(_raised(lambda: with_form(form, plain, data))) == repr(error), where  # noqa: B023
    expected, refused = {}, []
    for index, form in enumerate(forms):
        if index in errors:
            continue
        try:
            expected[index] = with_form(form, form.plain, data)
        except PipeportError:
            refused.append(index)
    if refused:
        for index in refused:
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"got .*; allowed: "):
                graph_of([index])(data, feed)
        graph = graph_of(expected)
    actual = graph(data, feed)
    for index, plain in expected.items():
        form = forms[index]
        for a, b in zip(tf.nest.flatten(actual[str(index)]), tf.nest.flatten(plain), strict=True):
            a, b = np.asarray(a), np.asarray(b)
            # Beside other arrays a plain number is weak in NumPy, and the tensors given here are float32.
            dtypes = (None, None) if call.contract.light_proof else (a.dtype, b.dtype)
            assert (dtypes[0], a.shape) == (dtypes[1], b.shape), f"{form.parameter} as {form.name}"
            if b.dtype.kind in "fc":
                scale = np.abs(b[np.isfinite(b)]).max(initial=1.0)
                np.testing.assert_allclose(a, b, 1e-5, 1e-5 * scale, err_msg=f"{form.parameter} {form.name}")
            else:
                np.testing.assert_array_equal(a, b, f"{form.parameter} as {form.name}")


@pytest.fixture(autouse=True, scope="module")
def _plain_graphs() -> Iterator[None]:
    with arguments.run_once():
        yield


@pytest.mark.parametrize("native", NATIVES)
def test_a_result_or_an_error_of_ours(native: str) -> None:
    call = arguments.typical(catalog.find(native)).without_splines()
    check(call, list(forms_of(call)))


def test_a_raw_error_would_be_seen() -> None:
    @c.replaces(
        "numpy.add",
        domain={"a": c.Array(ranks=(2,)), "b": c.PerAxis(spec=c.Real(0, 4), count=2)},
        agreement=c.Exact(),
        proven_against=">=1.26",
    )
    def add(a: Any, b: Any) -> Any:
        """Add a pair."""
        return a + np.sum(np.asarray(b, np.float32))

    call = arguments.Call(c.contract_of(add), {"a": np.ones((2, 3), np.float32)}, {"b": (1.0, 2.0)})  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="b as tensor0: NotImplementedError: Cannot convert a symbolic"):
        check(call, list(forms_of(call)))


IMAGE = np.arange(48.0, dtype=np.float32).reshape(4, 4, 3) % 7
PLANE = IMAGE[..., 0]
TURN = np.array([[0.8, -0.6, 1.0], [0.6, 0.8, -1.0]])


def with_scalars(function: Callable[..., Any], *values: Any) -> Any:
    """Call a function in a graph, with scalars whose values are not known while it is traced."""
    tensors = [tf.constant(value) for value in values]
    return tf.function(function, autograph=False)(*tensors)


SERVED: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "shift": (lambda y, x: ndimage.shift(IMAGE, [y, x, 0.0], order=1), (0.5, 1.25)),
    "zoom": (lambda y, x: ndimage.zoom(PLANE, (y, x), order=1), (1.5, 2.0)),
    "offset": (lambda t: ndimage.affine_transform(PLANE, np.eye(2), offset=[t, 2.0], order=1), (0.5,)),
    "matrix": (lambda a: ndimage.affine_transform(PLANE, [[a, 0], [0.1, 1]], order=1), (0.5,)),
    "cval": (lambda t: ndimage.rotate(PLANE, 30, order=1, reshape=False, cval=t), (2.5,)),
    "cval of skimage": (lambda t: transform.rotate(IMAGE, 30, cval=t), (0.5,)),
    "cval of order 0": (lambda t: transform.rotate(IMAGE.astype(np.uint8), 30, order=0, cval=t), (3.0,)),
    "centre of skimage": (lambda t: transform.rotate(IMAGE, 30, center=(t, 1)), (1.5,)),
    "centre of OpenCV": (lambda t: cv2.getRotationMatrix2D((t, 2.0), 30, 1), (1.5,)),
    "corners": (
        lambda w, h: cv2.getAffineTransform([[0, 0], [w, 0], [0, h]], np.float32([[1, 1], [4, 1], [1, 5]])),
        (3.0, 4.0),
    ),
    "M": (lambda t: cv2.warpAffine(IMAGE, [[1, 0, t], [0, 1, 0.5]], (4, 4)), (1.25,)),
    "size of OpenCV": (lambda w: cv2.resize(IMAGE, (w, 3), interpolation=0), (5,)),
    "size of OpenCV, both": (lambda w, h: cv2.resize(IMAGE, [w, h], interpolation=0), (5, 3)),
    "size of a warp": (lambda w: cv2.warpAffine(IMAGE, TURN, (w, 5)), (4,)),
    "size of a warp, both": (lambda w, h: cv2.warpAffine(IMAGE, TURN, [w, h]), (4, 5)),
    "border of OpenCV": (lambda t, r: cv2.copyMakeBorder(IMAGE, t, 1, 0, r, 4), (2, 3)),
    "factor of OpenCV": (lambda f: cv2.resize(IMAGE, None, fx=f, fy=2, interpolation=0), (2,)),
    "indices": (lambda i: take(PLANE, [0, i, [2, 1][0]], axis=0), (3,)),
    "repeats": (lambda n: repeat(PLANE, [1, n, 0, 2], axis=0), (3,)),
    "shifts": (lambda n: roll(PLANE, (n, -1), axis=(0, 1)), (3,)),
    "entries": (lambda t: asarray([[t, 0.1], [1, 2]]), (0.5,)),
    "arrays": (lambda t: stack([[t, 0.1], [1, 2]]), (0.5,)),
}


@pytest.mark.parametrize("name", SERVED)
def test_lists_of_scalars_give_what_numbers_give(name: str) -> None:
    function, values = SERVED[name]
    plain = [np.float32(v) if isinstance(v, float) else v for v in values]
    if name == "corners":  # OpenCV takes float32 points alone
        expected = cv2.getAffineTransform(
            np.float32([[0, 0], [3, 0], [0, 4]]), np.float32([[1, 1], [4, 1], [1, 5]])
        )
    else:
        expected = function(*plain)
    actual = with_scalars(function, *values)
    assert actual.dtype == expected.dtype
    np.testing.assert_allclose(actual, expected, rtol=1e-6, atol=1e-6)


REFUSED: dict[str, tuple[Callable[..., Any], tuple[Any, ...], str]] = {
    "borderValue": (
        lambda t: cv2.warpAffine(IMAGE, TURN, (4, 4), borderValue=(t, t, t)),
        (4,),
        "borderValue",
    ),
    "value": (lambda t: cv2.copyMakeBorder(IMAGE, 1, 1, 1, 1, 0, value=(t, 0, 0)), (4,), "value"),
    "resize": (lambda h, w: transform.resize(IMAGE, (h, w)), (4, 5), "output_shape"),
    "warp": (lambda h, w: transform.warp(IMAGE, np.eye(3), output_shape=(h, w)), (4, 5), "output_shape"),
    "rescale": (lambda t: transform.rescale(PLANE, [t, 2]), (1.5,), "scale"),
    "output_shape": (
        lambda t: ndimage.affine_transform(PLANE, np.eye(2), output_shape=(t, 4)),
        (4,),
        "output_shape",
    ),
    "axes": (lambda t: flip(PLANE, axis=(t, 1)), (0,), "axis"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_lists_of_scalars_are_refused_where_tensors_are(name: str) -> None:
    function, values, parameter = REFUSED[name]
    with pytest.raises(UnsupportedArgument, match=f"^{parameter}: got a tensor.*; allowed: .*[.]$"):
        with_scalars(function, *values)
    # What is known is as good as a number.
    known = function(*[tf.constant(value) for value in values])
    np.testing.assert_array_equal(known, function(*values))


def test_a_float32_scalar_leaves_the_numbers_beside_it_their_digits() -> None:
    shifted = with_scalars(lambda t: ndimage.shift(PLANE.astype(np.float64), [t, 0.1], order=1), 0.5)
    np.testing.assert_allclose(
        shifted, ndimage.shift(PLANE.astype(np.float64), [0.5, 0.1], order=1), rtol=1e-14
    )


def test_known_sizes_of_a_list_stay_known() -> None:
    @tf.function
    def resized(width: Any) -> Any:
        image = cv2.resize(IMAGE, (width, 3))
        assert image.shape.as_list() == [3, None, 3]
        return image

    assert resized(tf.constant(5)).shape == (3, 5, 3)
    with pytest.raises(UnsupportedArgument, match=r"dsize: got 0; allowed: .*two positive"):
        with_scalars(lambda w: cv2.resize(IMAGE, (w, 0)), 5)


@pytest.mark.parametrize(
    ("entries", "dtype"),
    [
        ([1, np.int32(2)], np.int64),
        ([1.5, np.float32(2)], np.float64),
        ([np.float32(1), np.float32(2)], np.float32),
        ([True, np.float16(2)], np.float16),
        ([np.uint8(1), np.int8(2)], np.int16),
    ],
)
def test_lists_have_the_dtype_numpy_gives_them(entries: list[Any], dtype: Any) -> None:
    given = [tf.constant(one) if isinstance(one, np.generic) else one for one in entries]
    found = arrays.as_tensor([given, given], "a")
    assert found.dtype == dtype
    assert np.asarray(entries).dtype == dtype
    np.testing.assert_array_equal(found, [entries, entries])


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        ([tf.zeros([2]), tf.zeros([3])], OutsideDomain, "ragged nested lists"),
        ([tf.zeros([]), [1.0]], OutsideDomain, "ragged nested lists"),
        ([tf.zeros([]), "b"], WrongType, "a list that holds 'b'"),
        ([tf.zeros([]), None], WrongType, "a list that holds None"),
        ([tf.zeros([]), tf.constant("b")], (WrongType, OutsideDomain), "a: got "),
    ],
)
def test_lists_that_are_no_array_are_refused(value: Any, kind: Any, words: str) -> None:
    with pytest.raises(kind, match=words):
        arrays.as_tensor(value, "a")


def test_turns_in_a_list_are_refused_as_one_per_element() -> None:
    with pytest.raises(UnsupportedArgument, match=r"k: got shape \(1,\)"):
        with_scalars(lambda t: rot90(PLANE, [t]), 1)


def test_a_keras_tensor_is_named_with_what_to_do() -> None:
    keras = tf.keras
    image = keras.Input((4, 4, 3))
    if tf.is_tensor(image):
        pytest.skip("Keras 2: TensorFlow takes it for a tensor")
    for native in (transform.rotate, cv2.resize, ndimage.zoom):
        with pytest.raises(
            WrongType, match=r"got a KerasTensor.*\(None, 4, 4, 3\).*keras.layers.Lambda.*Dataset"
        ):
            native(image, 2)
    with pytest.raises(WrongType, match="image: got a KerasTensor"):
        pipeport.batched(transform.rotate)(image, 30)
    with pytest.raises(WrongType, match="arrays: got a KerasTensor"):
        stack([[image, 1.0]])
    turned = keras.layers.Lambda(lambda x: pipeport.batched(transform.rotate)(x, 30.0))(image)
    assert keras.Model(image, turned)(IMAGE[np.newaxis]).shape == (1, 4, 4, 3)


@pytest.mark.parametrize("dtype", ["int64", "uint64", "int32"])
@pytest.mark.parametrize("interpolation", [cv2.INTER_LINEAR, cv2.INTER_LINEAR_EXACT])
def test_resize_names_the_dtype_that_was_given(dtype: str, interpolation: int) -> None:
    with pytest.raises(OutsideDomain, match=f"src: got dtype {dtype}"):
        cv2.resize(IMAGE.astype(dtype), (5, 5), interpolation=interpolation)
