"""The constants of `pipeport.cv2` are those of OpenCV, and none of their families is left out."""

from __future__ import annotations

import pytest

import pipeport.cv2 as mirror
from pipeport import catalog
from pipeport.cv2 import _constants

pytestmark = pytest.mark.both

cv2 = pytest.importorskip("cv2")

OURS = {name: value for name, value in vars(_constants).items() if name[0].isupper()}
WHOLE = (
    "INTER_",
    "WARP_",
    "BORDER_",
    "ROTATE_",
    "IMREAD_",
    "DECOMP_",
    "ALGO_HINT_",
    "THRESH_",
    "MORPH_",
    "COLORMAP_",
)
# No native takes these. Of codes of colours there are those that `cvtColor` serves.
LEFT_OUT = {"THRESH_MASK", "THRESH_DRYRUN", "MORPH_DIAMOND", "MORPH_HITMISS"}


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_constant_has_the_value_it_has_in_opencv(name: str) -> None:
    assert getattr(mirror, name) == getattr(cv2, name)
    assert type(getattr(mirror, name)) is int


def test_every_constant_of_the_families_is_there() -> None:
    theirs = {name for name in dir(cv2) if name.startswith(WHOLE)}
    assert theirs - LEFT_OUT <= set(OURS)


def test_every_code_that_is_served_has_its_names() -> None:
    served = catalog.find("cv2.cvtColor").domain["code"].values
    codes = {name for name in dir(cv2) if name.startswith("COLOR_") and getattr(cv2, name) in served}
    codes -= {name for name in codes if "YCR_CB" in name}  # aliases, which cv2 makes of the names in C++
    assert {"COLOR_BGR2RGB", "COLOR_RGB2HSV"} < codes
    assert codes <= set(OURS)
