"""From a name to all it reaches, and to one hash."""

from __future__ import annotations

import functools
import hashlib
from collections import deque
from pathlib import Path

from pipeport._reach._modules import Definition, Package
from pipeport._reach._tokens import Tokens, tokens

ROOT = Path(__file__).parents[1]


@functools.cache
def _package(root: Path) -> Package:
    return Package(root)


@functools.cache
def _tokens(root: Path, definition: Definition) -> Tokens:
    return tokens(_package(root), definition)


def _starts(names: tuple[str, ...], root: Path) -> list[Definition]:
    found = [_package(root).named(name) for name in names]
    if None in found:
        raise LookupError(f"{names[found.index(None)]} is not a definition of the package at {root}")
    return [one for one in found if one is not None]


def is_defined(name: str, root: Path = ROOT) -> bool:
    """Say whether the package at `root` defines a name, or has a module of that name."""
    return _package(root).named(name) is not None


def reached(*names: str, root: Path = ROOT) -> dict[Definition, int]:
    """Return the definitions that some names reach, themselves first.

    Parameters
    ----------
    *names : str
        Dotted names: 'pipeport.cv2.resize'.
    root : Path
        The folder of the package's sources.

    Returns
    -------
    dict of Definition to int
        How many references lead to each, in the order in which they are met.

    Raises
    ------
    LookupError
        The package defines no such name.
    """
    found = dict.fromkeys(_starts(names, root), 0)
    waiting = deque(found)
    while waiting:
        definition = waiting.popleft()
        for part in _tokens(root, definition):
            if isinstance(part, Definition) and part not in found:
                found[part] = found[definition] + 1
                waiting.append(part)
    return found


def distance(*names: str, base: Path, root: Path = ROOT) -> int:
    """Return how many references lead from some names to the nearest definition that differs.

    Parameters
    ----------
    *names : str
        Dotted names.
    base : Path
        The folder of the sources to compare with.
    root : Path
        The folder of the package's sources.

    Returns
    -------
    int
        0 where a name itself differs, or `base` lacks it. Where every definition is in both, and what differs
        is which of them refers to which, the number of the farthest.
    """
    here = reached(*names, root=root)
    try:
        there = {_own(base, definition) for definition in reached(*names, root=base)}
    except LookupError:
        return 0
    differs = (steps for definition, steps in here.items() if _own(root, definition) not in there)
    return min(differs, default=max(here.values()))


def _own(root: Path, definition: Definition) -> tuple[str, ...]:
    """Return the text of a definition alone, whatever it refers to."""
    return tuple(part if isinstance(part, str) else "" for part in _tokens(root, definition))


@functools.cache
def code_of(*names: str, root: Path = ROOT) -> str:
    """Return a hash of all code that some names reach.

    Parameters
    ----------
    *names : str
        Dotted names: 'pipeport.cv2.resize'.
    root : Path
        The folder of the package's sources.

    Returns
    -------
    str
        Sixteen hexadecimal digits; the same wherever the reached definitions stand and whatever their
        names are.

    Raises
    ------
    LookupError
        The package defines no such name.
    """
    order = {definition: index for index, definition in enumerate(reached(*names, root=root))}
    digest = hashlib.sha256()
    for definition in order:
        for part in _tokens(root, definition):
            digest.update(part.encode() if isinstance(part, str) else f"\0{order[part]}\0".encode())
        digest.update(b"\n")
    return digest.hexdigest()[:16]
