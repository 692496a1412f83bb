"""Stated ranges of versions are true: extras install what was proved, and what is outside is told."""

from __future__ import annotations

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from pipeport import catalog
from tests import ranges

pytestmark = pytest.mark.both


def releases(*specifiers: SpecifierSet) -> list[str]:
    """Return the releases at which ranges begin and end, one before and one after each."""
    found = set()
    for one in (part for specifier in specifiers for part in specifier):
        *upper, last = Version(one.version.removesuffix(".*")).release
        for number in {max(last - 1, 0), last, last + 1}:
            found.add(".".join(map(str, (*upper, number))))
        found.add(f"{one.version.removesuffix('.*')}.1")
    return sorted(found)


def test_every_package_of_a_reference_is_known():
    packages = {contract.reference.partition(".")[0] for contract in catalog.pairs().values()}
    assert packages == set(ranges.DISTRIBUTIONS)


@pytest.mark.parametrize("extra", ["all", "addons"])
def test_extras_install_nothing_that_was_not_proved(extra):
    """Each release that an extra allows lies in the range of each pair of that package."""
    stated: dict[str, list[SpecifierSet]] = {}
    for one in ranges.required(extra):
        stated.setdefault(one.name, []).append(one.specifier)
    seen = 0
    for package, names in ranges.DISTRIBUTIONS.items():
        for distribution in (names,) if isinstance(names, str) else names:
            allowed = SpecifierSet(",".join(map(str, stated.get(distribution, []))))
            if distribution not in stated:
                continue
            for text, pairs in ranges.proven(package).items():
                for release in releases(allowed, SpecifierSet(text)):
                    seen += release in allowed
                    assert release not in allowed or release in SpecifierSet(text), (distribution, pairs[0])
    assert seen > 20


def test_python_is_proved_from_the_first_version_that_installs():
    for text in ranges.proven("random"):
        assert SpecifierSet(text) == SpecifierSet(ranges.PROJECT["requires-python"])


def test_what_is_outside_is_told(monkeypatch):
    assert list(ranges.outside()) == []
    monkeypatch.setitem(ranges.__dict__, "version", {"pillow": "12.9", "opencv-python": "5.1"}.get)
    lines = list(ranges.outside())
    assert "numpy is missing: pyproject.toml states >=1.26" in lines
    assert any(line.startswith("pillow 12.9: pyproject.toml states ") for line in lines)
    assert any(line.startswith("pillow 12.9: pipeport.PIL.") for line in lines)
    (matrices,) = (line for line in lines if line.startswith("opencv-python 5.1"))
    assert matrices.endswith("6 more were proved against >=4.11,<5.1")
