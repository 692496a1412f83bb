"""array."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.arrays import accepts_ndarray
from pipeport.contract import Array, Exact, Integer, Maybe, OneOf, batch_form, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.integers import static
from pipeport.numpy._asarray import asarray, representable


@replaces(
    "numpy.array",
    domain={
        "object": Array(),
        "dtype": Maybe(
            spec=OneOf("bool", "uint8", "int32", "int64", "float16", "float32", "float64"),
            typical="float32",
        ),
        "ndmin": Integer(0, 4, typical=0),
    },
    agreement=Exact(),
    refused={
        "order": "tensors have one memory order",
        "subok": "there are no subclasses",
        "copy": "the result always has elements of its own",
        "ndmax": "there are no object arrays",
        "like": "the result is an array of pipeport",
    },
    parameters="(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None)",
    compared=("pipeport.arrays._give.opened", "numpy.asarray"),
    valid=lambda arguments: representable({**arguments, "a": arguments["object"]}),
)
@accepts_ndarray
def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: Any = "K",
    subok: Any = False,
    ndmin: Any = 0,
    ndmax: Any = 0,
    like: Any = None,
) -> Any:
    """Return an array, an image object or nested lists as an array that behaves as NumPy's.

    Native equivalent of `numpy.array`. What it gives has NumPy's methods, operators and promotion, and
    goes into every TensorFlow function: it is the way from tensors to arrays.

    Parameters
    ----------
    object : array_like, or an object with ``__pipeport_array__()``
        Any shape, bool or any number. Lists take the dtype NumPy gives them: int64 or float64.
    dtype : dtype or None, default None
        Of the result; None keeps that of `object`.
    copy : bool or None, default True
        The result always has elements of its own; False, which NumPy refuses where that takes a copy, is
        refused.
    order : {'K', 'A', 'C'}
        Refused otherwise: tensors have one memory order.
    subok : False
        Refused otherwise: there are no subclasses.
    ndmin : int, default 0
        Least number of axes; missing ones are added in front.
    ndmax : 0
        Refused otherwise: there are no object arrays.
    like : None
        Refused.

    Returns
    -------
    pipeport.numpy.ndarray, shape of `object`
        Its elements; fractions are dropped by a cast to integers, integers wrap around.

    Raises
    ------
    OutsideDomain
        A plain value the dtype cannot hold, ragged lists, or a negative `ndmin`.
    UnsupportedArgument
        `copy`, `order`, `subok`, `ndmax` or `like` is not served, or `ndmin` needs a rank that is unknown.
    WrongType
        `object` is not an array, `dtype` none that TensorFlow has, or `ndmin` no integer.

    Notes
    -----
    Agreement: bit for bit, NaN included. Floating values an integer dtype cannot hold, NaN among
    them, are as undefined as in NumPy.
    Graph: at most two casts and a reshape; static shape is kept.

    Examples
    --------
    >>> from pipeport.numpy import array
    >>> array([1, 2, 255], dtype="uint8") / 255
    array([0.00392157, 0.00784314, 1.        ])
    """
    served = {
        "order": (order, ("K", "A", "C", None)), "subok": (subok, (False,)), "like": (like, (None,)),
        "ndmax": (ndmax, (0,)), "copy": (copy, (True, None)),
    }  # fmt: skip
    for name, (value, allowed) in served.items():
        if not any(value is one or (type(value) is str and value == one) for one in allowed):
            raise UnsupportedArgument(
                explain(name, repr(value), " or ".join(map(repr, allowed)), "Leave it out.")
            )
    ndmin = static(ndmin, "ndmin")
    x = asarray(object, dtype)
    return tf.identity(x) if type(ndmin) is int and not ndmin else _with_axes(x, ndmin)


def _with_axes(x: Any, ndmin: Any) -> Any:
    if type(ndmin) is not int:
        raise WrongType(explain("ndmin", repr(ndmin), "a Python integer", "Give one."))
    if not 0 <= ndmin <= 64:
        raise OutsideDomain(explain("ndmin", ndmin, "0 to 64", "Give the number of axes."))
    if x.shape.rank is None:
        advice = "State it with tf.ensure_shape."
        raise UnsupportedArgument(explain("object", "an unknown rank", "a known rank with `ndmin`", advice))
    for _ in range(ndmin - x.shape.rank):
        x = tf.expand_dims(x, 0)
    return x


@batch_form(array)
def _array_batch(object: Any, dtype: Any = None, *, ndmin: Any = 0, **others: Any) -> Any:
    if ndmin:
        x = asarray(object, dtype)
        for _ in range(ndmin - (x.shape.rank - 1)):
            x = tf.expand_dims(x, 1)
        return x
    return array(object, dtype, **others)
