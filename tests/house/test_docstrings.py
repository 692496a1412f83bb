"""House rules for docstrings, over every native and every public function."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable
from typing import Any

import pytest
from numpydoc.docscrape import NumpyDocString

import pipeport
from pipeport import catalog

pytestmark = pytest.mark.newest_only

NATIVES = list(catalog.pairs())
SECTIONS = ("Parameters", "Returns", "Raises", "Notes", "Examples")
# What natives and tools are made of: nobody imports it from outside, and one line may be enough.
BUILT_ON = ("arrays", "cli", "contract", "kernels", "meanings", "recipes_index", "references")


def _public_modules() -> list[str]:
    names = [m.name for m in pkgutil.walk_packages(pipeport.__path__, prefix="pipeport.")]
    return [n for n in names if not any(part.startswith("_") for part in n.split("."))]


def _public_functions() -> dict[str, Callable[..., Any]]:
    """Return every function that a user can import from a public module, natives included."""
    found = {}
    for name in _public_modules():
        for attribute, value in vars(importlib.import_module(name)).items():
            own = inspect.isfunction(value) and (value.__module__ or "").startswith("pipeport")
            if own and not attribute.startswith("_"):
                found[f"{value.__module__}.{value.__qualname__}"] = value
    return found


def _exported_functions() -> dict[str, Callable[..., Any]]:
    """Return the functions that users import, by their public name."""
    found = {}
    for name in _public_modules():
        for attribute, value in vars(importlib.import_module(name)).items():
            own = inspect.isfunction(value) and (value.__module__ or "").startswith("pipeport.")
            if not own or attribute.startswith("_"):
                continue
            if {place.split(".")[1] for place in (name, value.__module__)}.intersection(BUILT_ON):
                continue
            if inspect.signature(value).parameters:
                found[f"{name}.{attribute}"] = value
    return found


def problems(function: Callable[..., Any], *, sections: tuple[str, ...] = ()) -> list[str]:
    """Return in words what a docstring lacks: sections, and parameters in the signature's order."""
    doc = NumpyDocString(inspect.getdoc(function) or "")
    found = [f"no section {name}" for name in sections if not doc[name]]
    if not doc["Summary"] or not doc["Summary"][-1].endswith("."):
        found.append("the summary is not a sentence")
    documented = [part.lstrip("*") for p in doc["Parameters"] for part in re.split(r",\s*", p.name)]
    parameters = list(inspect.signature(function).parameters)
    if (doc["Parameters"] or sections) and documented != parameters:
        found.append(f"documents {documented}, takes {parameters}")
    return found


@pytest.mark.parametrize("name", sorted(_public_functions()))
def test_parameters_are_documented_as_they_are(name: str) -> None:
    assert problems(_public_functions()[name]) == []


@pytest.mark.parametrize("name", sorted(_exported_functions()))
def test_an_export_says_what_it_takes(name: str) -> None:
    assert problems(_exported_functions()[name], sections=("Parameters",)) == []


@pytest.mark.parametrize("native", NATIVES)
def test_a_native_has_all_sections(native: str) -> None:
    function = catalog.pairs()[native].function
    sections = SECTIONS if inspect.signature(function).parameters else SECTIONS[1:]
    assert problems(function, sections=sections) == []


@pytest.mark.parametrize("native", NATIVES)
def test_a_native_names_its_reference_and_every_difference(native: str) -> None:
    contract = catalog.pairs()[native]
    text = " ".join((inspect.getdoc(contract.function) or "").split())
    assert f"`{contract.reference}`" in text
    for difference in contract.differences:
        assert " ".join(difference.summary.split()) in text, difference.summary


def unfilled(text: str) -> list[str]:
    """Return the words in braces for which a shared text should stand."""
    return re.findall(r"(?:^|\s)\{([a-z_]+)\}", text)


@pytest.mark.parametrize("native", NATIVES)
def test_shared_texts_are_filled_in(native: str) -> None:
    assert unfilled(inspect.getdoc(catalog.pairs()[native].function) or "") == []


@pytest.mark.parametrize("native", NATIVES)
def test_errors_a_native_names_exist(native: str) -> None:
    doc = NumpyDocString(inspect.getdoc(catalog.pairs()[native].function) or "")
    for raised in doc["Raises"]:
        name = raised.type or raised.name
        assert name.startswith("tf.errors.") or hasattr(pipeport.errors, name), name


def _examples() -> list[doctest.DocTest]:
    finder = doctest.DocTestFinder(recurse=False)
    tests = [t for name, f in _public_functions().items() for t in finder.find(f, name, globs={})]
    return [test for test in tests if test.examples]


@pytest.mark.parametrize("example", _examples(), ids=lambda example: example.name)
def test_examples_run(example: doctest.DocTest) -> None:
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    outcome = runner.run(example, out=report.append)
    assert outcome.failed == 0, "".join(report)


def _well(image, angle):
    """Turn.

    Parameters
    ----------
    image : array
        It.
    angle : float
        By.

    Returns
    -------
    array
        Turned.
    """


def _swapped(angle, image): ...


def _without(image, angle):
    """Turn."""


def test_the_checks_can_fail() -> None:
    assert problems(_well, sections=("Parameters", "Returns")) == []
    assert problems(_well, sections=("Raises",)) == ["no section Raises"]
    _swapped.__doc__ = _well.__doc__
    assert problems(_swapped) == ["documents ['image', 'angle'], takes ['angle', 'image']"]
    assert "no section Parameters" in problems(_without, sections=("Parameters",))
    assert unfilled("It gives {'a': 1} or {}. {planet} twice, ({called}) and\n{planes}") == [
        "planet",
        "planes",
    ]
