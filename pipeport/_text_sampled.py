"""Text about the values that proofs draw. They do not limit what a native supports."""

from __future__ import annotations

import functools
from typing import Any

from pipeport import contract as c
from pipeport._text import are_samples, join


def _span(low: Any, high: Any) -> str:
    return f"{low:g} to {high:g}"


def _floats(spec: c.Image | c.Array | c.ArrayList) -> str:
    floating = any(dtype.startswith("float") for dtype in spec.dtypes)
    return f"; floats {_span(*spec.values)}" if floating else ""


@functools.singledispatch
def sampled_text(spec: c.Spec) -> str:  # noqa: ARG001 - for those registered
    """Return the values that proofs draw as text; empty if they are all supported values."""
    return ""


@sampled_text.register(c.Image)
@sampled_text.register(c.Array)
def _(spec: c.Image | c.Array) -> str:
    return f"sides {spec.sides[0]} to {spec.sides[1]}{_floats(spec)}"


@sampled_text.register(c.Real)
@sampled_text.register(c.Integer)
@sampled_text.register(c.Point)
@sampled_text.register(c.Shifts)
def _(spec: c.Real | c.Integer | c.Point | c.Shifts) -> str:
    return _span(spec.low, spec.high)


@sampled_text.register
def _(spec: c.OneOf) -> str:
    return join(map(repr, spec.values)) if are_samples(spec) else ""


@sampled_text.register
def _(spec: c.Maybe) -> str:
    inside = sampled_text(spec.spec)
    return f"None, or {inside}" if inside else ""


@sampled_text.register
def _(spec: c.PadWidths) -> str:
    return f"0 to {spec.high}"


@sampled_text.register
def _(spec: c.Shaped) -> str:
    sizes = [s if isinstance(s, str) else str(s) if isinstance(s, int) else _span(*s) for s in spec.shape]
    shape = ", ".join(sizes) + "," * (len(sizes) == 1)
    return f"shape ({shape}); values {_span(*spec.values)}"


@sampled_text.register
def _(spec: c.Operand) -> str:
    floats = f"floats {_span(*spec.values)}"
    return floats if spec.numbers is None else f"numbers {_span(*spec.numbers)}; {floats}"


@sampled_text.register
def _(spec: c.Matrix) -> str:
    offsets = "" if spec.kind == "linear" else f"; offsets {_span(*spec.offset)}"
    return f"turns, flips, scales, shears, simple fractions and any others{offsets}"


@sampled_text.register
def _(spec: c.PerAxis) -> str:
    return sampled_text(spec.spec)


@sampled_text.register
def _(spec: c.ArrayList) -> str:
    return f"{_span(*spec.counts)} arrays; sides {_span(*spec.sides)}{_floats(spec)}"


@sampled_text.register
def _(spec: c.Callback) -> str:
    return join([f"`{example.rpartition('.')[2]}`" for example in spec.examples], "and")


@sampled_text.register
def _(spec: c.ArrayFile) -> str:
    return f"sides {_span(*spec.sides)}"


@sampled_text.register(c.Boxes)
@sampled_text.register(c.Points)
def _(spec: c.Boxes | c.Points) -> str:
    return f"{_span(*spec.counts)} of them"


def sizes_text(name: str | None) -> str:
    """Return of which images, beside tiny ones, examples are drawn; empty where there are none."""
    if name is None:
        return ""
    planes = join((f"{rows}x{columns}" for rows, columns in c.LARGE), "and")
    return f"`{name}` of {planes} is drawn too, eagerly and in a graph"
