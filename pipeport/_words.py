"""Specs and agreements in words, for `pipeport catalog` and the catalog page."""

from __future__ import annotations

import functools
from typing import Any

from pipeport import contract as c


def _join(items: Any, word: str = "or") -> str:
    texts = list(items)
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {word} {texts[-1]}"


def _span(low: Any, high: Any) -> str:
    return f"{low:g} to {high:g}"


def _floats(spec: c.Image | c.Array | c.ArrayList) -> str:
    if not any(dtype.startswith("float") for dtype in spec.dtypes):
        return ""
    extremes = ", NaN and infinities included" if spec.non_finite else ", finite"
    return f"; floats {_span(*spec.values)}{extremes}"


@functools.singledispatch
def spec_text(spec: c.Spec) -> str:
    """Return the values a spec admits, in words."""
    raise NotImplementedError(f"no words for {type(spec).__name__}: add them to {__name__}")


@spec_text.register
def _(spec: c.Image) -> str:
    shapes = ["(H, W)" if n is None else f"(H, W, {n})" for n in spec.channels]
    return f"image {_join(shapes)} of {', '.join(spec.dtypes)}{_floats(spec)}"


@spec_text.register
def _(spec: c.Array) -> str:
    ranks = _join(map(str, spec.ranks))
    empty = ", zero-length axes included" if spec.sides[0] == 0 else ""
    return f"array of rank {ranks}{empty}, of {', '.join(spec.dtypes)}{_floats(spec)}"


@spec_text.register
def _(spec: c.LabelOf) -> str:
    ranks = _join(map(str, spec.ranks))
    return f"array of rank {ranks} with the height and width of `{spec.image}`, of {', '.join(spec.dtypes)}"


@spec_text.register
def _(spec: c.Real) -> str:
    return f"real number, {_span(spec.low, spec.high)}"


@spec_text.register
def _(spec: c.Degrees) -> str:
    return f"degrees, {_span(spec.low, spec.high)}"


@spec_text.register
def _(spec: c.Radians) -> str:
    return f"radians, {_span(spec.low, spec.high)}"


@spec_text.register
def _(spec: c.Integer) -> str:
    return f"integer, {spec.low} to {spec.high}"


@spec_text.register
def _(spec: c.Boolean) -> str:  # noqa: ARG001 - dispatched on its type
    return "True or False"


@spec_text.register
def _(spec: c.OneOf) -> str:
    return _join(map(repr, spec.values))


@spec_text.register
def _(spec: c.Maybe) -> str:
    return f"None, or {spec_text(spec.spec)}"


@spec_text.register
def _(spec: c.Point) -> str:
    return f"pair of real numbers, {_span(spec.low, spec.high)}"


@spec_text.register
def _(spec: c.Axes) -> str:
    forms = ["None"] * spec.none + ["one axis"] * spec.single
    if spec.several:
        count = "several" if spec.count is None else str(spec.count)
        forms.append(f"a tuple of {count} {'' if spec.repeats else 'distinct '}axes")
    return f"{_join(forms)} of `{spec.of}`, negative ones included"


@spec_text.register
def _(spec: c.Permutation) -> str:
    return f"None, or a permutation of the axes of `{spec.of}`, negative axes included"


@spec_text.register
def _(spec: c.Shifts) -> str:
    return f"integer, or one per axis of `{spec.axes}`, {spec.low} to {spec.high}"


@spec_text.register
def _(spec: c.PadWidths) -> str:
    return f"width, (before, after), or one pair per axis of `{spec.of}`; 0 to {spec.high}"


@spec_text.register
def _(spec: c.PadValues) -> str:
    return f"value, (before, after), or one pair per axis of `{spec.of}`"


@spec_text.register
def _(spec: c.SeedPair) -> str:  # noqa: ARG001 - dispatched on its type
    return "two integers, as tf.random.stateless_uniform takes them"


@spec_text.register
def _(spec: c.Shaped) -> str:
    shape = ", ".join(map(_size, spec.shape)) + "," * (len(spec.shape) == 1)
    extremes = ", NaN and infinities included" if spec.non_finite else ""
    each = "; one per image of a batch" if spec.per_image else ""
    return f"array ({shape}) of {', '.join(spec.dtypes)}, {_span(*spec.values)}{extremes}{each}"


def _size(size: int | tuple[int, int] | str) -> str:
    if isinstance(size, tuple):
        return f"{size[0]} to {size[1]}"
    if isinstance(size, int):
        return str(size)
    name, _, part = size.partition(".")
    return f"axes of `{name}`" if part == "ndim" else f"size of `{name}` along axis {part}"


_MAPS = {
    "linear": "linear map",
    "affine": "affine map, offsets {0}",
    "projective": "projective map, offsets {0}",
}


@spec_text.register
def _(spec: c.Matrix) -> str:
    kind = _MAPS[spec.kind].format(_span(*spec.offset))
    singular = ", singular ones included" if spec.singular else ""
    return f"matrix ({spec.rows}, {spec.columns}) of a {kind}{singular}, of {', '.join(spec.dtypes)}"


@spec_text.register
def _(spec: c.PerAxis) -> str:
    one = spec_text(spec.spec)
    many = f"{spec.count} of them" if spec.count is not None else f"one per axis of `{spec.of}`"
    return f"{one}; or {many}" if spec.single else f"{many}: {one}"


@spec_text.register
def _(spec: c.ArrayList) -> str:
    low, high = spec.counts
    along = f" up to `{spec.axis}`" if spec.axis else ""
    ranks = _join(map(str, spec.ranks))
    return (
        f"list of {low} to {high} arrays of rank {ranks} and one shape{along}, "
        f"of {', '.join(spec.dtypes)}{_floats(spec)}"
    )


@spec_text.register
def _(spec: c.Callback) -> str:
    names = [f"`{example.rpartition('.')[2]}`" for example in spec.examples]
    return f"callable of tensors; proved with {_join(names, 'and')}"


@spec_text.register
def _(spec: c.EncodedImage) -> str:
    known = [name for name in spec.formats if name not in ("broken", "missing")]
    more = [f"{name} files" for name in spec.formats if name in ("broken", "missing")]
    held = "path of a file" if spec.form == "path" else "bytes, one axis of uint8,"
    refused = f"; {_join(more, 'and')} are refused" if more else ""
    return f"{held} of an image: {', '.join(known)}{refused}"


@spec_text.register
def _(spec: c.ArrayFile) -> str:
    ranks = _join(map(str, spec.ranks))
    return f"path of an .npy file: rank {ranks}, of {', '.join(spec.dtypes)}, any byte and memory order"


@functools.singledispatch
def agreement_text(agreement: c.Agreement) -> str:
    """Return an agreement with its formula."""
    raise NotImplementedError(f"no words for {type(agreement).__name__}: add them to {__name__}")


@agreement_text.register
def _(agreement: c.Exact) -> str:  # noqa: ARG001 - dispatched on its type
    return "Exact: bit for bit (NaN agrees with NaN, zeros by sign)"


@agreement_text.register
def _(agreement: c.Ulps) -> str:
    return f"Ulps: within {agreement.n} units in the last place of the output dtype"


@agreement_text.register
def _(agreement: c.Within) -> str:
    return f"Within: |native - reference| <= {agreement.absolute:g}; {agreement.reason}"


@agreement_text.register
def _(agreement: c.WithinLevels) -> str:
    text = f"WithinLevels: within {agreement.n} grey levels, on at most {agreement.fraction:.3%} of pixels"
    return text if agreement.floats is None else f"{text}; {agreement_text(agreement.floats)}"


@agreement_text.register
def _(agreement: c.AsReference) -> str:
    text = (
        "AsReference: max|native - oracle| <= 2 max|reference - oracle| + 8 eps(output) max(1, max|oracle|)"
    )
    if agreement.coordinates_of:
        text += f" + 16 eps(float64) L max|{agreement.coordinates_of}|, L the longest side"
    text += " + 8 times what rounding the inputs differently moves the reference (at most the bound so far)"
    text += "; the oracle is the reference in float64"
    if agreement.jumps:
        text += "; at a discontinuity either side is accepted"
    return text


@agreement_text.register
def _(agreement: c.SameDistribution) -> str:
    return (
        f"SameDistribution: given the draw, {agreement_text(agreement.application)}; "
        f"the draw by a statistical test with false-alarm rate {agreement.false_alarm:g}"
    )
