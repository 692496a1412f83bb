"""Specs and agreements in words, for `pipeport catalog` and the site.

What is supported is here, what the examples of the proof are drawn from in `_text_sampled`: a range
of sizes or numbers in a spec is not a limit, unless the reference has it.
"""

from __future__ import annotations

import functools
from typing import Any

from pipeport import contract as c


def join(items: Any, word: str = "or") -> str:
    texts = list(items)
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {word} {texts[-1]}"


def _extremes(spec: c.Image | c.Array | c.ArrayList | c.Shaped) -> str:
    if not any(dtype.startswith("float") for dtype in spec.dtypes):
        return ""
    return "; NaN and infinities included" if spec.non_finite else "; finite"


@functools.singledispatch
def spec_text(spec: c.Spec) -> str:
    """Return the supported values of a spec as text; the reference's limits apply too."""
    raise NotImplementedError(f"no words for {type(spec).__name__}: add them to {__name__}")


@spec_text.register
def _(spec: c.Image) -> str:
    shapes = ["(H, W)" if n is None else f"(H, W, {n})" for n in spec.channels]
    return f"image {join(shapes)} of {', '.join(spec.dtypes)}{_extremes(spec)}"


@spec_text.register
def _(spec: c.Array) -> str:
    ranks = join(map(str, spec.ranks))
    empty = ", zero-length axes included" if spec.sides[0] == 0 else ""
    return f"array of rank {ranks}{empty}, of {', '.join(spec.dtypes)}{_extremes(spec)}"


@spec_text.register
def _(spec: c.LabelOf) -> str:
    ranks = join(map(str, spec.ranks))
    return f"array of rank {ranks} with the height and width of `{spec.image}`, of {', '.join(spec.dtypes)}"


@spec_text.register
def _(spec: c.Operand) -> str:
    image = f"image of the shape and dtype of `{spec.image}`"
    return image if spec.numbers is None else f"{image}, number, or tuple of up to {spec.channels} of them"


@spec_text.register
def _(spec: c.Real) -> str:  # noqa: ARG001 - dispatched on its type
    return "real number"


@spec_text.register
def _(spec: c.Degrees) -> str:  # noqa: ARG001 - dispatched on its type
    return "degrees"


@spec_text.register
def _(spec: c.Radians) -> str:  # noqa: ARG001 - dispatched on its type
    return "radians"


@spec_text.register
def _(spec: c.Integer) -> str:  # noqa: ARG001 - dispatched on its type
    return "integer"


@spec_text.register
def _(spec: c.Boolean) -> str:  # noqa: ARG001 - dispatched on its type
    return "True or False"


@spec_text.register
def _(spec: c.OneOf) -> str:
    return samples_text(spec) if are_samples(spec) else join(dict.fromkeys(map(value_text, spec.values)))


def value_text(value: Any) -> str:
    """Return a value as it is written, an array by its shape."""
    if hasattr(value, "shape"):
        return f"an array {' x '.join(map(str, value.shape))}"
    return repr(value)


def are_samples(spec: c.OneOf) -> bool:
    """Return whether the listed values stand for others: fractions and tuples do, names and codes do not."""
    return len(spec.values) > 1 and any(isinstance(value, (float, tuple, list)) for value in spec.values)


def samples_text(spec: c.OneOf) -> str:
    """Return the supported kind of value, with a few examples."""
    kinds = ["None"] * any(value is None for value in spec.values)
    kinds += dict.fromkeys(value_text(value) for value in spec.values if isinstance(value, str))
    kinds += ["an array"] * any(hasattr(value, "shape") for value in spec.values)
    kinds += ["a number"] * any(isinstance(value, (int, float)) for value in spec.values)
    lengths = sorted({len(value) for value in spec.values if isinstance(value, (tuple, list))})
    kinds += [f"{join(map(str, lengths))} numbers"] if lengths else []
    return ", or ".join(kinds)


@spec_text.register
def _(spec: c.Maybe) -> str:
    return f"None, or {spec_text(spec.spec)}"


@spec_text.register
def _(spec: c.Point) -> str:  # noqa: ARG001 - dispatched on its type
    return "pair of real numbers"


@spec_text.register
def _(spec: c.Axes) -> str:
    forms = ["None"] * spec.none + ["one axis"] * spec.single
    if spec.several:
        count = "several" if spec.count is None else str(spec.count)
        forms.append(f"a tuple of {count} {'' if spec.repeats else 'distinct '}axes")
    return f"{join(forms)} of `{spec.of}`, negative ones included"


@spec_text.register
def _(spec: c.Permutation) -> str:
    return f"None, or a permutation of the axes of `{spec.of}`, negative axes included"


@spec_text.register
def _(spec: c.Shifts) -> str:
    return f"integer, or one per axis of `{spec.axes}`"


@spec_text.register
def _(spec: c.PadWidths) -> str:
    return f"width, (before, after), or one pair per axis of `{spec.of}`"


@spec_text.register
def _(spec: c.PadValues) -> str:
    return f"value, (before, after), or one pair per axis of `{spec.of}`"


@spec_text.register
def _(spec: c.SeedPair) -> str:  # noqa: ARG001 - dispatched on its type
    return "two integers, as tf.random.stateless_uniform takes them"


@spec_text.register
def _(spec: c.Shaped) -> str:
    bound = [f"axis {axis} {_size(size)}" for axis, size in enumerate(spec.shape) if isinstance(size, str)]
    relation = f", {join(bound, 'and')}" if bound else ""
    each = "; one per image of a batch" if spec.per_image else ""
    ranked = f"array of rank {len(spec.shape)}{relation}, of {', '.join(spec.dtypes)}"
    return f"{ranked}{_extremes(spec)}{each}"


def _size(size: str) -> str:
    name, _, part = size.partition(".")
    return f"one per axis of `{name}`" if part == "ndim" else f"as long as axis {part} of `{name}`"


@spec_text.register
def _(spec: c.Matrix) -> str:
    kind = f"{'an' if spec.kind == 'affine' else 'a'} {spec.kind} map"
    singular = ", singular ones included" if spec.singular else ""
    return f"matrix ({spec.rows}, {spec.columns}) of {kind}{singular}, of {', '.join(spec.dtypes)}"


@spec_text.register
def _(spec: c.PerAxis) -> str:
    one = spec_text(spec.spec)
    many = f"{spec.count} of them" if spec.count is not None else f"one per axis of `{spec.of}`"
    return f"{one}; or {many}" if spec.single else f"{many}: {one}"


@spec_text.register
def _(spec: c.ArrayList) -> str:
    along = f" up to `{spec.axis}`" if spec.axis else ""
    ranks = join(map(str, spec.ranks))
    dtypes = ", ".join(spec.dtypes)
    return f"list of arrays of rank {ranks} and one shape{along}, of {dtypes}{_extremes(spec)}"


@spec_text.register
def _(spec: c.Callback) -> str:  # noqa: ARG001 - dispatched on its type
    return "callable of tensors"


@spec_text.register
def _(spec: c.EncodedImage) -> str:
    known = [name for name in spec.formats if name not in ("broken", "missing")]
    more = [f"{name} files" for name in spec.formats if name in ("broken", "missing")]
    held = "path of a file" if spec.form == "path" else "bytes, one axis of uint8,"
    refused = f"; {join(more, 'and')} are refused" if more else ""
    return f"{held} of an image: {', '.join(known)}{refused}"


@spec_text.register
def _(spec: c.ArrayFile) -> str:
    ranks = join(map(str, spec.ranks))
    return f"path of an .npy file: rank {ranks}, of {', '.join(spec.dtypes)}, any byte and memory order"


@spec_text.register
def _(spec: c.Boxes) -> str:
    return f"boxes as fractions, of {', '.join(spec.dtypes)}"


@spec_text.register
def _(spec: c.Points) -> str:
    return f"points inside `{spec.image}`, of {', '.join(spec.dtypes)}"


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
    grows = " + 2 eps(float32) L max|image| for floating images" if agreement.coordinates_of else ""
    return f"Within: |native - reference| <= {agreement.absolute:g}{grows}; {agreement.reason}"


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
    text += (
        " + 8 times what rounding the inputs differently, in float64, moves the reference "
        "(at most the bound so far, and 2^16 such roundings)"
    )
    text += "; the oracle is the reference in float64"
    if agreement.discontinuities:
        text += "; at a discontinuity either side is accepted, of the reference's own error too"
    return text


@agreement_text.register
def _(agreement: c.SameDistribution) -> str:
    return (
        f"SameDistribution: given the draw, {agreement_text(agreement.application)}; "
        f"the draw by a statistical test with false-alarm rate {agreement.false_alarm:g}"
    )


@agreement_text.register
def _(agreement: c.SameAugmentation) -> str:
    images, masks = agreement_text(agreement.image), agreement_text(agreement.mask)
    both = f"images and masks {images}" if images == masks else f"images {images}; masks {masks}"
    return (
        f"SameAugmentation: given the draw, {both}; boxes and points within {agreement.points:g}; the draw "
        f"by a two-sample test with false-alarm rate {agreement.false_alarm:g}"
    )
