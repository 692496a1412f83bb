"""Judge augmentations: run the reference with the native's draws, and compare the draws.

Both sides are classes whose objects are called. Here they become functions of the constructor's
arguments, the targets and the seed, which is what all engines run.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Agreement, Boxes, Contract, Points, SameAugmentation, Within, contract_of
from pipeport.errors import NotEquivalent
from pipeport.references import augmentation as reference_side
from pipeport.verify._example import Example
from pipeport.verify._judge import Worst
from pipeport.verify._oracle import compare
from pipeport.verify._outcome import Outcome, flatten
from pipeport.verify._require import resolve

Function = Callable[..., Any]
# Draws of either side that are compared per setting.
DRAWS = 2000
# Draws among which the sizes of a result are looked for.
_SIZES = 12


def native_function(contract: Contract, native: Function | None = None) -> Function:
    """Return the native class as a function of constructor arguments, targets and seed."""
    made = native or contract.function

    def natively(**arguments: Any) -> Any:
        init, targets, seed = _parts(contract, arguments)
        return made(**init)(**targets, seed=seed)

    keyword = inspect.Parameter.KEYWORD_ONLY
    own = inspect.signature(contract.function).parameters.values()
    # A target goes before: Equalize has a `mask` of its own, which it refuses.
    parameters = [one.replace(kind=keyword) for one in own if one.name not in contract.targets]
    for name in contract.targets:
        default = inspect.Parameter.empty if name == "image" else None
        parameters.append(inspect.Parameter(name, keyword, default=default))
    parameters.append(inspect.Parameter("seed", keyword))
    natively.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    natively.__name__ = made.__name__
    natively.__module__ = made.__module__
    natively.__wrapped__ = made  # type: ignore[attr-defined]
    natively.autograph_info__ = {}  # type: ignore[attr-defined]
    return natively


def reference_function(contract: Contract) -> Function:
    """Return the reference class as a function that draws by itself: for errors and shapes alone."""

    def called(**arguments: Any) -> Any:
        init, targets, seed = _parts(contract, arguments)
        transform = _reference(contract, init)
        transform.set_random_seed(int(np.asarray(seed).sum()) % 2**32)
        return _in_given_dtypes(_quietly(transform, targets), targets)

    called.__name__ = contract.reference.rpartition(".")[2]
    called.__module__ = contract.reference.rpartition(".")[0]
    return called


def _quietly(transform: Any, targets: Mapping[str, Any]) -> Any:
    """Call a reference without the warnings that it has for its user."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return transform(**_copied(targets))


def _reference(contract: Contract, init: Mapping[str, Any]) -> Any:
    """Return an object of the reference class, without what it says of its own future."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return resolve(contract.reference)(**init)


def _parts(contract: Contract, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """Return the constructor's arguments, the targets that are there, and the seed."""
    init = {name: value for name, value in arguments.items() if name in contract.domain}
    targets = {n: v for n, v in arguments.items() if n in contract.targets and v is not None}
    return init, targets, arguments["seed"]


def _copied(targets: Mapping[str, Any]) -> dict[str, Any]:
    return {name: np.array(value) for name, value in targets.items()}


def _in_given_dtypes(out: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return results with boxes and points in the dtype in which they were given."""
    return {
        name: np.asarray(value, np.asarray(given[name]).dtype) if name in ("bboxes", "keypoints") else value
        for name, value in out.items()
        if name in given
    }


def _agreement(contract: Contract) -> SameAugmentation:
    if not isinstance(contract.agreement, SameAugmentation):
        raise TypeError(type(contract.agreement).__name__)
    return contract.agreement


def driven_function(contract: Contract, native: Function) -> Function:
    """Return the reference class as a function that does what the native draws."""

    def called(**arguments: Any) -> Any:
        init, targets, seed = _parts(contract, arguments)
        node = inspect.unwrap(native)(**init)
        drawn = tf.nest.map_structure(lambda part: part.numpy(), node.plan(seed, False))
        transform = _reference(contract, init)
        reference_side.drive(transform, drawn, node, resolve)
        return _in_given_dtypes(_quietly(transform, targets), targets)

    return called


def functions_of(native: type[Any]) -> tuple[Function, Function]:
    """Return reference and native of a class of the catalog as functions, for the script of a failure."""
    contract = contract_of(native)
    if contract is None:
        raise TypeError(repr(native))
    function = native_function(contract, native)
    return driven_function(contract, function), function


def judge_augmentation(
    contract: Contract, native: Function, arguments: Mapping[str, Any], actual: Outcome
) -> Worst:
    """Raise unless the outputs are what the reference gives for the parameters the native drew."""
    agreement = _agreement(contract)
    expected = driven_function(contract, native)(**arguments)
    structure, leaves = flatten(expected)
    if structure != actual.structure:
        raise NotEquivalent(f"structure: reference gives {structure}, native {actual.structure}")
    worst = Worst()
    for name, one, other in zip(sorted(expected), leaves, actual.leaves, strict=True):
        how: Agreement = agreement.mask if name == "mask" else agreement.image
        if isinstance(contract.targets[name], (Boxes, Points)):
            how = Within(agreement.points, "coordinates")
        elif agreement.discontinuities is not None:
            one = _either(contract, native, arguments, name, one, other)
        sides = [Outcome((_without_seam(contract.targets[name], np.asarray(part)),)) for part in (one, other)]
        worst |= compare(sides[0], sides[1], how, names=(name,))
    return worst


def _either(
    contract: Contract, native: Function, arguments: Mapping[str, Any], name: str, right: Any, got: Any
) -> Any:
    """Return the reference's result, where it may as well be another one the one nearest to the native's."""
    right, got = np.asarray(right), np.asarray(got)
    if right.shape != got.shape or np.array_equal(right, got):
        return right
    init, targets, seed = _parts(contract, arguments)
    node = inspect.unwrap(native)(**init)
    drawn = tf.nest.map_structure(lambda part: part.numpy(), node.plan(seed, False))
    if not drawn["applied"]:
        return right
    discontinuities = resolve(str(_agreement(contract).discontinuities))
    copies = _copied(targets)
    sides = [right, *discontinuities(drawn["params"], node, copies["image"], copies[name], name)]
    with np.errstate(invalid="ignore"):
        apart = np.abs([side.astype(np.float64) - got.astype(np.float64) for side in sides])
    # The reference's own comes first, and stays where none is nearer.
    apart = np.where(np.isnan(apart), np.inf, apart)
    return np.take_along_axis(np.asarray(sides), apart.argmin(0)[np.newaxis], 0)[0].astype(right.dtype)


def _without_seam(spec: Any, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return points with their angle as cosine and sine: 0 and a whole turn are one direction."""
    if not isinstance(spec, Points):
        return rows
    angle = rows[:, 3:4]
    return np.concatenate([rows[:, :3], np.cos(angle), np.sin(angle), rows[:, 4:]], 1)


def check_sizes(call: Example, arguments: Mapping[str, Any], reference: Function, actual: Outcome) -> None:
    """Raise when a graph knows less or other than the shapes its outputs have.

    A size may be unknown where it is so of the target, or where it differs from draw to draw.
    """
    if actual.static is None:
        return
    # Whatever the chance, both what is applied and what is not may come out, but for 0 and 1.
    chances = {arguments["p"]} & {0.0, 1.0} or {0.0, 1.0}
    found = [reference(**{**arguments, "p": p, "seed": (0, draw)}) for p in chances for draw in range(_SIZES)]
    for name, static, leaf in zip(sorted(found[0]), actual.static, actual.leaves, strict=True):
        if static is None or len(static) != leaf.ndim:
            raise NotEquivalent(f"{name} static shape: {static}, the result is {leaf.shape}")
        sizes = [{np.shape(one[name])[axis] for one in found} for axis in range(leaf.ndim)]
        hidden = call.unknown.get(name, ()) if call.trace == "unknown" else ()
        for axis, size in enumerate(static):
            if size is None and axis not in hidden and len(sizes[axis]) == 1:
                raise NotEquivalent(f"{name} static shape: lost on axis {axis}: {static}")
            if size not in (None, leaf.shape[axis]):
                raise NotEquivalent(f"{name} static shape: says {static}, the result is {leaf.shape}")


def draw_p_value(contract: Contract, native: Function, engine: str) -> float:
    """Return the probability of the native's draws under the reference's distribution.

    `engine`: under `xla` the draws are compiled; the engines between run what `eager` does here, a graph.
    Returns: the smallest p-value of all settings and parameters, times their number.
    """
    if engine not in ("eager", "xla"):
        return 1.0
    agreement = _agreement(contract)
    worst = 1.0
    for number, setting in enumerate(agreement.settings):
        node = inspect.unwrap(native)(**setting)
        drawn = many_draws(node, number, compiled=engine == "xla")
        right = _reference(contract, setting)
        worst = min(worst, reference_side.compare_draws(right, node, drawn, agreement.shape, resolve, number))
    return min(1.0, worst * len(agreement.settings))


def many_draws(node: Any, run: int, *, compiled: bool) -> Any:
    """Return the nest of draws for many seeds, each leaf with a leading axis."""

    def single(index: Any) -> Any:
        return node.plan(tf.stack([tf.constant(run + 77, tf.int64), index]), False)

    signature = tf.nest.map_structure(tf.TensorSpec.from_tensor, node.plan(tf.zeros([2], tf.int64), False))

    def every(indices: Any) -> Any:
        return tf.map_fn(single, indices, fn_output_signature=signature)

    function = tf.function(every, jit_compile=compiled or None, autograph=False)
    return tf.nest.map_structure(lambda part: part.numpy(), function(tf.range(DRAWS, dtype=tf.int64)))
