"""From a name to all it reaches, and to one hash."""

from __future__ import annotations

import functools
import hashlib
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
        raise LookupError(f"{names[found.index(None)]} is no definition of the package at {root}")
    return [one for one in found if one is not None]


def is_defined(name: str, root: Path = ROOT) -> bool:
    """Say whether the package at `root` defines a name, or has a module of that name."""
    return _package(root).named(name) is not None


def reached(*names: str, root: Path = ROOT) -> list[Definition]:
    """Return the definitions that some names reach, themselves first.

    Parameters
    ----------
    *names : str
        Dotted names: 'pipeport.cv2.resize'.
    root : Path
        The folder of the package's sources.

    Returns
    -------
    list of Definition
        Each once, in the order in which they are met.

    Raises
    ------
    LookupError
        The package defines no such name.
    """
    order = dict.fromkeys(_starts(names, root))
    waiting = list(order)
    while waiting:
        for part in _tokens(root, waiting.pop(0)):
            if isinstance(part, Definition) and part not in order:
                order[part] = None
                waiting.append(part)
    return list(order)


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
