"""What errors say in a line."""

from __future__ import annotations

import pytest

from pipeport.errors import PortRefused, line_of


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
