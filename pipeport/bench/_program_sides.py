"""The sides of a program: its inputs made once, its datasets built, and their answers compared."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pipeport._lazy import tf
from pipeport.bench import _answers
from pipeport.bench._case import Case
from pipeport.bench._factories import Factories, call, importable, in_one_line
from pipeport.bench._program_specs import check_alike, check_batches
from pipeport.bench._programs import Program, ProgramSide
from pipeport.bench._results import SideResult
from pipeport.bench._sides import Prepared
from pipeport.bench._streams import DatasetStream, Side
from pipeport.errors import PipeportError, WrongType, explain

Build = Callable[[], Any]
Tell = Callable[[str], None]


@contextmanager
def builders(program: Program, sides: list[ProgramSide], factories: Factories) -> Iterator[dict[str, Build]]:
    """Make a program's inputs, and give for each side what builds its dataset.

    Yields: by side name; each call builds the dataset anew, around the same inputs. Files that were made for
    it live inside the `with` block.
    """
    with TemporaryDirectory(prefix="pipeport-program-") as folder, importable(program):
        given = make_inputs(program, factories, Path(folder))
        yield {
            side.name: functools.partial(
                _build, program, side, factories.function(program, side.factory), given
            )
            for side in sides
        }


def make_inputs(program: Program, factories: Factories, folder: Path) -> tuple[Any, ...]:
    """Return the inputs of every side; `folder` and `elements` are passed if the function takes them."""
    if not program.inputs:
        return ()
    function = factories.function(program, program.inputs)
    offered: dict[str, Any] = {"folder": folder, "elements": program.elements}
    if program.elements is None:
        del offered["elements"]
    asked = inspect.signature(function).parameters
    more = {name: value for name, value in offered.items() if name in asked}
    made = call(program, program.inputs, function, **more)
    return made if isinstance(made, tuple) else (made,)


def _build(program: Program, side: ProgramSide, function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    dataset = call(program, side.factory, function, *given, **side.arguments)
    if not isinstance(dataset, tf.data.Dataset):
        found = f"{side.factory}, which returns {type(dataset).__name__}"
        advice = "Return the dataset."
        raise WrongType(explain(f"program {program.name!r}", found, "a tf.data.Dataset", advice))
    return dataset


def batches(program: Program, dataset: Any, *, drop_remainder: bool = False) -> Any:
    """Return a dataset in batches, prefetched."""
    if not program.batched:
        dataset = dataset.batch(program.batch, drop_remainder=drop_remainder)
    return dataset.prefetch(tf.data.AUTOTUNE)


def built_in_batches(program: Program, build: Build) -> Any:
    """Build a dataset, and return it in batches."""
    return batches(program, build())


def prepare(program: Program, case: Case, build: dict[str, Build]) -> Prepared:
    """Build all datasets of a case.

    Returns: its sides and datasets, the reference first.
    """
    prepared = Prepared()
    specs: dict[str, Any] = {}
    for side in program.sides_of(case):
        dataset = build[side.name]()
        specs[side.name] = dataset.element_spec
        # Epoch after epoch; a batch may hold the end of one and the beginning of the next.
        stream = batches(program, dataset.repeat(), drop_remainder=True)
        prepared.datasets[side.name] = stream
        prepared.sides.append(
            Side(
                name=side.name,
                kind=side.kind,
                differs=side.differs,
                open=functools.partial(DatasetStream, stream),
            )
        )
    check_alike(program, specs)
    if program.batched:
        check_batches(program, specs)
    return prepared


def compared(program: Program, prepared: Prepared, tell: Tell) -> list[SideResult]:
    """Take each side's first batch, and refuse sides whose answers are not the reference's.

    Returns: with answers and differences, without rounds.
    """
    results, reference = [], None
    for side in prepared.sides:
        tell(f"preparing {side.name}")
        outputs = _first(program, side, prepared.datasets[side.name])
        result = SideResult(name=side.name, kind=side.kind, differs=side.differs)
        result.answer = _answers.described(outputs)
        if reference is None:
            reference = outputs
        else:
            if not program.random and all(output.dtype.kind in "biuf" for output in outputs):
                result.largest_difference = _answers.largest_difference(outputs, reference)
            if not side.differs:
                _check_answer(program, side, outputs, reference)
        results.append(result)
    return results


def _first(program: Program, side: Side, dataset: Any) -> list[Any]:
    where = f"program {program.name!r}, side {side.name!r}"
    try:
        return _answers.first_batch(dataset)
    except StopIteration:
        advice = "Look at what its inputs are, and what it filters."
        raise PipeportError(explain(where, "an empty dataset", "one element or more", advice)) from None
    except (tf.errors.OpError, ValueError, TypeError) as error:
        advice = "Correct the pipeline; elements of unequal shapes it must batch itself (batched = true)."
        raise PipeportError(
            explain(where, f"a first batch that fails: {in_one_line(error)}", "elements", advice)
        ) from error


def _check_answer(program: Program, side: Side, ours: list[Any], theirs: list[Any]) -> None:
    where = f"program {program.name!r}, side {side.name!r}"
    if _answers.described(ours) != _answers.described(theirs):
        given = f"{_answers.described(ours)} where the reference gives {_answers.described(theirs)}"
        advice = "Give the sides the same elements in the same order."
        raise PipeportError(explain(where, given, "the same dtypes and shapes", advice))
    for left, right in zip(ours, theirs, strict=True) if not program.random else ():
        if problem := _answers.beyond(left, right, program.difference):
            advice = (
                "Correct the side, or say `difference = ...` of the program, `differs = ...` of the side, "
                "or `random = true`."
            )
            allowed = f"difference = {program.difference:g} from the reference, in the same order"
            raise PipeportError(explain(where, problem, allowed, advice))
