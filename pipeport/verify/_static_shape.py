"""Static shapes that a graph must know about its outputs while it is traced.

A dimension may be unknown only if nothing known while tracing determines it. That is found out, not
declared: the reference is called again with other values of what enters the graph, with other draws, and,
where sizes are unknown, with other sizes. A dimension that never changes is one the native should have known.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pipeport.contract import ArrayFile, Boolean, EncodedImage, Integer, PerAxis, Real, Spec
from pipeport.errors import NotEquivalent
from pipeport.verify import _files
from pipeport.verify._draw_files import others
from pipeport.verify._example import Example, inner, is_data, unknown_axes
from pipeport.verify._mini_specs import File, Text
from pipeport.verify._outcome import Outcome, run_reference
from pipeport.verify._pair import Pair

Shapes = list[tuple[int, ...]]
_RANK = -1  # stands for the rank among the axes of an output


def check_static(pair: Pair, call: Example, expected: Outcome, actual: Outcome) -> None:
    """Raise when a graph knows less or other than the shapes its outputs have.

    `call`: the example; its first element gave `expected`. `expected`, `actual`: of the reference, and of the
    native, without a batch axis.
    """
    if actual.static is None:
        return
    names = pair.returns if len(pair.returns) == len(actual.static) else None
    missing: list[tuple[int, int]] = []
    for output, (shape, leaf) in enumerate(zip(actual.static, expected.leaves, strict=True)):
        name = names[output] if names else f"output {output}"
        if shape is None:
            if (output, _RANK) not in _free(pair, call, {(output, _RANK)}):
                raise NotEquivalent(f"{name} static shape: the rank is lost while tracing; it is {leaf.ndim}")
            continue
        if len(shape) != leaf.ndim or any(s not in (None, n) for s, n in zip(shape, leaf.shape, strict=True)):
            raise NotEquivalent(f"{name} static shape: says {_text(shape)}, the result is {leaf.shape}")
        missing += [(output, axis) for axis, size in enumerate(shape) if size is None]
    if not missing or pair.port_islands:  # of an island's result only the rank is known
        return
    free = _free(pair, call, set(missing))
    for output, axis in missing:
        if (output, axis) not in free:
            shape = actual.static[output] or ()
            name = names[output] if names else f"output {output}"
            raise NotEquivalent(
                f"{name} static shape: lost on axis {axis}: {_text(shape)} while tracing, although the "
                f"inputs determine it ({expected.leaves[output].shape[axis]})"
            )


def _text(shape: tuple[int | None, ...]) -> str:
    return "(" + ", ".join("?" if s is None else str(s) for s in shape) + ")"


def _free(pair: Pair, call: Example, sought: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the (output, axis) whose size depends on what is unknown while tracing, those sought among them.

    `_RANK` as axis: the rank itself does, as with `numpy.squeeze`.
    """
    own = pair.of_reference(call.arguments)
    arrays = {name: _rank(value) for name, value in own.items() if is_data(value)}
    larger = _resized(own, {name: unknown_axes(pair.specs[name], rank) for name, rank in arrays.items()}, 3)
    free: set[tuple[int, int]] = set()
    for base in (own, larger):
        shapes = _shapes(pair, base)
        for probe in _other_values(pair, call, base):
            free |= _changed(shapes, _shapes(pair, probe))
    if call.trace == "unknown":
        shapes = _shapes(pair, own)
        for more in (1, 3, 6, 9, None):  # 9 changes the number of bytes that hold one bit or two
            free |= _changed(shapes, _shapes(pair, _resized(own, call.unknown, more)))
    for redrawn in pair.redrawn:
        if sought <= free:
            break
        free |= _changed(_shapes(pair, own), _shapes(dataclasses.replace(pair, reference=redrawn), own))
    return free


def _rank(value: Any) -> int:
    return np.ndim(value[0] if isinstance(value, list) else value)


def _shapes(pair: Pair, arguments: Mapping[str, Any]) -> Shapes | None:
    outcome = run_reference(pair.reference, arguments)
    return None if outcome.error else [leaf.shape for leaf in outcome.leaves]


def _changed(before: Shapes | None, after: Shapes | None) -> set[tuple[int, int]]:
    if before is None or after is None:
        return set()
    both = list(enumerate(zip(before, after, strict=False)))
    sizes = {
        (output, axis)
        for output, (a, b) in both
        for axis in range(max(len(a), len(b)))
        if a[axis : axis + 1] != b[axis : axis + 1]
    }
    return sizes | {(output, _RANK) for output, (a, b) in both if len(a) != len(b)}


def _resized(
    arguments: Mapping[str, Any], axes: Mapping[str, tuple[int, ...]], more: int | None
) -> dict[str, Any]:
    """Return arrays grown on some axes, by the same number everywhere: sizes that were equal stay equal.

    With None, these axes have one element.
    """
    grown = dict(arguments)
    for name, which in axes.items():
        value = arguments.get(name)
        if is_data(value):
            parts = [_grown(part, which, more) for part in (value if isinstance(value, list) else [value])]
            grown[name] = parts if isinstance(value, list) else parts[0]
    return grown


def _grown(array: Any, axes: tuple[int, ...], more: int | None) -> Any:
    shape = tuple(
        n if axis not in axes else 1 if more is None else n + more for axis, n in enumerate(array.shape)
    )
    return np.resize(array, shape) if array.size else np.zeros(shape, array.dtype)


def _other_values(pair: Pair, call: Example, base: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the arguments with other values for everything that enters the graph as data.

    Where a real number is data, the other real parameters vary too: a size computed from all
    of them rounds one way or the other by the last bit of each (the grown size of a rotation
    by a known angle about an unknown centre).
    """
    names = {name for name, dtype in call.tensors.items() if name in base and dtype != "string"}
    if any(dtype.startswith("float") for dtype in call.tensors.values()):
        names |= {name for name, value in base.items() if _is_real(pair.specs[name], value)}
    for share in (0.0, 0.137, 0.291, 0.463, 0.618, 0.877, 1.0):
        other = dict(base)
        for name in names:
            other[name] = _elsewhere(pair.specs[name], other[name], share)
        yield other
    for fill in (0, 1):
        yield {
            n: np.full_like(v, fill) if isinstance(v, np.ndarray) and call.enters(n) else v
            for n, v in base.items()
        }
    # What a file holds is found out when the graph runs, even where its path is known.
    for name, value in base.items():
        kind = inner(pair.specs[name])
        if isinstance(kind, (EncodedImage, ArrayFile)):
            yield from ({**base, name: other} for other in others(kind, value))
        if isinstance(kind, (File, Text)):
            yield from ({**base, name: other} for other in _other_strings(kind))


def _other_strings(spec: File | Text) -> Iterator[bytes]:
    """Yield strings, or paths of files that hold something of other sizes."""
    if isinstance(spec, Text):
        yield from (one.encode() for one in spec.choices or ("", "a/b.png"))
    elif spec.holds is None:
        yield from (_files.written(spec.format, lines).encode() for lines in ("a\n", "a b\nc\nd\n"))
    else:
        for free in (1, 3):
            shape = [free for _ in spec.holds.sizes]
            if spec.format in _files.IMAGES and len(shape) == 3:
                shape[2] = spec.holds.sizes[2].low
            yield _files.written(spec.format, np.zeros(shape, spec.holds.dtypes[0])).encode()


def _is_real(spec: Spec, value: Any) -> bool:
    return isinstance(inner(spec), Real) and isinstance(value, (int, float))


def _elsewhere(spec: Spec, value: Any, share: float) -> Any:
    """Return another value of the same form."""
    kind = inner(spec)
    if isinstance(value, bool) or isinstance(kind, Boolean):
        return share >= 0.5
    if isinstance(kind, Real):
        return kind.low + (kind.high - kind.low) * share
    if isinstance(kind, Integer):
        return kind.low + round((kind.high - kind.low) * share)
    if isinstance(kind, PerAxis):
        one = kind.spec
        many = isinstance(value, (tuple, list))
        return (
            type(value)(_elsewhere(one, v, share) for v in value) if many else _elsewhere(one, value, share)
        )
    step = round(share * 7)
    if isinstance(value, (tuple, list)):
        return type(value)(_elsewhere(spec, v, share) for v in value)
    return value + step if isinstance(value, (int, float)) else value
