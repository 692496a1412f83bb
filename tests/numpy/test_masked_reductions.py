"""`where` and `initial` of reductions, `dtype` and `casting` of functions of elements."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeport import numpy as natives
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType

EXTREMES = ("max", "min", "nanmax", "nanmin")
SUMS = ("sum", "prod", "nansum", "nanprod")
OTHERS = ("mean", "std", "var", "any", "all", "nanmean", "nanstd")
DTYPES = ("bool", "uint8", "int32", "float16", "float32", "float64")
CLOSE = {"float16": 2e-2, "float32": 1e-4}


def reference(name, x, options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(np, name)(x, **options)


def check(found, right, dtype):
    found = np.asarray(found)
    assert (found.dtype, found.shape) == (np.asarray(right).dtype, np.shape(right))
    relative = CLOSE.get(dtype, 1e-9)
    np.testing.assert_allclose(found, right, rtol=relative, atol=relative)


@st.composite
def calls(draw):
    shape = draw(st.sampled_from([(3, 4), (1, 5), (4, 1), (2, 0), (6,)]))
    seed = draw(st.integers(0, 2**16))
    rng, dtype = np.random.default_rng(seed), draw(st.sampled_from(DTYPES))
    x = (rng.normal(size=shape) * 3 + 3).astype(dtype)
    if x.dtype.kind == "f" and draw(st.booleans()):
        x = np.where(rng.random(shape) < 0.2, np.array(np.nan, x.dtype), x)
    like = tuple(size if draw(st.booleans()) else 1 for size in shape)[draw(st.sampled_from([0, 0, -1])) :]
    mask = rng.random(like) < draw(st.sampled_from([0.0, 0.5, 1.0]))
    options = {"axis": draw(st.sampled_from([None, 0, -1])), "keepdims": draw(st.booleans())}
    return x, mask, options


@pytest.mark.parametrize("name", [*EXTREMES, *SUMS, *OTHERS])
@settings(deadline=None, max_examples=12)
@given(call=calls(), initial=st.sampled_from([None, 2, 0]), sized=st.booleans())
def test_elements_that_a_mask_leaves_out_do_not_count(name, call, initial, sized):
    x, mask, options = call
    if name in EXTREMES:
        options = {**options, "initial": initial or 1}
    elif name in SUMS and initial is not None:
        options = {**options, "initial": initial}
    right = reference(name, x, {**options, "where": mask})
    check(getattr(natives, name)(x, where=mask, **options), right, x.dtype.name)
    method = getattr(natives.array(x), name, None)
    if method is not None:
        check(method(where=natives.array(mask), **options), right, x.dtype.name)
    specs = [tf.TensorSpec(one.shape if sized else [None] * one.ndim, one.dtype) for one in (x, mask)]
    traced = tf.function(lambda x, m: getattr(natives, name)(x, where=m, **options), input_signature=specs)
    check(traced(x, mask), right, x.dtype.name)
    if sized:
        assert traced.get_concrete_function().structured_outputs.shape == right.shape


@pytest.mark.parametrize("name", [*EXTREMES, *SUMS, *OTHERS])
def test_masks_compile(name):
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    x[0, 1] = np.nan
    options = {"axis": 1, **({"initial": 5} if name in EXTREMES else {})}
    traced = tf.function(lambda x: getattr(natives, name)(x, where=x != 6, **options), jit_compile=True)
    check(traced(x), reference(name, x, {**options, "where": x != 6}), "float32")


def test_an_extreme_with_a_beginning_may_be_of_nothing():
    nothing = np.zeros((2, 0), np.int32)
    assert natives.max(nothing, axis=1, initial=7).numpy().tolist() == [7, 7]
    assert natives.max([1.0], initial=np.nan).numpy() != natives.max([1.0], initial=np.nan).numpy()
    assert natives.nanmax([1.0, np.nan], initial=np.nan).numpy() == 1.0
    assert natives.max([True, False], initial=False).numpy()
    assert not natives.min([True, True], initial=False).numpy()
    with pytest.raises(OutsideDomain):
        natives.max(nothing, axis=1)


def test_what_a_beginning_is_cast_to():
    x = np.arange(4, dtype=np.uint8)
    assert natives.sum(x, initial=1.5).numpy() == np.sum(x, initial=1.5) == 7
    assert natives.sum(x, dtype=np.float32, initial=1.5).numpy() == 7.5
    assert natives.sum([True], dtype=bool, initial=False).dtype == tf.bool
    with pytest.raises(OutsideDomain, match="300"):
        natives.max(x, initial=300)
    with pytest.raises(OutsideDomain, match="one number"):
        natives.sum(x, initial=[1, 2])


def test_masks_that_do_not_fit_are_refused():
    x = np.ones((3, 4), np.float32)
    with pytest.raises(WrongType, match="where"):
        natives.sum(x, where=np.ones((3, 4), np.uint8))
    for mask in (np.ones((2, 4), bool), np.ones((2, 3, 4), bool)):
        with pytest.raises(OutsideDomain, match="where"):
            natives.mean(x, where=mask)
    for name in EXTREMES:
        with pytest.raises(OutsideDomain, match="initial"):
            getattr(natives, name)(x, where=x > 0)
    unknown = tf.function(
        lambda x, m: natives.sum(x, where=m),
        input_signature=[tf.TensorSpec([None]), tf.TensorSpec([None], tf.bool)],
    )
    with pytest.raises(tf.errors.InvalidArgumentError):
        unknown(x[0, :1], [True, False])


@pytest.mark.parametrize(
    "name", ["add", "subtract", "multiply", "divide", "power", "maximum", "hypot", "mod"]
)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8", "bool"])
@pytest.mark.parametrize("other", [np.int32([1, 2, 3]), np.float64([0.5, 1, 2]), 2, 0.5])
def test_functions_compute_in_the_dtype_that_is_asked_for(name, dtype, other):
    x = np.uint8([7, 100, 3])
    try:
        right = getattr(np, name)(x, other, dtype=dtype)
    except TypeError:
        with pytest.raises(WrongType):
            getattr(natives, name)(x, other, dtype=dtype)
        return
    for found in (
        getattr(natives, name)(x, other, dtype=dtype),
        tf.function(lambda x: getattr(natives, name)(x, other, dtype=dtype))(x),
    ):
        check(found, right, dtype)


@pytest.mark.parametrize(
    "name", ["sqrt", "exp", "rint", "absolute", "square", "isnan", "tanh", "logical_not"]
)
@pytest.mark.parametrize("dtype", ["float16", "float64", "int32", "bool"])
@pytest.mark.parametrize("casting", ["same_kind", "unsafe", "safe"])
def test_functions_of_one_operand_compute_in_the_dtype_that_is_asked_for(name, dtype, casting):
    x = np.float32([1.5, 0.25, 4])
    try:
        right = getattr(np, name)(x, dtype=dtype, casting=casting)
    except TypeError:
        with pytest.raises(WrongType):
            getattr(natives, name)(x, dtype=dtype, casting=casting)
        return
    check(getattr(natives, name)(x, dtype=dtype, casting=casting), right, dtype)


def test_other_castings_are_refused():
    with pytest.raises(UnsupportedArgument, match="'unsafe'"):
        natives.add([1], 2, casting="no")
    with pytest.raises(WrongType, match="float64"):
        natives.add([1.5], 2, dtype=np.int32)
    assert natives.add([1.5], 2, dtype=np.int32, casting="unsafe").numpy().tolist() == [3]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_product_that_begins_with_zero_keeps_nan(dtype):
    x = np.array([2, np.nan], dtype)
    for spec in (tf.TensorSpec([None], dtype), tf.TensorSpec([2], dtype)):
        traced = tf.function(lambda x: natives.prod(x, initial=0), input_signature=[spec])
        assert np.isnan(traced(x))
        assert np.isnan(tf.function(traced, jit_compile=True)(x))
