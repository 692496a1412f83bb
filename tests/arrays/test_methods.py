"""The methods of the array, those it refuses, and what it says of those it does not have."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import pipeport.numpy as native
from pipeport.arrays._making import fresh
from pipeport.arrays._missing import INSTEAD
from pipeport.errors import PipeportError
from tests.arrays.images import IMAGE, of, traced

METHODS = {
    "astype": lambda x: x.astype(np.float32), "reshape": lambda x: x.reshape(-1, 3), "T": lambda x: x.T,
    "reshape-tuple": lambda x: x.reshape((3, 20)), "transpose": lambda x: x.transpose(2, 0, 1),
    "transpose-tuple": lambda x: x.transpose((1, 0, 2)), "ravel": lambda x: x.ravel(),
    "flatten": lambda x: x.flatten(), "squeeze": lambda x: x[:1].squeeze(),
    "repeat": lambda x: x.repeat(2, axis=1),
    "copy": lambda x: x.copy(), "sum": lambda x: x.sum(), "prod": lambda x: x.prod(axis=0),
    "mean": lambda x: x.mean(axis=(0, 1)), "std": lambda x: x.std(), "var": lambda x: x.var(axis=0, ddof=1),
    "min": lambda x: x.min(axis=-1, keepdims=True), "max": lambda x: x.max(), "argmin": lambda x: x.argmin(),
    "argmax": lambda x: x.argmax(axis=1), "any": lambda x: x.any(axis=0), "all": lambda x: x.all(),
    "clip": lambda x: x.clip(10, 20), "clip-wide": lambda x: x.clip(-5, 300),
    "clip-one": lambda x: x.clip(max=7.5),
    "round": lambda x: (x / 7).round(1), "cumsum": lambda x: x.cumsum(axis=0),
    "dot": lambda x: x.dot(x[0, :3]),
    "swapaxes": lambda x: x.swapaxes(0, 1), "argsort": lambda x: x[::-1].argsort(axis=0),
    "divmod": lambda x: divmod(x, 7)[1], "mT": lambda x: x.mT, "diagonal": lambda x: x.diagonal(),
    "diagonal-axes": lambda x: x.diagonal(-1, 2, 0), "diagonal-beyond": lambda x: x.diagonal(9),
    "trace": lambda x: x.trace(1), "trace-dtype": lambda x: x.trace(axis1=-1, axis2=0, dtype="float32"),
    "trace-signed": lambda x: x.astype("int8").trace(), "trace-half": lambda x: x.astype("float16").trace(),
    "real": lambda x: x.real, "imag": lambda x: x.imag, "conj": lambda x: x.conj(),
    "conj-complex": lambda x: (x * 1.5j).conj(), "imag-complex": lambda x: (x * 1j).imag,
    "real-complex": lambda x: (x * (2 + 1j)).real,
    "take": lambda x: x.take([3, -1, 7]), "take-axis": lambda x: x.take(np.array([[0, 2], [1, 1]]), axis=1),
    "take-one": lambda x: x.take(2, -1),
}  # fmt: skip


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="promotion is NumPy 2's")
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("known", [True, False], ids=["eager", "unknown sizes"])
def test_methods_are_numpys(name, known):
    method = METHODS[name]
    right = np.asarray(method(IMAGE))
    found = method(of(IMAGE)) if known else fresh(traced(lambda x: method(fresh(x))._values)(IMAGE))
    assert found.dtype == right.dtype
    assert found.numpy().shape == right.shape
    np.testing.assert_allclose(found.numpy(), right, rtol=1e-12)


def test_diagonals_and_what_is_taken_of_every_dtype_compiled():
    for dtype in ("bool", "int8", "uint16", "int64", "float16", "float64", "complex64"):
        values = np.arange(-6, 18).reshape(4, 6).astype(dtype)
        for method in (lambda x: x.diagonal(1), lambda x: x.take([5, -1], 1), lambda x: x.trace()):
            run = tf.function(lambda x, m=method: m(fresh(x))._values, jit_compile=True, autograph=False)
            found, right = run(values).numpy(), method(values)
            assert found.dtype == right.dtype
            np.testing.assert_array_equal(found, right)
    for shape in ((0, 3), (3, 0), (1, 1)):
        assert of(np.ones(shape)).diagonal().shape == np.ones(shape).diagonal().shape
        assert int(of(np.ones(shape)).trace()) == np.ones(shape).trace()


def test_bytes_of_all_elements():
    assert of(IMAGE.astype("int32")).nbytes == IMAGE.astype("int32").nbytes
    assert int(traced(lambda x: fresh(x).nbytes._values)(IMAGE)) == IMAGE.nbytes


def test_nonzero_gives_an_index_for_each_axis():
    for found, right in zip(of(IMAGE).nonzero(), IMAGE.nonzero(), strict=True):
        np.testing.assert_array_equal(found.numpy(), right)


def test_sort_sorts_in_place():
    x, right = of(IMAGE[::-1].copy()), IMAGE[::-1].copy()
    assert x.sort(axis=0) is None
    right.sort(axis=0)
    np.testing.assert_array_equal(x.numpy(), right)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.sum(out=x), lambda x: x.max(where=x > 1), lambda x: x.std(mean=3.0),
        lambda x: x.T.reshape(60, order="K"),
        lambda x: x.astype("uint8", order="F"), lambda x: x.astype("uint8", subok=False), lambda x: x.clip(),
        lambda x: x.diagonal(axis2=0), lambda x: x[0, 0].diagonal(), lambda x: x.diagonal(0.5),
        lambda x: x.diagonal(axis1=3), lambda x: x.trace(out=x), lambda x: x.take([1.5]),
        lambda x: x.take([True]), lambda x: x.take(None), lambda x: x.take([0], mode="wrap"),
        lambda x: x.take([60]), lambda x: x.take([0], axis=3), lambda x: x.take([0], out=x),
        lambda x: x.copy("F"), lambda x: native.ndarray((2, 3)), lambda x: x.sort(order="name"),
    ],
)  # fmt: skip
def test_what_is_not_served_is_refused(call):
    with pytest.raises(PipeportError):
        call(of(IMAGE))


@pytest.mark.parametrize("name", [name for name in dir(np.ndarray) if not name.startswith("_")])
def test_what_numpy_has_is_served_or_says_what_to_write_instead(name):
    if name in INSTEAD:
        with pytest.raises(AttributeError, match=rf"does not mirror numpy\.ndarray\.{name}\. .+\.$"):
            getattr(of(IMAGE), name)
    else:
        assert hasattr(of(IMAGE), name)


def test_what_numpy_2_dropped_is_not_served():
    for name in ("ptp", "itemset", "newbyteorder"):
        with pytest.raises(AttributeError, match="NumPy 2 has none either"):
            getattr(of(IMAGE), name)


def test_unknown_names_are_as_unknown_as_everywhere():
    with pytest.raises(AttributeError, match=r"has no attribute 'pixels'$"):
        _ = of(IMAGE).pixels
    with pytest.raises(TypeError, match="unexpected keyword"):
        of(IMAGE).sum(ofall=True)


def test_repr_is_numpys():
    for value in (np.float32(1.5), np.array(True), np.array([1, 2]), IMAGE, np.array([1.5], "float16")):
        assert repr(of(value)) == repr(np.asarray(value))
    shown = []
    traced(lambda x: shown.append(repr(fresh(x))) or x)(IMAGE)
    assert shown == ["array(shape=(None, None, 3), dtype=uint8; values when the graph runs: see tf.print)"]
