"""Contracts in words and as JSON: what `pipeport catalog` and the catalog page print.

Imports no TensorFlow and no reference: a contract is plain data.
"""

from __future__ import annotations

import functools
import inspect
import json
from pathlib import Path
from typing import Any

from pipeport import contract as c
from pipeport.errors import PipeportError, explain

RATIOS = Path(__file__).with_name("last_ratios.json")
RATIOS_FORMAT = 1


def _join(items: Any, word: str = "or") -> str:
    texts = list(items)
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {word} {texts[-1]}"


def _span(low: Any, high: Any) -> str:
    return f"{low:g} to {high:g}"


def _floats(spec: c.Image | c.Array) -> str:
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


def engines_text(contract: c.Contract) -> str:
    """Return the engines a native serves; a star marks one it serves only in part."""
    partly = {limit.engine for limit in contract.cannot_serve}
    return " ".join(engine + "*" * (engine in partly) for engine in c.ENGINES)


def _names(contract: c.Contract) -> dict[str, str | None]:
    """Return every parameter with its default as text; those that `**kwargs` carries come last."""
    names: dict[str, str | None] = {}
    for parameter in contract.signature.parameters.values():
        if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            names[parameter.name] = None if parameter.default is parameter.empty else repr(parameter.default)
    for name in (*contract.domain, *contract.extra, *contract.refused):
        names.setdefault(name, "not given")
    return names


def _given_as(spec: c.Spec | None) -> str:
    if isinstance(spec, (c.Image, c.Array, c.LabelOf)):
        return "data"
    inner = spec.spec if isinstance(spec, c.Maybe) else spec
    tensor = spec is not None and inner is not None and (spec.tensor or inner.tensor)
    return "Python value or tensor" if tensor else "static"


def _parameter(contract: c.Contract, name: str, default: str | None) -> dict[str, Any]:
    spec = contract.domain.get(name) or contract.extra.get(name)
    if name in contract.refused:
        text = f"refused: {contract.refused[name]}"
    else:
        text = spec_text(spec) if spec is not None else "not part of the proof"
    return {
        "name": name,
        "default": default,
        "domain": text,
        "given_as": _given_as(spec),
        "extra": name in contract.extra,
        "refused": name in contract.refused,
    }


def entry(contract: c.Contract) -> dict[str, Any]:
    """Return everything a contract states, as plain data.

    Parameters
    ----------
    contract : Contract
        A pair of the catalog.

    Returns
    -------
    dict
        Strings, booleans, lists and dicts only; the keys are those of `pipeport catalog NAME --json`.
    """
    stock = contract.stock
    return {
        "native": contract.native,
        "reference": contract.reference,
        "aliases": list(contract.aliases),
        "summary": contract.summary,
        "signature": str(_plain(contract.signature)),
        "kind": contract.kind,
        "parameters": [_parameter(contract, *item) for item in _names(contract).items()],
        "returns": list(contract.returns),
        "agreement": agreement_text(contract.agreement),
        "differences": [difference.summary for difference in contract.differences],
        "engines": engines_text(contract).split(),
        "cannot_serve": [{"engine": x.engine, "reason": x.reason} for x in contract.cannot_serve],
        "stock": {"name": stock.name, "differs": stock.differs} if stock else None,
        "peers": [{"name": peer.name, "differs": peer.differs} for peer in contract.peers],
        "proven_against": contract.proven_against,
        "environment": contract.environment,
    }


def _plain(signature: inspect.Signature) -> inspect.Signature:
    """Return the signature without annotations, as the reference's documentation writes it."""
    return signature.replace(
        parameters=[p.replace(annotation=p.empty) for p in signature.parameters.values()],
        return_annotation=signature.empty,
    )


def last_ratios() -> dict[str, Any] | None:
    """Return the last measured ratios, or None where none were recorded.

    Returns
    -------
    dict or None
        The bench's file: `machine`, `commit`, and per native a list of measured cases.

    Raises
    ------
    PipeportError
        The file has another format than this version of pipeport reads.
    """
    if not RATIOS.exists():
        return None
    found: dict[str, Any] = json.loads(RATIOS.read_text(encoding="utf-8"))
    if found.get("format") != RATIOS_FORMAT:
        advice = "Write the file again with this version of pipeport."
        raise PipeportError(explain(RATIOS.name, f"format {found.get('format')}", str(RATIOS_FORMAT), advice))
    return found


def ratio_text(measured: dict[str, Any]) -> str:
    """Return one measured ratio with its confidence interval and verdict."""
    interval = f"{measured['low']:.2f} to {measured['high']:.2f}"
    return f"{measured['ratio']:.2f}x ({interval}), {measured['verdict']}"
