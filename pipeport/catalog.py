"""The catalog: every pair, found by walking the façades; nothing is registered by hand."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from collections.abc import Mapping

import pipeport
from pipeport.contract import Contract, contract_of
from pipeport.errors import NotPorted, explain

FACADES = (
    "PIL",
    "albumentations",
    "cv2",
    "idioms",
    "keras",
    "numpy",
    "random",
    "scipy",
    "skimage",
    "tensorflow_addons",
)


def _modules(package: str) -> list[str]:
    root = importlib.import_module(package)
    return [package] + [found.name for found in pkgutil.walk_packages(root.__path__, prefix=package + ".")]


@functools.cache
def pairs() -> Mapping[str, Contract]:
    """Return every pair.

    Returns
    -------
    mapping of str to Contract
        By the native's dotted name, sorted.
    """
    found: dict[str, Contract] = {}
    present = {module.name for module in pkgutil.iter_modules(pipeport.__path__)}
    for facade in FACADES:
        if facade not in present:
            continue
        for name in _modules(f"pipeport.{facade}"):
            for value in vars(importlib.import_module(name)).values():
                contract = contract_of(value)
                if contract is not None:
                    found[contract.native] = contract
    return dict(sorted(found.items()))


def names_of(contract: Contract) -> tuple[str, ...]:
    """Return every name a pair answers to.

    Parameters
    ----------
    contract : Contract
        The pair.

    Returns
    -------
    tuple of str
        The native's name, the reference's, the aliases.
    """
    return (contract.native, contract.reference, *contract.aliases)


def find(name: str) -> Contract:
    """Return the pair of that name.

    Parameters
    ----------
    name : str
        Dotted name of the native, the reference or an alias, or its last parts when they
        are unambiguous ('transform.rotate').

    Returns
    -------
    Contract
        The pair.

    Raises
    ------
    NotPorted
        No pair or more than one has that name; the message lists the nearest.
    """
    everything = pairs()
    for contract in everything.values():
        if name in names_of(contract):
            return contract
    ends = [
        contract
        for contract in everything.values()
        if any(full.endswith("." + name) for full in names_of(contract))
    ]
    if len(ends) == 1:
        return ends[0]
    known = [full for contract in everything.values() for full in names_of(contract)]
    near = [c.native for c in ends] or difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    raise NotPorted(
        explain(
            "pair",
            repr(name) + (" (ambiguous)" if ends else ""),
            "a name printed by `pipeport catalog`",
            f"Nearest: {', '.join(near)}." if near else "Run `pipeport catalog` for the list.",
        )
    )
