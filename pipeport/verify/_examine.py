"""Judge one example: run both functions, gather the evidence, compare everything that counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport.contract import SameAugmentation, SameDistribution
from pipeport.errors import NotEquivalent
from pipeport.verify._augmentation import check_sizes, judge_augmentation
from pipeport.verify._engines import run_native
from pipeport.verify._evidence import gather
from pipeport.verify._example import Example
from pipeport.verify._judge import Worst
from pipeport.verify._oracle import compare
from pipeport.verify._outcome import Outcome, flatten, run_reference
from pipeport.verify._pair import Pair
from pipeport.verify._require import resolve
from pipeport.verify._static_shape import check_static


def is_refused(pair: Pair, call: Example) -> bool:
    """Return whether the reference refuses an example."""
    each = (run_reference(pair.reference, pair.of_reference(element)) for element in call.elements)
    return any(outcome.error for outcome in each)


def examine(pair: Pair, call: Example, engine: str) -> Worst | None:
    """Run one example and raise unless the native agrees.

    Returns: how far apart they are. None when nothing can be compared: the reference refuses the example at
    run time and the engine is `xla`, which drops assertions.
    """
    expected = [run_reference(pair.reference, pair.of_reference(element)) for element in call.elements]
    actual = run_native(pair.native, call, engine)
    refusals = [outcome for outcome in expected if outcome.error]
    if refusals:
        if engine == "xla" and (actual.error is None or actual.error.when == "run"):
            return None
        return compare(refusals[0], actual, pair.agreement, called=pair.called)
    if actual.error:
        return compare(expected[0], actual, pair.agreement, called=pair.called)
    if pair.contract is not None and actual.boundaries:
        raise NotEquivalent(f"graph: the native holds a Python boundary ({', '.join(actual.boundaries)})")
    parts = _unstacked(actual, len(call.elements)) if engine == "batched" else [actual]
    worst = Worst()
    for number, (right, got) in enumerate(zip(expected, parts, strict=True)):
        worst |= _examine_element(pair, _of_element(pair, call, engine, number), right, got)
    # Last: the structure is known to be equal, and a wrong value says more than a lost shape.
    if isinstance(pair.agreement, SameAugmentation):
        check_sizes(call, pair.complete(call.arguments), pair.reference, parts[0])
    else:
        check_static(pair, call, expected[0], parts[0])
    return worst


def _of_element(pair: Pair, call: Example, engine: str, number: int) -> dict[str, Any]:
    """Return the complete arguments of an element, with the seed it draws with."""
    arguments = pair.complete(call.elements[number])
    told = isinstance(pair.agreement, SameDistribution) and pair.agreement.draw_parameters is not None
    if told and pair.contract is not None and engine == "batched" and "seed" not in call.per_element:
        arguments["seed"] = seeds.fold_in(arguments["seed"], number)  # as batched natives do
    return arguments


def _examine_element(pair: Pair, arguments: Mapping[str, Any], expected: Outcome, actual: Outcome) -> Worst:
    if isinstance(pair.agreement, SameAugmentation) and pair.contract is not None:
        return judge_augmentation(pair.contract, pair.native, arguments, actual)
    if isinstance(pair.agreement, SameDistribution):
        if pair.agreement.draw_parameters is None:
            return _among_admissible(pair, pair.agreement, arguments, actual)
        drawn = resolve(pair.agreement.draw_parameters)(arguments)
        return _given_the_draw(pair, pair.agreement, {**arguments, **drawn}, actual)
    evidence = gather(pair, pair.agreement, arguments, expected)
    return compare(expected, actual, pair.agreement, evidence, pair.returns, pair.called)


def _among_admissible(
    pair: Pair, agreement: SameDistribution, arguments: Mapping[str, Any], actual: Outcome
) -> Worst:
    """Raise unless the outputs are what the reference gives for some draw."""
    own = {name: value for name, value in pair.of_reference(arguments).items() if name != "seed"}
    leaves = actual.leaves if len(pair.returns) > 1 else actual.leaves[0]
    admissible = resolve(agreement.given)(own, leaves)
    reasons = []
    for outputs in admissible:
        structure, arrays = flatten(outputs)
        right = Outcome(tuple(np.asarray(array) for array in arrays), structure)
        try:
            return compare(right, actual, agreement.application, names=pair.returns)
        except NotEquivalent as error:
            reasons.append(", ".join(str(error).splitlines()))
    listed = "; ".join(f"draw {index}: {reason}" for index, reason in enumerate(reasons))
    raise NotEquivalent(f"no draw of the reference gives this result ({listed or 'there is none'})")


def _given_the_draw(
    pair: Pair, agreement: SameDistribution, arguments: Mapping[str, Any], actual: Outcome
) -> Worst:
    """Raise unless the outputs are what the reference gives for what the native drew, which it is told."""
    told = replace(pair, reference=resolve(agreement.given))
    expected = run_reference(told.reference, told.of_reference(arguments))
    evidence = gather(told, agreement.application, arguments, expected)
    return compare(expected, actual, agreement.application, evidence, pair.returns, pair.called)


def _unstacked(batch: Outcome, count: int) -> list[Outcome]:
    """Return the outcome of each element of a batch."""
    for leaf in batch.leaves:
        if leaf.ndim == 0 or leaf.shape[0] != count:
            raise NotEquivalent(f"batch: output of shape {leaf.shape} for {count} elements")
    static = None
    if batch.static is not None:
        wrong = [s for s in batch.static if s and s[0] not in (None, count)]
        if wrong:
            raise NotEquivalent(f"batch: static shape {wrong[0]} for {count} elements")
        static = tuple(None if shape is None else shape[1:] for shape in batch.static)
    return [
        replace(batch, leaves=tuple(leaf[index] for leaf in batch.leaves), static=static)
        for index in range(count)
    ]
