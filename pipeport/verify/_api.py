"""Functions for users: `check` for their own tests, `verify_pair` for the catalog."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pipeport import catalog
from pipeport.contract import ENGINES, Agreement, AsReference, Contract, Spec
from pipeport.errors import NotEquivalent
from pipeport.verify import _mini_language
from pipeport.verify._bugs import Bug, bugs_of
from pipeport.verify._own_inputs import check_names, parameters_of
from pipeport.verify._pair import Pair, by_keyword, dotted_name, pair_of
from pipeport.verify._report import Report
from pipeport.verify._require import require
from pipeport.verify._storage import no_folder_left

USER_ENGINES = ("eager", "graph", "dataset")
# With which a function is run to see which sizes its draws decide.
_OTHER_SEEDS = 16


def pair_of_functions(
    old: Callable[..., Any],
    new: Callable[..., Any],
    inputs: str | Mapping[str, Spec],
    agreement: Agreement | None = None,
) -> Pair:
    """Return the pair of a user's two functions; see `check` for the parameters."""
    specs = _mini_language.parse(inputs) if isinstance(inputs, str) else dict(inputs)
    names = tuple(specs)
    check_names(names, [(dotted_name(function), parameters_of(function)) for function in (old, new)])
    redrawn = getattr(old, "redrawn", None)
    others = () if redrawn is None else [redrawn((number, 1)) for number in range(_OTHER_SEEDS)]
    return Pair(
        name=f"{dotted_name(old)} -> {dotted_name(new)}",
        reference=by_keyword(old, names),
        native=by_keyword(new, names),
        reference_name=dotted_name(old),
        native_name=dotted_name(new),
        domain=specs,
        agreement=agreement or AsReference(),
        large=False,  # the sizes a user states are the sizes meant
        called=("old", "new"),
        redrawn=tuple(by_keyword(one, names) for one in others),
    )


def check(
    old: Callable[..., Any],
    new: Callable[..., Any],
    inputs: str | Mapping[str, Spec],
    *,
    agreement: Agreement | None = None,
    engines: Iterable[str] = USER_ENGINES,
    examples: int = 100,
    seed: int | None = 0,
) -> Report:
    """Check that a TensorFlow function does what a NumPy function did.

    Meant for your own tests: it raises when the two differ.

    Parameters
    ----------
    old : callable
        The function that defines right. It gets NumPy arrays and Python values.
    new : callable
        Its replacement. It gets tensors for arrays, in every engine.
    inputs : str or mapping of str to Spec
        What both take, for instance "image: float32[H,W,3] in [0,1]; k: int in [0,3]". Names
        are those of the parameters; functions with other names get them by position. The
        language is described in `pipeport verify --help`.
    agreement : Agreement or None
        The sense in which results are equal. None means `AsReference()`: floating results at
        most twice as far from `old` run in float64 as `old` itself, and 8 eps; all others
        equal. Also `Exact()`, `Ulps(n)`, `Within(absolute, reason)`,
        `WithinLevels(n, fraction)` of `pipeport.contract`.
    engines : iterable of str
        Of 'eager', 'graph', 'xla', 'dataset', 'batched'.
    examples : int
        Examples per engine that both functions accept.
    seed : int or None
        Seed of the draw; None takes a new one each time.

    Returns
    -------
    Report
        Examples and worst error per engine and dtype; the note of a case says which of its
        arguments `old` changes in place.

    Raises
    ------
    NotEquivalent
        The functions differ; the message says by how much, and in which engines, and holds a
        script for each bug that shows it.
    OutsideDomain
        `inputs` is not in the language or does not fit the parameters, an engine does not
        exist, or `old` gives two answers to one input: what it draws at random must be a
        parameter of both functions.
    MissingPackage
        Hypothesis is not installed.

    Examples
    --------
    >>> import numpy as np, tensorflow as tf
    >>> from pipeport.verify import check
    >>> flip = lambda m: tf.reverse(m, [0])
    >>> report = check(np.flipud, flip, "m: uint8[H,W]", engines=["eager"], examples=5)
    >>> report.ok
    True
    """
    require("hypothesis")
    from pipeport.verify._case import Plan
    from pipeport.verify._runner import run_pair

    pair = pair_of_functions(old, new, inputs, agreement)
    with no_folder_left():
        return _raise_failures(run_pair(pair, tuple(engines), Plan(examples=examples, seed=seed)))


def verify_pair(
    pair: str | Contract | Callable[..., Any],
    *,
    engines: Iterable[str] = ENGINES,
    examples: int = 100,
    seed: int | None = 0,
    native: Callable[..., Any] | None = None,
) -> Report:
    """Verify one pair of the catalog, and raise when it fails.

    Parameters
    ----------
    pair : str, Contract or callable
        Name of the pair, its contract or the native.
    engines : iterable of str
        Of 'eager', 'graph', 'xla', 'dataset', 'batched'.
    examples : int
        Examples per engine that both sides accept.
    seed : int or None
        Seed of the draw; None takes a new one each time.
    native : callable or None
        Another implementation to judge by the same contract.

    Returns
    -------
    Report
        Examples and worst error per engine and dtype.

    Raises
    ------
    NotEquivalent
        The native differs from its reference; the message holds a script that shows it.
    NotPorted
        No pair has that name.
    MissingPackage
        Hypothesis or the reference's package is not installed.
    """
    require("hypothesis")
    from pipeport.contract import contract_of
    from pipeport.verify._case import Plan
    from pipeport.verify._runner import run_pair

    contract = pair if isinstance(pair, Contract) else contract_of(pair)
    if contract is None:
        contract = catalog.find(str(pair))
    resolved = pair_of(contract, native=native)
    with no_folder_left():
        return _raise_failures(run_pair(resolved, tuple(engines), Plan(examples=examples, seed=seed)))


def _raise_failures(report: Report) -> Report:
    """Return a report without failures; raise with each bug once."""
    __tracebackhide__ = True  # for pytest: what matters is the caller's line and the message
    bugs = bugs_of(report.cases)
    if bugs:
        raise NotEquivalent("\n\n".join(map(_told, bugs)))
    return report


def _told(bug: Bug) -> str:
    script = f"\n\n{bug.script}" if bug.script else ""
    return f"{bug.case.pair} fails {bug.places}\n{bug.failure.reason}{script}"
