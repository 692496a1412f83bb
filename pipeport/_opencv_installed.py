"""Which OpenCV is installed, by the metadata of packages: `cv2` is not imported."""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import importlib.metadata
import re
import sys
from pathlib import Path

OPENCV_VERSIONS = (4, 5)
# Each of them brings `cv2`.
DISTRIBUTIONS = (
    "opencv-python",
    "opencv-python-headless",
    "opencv-contrib-python",
    "opencv-contrib-python-headless",
)


def _brings_cv2(distribution: importlib.metadata.Distribution) -> bool:
    """Say whether the `cv2` in a distribution's place is its own: a later one writes over an earlier one."""
    for file in distribution.files or ():
        if file.as_posix() == "cv2/version.py" and file.hash is not None:
            with contextlib.suppress(OSError):
                digest = hashlib.new(file.hash.mode, Path(file.locate()).read_bytes()).digest()
                return base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == file.hash.value
    return False


def _installed() -> list[tuple[int, str, bool]]:
    """Return major version and name of each installed OpenCV, by `sys.path`; and if `cv2` is its own."""
    places = [str(Path(place)) for place in sys.path]
    found = []
    for name in DISTRIBUTIONS:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            one = importlib.metadata.distribution(name)
            place = str(one.locate_file(""))
            if major := re.match(r"\d+", str(one.version)):
                rank = places.index(place) if place in places else len(places)
                found.append((rank, (int(major[0]), f"{name} {one.version}", _brings_cv2(one))))
    return [one for _, one in sorted(found)]


@functools.cache
def followed() -> tuple[int, str, bool]:
    """Return the version where none is set, why, and whether to warn; looked up once per process."""
    found = _installed()
    if not found:
        return OPENCV_VERSIONS[-1], "no package of OpenCV is installed", True
    # Of several, the one that `import cv2` finds where the lists of files tell, else the newest.
    major, name, brings = next((one for one in found if one[2]), max(found))
    version = min(max(major, OPENCV_VERSIONS[0]), OPENCV_VERSIONS[-1])
    reason = f"{name} is installed"
    differ = any(one[0] != major for one in found)
    if differ:
        others = " and ".join(other for _, other, _ in found if other != name)
        reason = f"{name} {'brings cv2' if brings else 'is the newest'}, beside {others}"
    if version != major:
        reason += f", and {version} is the nearest that is mirrored"
    return version, reason, differ or major != OPENCV_VERSIONS[-1]
