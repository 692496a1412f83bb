"""Operators of arrays: NumPy 2's values, dtypes, shapes and errors, eagerly and in a graph."""

from __future__ import annotations

import operator

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import assume, given
from hypothesis import strategies as st

from pipeport.arrays import _elementwise
from pipeport.arrays._ndarray import fresh, weak_scalar
from pipeport.errors import OutsideDomain, PipeportError, WrongType
from tests.arrays.engines import compiled, eager, graph

pytestmark = pytest.mark.both

NUMPY_2 = int(np.__version__.split(".")[0]) >= 2
needs_numpy_2 = pytest.mark.skipif(not NUMPY_2, reason="NumPy 1 promotes Python numbers by their value")
DTYPES = (
    "bool",
    "uint8",
    "int8",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "float32",
    "float64",
)
ARITHMETIC = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow,
}  # fmt: skip
BITS = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
ORDER = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne,
}  # fmt: skip
EDGES = {
    "b": [False, True], "u": [0, 1, 2, 3, 7, 127, 128, 200, 255],
    "i": [-128, -7, -2, -1, 0, 1, 2, 3, 7, 100, 127],
    "f": [0.0, -0.0, 1.0, -1.0, 0.1, -0.3, 2.5, 3.0, -7.0, 100.25, np.inf, -np.inf, np.nan],
}  # fmt: skip


def drawn(dtype):
    kind = np.dtype(dtype).kind
    limits = [np.iinfo(dtype).min, np.iinfo(dtype).max] if kind in "iu" else []
    return hnp.arrays(
        dtype, (8,), elements=st.sampled_from([np.array(v).astype(dtype)[()] for v in EDGES[kind] + limits])
    )


def of(value):
    return fresh(tf.constant(value))


def same(found, right):
    right = np.asarray(right)
    assert found.dtype == right.dtype
    values = found.numpy()
    assert values.shape == right.shape
    if right.dtype.kind == "f":
        # Powers and quotients differ by a rounding; zeros have NumPy's sign.
        eps = np.finfo(right.dtype).eps
        np.testing.assert_allclose(values, right, rtol=4 * eps, atol=0)
        zero = right == 0
        assert np.array_equal(np.signbit(values[zero]), np.signbit(right[zero]))
    else:
        assert np.array_equal(values, right)


def reference(function, *operands):
    """Return NumPy's result, or the class of its error."""
    with np.errstate(all="ignore"):
        try:
            return function(*operands)
        except (TypeError, ValueError, OverflowError) as error:
            return TypeError if isinstance(error, TypeError) else ValueError


def judge(function, natives, numpys):
    right = reference(function, *numpys)
    if isinstance(right, type):
        with pytest.raises((right, tf.errors.InvalidArgumentError)):
            function(*natives)
    else:
        same(function(*natives), right)


@pytest.mark.parametrize("sign", [*ARITHMETIC, *BITS, *ORDER])
@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data())
def test_two_arrays_of_one_dtype(sign, dtype, data):
    function = {**ARITHMETIC, **BITS, **ORDER}[sign]
    x, y = data.draw(drawn(dtype)), data.draw(drawn(dtype))
    judge(function, (of(x), of(y)), (x, y))


@given(data=st.data(), sign=st.sampled_from([*ARITHMETIC, *ORDER]))
def test_two_arrays_of_different_dtypes(sign, data):
    first, second = data.draw(st.permutations(DTYPES))[:2]
    assume({first, second} != {"int64", "uint64"} or sign in ARITHMETIC)
    x, y = data.draw(drawn(first)), data.draw(drawn(second))
    judge({**ARITHMETIC, **ORDER}[sign], (of(x), of(y)), (x, y))


NUMBERS = st.sampled_from(
    [True, 0, 1, 2, 3, -1, -7, 200, 255, 256, 300, 70000, 0.5, 2.0, -0.5, 2.5, 255.0, 1e300]
)


@needs_numpy_2
@pytest.mark.parametrize("sign", [*ARITHMETIC, *BITS, *ORDER])
@given(data=st.data(), number=NUMBERS, dtype=st.sampled_from(DTYPES), left=st.booleans())
def test_an_array_and_a_python_number(sign, data, number, dtype, left):
    function = {**ARITHMETIC, **BITS, **ORDER}[sign]
    x = data.draw(drawn(dtype))
    numpys, natives = ((number, x), (number, of(x))) if left else ((x, number), (of(x), number))
    judge(function, natives, numpys)


@needs_numpy_2
@pytest.mark.parametrize("sign", [*ARITHMETIC, *ORDER])
@given(data=st.data(), number=NUMBERS, dtype=st.sampled_from(DTYPES), left=st.booleans())
def test_a_drawn_python_number_promotes_as_a_plain_one(sign, data, number, dtype, left):
    function = {**ARITHMETIC, **ORDER}[sign]
    assume(dtype != "uint64" or number >= 0)  # refused in the graph: no integer dtype holds both
    assume(sign != "**" or dtype != "bool")  # NumPy squares booleans as int8, if the exponent is plain
    # A root, if the exponent is plain: NaN of -inf, and -0 of -0.
    assume(sign != "**" or number != 0.5 or left)
    x, weak = data.draw(drawn(dtype)), weak_scalar(tf.constant(np.asarray(number)))
    numpys, natives = ((number, x), (weak, of(x))) if left else ((x, number), (of(x), weak))
    judge(function, natives, numpys)


@given(data=st.data(), sign=st.sampled_from([*ARITHMETIC, *BITS, *ORDER]), dtype=st.sampled_from(DTYPES))
def test_a_numpy_scalar_promotes_as_an_array(sign, data, dtype):
    function = {**ARITHMETIC, **BITS, **ORDER}[sign]
    x, y = data.draw(drawn("uint8")), data.draw(drawn(dtype))[0]
    assume(NUMPY_2 or np.result_type(x.dtype, y.dtype) == np.result_type(x, y))
    judge(function, (of(x), y), (x, y))


@given(data=st.data(), dtype=st.sampled_from(DTYPES), name=st.sampled_from(["neg", "pos", "abs", "invert"]))
def test_one_operand(data, dtype, name):
    x = data.draw(drawn(dtype))
    function = {"neg": operator.neg, "pos": operator.pos, "abs": abs, "invert": operator.invert}[name]
    judge(function, (of(x),), (x,))


@given(sign=st.sampled_from([*ARITHMETIC]), first=NUMBERS, second=NUMBERS)
def test_python_numbers_stay_python_numbers(sign, first, second):
    assume(sign != "**" or (abs(first) < 100 and abs(second) < 8 and second >= 0 and first >= 0))
    assume(second != 0 and max(abs(first), abs(second)) < 1e9)
    found = ARITHMETIC[sign](weak_scalar(tf.constant(np.asarray(first))), second)
    assert found.weak
    right = ARITHMETIC[sign](first, second)
    assert found.dtype == np.asarray(right).dtype
    assert found.numpy() == pytest.approx(right)


GRAPHS = {}


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("sign", [*ARITHMETIC, *BITS, *ORDER])
@given(data=st.data())
def test_in_a_graph_with_unknown_sizes(sign, compiled, data):
    dtype = data.draw(st.sampled_from(["uint8", "int32", "float32"]))
    assume(sign not in BITS or dtype != "float32")
    assume(sign != "**" or dtype == "float32")  # a drawn negative exponent is refused in the graph
    x, y = data.draw(drawn(dtype)), data.draw(drawn("uint8"))
    key = (sign, compiled, dtype)
    if key not in GRAPHS:
        function = {**ARITHMETIC, **BITS, **ORDER}[sign]
        specs = [tf.TensorSpec([None], dtype), tf.TensorSpec([None], "uint8")]
        GRAPHS[key] = tf.function(
            lambda a, b: function(fresh(a), fresh(b))._values, input_signature=specs, jit_compile=compiled
        )
    if sign in ("//", "%") and dtype == "float32" and compiled:
        assume(np.isfinite(x).all())  # XLA's remainder of infinity
    right = reference({**ARITHMETIC, **BITS, **ORDER}[sign], x, y)
    same(fresh(GRAPHS[key](x, y)), right)


class TestInPlace:
    def test_keeps_the_dtype_and_the_object(self):
        x = of(np.array([250, 3], np.uint8))
        y = x
        x += 10
        assert x is y
        same(x, np.array([4, 13], np.uint8))

    @pytest.mark.parametrize("value", [1.5, np.float32(2), np.ones(2)])
    def test_refuses_what_numpy_refuses(self, value):
        x = of(np.array([250, 3], np.uint8))
        with pytest.raises(WrongType, match="in-place"):
            x *= value
        with pytest.raises(WrongType, match="in-place"):
            x /= 2
        same(x, np.array([250, 3], np.uint8))

    def test_refuses_a_larger_result(self):
        x = of(np.ones(1, np.float32))
        with pytest.raises(OutsideDomain, match="shape"):
            x += np.ones(3, np.float32)

    def test_of_a_slice(self):
        x, right = of(np.arange(6)), np.arange(6)
        x[1:4] += 10
        x[:, ...] *= 2
        right[1:4] += 10
        right *= 2
        same(x, right)

    def test_through_a_view_is_not_lost(self):
        x = of(np.arange(6))
        part = x[1:3]
        part += 10
        same(x, [0, 11, 12, 3, 4, 5])
        same(tf.function(lambda: x + 0)(), [0, 11, 12, 3, 4, 5])
        same(part, [11, 12])

    def test_of_a_row_truncates_as_numpy_does(self):
        box, right = of(np.array([[1, 2], [3, 4]])), np.array([[1, 2], [3, 4]])
        for one in (box, right):
            one[0, 1] *= 1.5
        same(box, right)
        with pytest.raises(WrongType, match="float64"):
            box[0] *= 1.5
        with pytest.raises(TypeError):
            right[0] *= 1.5


@needs_numpy_2
def test_a_number_that_does_not_fit_is_refused():
    x = of(np.array([1], np.uint8))
    with pytest.raises(OutsideDomain, match="0 to 255"):
        x + 300
    with pytest.raises(tf.errors.InvalidArgumentError, match="0 to 255"):
        tf.function(lambda n: (x + weak_scalar(n))._values)(tf.constant(300, tf.int64))


def test_shapes_that_do_not_broadcast_are_named():
    with pytest.raises(OutsideDomain, match=r"\(2,\) and \(3,\)"):
        of(np.ones(2)) + of(np.ones(3))


def test_matrix_product():
    x, y = np.arange(6, dtype=np.uint8).reshape(2, 3), np.arange(6.0).reshape(3, 2)
    same(of(x) @ of(y), x @ y)
    same(x @ of(y), x @ y)
    same(of(x) @ y, x @ y)


def test_numpy_and_tensors_leave_the_operator_to_the_array():
    x = np.array([1, 2], np.uint8)
    same(x / of(x), x / x)
    same(np.float32(2) * of(x), np.float32(2) * x)
    found = tf.constant([1.5], tf.float32) + fresh(tf.constant([1.0, 2.0]))
    assert isinstance(found, tf.Tensor)


def test_what_is_no_array_is_no_operand():
    with pytest.raises(TypeError):
        of(np.ones(2)) + "text"
    with pytest.raises((TypeError, PipeportError)):
        of(np.ones(2)) & of(np.ones(2))


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "uint32", "int64", "uint64"])
def test_large_exponents_that_only_the_graph_knows(dtype):
    x = np.array([0, 1, 2, 3, 5, 7, 100, 127], dtype)
    most = np.iinfo(dtype).max
    for y in (np.array([0, 5, 63, 64, 65, 100, 127, most], dtype), np.array(most, dtype)):
        for engine in (eager, graph, compiled):
            same(engine(_elementwise.power, x, y), np.power(x, y))
