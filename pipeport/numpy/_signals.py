"""Signals of one axis: windows to multiply with, convolution and correlation."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._basic import size_of
from pipeport.contract import Array, AsReference, Integer, OneOf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import static_value
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._convolution import convolved
from pipeport.numpy._common_dtype import common
from pipeport.numpy._families import REALS, numpy_native, tensor
from pipeport.numpy._reductions import CLOSE
from pipeport.numpy._sized import no_batch

# More taps than a block of frames has elements.
_LONG_KERNEL = (0.5, -1.0, 0.25, 0.0, 0.125) * 15


def _window(name: str, summary: str, weights: tuple[float, ...], example: str) -> Callable[..., Any]:
    def function(M: Any) -> Any:
        count = static_value(M, "M")
        if not tf.is_tensor(count):
            return tf.constant(getattr(np, name)(whole_number(count, "M")))
        if count.shape.rank != 0 or not count.dtype.is_integer:
            raise WrongType(explain("M", repr(count), "one whole number", "Round it, and cast it with int."))
        places = tf.cast(tf.range(tf.maximum(count, 0)), tf.float64)
        last = tf.cast(count, tf.float64) - 1.0
        turns = (2.0 * places - last) / tf.maximum(last, 1.0)
        return sum(weight * tf.cos(place * math.pi * turns) for place, weight in enumerate(weights))

    function.__name__ = function.__qualname__ = name
    return numpy_native(
        f"numpy.{name}", summary, domain={"M": Integer(-1, 20, typical=16, tensor=True)},
        parameters={"M": "int, or a tensor of one\nHow many numbers; less than one gives none."},
        returns="tf.Tensor of float64, shape (M,)\nThe window, 1 in its middle.", agreement=AsReference(),
        words=CLOSE, example=("3", f"<tf.Tensor: shape=(3,), dtype=float64, numpy=array([{example}])>"),
        graph="a constant; of a tensor, four ops per cosine.", cannot_serve=no_batch({"M": 3}),
    )(function)  # fmt: skip


hanning = _window("hanning", "Return the Hann window, a raised cosine.", (0.5, 0.5), "0., 1., 0.")
hamming = _window(
    "hamming", "Return the Hamming window, a cosine raised by less.", (0.54, 0.46), "0.08, 1.  , 0.08"
)
blackman = _window(
    "blackman", "Return the Blackman window, of two cosines.", (0.42, 0.5, 0.08),
    "-1.38777878e-17,  1.00000000e+00, -1.38777878e-17",
)  # fmt: skip


def _depends_on_both(call: Mapping[str, Any]) -> bool:
    # Beside so many taps the other signal, of up to ten elements, would not matter to the size.
    return call.get("mode") != "same" or np.size(call["v"]) < len(_LONG_KERNEL)


def _promise(name: str, summary: str, example: str, values: str) -> Callable[..., Any]:
    default = "full" if name == "convolve" else "valid"
    return numpy_native(
        f"numpy.{name}", summary,
        domain={"a": Array(dtypes=REALS, ranks=(1,), sides=(1, 9), values=(0.0, 1.0)),
                "v": OneOf((0.25, 0.5, 0.25), (1, 2), (1.0,), (0.5, 0.25, 1.0, 0.25, 0.125), (True, False),
                           _LONG_KERNEL, *((3,) if name == "convolve" else ()), typical=(0.25, 0.5, 0.25)),
                "mode": OneOf("full", "same", "valid", typical=default)},
        parameters={"a": "array_like, bool or any number\nOf one axis; its size may be unknown.",
                    "v": "array_like, bool or any number\nOf one axis; its size may be unknown.",
                    "mode": f"{{'full', 'same', 'valid'}}, default '{default}'\nAll sums of products, as "
                            "many as the longer signal has elements, or those without a border."},
        returns="tf.Tensor, of the dtype NumPy promotes to\nThe sums of products.",
        agreement=AsReference(), words=CLOSE,
        raises={"OutsideDomain": "A signal is empty, or does not have one axis.",
                "UnsupportedArgument": "`mode` is another.",
                "tf.errors.InvalidArgumentError": "A signal turns out to be empty."},
        example=(example, f"<tf.Tensor: shape=(2,), dtype=int64, numpy=array({values})>"),
        graph="the product of overlapping frames with a matrix; tap by tap where something is not finite.",
        valid=_depends_on_both,
    )  # fmt: skip


@_promise("convolve", "Return the convolution of two signals.", "[1, 2, 3], [1, 1], 'valid'", "[3, 5]")
def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    return _sums(a, v, mode, turned=False)


@_promise("correlate", "Return the correlation of two signals.", "[1, 2, 3], [0, 1]", "[2, 3]")
def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    return _sums(a, v, mode, turned=True)


def _sums(a: Any, v: Any, mode: Any, *, turned: bool) -> Any:
    if tf.is_tensor(mode) or mode not in ("full", "same", "valid"):
        raise UnsupportedArgument(explain("mode", repr(mode), "'full', 'same' or 'valid'", "Name one."))
    least = 1 if turned else 0  # a convolution takes numbers, too
    signal, kernel = (_signal(tensor(x, name), name, least) for x, name in ((a, "a"), (v, "v")))
    signal, kernel = common([signal, kernel], [None, None], None, "same_kind")
    if turned:
        kernel = tf.reverse(tf.math.conj(kernel) if kernel.dtype.is_complex else kernel, [0])
    size, taps = size_of(signal, 0), size_of(kernel, 0)
    first, count = _part(mode, size, taps, turned)
    if isinstance(size, int) and isinstance(taps, int) and taps > size:
        signal, kernel = kernel, signal
    return convolved(signal, kernel, first, count)


def _signal(x: Any, name: str, least: int) -> Any:
    rank = x.shape.rank
    if rank is None or not least <= rank <= 1:
        given = "an unknown rank" if rank is None else f"rank {rank}"
        raise OutsideDomain(explain(name, given, "one axis", "Convolve one signal at a time."))
    x = tf.reshape(x, [-1]) if rank == 0 else x
    if x.shape[0] == 0:
        raise OutsideDomain(explain(name, "no elements", "one at least", "NumPy refuses this as well."))
    if x.shape[0] is None:
        message = explain(name, "no elements at run time", "one at least", "Filter such signals out.")
        with tf.control_dependencies([tf.debugging.Assert(tf.size(x) > 0, [message])]):
            x = tf.identity(x)
    return x


def _part(mode: str, size: Any, taps: Any, turned: bool) -> tuple[Any, Any]:
    """Return which sum is the first that is wanted, and how many are."""
    known = isinstance(size, int) and isinstance(taps, int)
    least, most = (min, max) if known else (tf.minimum, tf.maximum)
    if mode == "full":
        return 0, size + taps - 1
    shorter, longer = least(size, taps), most(size, taps)
    if mode == "valid":
        return shorter - 1, longer - shorter + 1
    # A correlation whose second signal is the longer one is computed the other way round, and turned.
    swapped = least(taps - shorter, 1) if turned else 0
    return (shorter - 1 + swapped) // 2, longer
