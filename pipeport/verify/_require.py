"""Packages that verification needs and a plain installation does not bring."""

from __future__ import annotations

import importlib
from typing import Any

from pipeport.errors import NotPorted, PipeportError, explain


class MissingPackage(PipeportError, ImportError):
    """A package of an extra is not installed; the message names the extra."""

    # TensorFlow rebuilds exceptions by this constructor; ImportError's own takes keywords.
    __init__ = Exception.__init__


def require(package: str, extra: str = "verify") -> Any:
    """Import a package, or say which extra brings it.

    `extra`: extra of pipeport that brings it.
    """
    try:
        return importlib.import_module(package)
    except ImportError as error:
        advice = f"Run `pip install 'pipeport[{extra}]'`."
        given = f"no package {package} ({error})"
        raise MissingPackage(explain("environment", given, f"pipeport[{extra}]", advice)) from error


def resolve(dotted: str, extra: str = "verify") -> Any:
    """Return the object of a dotted name.

    `dotted`: for instance 'skimage.transform.rotate'; everything up to the last importable module is
    imported. `extra`: extra named when the package is missing.
    """
    parts = dotted.split(".")
    found = require(parts[0], extra)
    path = parts[0]
    for part in parts[1:]:
        path = f"{path}.{part}"
        if not hasattr(found, part):
            try:
                importlib.import_module(path)
            except ImportError as error:
                advice = "The package may have another version than the pair was proven against."
                raise NotPorted(explain("name", dotted, f"a name of {parts[0]}", advice)) from error
        found = getattr(found, part)
    return found
