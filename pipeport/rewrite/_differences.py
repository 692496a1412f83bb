"""Declared differences of the natives that a body calls."""

from __future__ import annotations

import re
from collections.abc import Mapping

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
    kinds = (meanings.NATIVE, meanings.DRAW)
    return of_natives({use.meaning.native: use.name for use in body.uses if use.meaning.kind in kinds})


def of_natives(names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return such differences of some natives.

    Parameters
    ----------
    names : mapping of str to str
        Natives, and the names under which they are told.

    Returns
    -------
    list of (str, str)
        Name, and the difference in a sentence.
    """
    found = []
    for facade in {native.split(".")[1] for native in names if native.count(".")}:
        for contract in catalog.of_facade(facade).values():
            told = names.get(contract.native)
            summaries = [
                one.summary for one in contract.differences if told and not _TOLD.search(one.summary)
            ]
            found += [(str(told), summary) for summary in summaries]
    return found
