"""Stated ranges of versions, and what is installed outside of them.

    python -m tests.ranges        # prints what is outside; exit code 1 if anything is

A range is stated by a contract (`proven_against`) and by pyproject.toml (dependencies and extras). Each
session of nox that runs the tests asks first.
"""

from __future__ import annotations

import importlib.metadata
import platform
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from pipeport import catalog
from pipeport._followed import OPENCV
from pipeport.verify._fingerprint import environment

PROJECT = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text())["project"]
PYTHON = "python"
# Distributions of references, by the module that is imported first. References of our own are of NumPy.
DISTRIBUTIONS = {
    "PIL": "pillow",
    "albumentations": "albumentations",
    "cv2": OPENCV.distributions,
    "keras": "keras",
    "numpy": "numpy",
    "pipeport": "numpy",
    "random": PYTHON,
    "scipy": "scipy",
    "skimage": "scikit-image",
    "tensorflow": "keras",  # what is exported as tensorflow.keras
    "tensorflow_addons": "tensorflow-addons",
}
EXTRAS = {"main": "all", "addons": "addons"}


def proven(package: str) -> dict[str, list[str]]:
    """Return the ranges that contracts state of a reference's package, each with the pairs that state it."""
    found: dict[str, list[str]] = {}
    for name, contract in catalog.pairs().items():
        if contract.reference.partition(".")[0] == package:
            found.setdefault(contract.proven_against, []).append(name)
    return found


def required(extra: str) -> list[Requirement]:
    """Return what pyproject.toml requires here for an extra, and for those that it names."""
    found = []
    for text in (*PROJECT["dependencies"], *PROJECT["optional-dependencies"][extra]):
        one = Requirement(text)
        if canonicalize_name(one.name) == PROJECT["name"]:
            found += [other for name in sorted(one.extras) for other in required(name)]
        elif one.marker is None or one.marker.evaluate():
            found.append(one)
    return found


def version(distribution: str) -> str | None:
    """Return the version of a distribution that is installed."""
    if distribution == PYTHON:
        return platform.python_version()
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def outside() -> Iterator[str]:
    """Yield what is installed outside of a stated range, or missing, in words."""
    here = environment()
    for one in dict.fromkeys(map(str, required(EXTRAS[here]))):
        requirement = Requirement(one)
        found = version(requirement.name)
        if found is None or not requirement.specifier.contains(found, prereleases=True):
            yield f"{requirement.name} {found or 'is missing'}: pyproject.toml states {requirement.specifier}"
    for package, names in DISTRIBUTIONS.items():
        for distribution in (names,) if isinstance(names, str) else names:
            found = version(distribution)
            for stated, pairs in proven(package).items():
                if found is not None and not SpecifierSet(stated).contains(found, prereleases=True):
                    more = f" and {len(pairs) - 1} more" if len(pairs) > 1 else ""
                    yield f"{distribution} {found}: {pairs[0]}{more} were proved against {stated}"


def main() -> int:
    """Print what is outside."""
    lines = list(outside())
    print(*lines, sep="\n") if lines else print("All installed versions lie inside the stated ranges.")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
