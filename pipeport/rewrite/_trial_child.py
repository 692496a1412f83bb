"""The child process of `pipeport scan --run`: it imports modules, and traces ports of their functions.

It takes questions as lines of JSON, and answers each by a line; what the user's code prints goes nowhere.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import json
import os
import re
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.errors import PipeportError, line_of
from pipeport.porting import port
from pipeport.rewrite._live import Recorder, is_function, make, module_of, named_inputs
from pipeport.verify import _mini_language
from pipeport.verify._child import speaker
from pipeport.verify._mini_specs import Tensor
from pipeport.verify._own_inputs import parameters_of

# What a parameter may be, by its name: in the language of `pipeport verify --input`.
_GUESSES: tuple[tuple[str, str], ...] = (
    ("path file filename fname fn uri name bytes raw encoded contents content text sentence f", "string[]"),
    ("label class target cls idx index id step count n i k length width height h w",
     "int64[] int32[] float32[] int64[None]"),
    ("angle scale factor alpha sigma gamma lam prob ratio rate seed", "float32[] float64[] int32[]"),
    ("box bbox point keypoint landmark anchor coord",
     "float32[None,4] float32[None,2] float32[None,None] float32[None]"),
    ("size shape", "int32[2] int32[] int32[3]"),
    ("audio wave waveform signal sound sample pcm", "float32[None] int16[None] float32[None,None]"),
    ("vol volume scan voxel", "float32[None,None,None] float32[None,None,None,1]"),
)  # fmt: skip
_IMAGES = "uint8[None,None,3] float32[None,None,3] string[] float32[None,None] float32[None] int64[]"
_TRIES = 6
_SCALARS = {int: "int64[]", float: "float32[]", bool: "bool[]", str: "string[]", bytes: "string[]"}


class _Trials:
    """What the process has been told and has imported."""

    def __init__(self, say: Callable[[dict[str, Any]], None]) -> None:
        self._say = say
        self._inputs: dict[str, str] = {}
        self._recorder = Recorder()

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Answer a question; whatever the user's code does is told in a line."""
        step = "broken"
        try:
            if "inputs" in question:
                self._inputs = {name: text for one in question["inputs"] for name, text in named_inputs(one)}
                tf.constant(0)  # loads it, before a function's time counts
            elif "dataset" in question:
                with self._recorder.watching():
                    make(question["dataset"])
            else:
                sys.argv = [question["path"]]
                with self._recorder.watching():  # many a module makes its dataset
                    module = module_of(question["path"] if question["body"] is None else question["body"][0])
                self._say({"imported": True})
                step = "traced"
                return self._traced(question, module)
        except (Exception, SystemExit) as error:
            what = "its module cannot be imported: " if step == "broken" and "path" in question else ""
            reason = f"{what}{_named(error)}"
            return {"ports": None, "reason": reason, "broken": step == "broken"}
        return {"ports": None, "reason": ""}

    def _traced(self, question: dict[str, Any], module: types.ModuleType) -> dict[str, Any]:
        found = self._recorded(question, self._recorder) or _in_module(question, module)
        found = found or self._handed_by(question)
        if found is None:
            reason = "its module does not show it: --dataset MODULE:FACTORY, which makes the dataset, does"
            return {"ports": None, "reason": reason}
        function, tensors = found
        first: dict[str, Any] | None = None
        for texts in _assumed(function, tensors, self._inputs, question["handed"]):
            said = _port(function, texts, question)
            if said["ports"]:
                return said
            first = first or said
        return first or {"ports": None, "reason": "its parameters are not to be found"}

    def _recorded(self, question: dict[str, Any], recorder: Recorder) -> tuple[Any, Any] | None:
        """Return the function as a boundary was handed it, with its tensors."""
        return next(((one, given) for one, given in recorder.calls if is_function(one, question)), None)

    def _handed_by(self, question: dict[str, Any]) -> tuple[Any, Any] | None:
        """Trace the function around the boundary, which hands over what is defined inside of it."""
        outer = getattr(module_of(question["path"]), question["top"] or "", None)
        recorder = Recorder()
        if callable(outer):
            with recorder.watching():
                for texts in _assumed(outer, None, self._inputs, ()):
                    with contextlib.suppress(Exception, SystemExit):  # a guess that was wrong
                        tf.function(outer).get_concrete_function(*map(_spec, texts.values()))
                    if recorder.calls:
                        break
        return self._recorded(question, recorder)


def _in_module(question: dict[str, Any], module: types.ModuleType) -> tuple[Any, Any] | None:
    """Return a function, a method of an object or an object that a module has, or a library's function."""
    name = question["function"]
    owner, _, last = name.rpartition(".")
    if question["body"] is None:
        return (getattr(importlib.import_module(owner), last), None) if owner else None
    for value in list(vars(module).values()):
        kinds = [one.__name__ for one in (value if isinstance(value, type) else type(value)).__mro__]
        if kinds[0] == name and callable(value) and not isinstance(value, type):
            return value, None
        one = getattr(value, last, None) if owner in kinds else None if owner else value
        static = owner and isinstance(inspect.getattr_static(value, last, None), staticmethod)
        bound = not owner or static or getattr(one, "__self__", None) is not None
        if not bound or not callable(one) or isinstance(one, type) or not is_function(one, question):
            continue
        if isinstance(one, functools.partial) == question["filled"]:
            return one if owner else inspect.unwrap(one), None
    return None


def _port(function: Any, texts: dict[str, str], question: dict[str, Any]) -> dict[str, Any]:
    """Trace a port of a function; with `Tout` where it needs that, since guessed inputs may not give it."""
    assumed = "; ".join(f"{name}: {text}" for name, text in texts.items())
    wrapper = "py_function" if question["wrapper"] == "py_function" else "numpy_function"
    dtypes = [tf.as_dtype(one) for one in question["gives"]]
    why = ""
    for told in (None, dtypes if len(dtypes) > 1 else dtypes[0]) if dtypes else (None,):
        try:
            _trace(port(function, wrapper=wrapper, Tout=told), texts)
        except (Exception, SystemExit) as error:
            why = why or _named(error)
        else:
            return {"ports": True, "reason": "", "assumed": assumed}
    return {"ports": False, "reason": why, "assumed": assumed}


def _trace(ported: Any, texts: dict[str, str]) -> None:
    def run(*tensors: Any) -> Any:
        with seeds.ambient([0, 0]):
            return ported(*tensors)

    tf.function(run, autograph=False).get_concrete_function(*map(_spec, texts.values()))


def _named(error: BaseException) -> str:
    """Return an error in a line, with its name where it is not one of ours."""
    said = line_of(error).replace(f"{Path.cwd()}{os.sep}", "")
    return said if isinstance(error, PipeportError) else f"{type(error).__name__}: {said}"


# What a function is handed.


def _assumed(
    function: Any, tensors: Any, inputs: dict[str, str], handed: Sequence[str]
) -> Iterator[dict[str, str]]:
    """Yield what the parameters of a function may be, the likeliest first."""
    known = [one for one in parameters_of(function) or [] if one.kind is not one.VAR_KEYWORD]
    if tensors is None:
        known = [one for one in known if one.default is one.empty or one.name in inputs][
            : len(handed) or None
        ]
        names = [one.name for one in known if one.kind is not one.KEYWORD_ONLY]
    else:
        names = [one.name for one in known][: len(tensors)]
        names += [f"x{number}" for number in range(len(names), len(tensors))]
    if not names:
        return
    by_name = {one.name: one for one in known}
    choices = {}
    for number, name in enumerate(names):
        tensor = None if tensors is None else tensors[number]
        dtype = handed[number] if number < len(handed) else ""
        choices[name] = _choices(name, by_name.get(name), tensor, inputs.get(name, ""), dtype)
    for number in range(min(_TRIES, max(map(len, choices.values())))):
        yield {name: found[min(number, len(found) - 1)] for name, found in choices.items()}


def _choices(name: str, parameter: Any, tensor: Any, text: str, dtype: str) -> list[str]:
    if text:
        return [text]
    guessed = _guessed(name)
    if tensor is not None:
        dtype = tensor.dtype.name
        if tensor.shape.rank is not None:
            return [f"{dtype}[{','.join(map(str, tensor.shape.as_list()))}]"]
    marked = "" if parameter is None else _annotated(parameter.annotation)
    if marked.endswith("]"):
        return [marked]
    dtype = dtype or marked
    if not dtype:
        return guessed
    return list(dict.fromkeys(f"{dtype}[{one.partition('[')[2]}" for one in guessed))


def _guessed(name: str) -> list[str]:
    """Return what a parameter of that name mostly is: of its words, the last known one counts."""
    for word in reversed(re.split(r"_|\d+", name.lower())):
        for words, kinds in _GUESSES:
            if word in words.split() or word.removesuffix("s").removesuffix("e") in words.split():
                return kinds.split()
    return _IMAGES.split()


def _annotated(annotation: Any) -> str:
    """Return the dtype that an annotation states, with sizes for Python's scalars."""
    if isinstance(annotation, type) and annotation in _SCALARS:
        return _SCALARS[annotation]
    found = re.search(r"\b(u?int(?:8|16|32|64)|float(?:16|32|64))\b", str(annotation))
    return found[1] if found and annotation is not inspect.Parameter.empty else ""


def _spec(text: str) -> Any:
    """Return the tensor that a text describes; a number of Python comes out of a boundary as a scalar."""
    kind = text.partition("[")[0].strip()
    if kind == "string":
        return tf.TensorSpec([], tf.string)
    spec = _mini_language.parse(f"x: {text}")["x"]
    if not isinstance(spec, Tensor):
        return tf.TensorSpec(
            [], {"int": tf.int64, "float": tf.float64, "bool": tf.bool}.get(kind.split()[0], tf.string)
        )
    return tf.TensorSpec([size.low if size.name is None else None for size in spec.sizes], spec.dtypes[0])


def main() -> None:
    """Answer the questions of standard input."""
    say = speaker()
    questions = os.fdopen(os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # nobody answers what the user's code asks
    trials = _Trials(say)
    for line in questions:
        say(trials.answer(json.loads(line)))


if __name__ == "__main__":
    main()
