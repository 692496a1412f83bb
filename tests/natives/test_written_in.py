"""What is written into the docstring of a native from its contract."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from pipeport.contract import Difference, Exact, Image, always, replaces

pytestmark = pytest.mark.newest_only

TOLD = """Blur an image.

Parameters
----------
{}src, size : array and int
    Both.
{}
Notes
-----
{}Agreement: bit for bit.
"""


def told(text: str, differences: tuple[str, ...] = ()) -> str:
    """Return the docstring of a native that has this one."""

    def blur(first: Any = None, src: Any = None, size: Any = 3, dst: Any = None, *rest: Any) -> Any:
        return first, src, size, dst, rest

    blur.__doc__ = text
    native = replaces(
        "imaginary.blur",
        domain={"src": Image()},
        agreement=Exact(),
        proven_against=">=1",
        refused={"first": "it comes first", "dst": "tensors are not written in place"},
        differences=tuple(
            Difference(one, witness=lambda: {"src": np.zeros(3)}, applies=always) for one in differences
        ),
    )(blur)
    return inspect.getdoc(native) or ""


ALL = TOLD.replace("Blur an image.", "Blur an image.\n\nNative equivalent of `imaginary.blur`.")
FIRST = "first : None\n    Refused: it comes first.\n"
LAST = "dst : None\n    Refused: tensors are not written in place.\n"


def test_the_reference_and_refused_parameters_are_written_at_their_places() -> None:
    assert told(TOLD.format("", "", "")) == ALL.format(FIRST, LAST, "").strip()


@pytest.mark.parametrize("last", [LAST, "dst, rest : None\n    No longer.\n", "rest, dst\n    No type.\n"])
def test_what_is_there_stays_as_it_is(last: str) -> None:
    text = ALL.format("first : None\n    Not.\n", last, "Here they differ.\n")
    assert told(text, ("Here\nthey differ.",)) == text.strip()


def test_differences_are_written_at_the_head_of_the_notes() -> None:
    long = "A difference of many words. " * 8
    found = told(TOLD.format("", "", "Here they differ.\n"), ("Here they differ.", long, "And there."))
    notes = found.partition("Notes\n-----\n")[2]
    head, items, rest = notes.split("\n\n")
    assert head == "Differences from the reference:"
    assert [" ".join(one.split()) for one in items.removeprefix("- ").split("\n- ")] == [
        long.strip(),
        "And there.",
    ]
    assert max(map(len, items.splitlines())) <= 106
    assert rest == "Here they differ.\nAgreement: bit for bit."


def test_a_native_without_a_docstring_has_none() -> None:
    def blur(src: Any) -> Any:
        return src

    native = replaces("imaginary.blur", domain={}, agreement=Exact(), proven_against=">=1")(blur)
    assert native.__doc__ is None
