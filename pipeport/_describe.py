"""Contracts as text and as JSON, for `pipeport catalog` and the site.

Imports no TensorFlow and no reference: a contract is plain data.
"""

from __future__ import annotations

import inspect
from typing import Any

from pipeport import _figures, catalog
from pipeport import contract as c
from pipeport._releases import MAIN, Release, Rows
from pipeport._text import agreement_text as agreement_text
from pipeport._text import samples_text
from pipeport._text import spec_text as spec_text
from pipeport._text_sampled import sampled_text as sampled_text
from pipeport._text_sampled import sizes_text

# Of these a few values are listed, whole numbers at times; any other is as good.
_FILLS = ("fill", "mask_fill", "color", "cval")


def engines_text(contract: c.Contract) -> str:
    """Return the engines a native serves; a star marks one it serves only in part."""
    partly = {limit.engine for limit in contract.cannot_serve}
    return " ".join(engine + "*" * (engine in partly) for engine in c.ENGINES)


def agreement_short(agreement: c.Agreement) -> str:
    """Return an agreement in a word or two, for lists."""
    if isinstance(agreement, (c.SameDistribution, c.SameAugmentation)):
        # In full too wide for the list.
        given = agreement.image if isinstance(agreement, c.SameAugmentation) else agreement.application
        return f"{agreement_short(given)}, random" if isinstance(given, c.Exact) else "random"
    if isinstance(agreement, (c.Ulps, c.WithinLevels)):
        unit = "ulp" if isinstance(agreement, c.Ulps) else "level"
        return f"{agreement.n} {unit}{'s' * (agreement.n > 1)}"
    if isinstance(agreement, c.Within):
        return f"within {agreement.absolute:g}"
    return "exact" if isinstance(agreement, c.Exact) else "as reference"


def _names(contract: c.Contract) -> dict[str, str | None]:
    """Return every parameter with its default as text; those that `**kwargs` carries come last."""
    names: dict[str, str | None] = {}
    for parameter in contract.signature.parameters.values():
        if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            names[parameter.name] = None if parameter.default is parameter.empty else repr(parameter.default)
    for name in (*contract.domain, *contract.extra, *contract.refused):
        names.setdefault(name, "not given")
    for name in _of_calls(contract):
        names[name] = "in the call"
    return names


def _of_calls(contract: c.Contract) -> dict[str, c.Spec]:
    """Describe the arguments of a class's objects, if the contract includes them."""
    return {**contract.targets, "seed": c.SeedPair(tensor=True)} if contract.targets else {}


def _given_as(spec: c.Spec | None) -> str:
    inner = spec.spec if isinstance(spec, c.Maybe) else spec
    if isinstance(inner, (c.Image, c.Array, c.ArrayList, c.LabelOf, c.Operand, c.Boxes, c.Points)):
        return "data"
    if isinstance(inner, c.Shaped) and inner.per_image:
        return "data"
    if isinstance(inner, c.PerAxis) and inner.spec.tensor:
        return "Python value or tensor"
    tensor = spec is not None and inner is not None and (spec.tensor or inner.tensor)
    return "Python value or tensor" if tensor else "static"


def _parameter(contract: c.Contract, name: str, default: str | None) -> dict[str, Any]:
    spec = contract.domain.get(name) or contract.extra.get(name) or _of_calls(contract).get(name)
    drawn = ""
    if name in contract.refused:
        text = f"refused: {contract.refused[name]}"
    elif spec is None:
        text = "not part of the proof"
    elif isinstance(spec, c.OneOf) and name in _FILLS:
        text, drawn = samples_text(spec), ", ".join(map(repr, spec.values))
    else:
        text, drawn = spec_text(spec), sampled_text(spec)
    return {
        "name": name,
        "default": default,
        "supported": text,
        "drawn": drawn,
        "given_as": _given_as(spec),
        "extra": name in contract.extra,
        "refused": name in contract.refused,
    }


def entry(contract: c.Contract, release: Release | None = None) -> dict[str, Any]:
    """Return everything a contract states, and what a release says of the pair, as plain data.

    `release`: whose proof and ratios are told. Returns: strings, booleans, lists and dicts only; the keys are
    those of `pipeport catalog NAME --json`.
    """
    stock = contract.stock
    proof = release.proof_text(contract.native) if release else ""
    ratios = release.figures.get(contract.native, []) if release else []
    large = c.large_image({**contract.domain, **contract.targets}, contract.agreement)
    return {
        "native": contract.native,
        "short": catalog.short(contract),
        "reference": contract.reference,
        "aliases": list(contract.aliases),
        "summary": contract.summary,
        "speed": " ".join(filter(None, (_measured_slower(contract, ratios), contract.speed))),
        "signature": str(_plain(contract.signature)),
        "kind": contract.kind,
        "parameters": [_parameter(contract, *item) for item in _names(contract).items()],
        "large_images": sizes_text(large),
        "returns": list(contract.returns),
        "agreement": agreement_text(contract.agreement),
        "agreement_short": agreement_short(contract.agreement),
        "differences": [difference.summary for difference in contract.differences],
        "engines": engines_text(contract).split(),
        "cannot_serve": [{"engine": x.engine, "reason": x.reason} for x in contract.cannot_serve],
        "stock": {"name": stock.name, "differs": stock.differs} if stock else None,
        "peers": [{"name": peer.name, "differs": peer.differs} for peer in contract.peers],
        "proven_against": contract.proven_against,
        "environment": contract.environment,
        "released": bool(proof),
        "proof": proof,
        "ratios": ratios,
    }


def _measured_slower(contract: c.Contract, ratios: Rows) -> str:
    """Return where a release measured a native slower than its reference, and what to use there."""
    name = contract.reference
    cases = [f"{one['ratio']:.2f}x ({one['case']})" for one in ratios if _figures.is_slower(one, name)]
    if not cases:
        return ""
    if contract.environment != MAIN:
        advice = "It needs no TensorFlow Addons, which has no release for newer TensorFlow."
    elif contract.kind != "function" or isinstance(
        contract.agreement, (c.SameDistribution, c.SameAugmentation)
    ):
        advice = "Where it takes most of the time, leave the function in tf.numpy_function."
    else:
        ways = f"`pipeport.port(.., islands={{{name!r}: True}})` and `pipeport run --keep {name}`"
        advice = f"{ways} leave it Python."
    return f"slower than {name}, {', '.join(cases)}. {advice}"


def _plain(signature: inspect.Signature) -> inspect.Signature:
    """Return the signature without annotations, as the reference's documentation writes it."""
    return signature.replace(
        parameters=[p.replace(annotation=p.empty) for p in signature.parameters.values()],
        return_annotation=signature.empty,
    )
