"""No pixel of a warp is wrong at real sizes, where coordinates meet pixels.

A few geometries of each warp belong to every run; `nox -s warps` draws five hundred of each.
"""

from __future__ import annotations

import importlib.util
import math
import os

import pytest

from pipeport.verify._engines import forget
from tests.warps.geometries import WARPS, cases
from tests.warps.judged import wrong_calls

ALL = int(os.environ.get("PIPEPORT_GEOMETRIES", "0"))
ENGINES = ("graph", "dataset")
FEW = 4
# Of each warp one small and one large image; which form they have differs from warp to warp.
_QUICK = ((3, "graph"), (9, "dataset"))


# Beside TensorFlow Addons stands OpenCV 4, whose warps are others than those of OpenCV 5.
BESIDE_ADDONS = ("pipeport.cv2", "pipeport.tensorflow_addons")


def _is_here(name):
    if importlib.util.find_spec("tensorflow_addons"):
        return name.startswith(BESIDE_ADDONS)
    return not name.startswith("pipeport.tensorflow_addons")


def _chosen():
    for place, (name, warp) in enumerate(WARPS.items()):
        if not _is_here(name):
            continue
        found = cases(warp)
        if ALL:
            yield from (
                pytest.param(name, case, ENGINES, math.ceil(ALL / len(found)), id=f"{name}-{case.number}")
                for case in found
            )
            continue
        for number, engine in _QUICK:
            case = found[(number + place) % len(found)]
            yield pytest.param(name, case, (engine,), FEW, id=f"{name}-{case.number}-{engine}")


@pytest.fixture(autouse=True)
def _no_traces_left():
    yield
    forget()


@pytest.mark.parametrize(("name", "case", "engines", "count"), list(_chosen()))
def test_no_pixel_is_beyond_its_bound(name, case, engines, count):
    wrong, judged = wrong_calls(name, case.geometries(count), engines, tensors=case.warp.tensors)
    assert judged == count * len(engines)
    assert not wrong, f"{len(wrong)} of {judged} calls, {case.size}, {dict(case.form)}:\n" + "\n".join(
        wrong[:5]
    )


def test_the_whole_run_draws_five_hundred_of_every_warp():
    for warp in WARPS.values():
        found = cases(warp)
        assert math.ceil(500 / len(found)) * len(found) >= 500
        assert {side for case in found for side in case.size} >= {9, 520} or warp.sizes[-1][0] < 520
