"""Strings of the graph have the methods of Python's, for drawn text."""

from __future__ import annotations

import os
import pathlib

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeport.porting._values import is_array, is_text
from pipeport.porting.strings import _numbers
from pipeport.porting.strings import _paths as paths
from pipeport.porting.strings._text import Text, as_text

METHODS = [
    lambda s: s.lower(),
    lambda s: s.upper(),
    lambda s: s.strip(),
    lambda s: s.lstrip("./"),
    lambda s: s.rstrip("b."),
    lambda s: s.split(),
    lambda s: s.split("."),
    lambda s: s.split("a.", 1),
    lambda s: s.rsplit(".", 1),
    lambda s: s.rsplit("/", 2),
    lambda s: s.partition("."),
    lambda s: s.rpartition("/"),
    lambda s: s.splitlines(),
    lambda s: s.replace(".", "\\0"),
    lambda s: s.replace("..", "/", 1),
    lambda s: s.find("."),
    lambda s: s.rfind(".a"),
    lambda s: s.count("a"),
    lambda s: s.isdigit(),
    lambda s: s.isdecimal(),
    lambda s: s.isnumeric(),
    lambda s: s.startswith(("/", "..")),
    lambda s: s.endswith(".a"),
    lambda s: s.removeprefix("."),
    lambda s: s.removesuffix("a"),
    lambda s: s.zfill(4),
    lambda s: s[1:-1],
    lambda s: s[-2:],
    lambda s: s[:-3],
    lambda s: s[::2],
    lambda s: s[-2::-3],
    lambda s: s[1:-1:2],
    lambda s: s[-9:4:9],
    lambda s: s.encode(),
    lambda s: s.isalpha(),
    lambda s: s.isalnum(),
    lambda s: s.isspace(),
    lambda s: s.isascii(),
    lambda s: s.isupper(),
    lambda s: s.islower(),
    lambda s: s.ljust(5),
    lambda s: s.rjust(4, "é"),
    lambda s: s.center(6, "*"),
    lambda s: s.center(5),
    lambda s: s < "b.",
    lambda s: s <= "ab",
    lambda s: s > "_",
    lambda s: s >= "\u00e9",
]
OF_ASCII = [lambda s: s.capitalize(), lambda s: s.title()]
PATHS = [
    (os.path.basename, paths.FUNCTIONS[os.path.basename]),
    (os.path.dirname, paths.FUNCTIONS[os.path.dirname]),
    (os.path.splitext, paths.FUNCTIONS[os.path.splitext]),
    (os.path.split, paths.FUNCTIONS[os.path.split]),
]
OF_PATH = [
    lambda p: p.name,
    lambda p: p.stem,
    lambda p: p.suffix,
    lambda p: p.parent.parent,
    lambda p: p / "a/./b",
    lambda p: p.is_absolute(),
]
CHARACTERS = st.sampled_from("ab/..._- \n\r\t\x1c\x85é²٣\u2003İΣ\\1+")


def plain(value):
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    if isinstance(value, pathlib.PurePath):
        return os.fspath(value)
    if is_array(value):
        return value._values.numpy().item()
    if not is_text(value):
        return value
    found = value.tensor.numpy()
    texts = [one if value.kind is bytes else one.decode() for one in np.atleast_1d(found)]
    return texts[0] if isinstance(value, Text) else texts


@given(st.text(CHARACTERS, max_size=9), st.text(CHARACTERS, max_size=4))
@example("//a", "")
@example("", "")
@example("..a.b.", "/")
@settings(max_examples=60, deadline=None)
def test_methods_are_pythons(text, other):
    ours = as_text(text)
    for number, method in enumerate(METHODS):
        assert plain(method(ours)) == plain(method(text)), number
    for python, served in PATHS:
        assert plain(served(ours)) == plain(python(text)), python
        assert plain(served(ours.encode())) == plain(python(text.encode())), python
    for parts in ([ours, other], [other, ours], [ours, as_text(other)]):
        assert plain(paths.join(*parts)) == os.path.join(*map(plain, parts))  # noqa: PTH118 - it is what is compared
    path = pathlib.PurePosixPath(text)
    for number, method in enumerate(OF_PATH):
        assert plain(method(paths.path_(ours))) == plain(method(path)), number
    assert plain(ours.join([text, other, ours])) == text.join([text, other, text])
    assert plain(ours.holds(as_text(other))) == (other in text)
    assert plain(ours == as_text(other)) == (text == other)
    assert plain(ours < as_text(other)) == (text < other)
    if text.isascii():
        assert plain(ours.casefold()) == text.casefold()
    for method in OF_ASCII if text.isascii() else ():
        assert plain(method(ours)) == plain(method(text))
        assert plain(method(ours.encode())) == plain(method(text.encode()))
    for step in (2, -1, -3):
        assert plain(ours.encode()[1::step]) == text.encode()[1::step]
    for form in (">6", "<5", "^7", "_^8", "4"):
        assert plain(_numbers.text(ours, form)) == format(text, form)
    if text:
        assert plain(ours[-1]) == text[-1]
        assert plain(ours.encode()[0]) == text.encode()[0]
