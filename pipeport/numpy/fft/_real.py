"""irfft."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import AsReference, Integer, OneOf, batch_form
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._spectra import arrays_of
from pipeport.numpy._families import numpy_native, refuse, tensor
from pipeport.numpy.fft import _transforms as transforms


def _signal(a: Any, n: Any, axis: Any, norm: Any) -> Any:
    x, norm = transforms.numbers(a, real=False), transforms.check_norm(norm)
    place = canonical(whole_number(axis, "axis"), known_rank(x), "axis")
    size = x.shape[place]
    given = tf.shape(x)[place] if size is None else size
    number = 2 * (given - 1) if n is None else whole_number(n, "n")
    text = explain("n", "no element of the result", "one or more", "Two elements of `a` give two.")
    if not tf.is_tensor(number):
        if number < 1:
            raise OutsideDomain(text)
        x, _ = transforms.sized(x, place, number // 2 + 1, "n")
    else:
        with tf.control_dependencies([tf.debugging.assert_positive(number, text)]):
            x, number = tf.identity(x), tf.identity(number)
    found = transforms.last(x, [place], lambda spectrum: arrays_of(spectrum, [number]))
    if norm == "backward":
        return found
    number = tf.cast(number, found.dtype)
    return found * (tf.sqrt(number) if norm == "ortho" else number)


@numpy_native(
    "numpy.fft.irfft", "Return the real signal of which half of the Fourier transform is given.",
    domain={"a": transforms.SIGNAL, "n": OneOf(None, 1, 4, 5, 8), "axis": Integer(-1, 0),
            "norm": OneOf(*transforms.NORMS)},
    parameters={"a": "array_like, bool or any number\nThe transform, from frequency zero on; its rank must "
                "be known.",
                "n": "int or None, default None\nHow many elements the signal has: of `a` the first "
                "``n // 2 + 1``\nare taken, or zeros are added. None for twice as many as `a` has, less two.",
                "axis": "int, default -1\nAlong which axis.", "norm": transforms.NORM},
    returns="tf.Tensor\nThe signal; float32 of float16, float32 and complex64, else float64.",
    agreement=AsReference(), words=transforms.WORDS,
    raises={"BadAxis": "`a` has no such axis.",
            "OutsideDomain": "The signal has no element, or `norm` is another.",
            "tf.errors.InvalidArgumentError": "The signal turns out to have no element."},
    valid=transforms.settled, graph=transforms.GRAPH, stated="(a, n=None, axis=-1, norm=None, out=None)",
    example=("[1.0, 1.0, 1.0]", "<tf.Tensor: shape=(4,), dtype=float64, numpy=array([1., 0., 0., 0.])>"),
)  # fmt: skip
def irfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    refuse(out=(out, None))
    return _signal(a, n, axis, norm)


@batch_form(irfft)
def _irfft_batch(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    return irfft(a, n, transforms.of_elements(tensor(a, "a"), axis), norm, out)
