"""Frequencies, and zero in the middle: fftfreq, rfftfreq, fftshift, ifftshift."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._one_pass import one_pass
from pipeport.contract import Array, AsReference, Axes, Exact, Integer, OneOf
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import static, whole_number, whole_numbers
from pipeport.numpy._families import numpy_native, refuse, tensor
from pipeport.numpy._reductions import CLOSE
from pipeport.numpy._sized import no_batch


def _rolled(x: Any, *, shifts: tuple[int, ...], places: tuple[int, ...]) -> Any:
    return tf.roll(x, shifts, places)


def _shift(name: str, summary: str, shown: str, *, back: bool) -> Callable[..., Any]:
    def function(x: Any, axes: Any = None) -> Any:
        value = tensor(x, "x")
        rank = known_rank(value, "x")
        places = (
            range(rank) if axes is None else [canonical(a, rank, "axes") for a in whole_numbers(axes, "axes")]
        )
        sizes = [tf.shape(value)[a] if value.shape[a] is None else value.shape[a] for a in places]
        shifts = [-(size // 2) if back else size // 2 for size in sizes]
        if not shifts:
            return value
        if any(map(tf.is_tensor, shifts)):
            return tf.roll(value, shifts, list(places))
        return one_pass(_rolled, value, shifts=tuple(shifts), places=tuple(places))

    function.__name__ = function.__qualname__ = name
    return numpy_native(
        f"numpy.fft.{name}", summary, domain={"x": Array(ranks=(1, 2, 3)), "axes": Axes(of="x", none=True)},
        parameters={"x": "array_like, bool or any number\nThe transform; its rank must be known.",
                    "axes": "None, int or tuple of int, default None\nAlong which axes; None takes all."},
        returns="tf.Tensor, shape and dtype of `x`\nThe same elements.", agreement=Exact(),
        words="bit for bit, NaN included.", raises={"BadAxis": "`x` has no such axis."},
        graph="one op; static shape is kept.",
        example=("[0.0, 1.0, -1.0]", f"<tf.Tensor: shape=(3,), dtype=float64, numpy=array([{shown}])>"),
    )(function)  # fmt: skip


fftshift = _shift("fftshift", "Move the frequency zero to the middle.", "-1.,  0.,  1.", back=False)
ifftshift = _shift(
    "ifftshift", "Move the frequency zero from the middle to the front.", " 1., -1.,  0.", back=True
)


def _frequencies(name: str, summary: str, shown: str) -> Callable[..., Any]:
    def function(n: Any, d: Any = 1.0, device: Any = None) -> Any:
        refuse(device=(device, None))
        number, distance = whole_number(n, "n"), static(d, "d")
        if number < 1 or (np.ndim(distance) == 0 and distance == 0):
            given = f"{number}, {distance}"
            raise OutsideDomain(explain("n, d", given, "n from 1, d not zero", "Change them."))
        if np.ndim(distance) or np.asarray(distance).dtype.kind not in "iuf":
            advice = "Divide the result instead."
            raise WrongType(explain("d", repr(d), "a number known while tracing", advice))
        return tf.constant(getattr(np.fft, name)(number, float(distance)))

    function.__name__ = function.__qualname__ = name
    return numpy_native(
        f"numpy.fft.{name}", summary,
        domain={"n": Integer(1, 9), "d": OneOf(1.0, 0.5, 0.1, 3)},
        parameters={"n": "int\nHow many elements the signal has.",
                    "d": "number, default 1.0\nThe distance of its elements."},
        returns="tf.Tensor of float64, rank 1\nThe frequencies, in cycles per unit of `d`.",
        agreement=AsReference(), words=CLOSE, raises={"OutsideDomain": "`n` is below 1, or `d` is zero."},
        example=("4", shown), graph="a constant.", stated="(n, d=1.0, device=None)",
        cannot_serve=no_batch({"n": 3}),
    )(function)  # fmt: skip


fftfreq = _frequencies(
    "fftfreq", "Return the frequencies of a transform.",
    "<tf.Tensor: shape=(4,), dtype=float64, numpy=array([ 0.  ,  0.25, -0.5 , -0.25])>",
)  # fmt: skip
rfftfreq = _frequencies(
    "rfftfreq", "Return the frequencies of a transform of real numbers.",
    "<tf.Tensor: shape=(3,), dtype=float64, numpy=array([0.  , 0.25, 0.5 ])>",
)  # fmt: skip
