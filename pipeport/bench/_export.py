"""Programs that travel: what XLA compiles of natives, as text, with inputs and results."""

from __future__ import annotations

import importlib
import itertools
import json
import math
import re
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeport import catalog
from pipeport._lazy import tf
from pipeport.bench import _arguments, _bodies, _elsewhere, _environment
from pipeport.bench._case import Case, Size
from pipeport.bench._factories import beside, in_one_line
from pipeport.bench._json import write_json
from pipeport.bench._selections import Selection, cases_of
from pipeport.bench._steps import Step, Watch, unwatched
from pipeport.bench._suites import root
from pipeport.bench._variants import variant_of
from pipeport.contract import Contract
from pipeport.contract._agreement import (
    Agreement,
    AsReference,
    SameDistribution,
    Ulps,
    Within,
    WithinLevels,
)
from pipeport.contract._augmentation import SameAugmentation
from pipeport.errors import OutsideDomain, explain

ELEMENTS, SIZE = 32, (256, 256)
SCRIPT = "run.py"
# Arrays of more numbers are drawn again on the other machine, others are told.
_FEW = 4096
# Results of fewer bytes are stored whole, of others the first and the last element.
_SMALL = 2**20
# A program may round each of its steps; results of float32 then differ by some units of the last place.
_UNITS = 64
_LOCATION = re.compile(r" loc\(")
_MARK = re.compile(r' \{mhlo\.frontend_attributes = \{[^{}]*xla_cpu_small_call = "true"[^{}]*\}\}')
_TRUTHS = re.compile(r'dense<"0x([0-9A-F]+)"> : tensor<((?:\d+x)+)i1>')
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[()]')
# The module beside the suites that names programs of no pair.
_OTHERS = "travelling"
_GUESS_S = 4.0


@dataclass(frozen=True, kw_only=True)
class Travelling:
    """A program that is to travel.

    `function`: takes a batch of each of `inputs`, gives tensors. `inputs`: each with a leading axis of
    elements. `agreement`: by how much results may differ: `levels` of integers, `units` of the last place,
    `rtol` and `atol` of floats.
    """

    name: str
    function: Callable[..., Any]
    inputs: tuple[Any, ...]
    agreement: dict[str, float]


@dataclass(frozen=True)
class Exported:
    """How many programs a folder holds, what was left out and why, and whether Ctrl-C ended it."""

    programs: int
    left_out: list[str]
    interrupted: bool


def export(
    folder: Path,
    pairs: tuple[str, ...] = (),
    *,
    dtypes: tuple[str, ...] = ("float32", "uint8"),
    elements: int = ELEMENTS,
    size: Size = SIZE,
    watch: Watch = unwatched,
) -> Exported:
    """Write programs into a folder, with the script that runs them.

    `folder`: new, empty, or one that this function has written; its programs go first. `pairs`: as
    `catalog.selected` takes them. Without any, all pairs, ported bodies and pipelines; 'travelling' stands
    for the last two. Returns: what was written. After KeyboardInterrupt, what was finished.
    """
    _clear(folder)
    left_out: list[str] = []
    tasks = list(_tasks(pairs, dtypes, elements, size, left_out))
    made_with = _environment.environment()
    listing: dict[str, Any] = {
        "format": 1,
        "made_with": {name: made_with[name] for name in ("versions", "machine", "commit")},
        "elements": elements,
        "size": list(size),
        "programs": [],
        "left_out": left_out,
    }
    shutil.copyfile(_elsewhere.__file__, folder / SCRIPT)
    begin, interrupted = time.perf_counter(), True
    try:
        for number, (name, task) in enumerate(tasks):
            each = (time.perf_counter() - begin) / number if number else _GUESS_S
            watch(Step(text=name, case=name, left_s=each * (len(tasks) - number)))
            try:
                listing["programs"].append(_written(folder, number, task()))
            except Exception as error:  # a native without a program, a file on disk, a string
                left_out.append(f"{name}: {in_one_line(error)[:200]}")
            write_json(listing, folder / _elsewhere.LISTING)
        interrupted = False
    except KeyboardInterrupt:
        pass
    write_json(listing, folder / _elsewhere.LISTING)
    return Exported(len(listing["programs"]), left_out, interrupted)


def _clear(folder: Path) -> None:
    """Empty a folder of an earlier export, or make a new one."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _elsewhere.LISTING).is_file():
        advice = "Name a new folder."
        raise OutsideDomain(explain("--export", f"{folder}, with other files", "an empty folder", advice))
    folder.mkdir(parents=True, exist_ok=True)
    for pattern in ("*.mlir", "*.npz", _elsewhere.LISTING, SCRIPT):
        for path in folder.glob(pattern):
            path.unlink()


def _tasks(
    pairs: tuple[str, ...], dtypes: tuple[str, ...], elements: int, size: Size, left_out: list[str]
) -> Iterator[tuple[str, Callable[[], Travelling]]]:
    named = tuple(name for name in pairs if name != _OTHERS)
    if named or not pairs:
        selection = Selection(pairs=named, dtypes=dtypes, sizes=(size,), batched=(True,))
        contracts = catalog.selected(named)
        known = {contract.native: contract for contract in contracts}
        for case in cases_of(selection, contracts, left_out):
            name = " ".join(part for part in (case.short_name, case.variant or case.dtype) if part)
            contract = known[case.pair]
            yield name, lambda c=contract, k=case, n=name: _of_pair(n, c, k, elements)  # type: ignore[misc]
    if _OTHERS in pairs or not pairs:
        with beside(root()):
            others = importlib.import_module(_OTHERS).PROGRAMS
        for name, make in others.items():
            yield name, lambda m=make, n=name: _of_other(n, m, elements, size)  # type: ignore[misc]


def _of_pair(name: str, contract: Contract, case: Case, elements: int) -> Travelling:
    """Return the program of a native's batch form."""
    arguments = _arguments.arguments_for(contract, case)
    call = _bodies.native_call(contract, variant_of(case.pair, case.variant), arguments, batched=True)
    columns = {**arguments.arrays, **arguments.per_element_values, **arguments.ours}
    if set(columns) == {_arguments.ELEMENT}:
        raise OutsideDomain(explain(name, "nothing per element", "a batch of something", "It is left out."))
    arrays = tuple(
        np.stack([np.asarray(one) for one in itertools.islice(itertools.cycle(column), elements)])
        for column in columns.values()
    )

    def function(*given: Any) -> Any:
        return call(**dict(zip(columns, given, strict=True)))

    longest = max(max(array.shape, default=1) for array in arrays)
    largest = max((float(np.abs(array).max()) for array in arrays if array.dtype.kind == "f"), default=1.0)
    agreement = _agreed(contract.agreement, longest * largest)
    return Travelling(name=name, function=function, inputs=arrays, agreement=agreement)


def _of_other(name: str, make: Callable[..., Any], elements: int, size: Size) -> Travelling:
    function, inputs, agreement = make(elements, size)
    return Travelling(name=name, function=function, inputs=inputs, agreement=agreement)


def _agreed(agreement: Agreement, reach: float) -> dict[str, float]:
    """Return what a contract's agreement means for two runs of one program.

    `reach` is the longest side times the largest input: what the last place of a coordinate moves.
    """
    exact = {"levels": 0, "units": 0, "rtol": 0.0, "atol": 0.0}
    match agreement:
        case SameAugmentation(image=inner) | SameDistribution(application=inner):
            return _agreed(inner, reach)
        case Ulps(n=n):
            return exact | {"units": n}
        case Within(absolute=absolute, coordinates_of=moved):
            return exact | {"atol": absolute + (2 * _epsilon("float32") * reach if moved else 0.0)}
        case WithinLevels(n=n, floats=floats):
            return (exact if floats is None else _agreed(floats, reach)) | {"levels": n}
        case AsReference(coordinates_of=moved):
            more = 16 * _epsilon("float64") * reach if moved else 0.0
            return exact | {"levels": 1, "units": _UNITS, "atol": more}
        case _:
            return exact


def _epsilon(dtype: str) -> float:
    return float(np.finfo(dtype).eps)


def _recipe(number: int, array: Any) -> dict[str, Any]:
    """Return how the script makes an input."""
    if array.dtype.kind not in "biuf" or (array.dtype.kind == "f" and not np.isfinite(array).all()):
        allowed = "finite numbers, which JSON can tell"
        raise OutsideDomain(explain("inputs", f"{array.dtype.name}", allowed, "It is left out."))
    recipe: dict[str, Any] = {"shape": list(array.shape), "dtype": array.dtype.name}
    if array.size <= _FEW:
        return recipe | {"values": array.ravel().tolist()}
    return recipe | {"seed": number, "low": array.min().item(), "high": array.max().item()}


def _written(folder: Path, number: int, program: Travelling) -> dict[str, Any]:
    """Compile and run one program; write it, and return its entry."""
    recipes = [_recipe(place, array) for place, array in enumerate(program.inputs)]
    given = [tf.constant(_elsewhere.made(recipe)) for recipe in recipes]

    def flat(*tensors: Any) -> Any:
        return tf.nest.flatten(program.function(*tensors))

    run = tf.function(flat, jit_compile=True, autograph=False)
    results = [one.numpy() for one in run(*given)]
    text = portable(run.experimental_get_compiler_ir(*given)(stage="stablehlo"))
    if text.partition("@main(")[2].partition(") ->")[0].count(": tensor<") != len(given):
        advice = "It is left out."
        raise OutsideDomain(explain("inputs", "one that XLA has to know", "arguments of the program", advice))
    elements = len(program.inputs[0])
    stored: dict[str, Any] = {}
    for place, result in enumerate(results):
        if result.nbytes > _SMALL and result.ndim and len(result) == elements:
            stored |= {f"first{place}": result[0], f"last{place}": result[-1]}
        else:
            stored[f"whole{place}"] = result
    stem = f"{number:04}"
    (folder / f"{stem}.mlir").write_text(text, encoding="utf-8")
    np.savez_compressed(folder / f"{stem}.npz", **stored)
    return {
        "name": program.name,
        "file": f"{stem}.mlir",
        "stored": f"{stem}.npz",
        "elements": elements,
        "inputs": recipes,
        "outputs": len(results),
        "digest": _elsewhere.digest_of(results),
        "agreement": program.agreement,
    }


def portable(text: str) -> str:
    """Return StableHLO as other versions of XLA read it.

    It goes without where each operation was written, and without the mark of `single_threaded`, set
    by natives for releases of TensorFlow in which it was tried.
    """
    lines = (line for line in _MARK.sub("", text).splitlines() if not line.startswith("#loc"))
    return _TRUTHS.sub(_spelled, "\n".join(map(_without_locations, lines)) + "\n")


def _spelled(found: re.Match[str]) -> str:
    """Return truth values element by element: in hexadecimal, versions of MLIR pack them differently."""
    shape = [int(side) for side in found[2].split("x")[:-1]]
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(found[1]), np.uint8), bitorder="little")
    values = json.dumps(bits[: math.prod(shape)].astype(bool).reshape(shape).tolist())
    return f"dense<{values}> : tensor<{found[2]}i1>"


def _without_locations(line: str) -> str:
    while found := _LOCATION.search(line):
        depth, end = 0, len(line)
        # What a location holds may have brackets of its own, in and outside of quotes.
        for part in _BRACKETS.finditer(line, found.start()):
            depth += {"(": 1, ")": -1}.get(part[0], 0)
            if part[0] == ")" and not depth:
                end = part.end()
                break
        line = line[: found.start()] + line[end:]
    return line
