"""`scipy.ndimage.sobel` and `prewitt`: a difference along one axis, smoothed along the others."""

from __future__ import annotations

from typing import Any

from pipeport.contract import AsReference, Image, OneOf, replaces, sibling, variant
from pipeport.kernels.sampling._correlation import Line, correlated
from pipeport.scipy.ndimage import _arguments as arguments
from pipeport.scipy.ndimage import _filter_arguments as filters

_DIFFERENCE = (-1.0, 0.0, 1.0)
_DOMAIN = {
    "input": Image(dtypes=filters.DTYPES, sides=(1, 9)),
    "axis": OneOf(-1, 0, 1),
    "output": filters.OUTPUTS,
    "mode": filters.MODES,
    "cval": arguments.CVALS,
}


@replaces(
    "scipy.ndimage.sobel",
    domain=_DOMAIN,
    agreement=AsReference(),
    valid=lambda call: filters.is_valid(call, 32.0),
    differences=filters.differences({}),
)
@variant((1.0, 2.0, 1.0))
def sobel(
    beside: tuple[float, ...],
    batch_axes: int,
    input: Any,
    axis: int = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: float = 0.0,
) -> Any:
    """Return the derivative along one axis by Sobel's weights.

    Parameters
    ----------
    input : tf.Tensor, 1 to 5 axes, bool, integers, float32 or float64
        The array. Sizes may be unknown while tracing.
    axis : int, default -1
        The axis along which elements are subtracted, by (-1, 0, 1); along the others they are smoothed by
        (1, 2, 1).
    output : dtype, optional
        Dtype of the result and of what is kept between two axes; the input's when None. Integers wrap
        around: for a uint8 image give a wider one. An array to write into is refused.
    mode : str or one per axis, default 'reflect'
        The border mode, see `correlate1d`.
    cval : float, default 0.0
        Value beyond the ends in mode 'constant'.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`, shape of `input`
        The derivative.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        A `mode` not listed, a bool result, an array as `output`, an unknown rank, or a tensor where a
        Python value is needed.
    OutsideDomain
        Another number of modes than axes, or an array of another dtype.
    WrongType
        An argument is not a number where one is needed, for instance text.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64; integers are equal. A NaN with an
    integer output is outside the domain.
    Graph: one compiled program where sizes are known. Static shape is kept.

    Source: `scipy/ndimage/_filters.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import sobel
    >>> sobel(tf.constant([[0.0, 1.0, 3.0]] * 3)).numpy().tolist()
    [[4.0, 12.0, 8.0], [4.0, 12.0, 8.0], [4.0, 12.0, 8.0]]
    """
    array = filters.array_of(input, 1, batch_axes)
    dtype = filters.dtype_of_result(output, array.dtype)
    rank = array.shape.rank - batch_axes
    place = filters.axis_of(axis, rank)
    rules = [filters.rule_of(one) for one in filters.per_axis(mode, rank, "mode")]
    lines = [Line(place + batch_axes, rules[place], _DIFFERENCE)]
    lines += [Line(one + batch_axes, rules[one], beside) for one in range(rank) if one != place]
    return correlated(array, lines, arguments.fill_of(cval, dtype), dtype)


prewitt = sibling(
    sobel,
    "prewitt",
    (1.0, 1.0, 1.0),
    {
        "Sobel's": "Prewitt's",
        "(1, 2, 1)": "(1, 1, 1)",
        "[4.0, 12.0, 8.0]": "[3.0, 9.0, 6.0]",
    },
    valid=lambda call: filters.is_valid(call, 18.0),
)
