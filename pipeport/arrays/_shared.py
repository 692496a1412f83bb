"""What the results of natives share with the arrays they are given, and in which order they lie in memory."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from pipeport.arrays._access import one_order
from pipeport.arrays._making import fresh, reshaped_of, view_of
from pipeport.arrays._shapes import is_fortran
from pipeport.arrays._sharing import Tracked, is_of_tensorflow, track_of
from pipeport.arrays._strides import follow, unsure
from pipeport.arrays._views import Step, steps_of
from pipeport.kernels.inputs.arrays import sizes_of

_AS_ARRAY = ("array", "asanyarray", "asarray")

# Natives whose results lie in memory as what they are given does; so do those of ufuncs.
_FOLLOWING = frozenset(
    f"numpy.{name}"
    for name in (
        "array", "around", "asanyarray", "asarray", "clip", "copy", "empty_like", "full_like", "nan_to_num",
        "ones_like", "round", "where", "zeros_like",
    )
)  # fmt: skip

# Natives whose results lie in the order C, however what they are given lies.
_IN_ORDER = frozenset({"numpy.ascontiguousarray"})

# Natives that give arrays without axes, which can be written to; others give numbers.
_WITHOUT_AXES = frozenset(
    f"numpy.{name}"
    for name in (
        "array", "asanyarray", "asarray", "empty", "empty_like", "full", "full_like", "ones", "ones_like",
        "zeros", "zeros_like",
    )
)  # fmt: skip


class Sharer:
    """Makes arrays of a native's results that are views of one of its arguments.

    `reference`: name of what the native replaces. `place`: which of them the array is.
    """

    def __init__(
        self, reference: str, function: Callable[..., Any], args: Any, kwargs: Any, place: Any, base: Any
    ) -> None:
        self._name = reference.rpartition(".")[2]
        self._base = base
        # No other argument of natives that share is a text.
        self._order = next((one for one in (*args, *kwargs.values()) if isinstance(one, str)), None)
        self._step: Callable[[Any, Any], Step] = steps_of(self._name, function, args, kwargs, place)

    def array(self, tensor: Any, path: tuple[Any, ...]) -> Any:
        """Return one of the results as an array.

        Returns: a view, or where NumPy copies an array of its own.
        """
        base = self._base
        # Of a tensor NumPy makes an array, which promotes as one and writes to nothing else.
        apart = is_of_tensorflow(base) or (self._name == "diag" and base._values.shape.rank == 1)
        if apart or base._values.dtype != tensor.dtype:
            return fresh(tensor)
        contiguous = self._name in ("ascontiguousarray", "ravel") or (
            self._name in _AS_ARRAY and self._order == "C"
        )
        if tensor is base._values and not base.weak and not contiguous:
            return base
        if self._name in ("reshape", "ravel") and is_fortran(self._order, "CFAK"):
            return base.ravel("F") if self._name == "ravel" else base.reshape(sizes_of(tensor), order="F")
        step = self._step(path, tensor)
        if contiguous or self._name == "reshape":
            one_order(self._order, base)
            return reshaped_of(base, tensor, step, contiguous=contiguous)
        return view_of(base, tensor, step)


def ordered(reference: str, made: Any, args: Any, kwargs: Any) -> Any:
    """Note the order in memory of a native's results, as far as it is known.

    `reference`: name of what the native replaces.
    """
    given = list(_flat((*args, *kwargs.values())))
    for one in _flat((made,)):
        if not isinstance(one, Tracked) or reference in _IN_ORDER:
            continue
        track = track_of(one)
        if track is not None and reference in _WITHOUT_AXES and not one._values.shape.rank:
            track.own = True
        if not _follows(reference) or kwargs.get("order", "K") not in ("C", "K", None):
            unsure(one, given)
        elif kwargs.get("order") != "C":
            follow(one, given)
    return made


def _flat(values: Iterable[Any]) -> Iterable[Any]:
    for one in values:
        if type(one) in (list, tuple):
            yield from _flat(one)
        else:
            yield one


@functools.cache
def _follows(reference: str) -> bool:
    return reference in _FOLLOWING or isinstance(
        getattr(np, reference.removeprefix("numpy."), None), np.ufunc
    )
