"""Paths known only at run time: `os.path` and `pathlib`, of POSIX."""

from __future__ import annotations

import os
import os.path
import pathlib
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import PortRefused, UnsupportedArgument, WrongType, explain
from pipeport.porting._values import is_text, weak
from pipeport.porting.strings._files import open_
from pipeport.porting.strings._text import BYTES, STR, Text, checked

_SLASH = "Give a name without a slash."


def _after(text: Any) -> Any:
    """Return what stands behind the last slash, as a tensor."""
    return tf.strings.regex_replace(text, r"\A\C*/", "")


def _without(text: Any, end: Any) -> Any:
    """Return a tensor of a string without its last part."""
    return tf.strings.substr(text, 0, tf.strings.length(text) - tf.strings.length(end))


def _text(path: Any) -> Any:
    """Return a path as a string: of Python's where it is known."""
    if isinstance(path, PathText):
        return Text(path.tensor, STR)
    return path if is_text(path) else os.fspath(path)


def _served(python: Callable[..., Any], ours: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of one path, ours where known only at run time."""

    def function(path: Any) -> Any:
        found = _text(path)
        return ours(found) if is_text(found) else python(found)

    return function


def _basename(path: Text) -> Text:
    return path.new(_after(path.tensor))


def _dirname(path: Text) -> Text:
    head = _without(path.tensor, _after(path.tensor))
    return path.new(tf.strings.regex_replace(head, r"([^/])/+\z", r"\1"))


def _splitext(path: Text) -> tuple[Text, Text]:
    end = tf.strings.regex_replace(_after(path.tensor), r"\A(?:\.*[^.]\C*(\.[^.]*)|\C*)\z", r"\1")
    return path.new(_without(path.tensor, end)), path.new(end)


def _split(path: Text) -> tuple[Text, Text]:
    return _dirname(path), _basename(path)


def _isabs(path: Text) -> Any:
    return path.startswith("/" if path.kind is STR else b"/")


def exists(path: Any) -> Any:
    """Do what `os.path.exists` does, each time the graph runs."""
    found = _text(path)
    # Of a constant TensorFlow would ask once.
    tensor = found.tensor if is_text(found) else tf.where(tf.timestamp() >= 0, os.fspath(found), "")
    named = tf.strings.regex_replace(tensor, r"([*?\[\\])", r"\\\1")  # no pattern
    allowed, advice = "paths without a slash at the end", "Leave the slash out."
    message = explain("exists", "a path with a slash at the end", allowed, advice)
    named = checked(tf.logical_not(tf.strings.regex_full_match(tensor, r"\C*[^/]/+")), named, message, tensor)
    return weak(tf.size(tf.io.matching_files(named)) > 0)


def join(first: Any, *parts: Any) -> Any:
    """Do what `os.path.join` does."""
    row = [_text(part) for part in (first, *parts)]
    whole = row[0]
    for part in row[1:]:
        whole = _joined(whole, part)
    return whole


def _joined(whole: Any, part: Any) -> Any:
    if not is_text(whole) and not is_text(part):
        return os.path.join(whole, part)  # noqa: PTH118 - it is what is served
    kind = whole.kind if is_text(whole) else part.kind
    both = Text(tf.constant(whole), type(whole)) if not is_text(whole) else whole
    if not is_text(part):
        if both.constant(part, "path").startswith("/" if kind is STR else b"/"):
            return part
        return both.new(tf.strings.join([both.tensor, _between(whole), part]))
    found = tf.strings.join([both.tensor, _between(whole), both.other(part, "path")])
    is_absolute = tf.strings.regex_full_match(part.tensor, r"/\C*")
    return both.new(tf.where(is_absolute, part.tensor, found))


def _between(whole: Any) -> Any:
    if not is_text(whole):
        return "" if not whole or whole[-1:] in ("/", b"/") else "/"
    return tf.where(tf.strings.regex_full_match(whole.tensor, r"|\C*/"), "", "/")


class PathText(Text, stands_for=(pathlib.PosixPath,)):  # noqa: PLW1641 - `StandIn` refuses it
    """A path of `pathlib` known only at run time; its text is as `str` gives it."""

    described = "a path known only at run time"

    @property
    def python_type(self) -> type:
        """The class that the value has in Python."""
        return self.stands_for[0]

    def in_python(self) -> Callable[[Any], Any]:
        """Return what makes a path of a value of the tensor."""
        text = super().in_python()
        return lambda value: pathlib.Path(text(value))

    @property
    def name(self) -> Text:
        """Last part of the path."""
        name = _after(self.tensor)
        return Text(tf.where(tf.equal(name, "."), "", name), STR)

    @property
    def suffix(self) -> Text:
        """What begins with the last dot of the name."""
        pattern = r"\A(?:\C+(\.[^.]+)|\C*)\z"
        return Text(tf.strings.regex_replace(self.name.tensor, pattern, r"\1"), STR)

    @property
    def stem(self) -> Text:
        """The name without its suffix."""
        return Text(_without(self.name.tensor, self.suffix.tensor), STR)

    @property
    def parent(self) -> PathText:
        """The path without its name."""
        head = _dirname(Text(self.tensor, STR)).tensor
        is_root = tf.strings.regex_full_match(self.tensor, "//?")
        return PathText(tf.where(is_root, self.tensor, tf.where(tf.equal(head, ""), ".", head)), STR)

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, pathlib.PurePath):
            other = PathText(tf.constant(str(other)), STR)
        return super().__eq__(other)

    def __add__(self, other: Any) -> Any:
        raise WrongType(explain("+", "a path", "strings", "Write `path / name`, or `str(path) + name`."))

    __radd__ = __getitem__ = __add__

    def __lt__(self, other: Any) -> Any:
        self.refuse("<")  # paths stand in the order of their parts

    __le__ = __gt__ = __ge__ = __lt__

    def __truediv__(self, other: Any) -> Any:
        return path_(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return path_(other, self)

    def joinpath(self, *parts: Any) -> Any:
        """Do what `Path.joinpath` does."""
        return path_(self, *parts)

    def with_name(self, name: Any) -> Any:
        """Do what `Path.with_name` does."""
        text = Text(self.tensor, STR).other(name, "name")
        ok = ~tf.strings.regex_full_match(text, r"|\.|\C*/\C*") & tf.not_equal(self.name.tensor, "")
        message = explain("with_name", "no name, or a path without one", "names", _SLASH)
        return self.parent / Text(checked(ok, text, message, text), STR)

    def with_suffix(self, suffix: Any) -> Any:
        """Do what `Path.with_suffix` does."""
        end = self.constant(suffix, "suffix")
        if "/" in end or (end and not end.startswith(".")) or end == ".":
            raise UnsupportedArgument(explain("suffix", repr(end), "'' or '.name'", _SLASH))
        return self.with_name(self.stem + end)

    def with_stem(self, stem: Any) -> Any:
        """Do what `Path.with_stem` does."""
        return self.with_name(stem + self.suffix)

    def open(self, *given: Any, **named: Any) -> Any:
        """Do what `Path.open` does."""
        return open_(self, *given, **named)

    def read_text(self, encoding: Any = None) -> Text:
        """Do what `Path.read_text` does."""
        return open_(self, encoding=encoding).read()

    def read_bytes(self) -> Text:
        """Do what `Path.read_bytes` does."""
        return open_(self, "rb").read()

    def as_posix(self) -> Text:
        """Do what `Path.as_posix` does."""
        return Text(self.tensor, STR)

    __fspath__ = None

    def exists(self) -> Any:
        """Do what `Path.exists` does."""
        return exists(self)

    def is_absolute(self) -> Any:
        """Do what `Path.is_absolute` does."""
        return _isabs(Text(self.tensor, STR))


PATH_METHODS = frozenset(
    {
        "read_text",
        "read_bytes",
        "open",
        "joinpath",
        "with_name",
        "with_suffix",
        "with_stem",
        "as_posix",
        "is_absolute",
        "exists",
    }
)
PATH_ATTRIBUTES = frozenset({"name", "suffix", "stem", "parent"})


def path_(*parts: Any, **named: Any) -> Any:
    """Return `pathlib.Path` of parts known only at run time."""
    if not any(is_text(part) for part in parts):
        return pathlib.Path(*parts, **named)
    row = [_text(part) for part in parts]
    if any((part.kind if is_text(part) else type(part)) is BYTES for part in row):
        advice = "Decode it first: `path.decode()`."
        raise WrongType(explain("Path", "bytes", "strings", advice))
    return PathText(_normal(join(*row)), STR)


Text.as_path = staticmethod(path_)


def _normal(text: Any) -> Any:
    """Return a path without empty parts and dots, as `pathlib` has it."""
    if not is_text(text):
        return tf.constant(str(pathlib.PurePosixPath(text)))
    parts = text._parts("/")
    kept = tf.boolean_mask(parts, tf.not_equal(parts, "") & tf.not_equal(parts, "."))
    root = tf.strings.regex_replace(text.tensor, r"\A(?:(//)[^/]\C*|(//)|(/)\C*|\C*)\z", r"\1\2\3")
    whole = tf.strings.join([root, tf.strings.reduce_join(kept, separator="/")])
    return tf.where(tf.equal(whole, ""), ".", whole)


def _fspath(path: Any) -> Any:
    return _text(path)


def _refused(name: str) -> Callable[..., Any]:
    python = getattr(os.path, name)

    def function(*given: Any) -> Any:
        if any(is_text(one) for one in given):
            advice = "Join the parts outside of the function, or name files as they are."
            text = "a path known only at run time"
            raise PortRefused(explain(f"os.path.{name}", text, "known paths", advice))
        return python(*given)

    return function


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    os.path.join: join,
    os.path.basename: _served(os.path.basename, _basename),
    os.path.dirname: _served(os.path.dirname, _dirname),
    os.path.splitext: _served(os.path.splitext, _splitext),
    os.path.split: _served(os.path.split, _split),
    os.path.isabs: _served(os.path.isabs, _isabs),
    os.path.exists: exists,
    os.fspath: _fspath,
    os.path.normpath: _refused("normpath"),
    pathlib.Path: path_, pathlib.PurePath: path_, pathlib.PosixPath: path_, pathlib.PurePosixPath: path_,
}  # fmt: skip
