"""Fourier transforms: fft, ifft, rfft, fft2, ifft2."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.contract import Array, AsReference, Integer, OneOf, batch_form
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.dtypes import NUMPY_2
from pipeport.kernels.inputs.integers import static, whole_number, whole_numbers
from pipeport.kernels.sampling._spectra import half_of, inverse
from pipeport.numpy._families import numpy_native, refuse, tensor
from pipeport.numpy._reductions import CLOSE

_A = "array_like, bool or any number\nThe signal; its rank must be known."
_N = "int or None, default None\nHow many elements are taken: the rest is cut off, or zeros are added."
NORM = "{None, 'backward', 'ortho', 'forward'}, default None\nWhich way is divided by the number of elements."
_RETURNS = "tf.Tensor\nThe transform; complex64 of float16, float32 and complex64, else complex128."
WORDS = (
    CLOSE
    + " Compiled by XLA of TensorFlow 2.15 it is less so: in float64 it was off by 15 eps of the largest "
    "element at length 5, by 47 at length 1024 and by 900 at length 1000."
)
_RAISES = {
    "BadAxis": "`a` has no such axis.",
    "OutsideDomain": "There is no element, or `norm` is another.",
    "tf.errors.InvalidArgumentError": "There turns out to be no element.",
}
SIGNAL = Array(dtypes=("uint8", "int32", "float32", "float64"), ranks=(1, 2, 3), sides=(1, 6),
                values=(-1.0, 1.0), non_finite=False)  # fmt: skip
GRAPH = "a transform, and a transposition where the axis is not the last; static shape is kept."
NORMS = (None, "backward", "ortho", "forward")


def settled(arguments: Mapping[str, Any]) -> bool:
    """Leave out what NumPy 1 computes in another dtype.

    Returns: whether both releases have one dtype.
    """
    return NUMPY_2 or np.asarray(arguments["a"]).dtype != np.float32


def of_elements(x: Any, axis: Any) -> int:
    """Return the axis of a batch that an axis of its elements is."""
    return canonical(whole_number(axis, "axis"), known_rank(x) - 1, "axis") + 1


def numbers(a: Any, *, real: bool) -> Any:
    """Return the signal in the dtype the transform is computed in."""
    x = tensor(a, "a")
    if real and x.dtype.is_complex:
        raise WrongType(explain("a", x.dtype.name, "real numbers", "Use fft, or take its real part."))
    narrow = x.dtype in (tf.float16, tf.float32, tf.complex64)
    if real:
        return cast(x, np.dtype("float32" if narrow else "float64"))
    return cast(x, np.dtype("complex64" if narrow else "complex128"))


def sized(x: Any, axis: int, n: int | None, parameter: str) -> tuple[Any, Any]:
    """Return the signal with so many elements along an axis, and how many these are."""
    size = x.shape[axis]
    text = explain(parameter, "no element along the axis", "one or more", "Check the size first.")
    if n is None and size is None:
        with tf.control_dependencies([tf.debugging.assert_positive(tf.shape(x)[axis], text)]):
            x = tf.identity(x)
        return x, tf.shape(x)[axis]
    wanted = size if n is None else n
    if wanted < 1:
        raise OutsideDomain(text)
    if size is None or size > wanted:
        x = x[(*((slice(None),) * axis), slice(None, wanted))]
    if size is None or size < wanted:
        missing = wanted - (tf.shape(x)[axis] if size is None else size)
        x = tf.pad(x, [[0, missing if other == axis else 0] for other in range(x.shape.rank)])
    sizes = x.shape.as_list()
    sizes[axis] = wanted
    return tf.ensure_shape(x, sizes), wanted


def check_norm(norm: Any) -> str:
    """Return the way to divide, checked to be one."""
    if not (norm is None or isinstance(norm, str)) or norm not in NORMS:
        allowed = ", ".join(map(repr, NORMS))
        raise OutsideDomain(explain("norm", repr(norm), allowed, "Name one of these."))
    return norm or "backward"


def scaled(x: Any, norm: str, number: Any, *, back: bool) -> Any:
    """Divide as `norm` says."""
    if norm == ("forward" if back else "backward"):
        return x
    real = tf.float32 if x.dtype == tf.complex64 else tf.float64
    number = tf.cast(number, real)
    factor = tf.ones([], real) / (tf.sqrt(number) if norm == "ortho" else number)
    return x * tf.cast(factor, x.dtype)


def last(x: Any, axes: Sequence[int], transform: Callable[[Any], Any]) -> Any:
    """Transform along axes, which stand last then."""
    order = [*(other for other in range(x.shape.rank) if other not in axes), *sorted(axes)]
    if order == sorted(order):
        return transform(x)
    return tf.transpose(transform(tf.transpose(x, order)), np.argsort(order))


def _along(x: Any, axis: Any, n: Any, norm: Any, *, back: bool) -> Any:
    place = canonical(whole_number(axis, "axis"), known_rank(x), "axis")
    x, number = sized(x, place, None if n is None else whole_number(n, "n"), "n")
    found = last(x, [place], inverse if back else tf.signal.fft)
    return scaled(found, check_norm(norm), number, back=back)


def _over_two(x: Any, places: Sequence[int], sizes: Sequence[int | None], norm: str, *, back: bool) -> Any:
    number = 1
    for place, size in zip(places, sizes, strict=True):
        x, count = sized(x, place, size, "s")
        number *= count
    found = last(x, places, functools.partial(inverse, axes=2) if back else tf.signal.fft2d)
    return scaled(found, norm, number, back=back)


def _one_axis(name: str, summary: str, compute: Callable[..., Any], shown: str) -> Callable[..., Any]:
    def function(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
        refuse(out=(out, None))
        return compute(a, n, axis, norm)

    function.__name__ = function.__qualname__ = name
    native = numpy_native(
        f"numpy.fft.{name}", summary,
        domain={"a": SIGNAL, "n": OneOf(None, 1, 4, 6), "axis": Integer(-1, 0), "norm": OneOf(*NORMS)},
        parameters={"a": _A, "n": _N, "axis": "int, default -1\nAlong which axis.", "norm": NORM},
        returns=_RETURNS,
        agreement=AsReference(), words=WORDS, raises=_RAISES, valid=settled, graph=GRAPH,
        stated="(a, n=None, axis=-1, norm=None, out=None)",
        example=("[1.0, 0.0, 0.0, 0.0]", shown),
    )(function)  # fmt: skip

    @batch_form(native)
    def _batch(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
        return native(a, n, of_elements(tensor(a, "a"), axis), norm, out)

    return native


def _forward(a: Any, n: Any, axis: Any, norm: Any) -> Any:
    return _along(numbers(a, real=False), axis, n, norm, back=False)


def _backward(a: Any, n: Any, axis: Any, norm: Any) -> Any:
    return _along(numbers(a, real=False), axis, n, norm, back=True)


def _of_real(a: Any, n: Any, axis: Any, norm: Any) -> Any:
    x = numbers(a, real=True)
    place = canonical(whole_number(axis, "axis"), known_rank(x), "axis")
    x, number = sized(x, place, None if n is None else whole_number(n, "n"), "n")
    return scaled(last(x, [place], half_of), check_norm(norm), number, back=False)


_ONES = "<tf.Tensor: shape=({},), dtype=complex128, numpy=array([{}])>"
fft = _one_axis(
    "fft", "Return the Fourier transform along an axis.", _forward,
    _ONES.format(4, "1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j"),
)  # fmt: skip
ifft = _one_axis(
    "ifft", "Return the inverse Fourier transform along an axis.", _backward,
    _ONES.format(4, "0.25+0.j, 0.25+0.j, 0.25+0.j, 0.25+0.j"),
)  # fmt: skip
rfft = _one_axis(
    "rfft", "Return the Fourier transform of real numbers, without the half that follows from the other.",
    _of_real, _ONES.format(3, "1.+0.j, 1.+0.j, 1.+0.j"),
)  # fmt: skip


def _plane(name: str, summary: str, *, back: bool) -> Callable[..., Any]:
    def function(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
        refuse(out=(out, None))
        x = numbers(a, real=False)
        places = [canonical(one, known_rank(x), "axes") for one in whole_numbers(axes, "axes")]
        wanted = [-1] * len(places) if s is None else whole_numbers(static(s, "s"), "s")
        sizes = [None if size == -1 else size for size in wanted]
        if len(sizes) != len(places) or not places:
            raise OutsideDomain(explain("s", repr(s), "one size per axis", "Name as many sizes as axes."))
        if len(set(places)) == 2 == len(places):
            return _over_two(x, places, sizes, check_norm(norm), back=back)
        for place, size in zip(reversed(places), reversed(sizes), strict=True):
            x = _along(x, place, size, norm, back=back)
        return x

    function.__name__ = function.__qualname__ = name
    native = numpy_native(
        f"numpy.fft.{name}", summary,
        domain={"a": Array(dtypes=SIGNAL.dtypes, ranks=(2, 3), sides=(1, 5), values=(-1.0, 1.0),
                           non_finite=False),
                "s": OneOf(None, (3, 4), (1, 6)), "axes": OneOf((-2, -1), (0, 1), (-1, 0)),
                "norm": OneOf(*NORMS)},
        parameters={"a": _A, "s": "None or sequence of int, default None\nHow many elements are taken along "
                    "each axis: the rest is cut off, or zeros are added; -1 takes what is there.",
                    "axes": "sequence of int, default (-2, -1)\nAlong which axes.", "norm": NORM},
        returns=_RETURNS, agreement=AsReference(), words=WORDS, raises=_RAISES, valid=settled,
        graph="a transform, and transpositions where the axes are not the last; static shape is kept.",
        stated="(a, s=None, axes=(-2, -1), norm=None, out=None)",
        example=("[[4.0, 0.0]]", "<tf.Tensor: shape=(1, 2), dtype=complex128, numpy=array([["
                 + ("2.+0.j, 2.+0.j" if back else "4.+0.j, 4.+0.j") + "]])>"),
    )(function)  # fmt: skip

    @batch_form(native)
    def _batch(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
        x = tensor(a, "a")
        places = tuple(of_elements(x, one) for one in whole_numbers(axes, "axes"))
        return native(a, s, places, norm, out)

    return native


fft2 = _plane("fft2", "Return the Fourier transform along two axes.", back=False)
ifft2 = _plane("ifft2", "Return the inverse Fourier transform along two axes.", back=True)


def _all_axes(name: str, summary: str, *, back: bool) -> Callable[..., Any]:
    def along(a: Any, s: Any, axes: Any, norm: Any, batch_axes: int) -> Any:
        x = numbers(a, real=False)
        rank = known_rank(x) - batch_axes
        wanted = None if s is None else whole_numbers(static(s, "s"), "s")
        given = range(-(rank if wanted is None else len(wanted)), 0) if axes is None else axes
        places = [canonical(one, rank, "axes") + batch_axes for one in whole_numbers(given, "axes")]
        if wanted is not None and len(wanted) != len(places):
            raise OutsideDomain(explain("s", repr(s), "one size per axis", "Name as many sizes as axes."))
        check_norm(norm)
        for at in reversed(range(len(places))):
            size = None if wanted is None or wanted[at] == -1 else wanted[at]
            x = _along(x, places[at], size, norm, back=back)
        return x

    def function(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
        refuse(out=(out, None))
        return along(a, s, axes, norm, 0)

    function.__name__ = function.__qualname__ = name
    native = numpy_native(
        f"numpy.fft.{name}", summary,
        domain={"a": Array(dtypes=SIGNAL.dtypes, ranks=(1, 2, 3), sides=(1, 5), values=(-1.0, 1.0),
                           non_finite=False),
                "s": OneOf(None, None, (3,), (3, 4)), "axes": OneOf(None, (0,), (-1, 0), (0, 1, 2)),
                "norm": OneOf(*NORMS)},
        parameters={"a": _A, "s": "None or sequence of int, default None\nHow many elements are taken along "
                    "each axis: the rest is cut off, or zeros are added; -1 takes what is there.",
                    "axes": "None or sequence of int, default None\nAlong which axes; None takes the last, "
                    "as many as `s` has, or all.", "norm": NORM},
        returns=_RETURNS, agreement=AsReference(coordinates_of="a"), words=WORDS, raises=_RAISES, valid=_fits,
        graph="a transform an axis, and transpositions where it is not the last; static shape is kept.",
        stated="(a, s=None, axes=None, norm=None, out=None)",
        example=("[[4.0, 0.0]]", "<tf.Tensor: shape=(1, 2), dtype=complex128, numpy=array([["
                 + ("2.+0.j, 2.+0.j" if back else "4.+0.j, 4.+0.j") + "]])>"),
    )(function)  # fmt: skip

    @batch_form(native)
    def _batch(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
        refuse(out=(out, None))
        return along(a, s, axes, norm, 1)

    return native


def _fits(arguments: Mapping[str, Any]) -> bool:
    """Say that there are such axes, named once, and that both releases of NumPy agree."""
    rank, axes, s = np.ndim(arguments["a"]), arguments.get("axes"), arguments.get("s")
    if not settled(arguments) or (s is not None and axes is None and (len(s) > rank or not NUMPY_2)):
        return False
    places = [one % rank for one in axes or () if -rank <= one < rank]
    return len(places) == len(axes or ()) == len(set(places)) and (s is None or len(s) == len(axes or s))


fftn = _all_axes("fftn", "Return the Fourier transform along several axes.", back=False)
ifftn = _all_axes("ifftn", "Return the inverse Fourier transform along several axes.", back=True)
