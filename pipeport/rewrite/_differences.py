"""Declared differences of the natives that a body calls."""

from __future__ import annotations

import re

from pipeport import catalog, meanings
from pipeport.scan._body import Body

# What a native refuses is told with an error that names it: nothing comes out that is not what it was.
_TOLD = re.compile(r"\b(?:refused|raises|TypeError|needs)\b")


def silent(body: Body) -> list[tuple[str, str]]:
    """Return the declared differences in results that no error tells of.

    Parameters
    ----------
    body : Body
        What a function calls.

    Returns
    -------
    list of (str, str)
        Name of the reference, and the difference in a sentence.
    """
    found: dict[tuple[str, str], None] = {}
    for use in body.uses:
        facade = use.name.partition(".")[0]
        if use.meaning.kind not in (meanings.NATIVE, meanings.DRAW) or facade not in catalog.FACADES:
            continue
        for contract in catalog.of_facade(facade).values():
            if contract.native == use.meaning.native:
                for one in contract.differences:
                    if not _TOLD.search(one.summary):
                        found[use.name, one.summary] = None
    return list(found)
