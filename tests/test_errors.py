"""What errors say in a line, and what they are about, which they keep between processes."""

from __future__ import annotations

import pickle

import pytest

from pipeport import cv2
from pipeport.errors import OutsideDomain, PortRefused, explain, line_of


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("one\ntwo", "one"),
        ("", ""),
        ("f cannot be ported:\n  a.py, line 3: g()\n    g: no native\n  a.py, line 4: h()",
         "f cannot be ported: a.py, line 3: g() g: no native"),
        ('in user code:\n\n    File "a.py", line 1, in h  *\n\n    ValueError: no\n', "ValueError: no"),
        ("word " * 100, " ".join(["word"] * 59) + " ..."),
    ],
    ids=["lines", "nothing", "list", "traced", "long"],
)  # fmt: skip
def test_a_line(text, line):
    assert line_of(PortRefused(text)) == line


@pytest.mark.parametrize(
    ("parameter", "first"), [("size", "size"), ("dx, dy", "dx"), ("pad_width[0]", "pad_width")]
)
def test_the_first_parameter(parameter, first):
    error = OutsideDomain(explain(parameter, "3", "4", "Write 4."))
    assert error.parameter == first
    assert str(error) == f"{parameter}: got 3; allowed: 4. Write 4."
    again = pickle.loads(pickle.dumps(error))
    assert (again.parameter, str(again)) == (first, str(error))


def test_of_a_native():
    with pytest.raises(OutsideDomain) as caught:
        cv2.merge([])
    assert caught.value.parameter == "mv"


@pytest.mark.parametrize("arguments", [(), ("The function cannot be ported:",)])
def test_none(arguments):
    assert PortRefused(*arguments).parameter == ""
