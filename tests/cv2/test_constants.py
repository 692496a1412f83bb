"""The constants of `pipeport.cv2` are those of OpenCV, and none of their families is left out."""

from __future__ import annotations

import re

import pytest

import pipeport.cv2 as mirror
from pipeport.cv2 import _constants

cv2 = pytest.importorskip("cv2")

OURS = {name: value for name, value in vars(_constants).items() if name[0].isupper()}
FAMILIES = ("INTER_", "WARP_", "BORDER_", "ROTATE_", "IMREAD_", "DECOMP_", "ALGO_HINT_")


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_constant_has_the_value_it_has_in_opencv(name: str) -> None:
    assert getattr(mirror, name) == getattr(cv2, name)
    assert type(getattr(mirror, name)) is int


def test_every_constant_of_the_families_is_there() -> None:
    theirs = {name for name in dir(cv2) if name.startswith(FAMILIES)}
    # Of the codes of colours those that `cvtColor` serves: the first twelve numbers, and three spaces.
    spaces = r"COLOR_(BGR|RGB)2(HSV(_FULL)?|YCrCb|YUV)|COLOR_(HSV|YCrCb|YUV)2(BGR|RGB)(_FULL)?"
    codes = [name for name in dir(cv2) if name.startswith("COLOR_")]
    served = {name for name in codes if getattr(cv2, name) < 12 or re.fullmatch(spaces, name)}
    # Of the types of `threshold` all that can be given; of morphology all but two.
    left_out = {"THRESH_MASK", "THRESH_DRYRUN", "MORPH_DIAMOND", "MORPH_HITMISS"}
    served |= {name for name in dir(cv2) if name.startswith(("THRESH_", "MORPH_"))} - left_out
    assert theirs | served == set(OURS)
