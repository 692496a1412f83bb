"""Why a mode could not be measured, with the traceback trimmed to the user's own frames."""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import sysconfig
import traceback
from dataclasses import dataclass
from pathlib import Path

import pipeport

UNTRACEABLE = "cannot be traced"
RAISES = "raises"
ENDLESS = "does not end"
NOT_PLAIN = "is not measured"
NOT_COMPILED = "cannot be compiled"
DIED = "ends its process"

# What a function may raise; an interruption is none of its own.
FAILURES = (Exception, SystemExit)

_MOST_LETTERS = 400
_IN_USER_CODE = "in user code:"
_GRAPH_ERROR = "Graph execution error:"
# What follows the reason in messages of TensorFlow, and what stands in its midst.
_AFTER = re.compile(r"The op is created at|tf2xla conversion failed|\[\[\{\{|\[Op:| name: *$")
_NOISE = re.compile(
    r"\[_XlaMustCompile[^\]]*\]|\{\{function_node [^}]*\}\}|(?<=\))\{\{node [^}]*\}\}|\{\{node ([^}]*)\}\}"
)
_TRACED_NAME = re.compile(r"__inference_(\w+?)_\d+\b")
_FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<name>\S+)')


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Why a mode was not measured.

    `kind`: one of the constants of this module. `message`: what was raised, or what to do. `frames`: the
    user's frames, the innermost last: 'file, line 3, in function'.
    """

    kind: str
    message: str
    frames: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The problem on one line."""
        place = f" ({self.frames[-1]})" if self.frames else ""
        return f"{self.kind}: {self.message}{place}"


def problem_of(kind: str, error: BaseException) -> Problem:
    """Derive the problem of the user's function from an exception.

    Returns: frames of TensorFlow, of installed packages and of pipeport are left out.
    """
    return Problem(kind=kind, message=_message(error), frames=_frames(error))


def _message(error: BaseException) -> str:
    text, name = str(error).strip(), type(error).__name__
    if text.startswith((_IN_USER_CODE, _GRAPH_ERROR)):
        # Frames come first; the last paragraph is what was raised.
        text = text.split("\n\n")[-1].strip()
    if text.startswith(f"{name}: "):
        text = text.removeprefix(f"{name}: ")
    text = _NOISE.sub(lambda found: found[1] or "", _AFTER.split(text)[0])
    line = " ".join(_TRACED_NAME.sub(r"\1", text).split()).removesuffix(".")
    if len(line) > _MOST_LETTERS:
        line = line[:_MOST_LETTERS].rstrip() + " ..."
    return f"{name}: {line}" if line else name


def _frames(error: BaseException) -> tuple[str, ...]:
    known, text = getattr(error, "ag_error_metadata", None), str(error)
    if known is not None:
        stack = [(f.filename, f.lineno, f.function_name) for f in reversed(known.translated_stack)]
    elif text.startswith(_GRAPH_ERROR):
        stack = [(found["file"], int(found["line"]), found["name"]) for found in _FRAME.finditer(text)]
    else:
        stack = [(f.filename, f.lineno, f.name) for f in traceback.extract_tb(error.__traceback__)]
    own = [frame for frame in stack if is_own(frame[0])]
    return tuple(f"{_short(file)}, line {line}, in {name}" for file, line, name in own)


def is_own(file: str) -> bool:
    """Say whether a file is the user's: not TensorFlow's, an installed package's, Python's or pipeport's."""
    if "__autograph_generated_file" in file or file.startswith("<frozen"):
        return False
    return not any(Path(file).is_relative_to(home) for home in _strangers())


@functools.cache
def _strangers() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    installed = (Path(paths[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    return (*installed, Path(pipeport.__file__).parent, tensorflow_home())


@functools.cache
def tensorflow_home() -> Path:
    """Return the folder of TensorFlow's own Python code."""
    spec = importlib.util.find_spec("tensorflow")
    return Path(spec.origin if spec and spec.origin else "tensorflow").parent


def _short(file: str) -> str:
    relative = os.path.relpath(file)
    return file if relative.startswith("..") else relative
