"""Programs that AutoGraph has written."""

from __future__ import annotations

import importlib


def autograph_lines(file: str) -> dict[int, tuple[str, int]]:
    """Return which line of which file each line of a program comes from that AutoGraph has written.

    Parameters
    ----------
    file : str
        Its name, as code objects have it.

    Returns
    -------
    dict of int to (str, int)
        Empty for other files.
    """
    made = importlib.import_module("tensorflow.python.autograph.impl.api")._TRANSPILER._cache._cache
    for factories in list(made.values()):
        for factory in list(factories.values()):
            if factory.module.__file__ == file:
                places = factory.source_map.items()
                return {place.lineno: (one.loc.filename, one.loc.lineno) for place, one in places}
    return {}
