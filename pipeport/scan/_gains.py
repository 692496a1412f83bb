"""The newest release's figure of the one native that a body calls."""

from __future__ import annotations

from pipeport import _figures, _releases, meanings
from pipeport.scan._body import Body
from pipeport.scan._boundaries import BoundarySite
from pipeport.scan._dtypes import declared

_SIZE = "256x256"


def gain(boundary: BoundarySite, body: Body) -> str:
    """Return the gain of porting a body, if it is one measured call.

    Returns: a sentence; empty where nothing was measured that is like it.
    """
    uses = {use.name: use for use in body.uses if use.meaning.kind in (meanings.NATIVE, meanings.DRAW)}
    release = _releases.newest() if len(uses) == 1 else None
    if release is None:
        return ""
    ((name, use),) = uses.items()
    dtypes = declared(boundary)[0]
    for case in release.figures.get(use.meaning.native, []):
        measured = case["against"] == f"numpy_function + {name}"
        if measured and dtypes and case["case"] == f"{dtypes[0]}, {_SIZE}":
            what = f"Release {release.version} measured {name} alone, {case['case']}"
            return f"{what}: {_figures.ratio_text(case)}."
    return ""
