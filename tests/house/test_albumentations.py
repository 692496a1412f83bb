"""The signatures and docstrings of what is not in the catalog, and the examples of all classes."""

from __future__ import annotations

import doctest
import inspect

import albumentations as reference
import pytest
from numpydoc.docscrape import NumpyDocString

import pipeport.albumentations as A
from pipeport.contract import contract_of
from tests.catalog.test_signature import disagreements

pytestmark = pytest.mark.newest_only

NAMES = [name for name, value in vars(A).items() if inspect.isclass(value)]


def test_what_is_not_in_the_catalog_are_compositions_and_their_parameters() -> None:
    others = {name for name in NAMES if contract_of(getattr(A, name)) is None}
    assert others == {
        "BboxParams",
        "Compose",
        "KeypointParams",
        "OneOf",
        "OneOrOther",
        "ReplayCompose",
        "Sequential",
        "SomeOf",
    }
    assert set(NAMES) > others


@pytest.mark.parametrize("name", NAMES)
def test_signatures_are_those_of_the_reference(name: str) -> None:
    assert disagreements(getattr(A, name), getattr(reference, name), set()) == []


@pytest.mark.parametrize("name", NAMES)
def test_docstrings_say_what_is_taken_and_refused(name: str) -> None:
    doc = NumpyDocString(inspect.getdoc(getattr(A, name)) or "")
    documented = [part for entry in doc["Parameters"] for part in entry.name.split(", ")]
    assert documented == list(inspect.signature(getattr(A, name)).parameters)
    assert doc["Raises"]
    assert doc["Examples"]
    assert f"`albumentations.{name}`" in inspect.getdoc(getattr(A, name))


@pytest.mark.parametrize("name", NAMES)
def test_examples_run(name: str) -> None:
    found = doctest.DocTestFinder(recurse=False).find(getattr(A, name), name, globs={})
    assert any(test.examples for test in found)
    report: list[str] = []
    for test in found:
        assert doctest.DocTestRunner().run(test, out=report.append).failed == 0, "".join(report)
