"""Derive a verdict with its reason from the calls of a body."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from pipeport import meanings
from pipeport._nearest import NEAREST
from pipeport.scan._body import Body, Use
from pipeport.scan._boundaries import BoundarySite, scope_names
from pipeport.scan._module import Module
from pipeport.scan._resolve import Target, is_abstract
from pipeport.scan._rules import CHANGE, CLEAR, ELSEWHERE, ISLANDS, NEVER, UNKNOWN


@dataclass(frozen=True)
class Judgement:
    """A verdict and why.

    `reason`: why, in one or two sentences. `module`, `line`: where it shows; None where it is the boundary
    itself.
    """

    verdict: str
    reason: str
    module: Module | None = None
    line: int | None = None


def judge(boundary: BoundarySite, target: Target, body: Body) -> Judgement:
    """Give the verdict on a body.

    Returns: the strongest that can be said.
    """
    for found in (_abstract, _elsewhere, _metric, _never, _islands, _load, _change, _missing):
        judgement = found(boundary, target, body)
        if judgement is not None:
            return judgement
    return _clear(boundary, body)


def _abstract(boundary: BoundarySite, target: Target, body: Body) -> Judgement | None:
    del boundary, body
    if target.kind == "function" and target.module is not None and is_abstract(target.node):
        reason = f"{target.name} is abstract: classes that inherit it say what it does."
        return Judgement(UNKNOWN, reason, target.module, target.node.lineno)
    return None


def _said(verdict: str, use: Use, reason: str) -> Judgement:
    return Judgement(verdict, reason, use.module, use.line)


def _of(body: Body, *kinds: str) -> list[Use]:
    return [use for use in body.uses if use.meaning.kind in kinds]


def _names(uses: list[Use]) -> str:
    names = list(dict.fromkeys(use.name for use in uses))
    more = f" and {len(names) - 2} more" if len(names) > 3 else ""
    return ", ".join(names[: 2 if more else 3]) + more


def _elsewhere(boundary: BoundarySite, target: Target, body: Body) -> Judgement | None:
    del boundary, target
    uses = _of(body, meanings.ELSEWHERE)
    if uses:
        return _said(ELSEWHERE, uses[0], f"{uses[0].name}: {uses[0].meaning.advice}")
    logs = _of(body, meanings.LOG)
    others = _of(body, meanings.NATIVE, meanings.DRAW, meanings.REFUSED, meanings.NEVER)
    if logs and not others and not body.missing:
        return _said(ELSEWHERE, logs[0], f"{logs[0].name}: it prints or logs. Leave it, or use tf.print.")
    return None


def _metric(boundary: BoundarySite, target: Target, body: Body) -> Judgement | None:
    del body
    names = set(scope_names(boundary.location.scope))
    if target.module is not None and target.kind == "function":
        names |= {one.arg for one in ast.walk(target.node.args) if isinstance(one, ast.arg)}
    if {"y_true", "y_pred"} <= names:
        reason = "It compares y_true with y_pred: a metric or a loss, not a step of the input pipeline."
        return Judgement(ELSEWHERE, reason)
    return None


def _never(boundary: BoundarySite, target: Target, body: Body) -> Judgement | None:
    del boundary, target
    uses = _of(body, meanings.NEVER)
    return _said(NEVER, uses[0], f"{uses[0].name}: {uses[0].meaning.advice}") if uses else None


def _islands(boundary: BoundarySite, target: Target, body: Body) -> Judgement | None:
    del boundary, target
    refused = _of(body, meanings.REFUSED)
    if not refused:
        return None
    work = _of(body, meanings.NATIVE, meanings.DRAW)
    near = "".join(
        f" For {use.name}: {write}"
        for use in {use.name: use for use in refused}.values()
        if (write := NEAREST.get(use.name))
    )
    if work:
        reason = (
            f"No native: {_names(refused)}.{near} The rest has one: {_names(work)}. "
            "pipeport.port(f, example=..., islands=True) keeps Python for these alone."
        )
        return _said(ISLANDS, refused[0], reason)
    reason = f"{_names(refused)} has no native, and is all the work that it does.{near}"
    if len({use.name for use in refused}) > 1:
        reason = f"{_names(refused)} have no native, and are all the work that it does.{near}"
    return _said(NEVER, refused[0], reason)


def _load(boundary: BoundarySite, target: Target, body: Body) -> Judgement | None:
    """Judge a body that reads files of NumPy: a graph must know what they hold, and `Tout` says it."""
    del target
    loads = [use for use in body.uses if use.name == "numpy.load"]
    if not loads or body.missing:
        return None
    use = loads[0]
    refused = [one for one in body.changes if one.name.endswith("of numpy.load")]
    if refused:
        return _said(NEVER, use, f"{refused[0].name}: {refused[0].meaning.advice} {_RECIPE}")
    if boundary.tout is not None:
        return None
    cast = {id(one) for one in meanings.cast_at_once(ast.walk(use.module.tree))}
    if all(id(one.node) in cast for one in loads):
        return None
    reason = (
        "numpy.load gives what the file holds, and a graph must know the dtype: state it as `Tout`, or "
        "cast at once, as in np.load(path).astype(np.float32)."
    )
    return _said(CHANGE, use, reason)


_RECIPE = "Convert once: pipeport recipe npz-to-tfrecord."


def _change(boundary: BoundarySite, target: Target, body: Body) -> Judgement | None:
    del target
    if boundary.wrapper == "from_generator":
        return None
    if not body.changes:
        return None
    use = body.changes[0]
    others = list(dict.fromkeys(one.name for one in body.changes if one.name != use.name))
    more = f" Also: {', '.join(others[:4])}." if others else ""
    return _said(CHANGE, use, f"{use.name}: {use.meaning.advice}{more}")


def _missing(boundary: BoundarySite, target: Target, body: Body) -> Judgement | None:
    del boundary
    if not body.missing:
        return None
    use = body.missing[0]
    others = len({one.name for one in body.missing}) - 1
    more = f" (and {others} more)" if others > 0 else ""
    if target.kind in ("unknown", "param", "library"):
        return Judgement(UNKNOWN, f"What it calls is not found in the scanned files: {use.name}{more}.")
    return _said(UNKNOWN, use, f"Not found in the scanned files: {use.name}{more}.")


def _clear(boundary: BoundarySite, body: Body) -> Judgement:
    native = _of(body, meanings.NATIVE, meanings.DRAW)
    draws = _of(body, meanings.DRAW)
    reason = (
        f"All that it calls has a native: {_names(native)}."
        if native
        else "It calls nothing without a native."
    )
    if only_tensorflow(boundary, body):
        reason = "Its body is nothing but TensorFlow: the wrapper can go."
    if draws:
        reason += " It draws: map it with pipeport.seeds.seeded_map, which gives each element a seed."
    for use in (*native, *body.uses):
        return _said(CLEAR, use, reason)
    return Judgement(CLEAR, reason)


def only_tensorflow(boundary: BoundarySite, body: Body) -> bool:
    """Say whether a body takes tensors and calls TensorFlow, and of other libraries nothing."""
    kinds = {use.meaning.kind for use in body.uses}
    plain = {meanings.TENSORFLOW, meanings.BUILT_IN, meanings.PYTHON}
    whole = meanings.TENSORFLOW in kinds and kinds <= plain and not body.changes and not body.missing
    return whole and boundary.wrapper == "py_function" and not body.arrays
