"""Libraries whose versions give different results: which are mirrored, and which one is installed.

The metadata of packages tells it; the libraries are not imported.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import importlib.metadata
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

Version = int | str
_Release = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Library:
    """A library whose natives follow one of several versions.

    `module`: what is imported; also the name of the functions of `pipeport.config`. `references`: references
    that are concerned; one that ends in a dot stands for all below it. `versions`: each version that is
    mirrored, under the first release that gives its results. `proved`: the oldest release that was proved,
    and the first that may give other results; None where no later release is known to. `tells_older`: whether
    an installed release that is followed, but is not of the newest version, is told. `distributions`: each of
    them brings the module.
    """

    name: str
    module: str
    references: tuple[str, ...]
    versions: Mapping[_Release, Version]
    proved: tuple[_Release, _Release | None]
    tells_older: bool
    distributions: tuple[str, ...]

    @property
    def variable(self) -> str:
        """The environment variable that chooses a version."""
        return f"PIPEPORT_{self.name.upper()}"

    @property
    def newest(self) -> Version:
        """The newest version that is mirrored."""
        return self.versions[max(self.versions)]

    @property
    def allowed(self) -> str:
        """The versions that are mirrored, in words."""
        return " or ".join(map(str, self.versions.values()))

    @property
    def advice(self) -> str:
        """How to choose."""
        call = f"pipeport.config.set_{self.name.lower()}"
        return f"To choose, set {self.variable} to {self.allowed}, or call {call}."

    def concerns(self, reference: str) -> bool:
        """Say whether the results of a reference depend on the version."""
        return any(
            reference == one or (one[-1] == "." and reference.startswith(one)) for one in self.references
        )

    def of_release(self, release: str) -> tuple[Version, bool]:
        """Return the version whose results a release gives, and whether that was proved."""
        numbers = _numbers(release)
        first = max((one for one in self.versions if one <= numbers), default=min(self.versions))
        oldest, end = self.proved
        return self.versions[first], oldest <= numbers and (end is None or numbers < end)

    @functools.cached_property
    def followed(self) -> tuple[Version, str, bool]:
        """The version where none is set, why, and whether to warn; looked up once per process."""
        found = self._installed()
        if not found:
            return self.newest, f"no package of {self.name} is installed", True
        # Of several, the one that is imported where the lists of files tell, else the newest.
        release, name, brings = next((one for one in found if one[2]), max(found, key=_by_release))
        version, proved = self.of_release(release)
        reason = f"{name} {release} is installed"
        differ = any(self.of_release(one[0]) != (version, proved) for one in found)
        if differ:
            others = " and ".join(f"{other} {at}" for at, other, _ in found if other != name)
            what = f"brings {self.module}" if brings else "is the newest"
            reason = f"{name} {release} {what}, beside {others}"
        if not proved:
            reason += f", and {version} is the nearest that is mirrored"
        return version, reason, differ or not proved or (self.tells_older and version != self.newest)

    def _installed(self) -> list[tuple[str, str, bool]]:
        """Return release and name of each distribution, by `sys.path`; and if the module there is its own."""
        places = [str(Path(place)) for place in sys.path]
        found = []
        for name in self.distributions:
            with contextlib.suppress(importlib.metadata.PackageNotFoundError):
                one = importlib.metadata.distribution(name)
                place = str(one.locate_file(""))
                if _numbers(str(one.version)):
                    rank = places.index(place) if place in places else len(places)
                    found.append((rank, (str(one.version), name, self._brings_module(one))))
        return [one for _, one in sorted(found)]

    def _brings_module(self, distribution: importlib.metadata.Distribution) -> bool:
        """Say whether the module in a distribution's place is its own: a later one overwrites it."""
        for file in distribution.files or ():
            if file.as_posix() == f"{self.module}/version.py" and file.hash is not None:
                with contextlib.suppress(OSError):
                    digest = hashlib.new(file.hash.mode, Path(file.locate()).read_bytes()).digest()
                    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == file.hash.value
        return False


def _numbers(release: str) -> _Release:
    """Return the numbers a release begins with: (1, 18, 1), and nothing where there are none."""
    begins = re.match(r"\d+(\.\d+)*", release)
    return tuple(map(int, begins[0].split("."))) if begins else ()


def _by_release(found: tuple[str, str, bool]) -> tuple[_Release, str]:
    return _numbers(found[0]), found[1]


OPENCV = Library(
    name="OpenCV",
    module="cv2",
    references=("cv2.",),
    versions={(4,): 4, (5,): 5},
    proved=((4,), (6,)),
    tells_older=True,
    distributions=(
        "opencv-python",
        "opencv-python-headless",
        "opencv-contrib-python",
        "opencv-contrib-python-headless",
    ),
)
# What samples with splines. Python 3.11 gets no SciPy newer than 1.17, and splines of 'reflect' differ on
# short axes alone: an older SciPy is followed without a word.
SCIPY = Library(
    name="SciPy",
    module="scipy",
    references=(
        "pipeport.references.rotate_volume",
        *(
            f"scipy.ndimage.{name}"
            for name in (
                "affine_transform",
                "geometric_transform",
                "map_coordinates",
                "rotate",
                "shift",
                "spline_filter",
                "spline_filter1d",
                "zoom",
            )
        ),
        *(
            f"tensorflow.keras.preprocessing.image.{name}"
            for name in (
                "apply_affine_transform",
                "random_rotation",
                "random_shear",
                "random_shift",
                "random_zoom",
            )
        ),
        *(
            f"skimage.transform.{name}"
            for name in (
                "pyramid_expand",
                "pyramid_reduce",
                "rescale",
                "resize",
                "rotate",
                "swirl",
                "warp",
                "warp_polar",
            )
        ),
    ),
    versions={(1, 14): "1.17", (1, 18): "1.18"},
    proved=((1, 14), None),
    tells_older=False,
    distributions=("scipy",),
)
KERAS = Library(
    name="Keras",
    module="keras",
    references=("keras.utils.to_categorical",),
    versions={(2,): 2, (3,): 3},
    proved=((2, 15), (4,)),
    tells_older=False,
    distributions=("keras",),
)
LIBRARIES = (OPENCV, SCIPY, KERAS)
