"""Short rows are sorted by exchanges of slices, to what NumPy gives."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import tensorflow as tf

from pipeport import numpy as native
from pipeport.arrays._exchanged import is_exchangeable

pytestmark = pytest.mark.both

NUMPY_2 = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
KINDS = {"uint": (8, 16, 32, 64), "int": (8, 16, 32, 64), "float": (16, 32, 64)}
DTYPES = ["bool", *(f"{kind}{bits}" for kind, widths in KINDS.items() for bits in widths)]
# A shape, whose sizes above 16 a graph need not know, and what is one row.
ROWS = [((7, 64, 72), 0), ((70, 2, 130), 1), ((64, 65, 9), -1), ((48, 50, 3, 3), (2, 3))]
CALLS = {
    "median": lambda library, x, axis: library.median(x, axis=axis),
    "quantile": lambda library, x, axis: library.quantile(x, [0.25, 0.9], axis=axis, method="lower"),
    "percentile": lambda library, x, axis: library.percentile(x, 40, axis=axis),
    "sort": lambda library, x, axis: library.sort(x, axis=axis[-1] if isinstance(axis, tuple) else axis),
    "nanmedian": lambda library, x, axis: library.nanmedian(x, axis=axis, keepdims=True),
}


def numbers(shape, dtype):
    rng = np.random.default_rng(0)
    x = rng.normal(0, 100, shape)
    if np.dtype(dtype).kind != "f":
        return x.astype(np.int64).astype(dtype)
    x[rng.random(shape) < 0.01] = np.nan
    x[rng.random(shape) < 0.01] = np.inf
    x[rng.random(shape) < 0.01] = -np.inf
    return x.astype(dtype)


@pytest.mark.parametrize(
    ("shape", "axis", "dtype"),
    [*((*ROWS[0], dtype) for dtype in DTYPES), *((*row, "float32") for row in ROWS[1:])],
)
def test_what_numpy_gives(shape, axis, dtype):
    x = numbers(shape, dtype)
    spec = tf.TensorSpec([size if size <= 16 else None for size in shape], dtype)
    for name, call in CALLS.items():
        if dtype == "bool" and name in ("quantile", "percentile"):
            continue
        if name == "percentile" and dtype in ("float16", "float32") and not NUMPY_2:
            continue  # the reference gives float64
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            want = call(np, x, axis)
        run = tf.function(lambda x, call=call: call(native, x, axis), input_signature=[spec], autograph=False)
        got = run(x).numpy()
        np.testing.assert_array_equal(got, want, err_msg=name)
        assert run.get_concrete_function().output_shapes.is_compatible_with(want.shape), name
        assert got.dtype == want.dtype or not NUMPY_2, name


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_compiled(dtype):
    x = numbers((9, 64, 72), dtype)
    run = tf.function(lambda x: native.median(x, axis=0), jit_compile=True, autograph=False)
    np.testing.assert_array_equal(run(x).numpy(), np.median(x, axis=0))


@pytest.mark.parametrize(
    ("shape", "along", "found"),
    [
        ((16, 32, 32), 0, True),
        ((17, 32, 32), 0, False),  # a row of many
        ((16, 31, 32), 0, False),  # few elements
        ((9, None, None), 0, True),
        ((10, None, None), 0, False),
        ((None, 64, 64), 0, False),
        ((1, 256, 256), 0, False),
        ((65536,), 0, False),
    ],
)
def test_of_which_rows(shape, along, found):
    taken = []

    @tf.function(input_signature=[tf.TensorSpec(shape, tf.float32)], autograph=False)
    def run(x):
        taken.append(is_exchangeable(x, along))
        return native.sort(x, axis=along)

    operations = [one.type for one in run.get_concrete_function().graph.get_operations()]
    assert taken == [found]
    assert ("Minimum" in operations) is found
    assert ("TopKV2" in operations) is not found
