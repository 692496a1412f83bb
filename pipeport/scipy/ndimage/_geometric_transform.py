"""`scipy.ndimage.geometric_transform`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Array, Callback, Integer, Maybe, OneOf, PerAxis, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.sampling._interpolate import Plan, sample
from pipeport.kernels.sampling._maps import given
from pipeport.scipy.ndimage import _arguments as arguments


def _same(at: tuple[Any, ...]) -> tuple[Any, ...]:
    return at


@replaces(
    "scipy.ndimage.geometric_transform",
    domain={
        "input": Array(dtypes=arguments.DRAWN, ranks=(2,), sides=(1, 7), values=(-1.0, 1.0)),
        "mapping": Callback(
            "pipeport.references.maps_ndimage.shifted",
            "pipeport.references.maps_ndimage.sheared",
            "pipeport.references.maps_ndimage.bent",
            "pipeport.references.maps_ndimage.constant",
            typical="pipeport.references.maps_ndimage.bent",
        ),
        "output_shape": Maybe(spec=PerAxis(spec=Integer(1, 7), of="input", single=False)),
        **arguments.SAMPLED,
        "extra_arguments": OneOf(()),
        "extra_keywords": OneOf(None),
    },
    agreement=arguments.agreement("geometric_transform"),
    valid=arguments.is_valid,
    differences=arguments.differences({"mapping": _same}),
)
def geometric_transform(
    input: Any,
    mapping: Callable[..., Any],
    output_shape: Sequence[int] | None = None,
    output: Any = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
    extra_arguments: tuple[Any, ...] = (),
    extra_keywords: Mapping[str, Any] | None = None,
) -> Any:
    """Resample an array through any map of coordinates, given as a function.

    Native equivalent of `scipy.ndimage.geometric_transform`. The reference calls `mapping` once
    per output pixel; here it is called once, while tracing, with tensors that hold all of them.

    Parameters
    ----------
    input : tf.Tensor, 1 to 6 axes, bool, integers, float32 or float64
        Image, image with channels or volume. Sizes may be unknown while tracing.
    mapping : callable
        Takes a tuple with the output's coordinates, one float64 tensor of the output's shape per
        axis, and returns the input's, one per axis of `input`: numbers or tensors that broadcast.
        Operators and TensorFlow functions work; NumPy functions on tensors do not.
    output_shape : tuple of int, optional
        Shape of the result; the input's when None.
    output : dtype, optional
        Dtype of the result, read as NumPy reads it; the input's when None. Integers are rounded,
        halves away from zero, and saturated; bool, for order 0 alone, is True where the number
        without its fraction is not 0. An array to write into is refused.
    order : {0, 1, 2, 3, 4, 5}, default 3
        Order of the spline.
    mode : str, default 'constant'
        'reflect' (or 'grid-mirror'), 'constant', 'grid-constant', 'nearest', 'mirror',
        'grid-wrap' or 'wrap', as SciPy names them.
    cval : float, default 0.0
        Value outside the input in modes 'constant' and 'grid-constant'.
    prefilter : bool, default True
        Whether `input` is turned into spline coefficients first; False if it holds them already.
    extra_arguments : tuple, default ()
        Further positional arguments of `mapping`.
    extra_keywords : dict, optional
        Keyword arguments of `mapping`.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`, shape `output_shape`
        The resampled array.

    Raises
    ------
    UnsupportedArgument
        `order` above 5, a `mode` not listed, order above 0 for a bool result, an array as `output`,
        an unknown rank or more than 6 axes, or a tensor where a Python value is needed.
    OutsideDomain
        `input` is empty or of a dtype SciPy does not take, `output_shape` is empty or negative, or
        `mapping` returns another number of coordinates than `input` has axes.
    WrongType
        `mapping` is not callable, or does not return numbers.

    Notes
    -----
    Integers of 64 bits beyond 2**53 keep their value under order 0; the reference rounds them to float64.

    Infinite pixels under the spline filter (orders 2 to 5), and NaN with an integer output, are outside
    the domain: what they become depends on the order of operations.

    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'reflect' are filtered as in SciPy 1.17 or 1.18.

    Graph: as `pipeport.scipy.ndimage.rotate`. Static shape is kept.

    Source: `scipy/ndimage/_interpolation.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import geometric_transform
    >>> image = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> geometric_transform(image, lambda at: (at[1], at[0]), order=1).numpy().tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    image = arguments.array_of(input)
    if not callable(mapping):
        raise WrongType(
            explain("mapping", type(mapping).__name__, "a callable", "Give a function of coordinates.")
        )
    for name, value in (("extra_arguments", extra_arguments), ("extra_keywords", extra_keywords)):
        if tf.is_tensor(value):
            allowed = "a tuple" if name == "extra_arguments" else "a dict"
            raise WrongType(explain(name, "a tensor", allowed, "Put the tensor into it."))
    settings = arguments.common(image, output, order, mode, cval, prefilter)
    if output_shape is None:
        out = tuple(tf.shape(image)[axis] if side is None else side for axis, side in enumerate(image.shape))
    else:
        out = arguments.shape_of_output(output_shape)
    image = _checks.not_empty(image, "input")
    grid = tf.meshgrid(
        *(tf.range(tf.cast(side, tf.float64), dtype=tf.float64) for side in out), indexing="ij"
    )
    if all(isinstance(side, int) for side in out):
        grid = [tf.ensure_shape(axis, out) for axis in grid]
    found = mapping(tuple(grid), *extra_arguments, **dict(extra_keywords or {}))
    where = _stacked(found, image.shape.rank, tf.shape(grid[0]))
    plan = Plan(given, settings.order, settings.mode, settings.compute, settings.dtype, settings.prefilter)
    result = sample(plan, image[tf.newaxis, ..., tf.newaxis], (where[tf.newaxis],), settings.cval, out)
    return tf.squeeze(result, [0, -1])


def _stacked(found: Any, rank: int, shape: Any) -> Any:
    if not isinstance(found, (tuple, list)):
        advice = "Return a tuple, one entry per axis of input."
        raise WrongType(
            explain("mapping", f"a function that returns {type(found).__name__}", "a tuple", advice)
        )
    if len(found) != rank:
        given_count = f"a function that returns {len(found)} coordinates"
        raise OutsideDomain(explain("mapping", given_count, f"{rank} of them", "One per axis of input."))
    try:
        parts = [
            tf.cast(part, tf.float64) if tf.is_tensor(part) else tf.constant(part, tf.float64)
            for part in found
        ]
    except (TypeError, ValueError) as error:
        raise WrongType(
            explain("mapping", "a function that returns something else", "numbers or tensors", str(error))
        ) from error
    return tf.stack([tf.broadcast_to(part, shape) for part in parts])
