"""The child process of `pipeport rewrite --verify`: it imports and runs the user's code, and compares.

Standard input holds a question as JSON, a line of standard output the answer.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import PipeportError, RewriteRefused
from pipeport.porting import Ported, sides
from pipeport.porting.frontend._meaning import dotted
from pipeport.porting.frontend._source import plain
from pipeport.rewrite._plan import NATIVE, UNWRAP
from pipeport.verify import _api, _case, _mini_language
from pipeport.verify._own_inputs import parameters_of
from pipeport.verify._storage import no_folder_left

_SECONDS = 10.0  # to look for a smaller example


class _Recorder:
    """Stands in the place of TensorFlow's wrappers, and keeps what they are given."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, list[Any]]] = []

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        plain_tf = sys.modules[tf.numpy_function.__module__.partition(".")[0]]  # not the lazy one
        owners = ((plain_tf, "numpy_function"), (plain_tf, "py_function"), (tf.compat.v1, "py_func"))
        kept = [getattr(owner, name) for owner, name in owners]
        for (owner, name), original in zip(owners, kept, strict=True):
            setattr(owner, name, self._watched(original))
        try:
            yield
        finally:
            for (owner, name), original in zip(owners, kept, strict=True):
                setattr(owner, name, original)

    def _watched(self, original: Callable[..., Any]) -> Any:
        @functools.wraps(original)
        def wrapper(func: Any = None, inp: Any = None, Tout: Any = None, **others: Any) -> Any:
            if func is not None:
                self.calls.append((func, [tf.convert_to_tensor(one) for one in inp]))
                return original(func, inp, Tout, **others)

            def decorate(function: Any) -> Any:
                @functools.wraps(function)
                def decorated(*args: Any) -> Any:
                    return wrapper(function, args, Tout, **others)

                return decorated

            return decorate

        return tf.autograph.experimental.do_not_convert(wrapper)


def answer(question: dict[str, Any]) -> list[str]:
    """Compare the functions of some changes with what they become.

    Parameters
    ----------
    question : dict
        `changes`, `inputs` by parameter, `dataset` and `examples`.

    Returns
    -------
    list of str
        For each change why it cannot be vouched for; empty where both forms agree.
    """
    recorder = _Recorder()
    specs = {name: text for one in question["inputs"] for name, text in _named(one)}
    with recorder.watching():
        if question["dataset"]:
            module, _, factory = question["dataset"].partition(":")
            sys.path.insert(0, str(Path.cwd()))
            getattr(importlib.import_module(module), factory)()
        return [
            _told(functools.partial(_compared, change, specs, recorder, question["examples"]))
            for change in question["changes"]
        ]


def _named(text: str) -> Iterator[tuple[str, str]]:
    """Yield each input of a text by its name."""
    _mini_language.parse(text)  # tells what is wrong in it
    for part in text.split(";"):
        name, _, spec = part.partition(":")
        yield name.strip(), spec.strip()


def _told(compare: Callable[[], str]) -> str:
    try:
        return compare()
    except PipeportError as error:
        return _line(error)
    except Exception as error:  # whatever the user's code does
        return f"{type(error).__name__}: {_line(error)}"


def _line(error: BaseException) -> str:
    return next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)


def _compared(change: dict[str, Any], specs: dict[str, str], recorder: _Recorder, examples: int) -> str:
    function, inputs = _recorded(change, recorder)
    if function is None:
        function = _imported(change)
        inputs = _given(function, specs)
    if change["becomes"] == NATIVE:
        old, new = function, functools.reduce(getattr, change["native"].split(".")[1:], _package())
    elif change["becomes"] == UNWRAP:
        old, new = _eager(function), tf.function(function)
    else:
        old, new = sides(Ported(function, None, change["wrapper"] or "numpy_function"))
    pair = _api.pair_of_functions(old, new, inputs)
    # A plain call is a graph already, and no shape is promised of it.
    for engine in ("eager",) if change["becomes"] == UNWRAP else _api.USER_ENGINES:
        record = _case.run_case(pair, engine, _case.Plan(examples=examples, shrink_seconds=_SECONDS))
        if record.status != "passed":
            said = record.failure.reason if record.failure else record.note
            return f"in engine {engine}, {' '.join(said.split())[:300]}"
    return ""


def _package() -> Any:
    return importlib.import_module("pipeport")


def _eager(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def old(*args: Any, **named: Any) -> Any:
        tensors = [tf.convert_to_tensor(one) for one in args]
        results = function(*tensors, **{name: tf.convert_to_tensor(one) for name, one in named.items()})
        return tf.nest.map_structure(lambda one: one.numpy(), results)

    return old


def _recorded(change: dict[str, Any], recorder: _Recorder) -> tuple[Any, str]:
    """Return a function as a dataset hands it to its boundary, and what describes its inputs."""
    for function, given in recorder.calls:
        if _is(function, change):
            parts = []
            for number, (name, tensor) in enumerate(zip(_names(function, len(given)), given, strict=True)):
                if tensor.dtype == tf.string or tensor.shape.rank is None:
                    what = f"{name} ({tensor.dtype.name}, shape {tensor.shape})"
                    raise RewriteRefused(f"inputs such as {what} cannot be drawn")
                known = enumerate(tensor.shape.as_list())
                sizes = ",".join(f"N{number}_{axis}" if side is None else str(side) for axis, side in known)
                parts.append(f"{name}: {tensor.dtype.name}[{sizes}]")
            return function, "; ".join(parts)
    return None, ""


def _names(function: Any, count: int) -> list[str]:
    known = [one.name for one in parameters_of(function) or [] if one.kind is one.POSITIONAL_OR_KEYWORD]
    return known[:count] if len(known) >= count else [f"x{number}" for number in range(count)]


def _is(function: Any, change: dict[str, Any]) -> bool:
    if change["becomes"] == NATIVE:
        return bool(dotted(function) == change["function"])
    try:
        code = plain(function)[0].__code__
    except PipeportError:
        return False
    file, line = change["body"]
    first = code.co_firstlineno  # the line of the first decorator
    last = first + 20 * change["decorated"]
    return bool(first <= line <= last) and Path(code.co_filename).resolve() == Path(file).resolve()


def _imported(change: dict[str, Any]) -> Any:
    if change["becomes"] == NATIVE:
        module, _, name = change["function"].rpartition(".")
        return getattr(importlib.import_module(module), name)
    if not change["importable"]:
        raise RewriteRefused(
            f"{change['function']} cannot be imported by a name: --dataset MODULE:FACTORY, a function that "
            "makes the dataset, lets it be found"
        )
    file = Path(change["body"][0]).resolve()
    parts = [file.stem] if file.stem != "__init__" else []
    folder = file.parent
    while (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    sys.path.insert(0, str(folder))
    return inspect.unwrap(getattr(importlib.import_module(".".join(parts)), change["function"]))


def _given(function: Any, specs: dict[str, str]) -> str:
    known = parameters_of(function) or []
    needed = [one.name for one in known if one.default is one.empty or one.name in specs]
    missing = [name for name in needed if name not in specs]
    if missing or not needed:
        name = missing[0] if missing else "x"
        raise RewriteRefused(f'nothing says what {name} is: add --input "{name}: uint8[H,W,3]", or --dataset')
    return "; ".join(f"{name}: {specs[name]}" for name in needed)


def main() -> None:
    """Answer the question on standard input."""
    question = json.loads(sys.stdin.read())
    out = sys.stdout
    with no_folder_left(), contextlib.redirect_stdout(sys.stderr):  # what the user's code prints is no answer
        told = answer(question)
    out.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
