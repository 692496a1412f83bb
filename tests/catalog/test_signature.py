"""A native has the parameters of its reference, in order, with their defaults; ours are listed.

Where a contract states the reference's signature (builtins that `inspect` cannot read, names that can
be given by position alone), that statement is held against what the reference says of itself.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

from pipeport import catalog
from pipeport.errors import UnsupportedArgument
from tests.catalog import arguments

pytestmark = pytest.mark.both

NATIVES = arguments.parametrized()
REFUSED = [(contract.native, name) for contract in arguments.here() for name in contract.refused]


def stated(text: str) -> inspect.Signature:
    """Return the signature that a contract writes down: '(src, dsize, dst=None)'."""
    scope: dict[str, Any] = {}
    exec(f"def reference{text}: ...", scope)
    return inspect.signature(scope["reference"])


def signature_of(reference: Any, parameters: str | None) -> inspect.Signature | None:
    """Return the signature stated, else the reference's own, else None."""
    if parameters is not None:
        return stated(parameters)
    try:
        return inspect.signature(reference)
    except ValueError:
        return None


def overloads(doc: str) -> list[list[str]]:
    """Return the parameter names of each form in OpenCV's own words: 'flip(src, flipCode[, dst]) -> dst'."""
    forms = re.findall(r"^\w+\(([^)]*)\)", doc, re.MULTILINE)
    return [[name.strip(" ,") for name in re.split(r"[\[\],]+", form) if name.strip(" ,")] for form in forms]


def outside_forms(native: Any, doc: str, extra: set[str]) -> list[str]:
    """Return in words where a native has other parameters than every form that OpenCV's own words have."""
    ours = [one for name, one in inspect.signature(native).parameters.items() if name not in extra]
    names, forms = [one.name for one in ours], overloads(doc)
    # An older OpenCV may lack the last parameters; the newest, of the main environment, may not.
    older = [names[: len(form)] for form in forms] if arguments.in_addons() else []
    found = [
        f"{one.name} is {one.kind.description}" for one in ours if one.kind is not one.POSITIONAL_OR_KEYWORD
    ]
    if names not in forms and not any(form in older for form in forms):
        found.append(f"parameters {names} for {forms}")
    return found


def disagreements(native: Any, reference: Any, extra: set[str], parameters: str | None = None) -> list[str]:
    """Return in words where two signatures part; parameters in `extra` are ours."""
    their = signature_of(reference, parameters)
    if their is None:
        return [f"{reference!r} is a builtin without a signature: state it in the contract"]
    theirs = list(their.parameters.values())
    every = list(inspect.signature(native).parameters.values())
    ours = [parameter for parameter in every if parameter.name not in extra]
    found = [
        f"extra {name} must be keyword-only"
        for name in extra
        if name not in {p.name for p in every if p.kind is p.KEYWORD_ONLY}
    ]
    if [p.name for p in ours] != [p.name for p in theirs]:
        return [*found, f"parameters {[p.name for p in ours]} for {[p.name for p in theirs]}"]
    for mine, its in zip(ours, theirs, strict=True):
        if mine.kind is not its.kind:
            found.append(f"{mine.name} is {mine.kind.description} for {its.kind.description}")
        if mine.default is not its.default and mine.default != its.default:  # NaN is not equal to itself
            found.append(f"{mine.name}={mine.default!r} for {its.default!r}")
    return found


@pytest.mark.parametrize("native", NATIVES)
def test_signature_is_that_of_the_reference(native: str) -> None:
    contract = catalog.find(native)
    reference = arguments.reference_of(contract)
    if contract.reference.startswith("cv2."):
        assert outside_forms(contract.function, reference.__doc__, set(contract.extra)) == []
        return
    found = disagreements(contract.function, reference, set(contract.extra), contract.parameters)
    if contract.kind == "method":  # the object it belongs to has no name there
        first = next(iter(contract.signature.parameters))
        found = [one.replace("'self'", repr(first)) for one in found]
        found = [one for one in found if one.split(" for ")[0] != "parameters " + one.split(" for ")[-1]]
    assert found == []


@pytest.mark.parametrize("native", NATIVES)
def test_a_stated_signature_is_needed_and_right(native: str) -> None:
    """What a contract states of a builtin is checked against what the builtin says of itself."""
    contract = catalog.find(native)
    reference = arguments.reference_of(contract)
    if contract.parameters is None:
        assert contract.reference.startswith("cv2.") or signature_of(reference, None) is not None
        return
    names = list(stated(contract.parameters).parameters)
    if contract.reference.startswith(("numpy.", "keras.")) and arguments.in_addons():
        return  # NumPy 1 and Keras 2 lack the newest parameters, and name some otherwise
    try:
        own = inspect.signature(reference)
    except ValueError:
        return
    generic = any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in own.parameters.values())
    assert generic or names == list(own.parameters), "the reference says otherwise of itself"


def test_overloads_are_read_and_told_apart() -> None:
    doc = "flip(src, flipCode[, dst]) -> dst\n.   @brief flip(of) an image"
    assert overloads(doc) == [["src", "flipCode", "dst"]]
    assert ["flipCode", "src", "dst"] not in overloads(doc)
    assert outside_forms(lambda src, flipCode, dst=None, ours=1: None, doc, {"ours"}) == []
    assert outside_forms(lambda src, dst=None, flipCode=1: None, doc, set()) != []
    assert outside_forms(lambda src, flipCode, *, dst=None: None, doc, set()) != []
    two = "imread(filename[, flags]) -> retval\n.  x\n\nimread(filename[, dst[, flags]]) -> dst"
    assert overloads(two) == [["filename", "flags"], ["filename", "dst", "flags"]]
    assert disagreements(lambda a, b=1: None, dict.get, set(), "(a, b=2)") != []


def _reference(image, angle, resize=False): ...


@pytest.mark.parametrize(
    "mutant",
    [
        lambda image, angle: None,
        lambda image, resize=False, angle=0: None,
        lambda image, angle, resize=True: None,
        lambda picture, angle, resize=False: None,
        lambda image, angle, resize=False, seed=None: None,
        lambda image, angle, *, resize=False: None,
    ],
    ids=["missing", "order", "default", "name", "unlisted", "kind"],
)
def test_other_signatures_are_told_apart(mutant: Any) -> None:
    assert disagreements(_reference, _reference, set()) == []
    assert disagreements(mutant, _reference, set()) != []


@pytest.mark.parametrize("native", NATIVES)
def test_the_contract_names_only_parameters_there_are(native: str) -> None:
    contract = catalog.find(native)
    parameters = contract.signature.parameters
    if not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        assert {*contract.domain, *contract.extra, *contract.refused} <= set(parameters)
    if not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        stated = {*contract.domain, *contract.extra, *contract.refused}
        assert set(parameters) <= stated, "a parameter is neither drawn, ours, nor refused"


@pytest.mark.parametrize(("native", "parameter"), REFUSED or [("", "")])
def test_refused_parameters_say_so(native: str, parameter: str) -> None:
    if not native:
        assert all(not contract.refused for contract in catalog.pairs().values())
        return
    contract = catalog.find(native)
    call = arguments.typical(contract)
    wrong = arguments.Call(contract, call.data, {**call.options, parameter: "unheard-of"})
    with pytest.raises(UnsupportedArgument, match=parameter):
        wrong(**call.elements)
