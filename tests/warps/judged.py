"""Run a native on given arguments and say where it is beyond the bound its contract states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pipeport import catalog
from pipeport.errors import NotEquivalent
from pipeport.verify._engines import run_native
from pipeport.verify._evidence import gather
from pipeport.verify._example import Example
from pipeport.verify._oracle import compare
from pipeport.verify._outcome import run_reference
from pipeport.verify._pair import pair_of


def wrong_calls(
    name: str,
    calls: Iterable[Mapping[str, Any]],
    engines: tuple[str, ...],
    *,
    tensors: Mapping[str, str] | None = None,
    unknown: Mapping[str, tuple[int, ...]] | None = None,
) -> tuple[list[str], int]:
    """Judge each call in each engine by the pair's own agreement.

    Parameters
    ----------
    name : str
        A pair of the catalog.
    calls : iterable of mapping
        Arguments; what is an array enters a graph as a tensor.
    engines : tuple of str
        See `pipeport.contract.ENGINES`.
    tensors : mapping of str to str
        Numbers that enter a graph as tensors too, with their dtype.
    unknown : mapping of str to tuple of int
        Axes of unknown size, by parameter.

    Returns
    -------
    (list of str, int)
        A line for each result that is beyond its bound, and how many results were judged.
    """
    pair, wrong, judged = pair_of(catalog.pairs()[name]), [], 0
    for arguments in calls:
        expected = run_reference(pair.reference, pair.of_reference(arguments))
        if expected.error is not None:
            raise ValueError(f"the reference refuses {arguments}: {expected.error.text}")
        evidence = gather(pair, pair.agreement, pair.complete(arguments), expected)
        call = Example(
            elements=(arguments,),
            tensors=tensors or {},
            trace="unknown" if unknown else "static",
            unknown=unknown or {},
        )
        for engine in engines:
            judged += 1
            try:
                actual = run_native(pair.native, call, engine)
                compare(expected, actual, pair.agreement, evidence, pair.returns)
            except NotEquivalent as error:
                drawn = {key: value for key, value in arguments.items() if getattr(value, "size", 1) < 10}
                wrong.append(f"{engine}: {drawn}: {error}")
    return wrong, judged
