"""The child process of `pipeport rewrite --verify`: it imports and runs the user's code, and compares.

Standard input holds a question as JSON, a line of standard output the answer.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib
import json
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import PipeportError, RewriteRefused
from pipeport.porting import Ported, port, sides
from pipeport.rewrite._inputs import Filled
from pipeport.rewrite._live import Recorder, imported, line_of, make, named_inputs, recorded
from pipeport.rewrite._plan import NATIVE, UNWRAP
from pipeport.verify import _api, _case, _mini_language
from pipeport.verify._own_inputs import parameters_of
from pipeport.verify._storage import no_folder_left

_SECONDS = 10.0  # to look for a smaller example


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
    recorder = Recorder()
    specs = {name: text for one in question["inputs"] for name, text in named_inputs(one)}
    with recorder.watching():
        if question["dataset"]:
            make(question["dataset"])
        return [
            _told(functools.partial(_compared, change, specs, recorder, question["examples"]))
            for change in question["changes"]
        ]


def _told(compare: Callable[[], str]) -> str:
    try:
        return compare()
    except PipeportError as error:
        return line_of(error)
    except Exception as error:  # whatever the user's code does
        return f"{type(error).__name__}: {line_of(error)}"


def _compared(change: dict[str, Any], specs: dict[str, str], recorder: Recorder, examples: int) -> str:
    function, inputs = recorded(change, recorder)
    if function is None:
        function = imported(change)
        inputs = _given(function, specs)
    for name, kinds, reason in change["doubts"]:
        known = _dtypes(inputs, name)
        if not known or any(np.dtype(one).kind in kinds for one in known):
            raise RewriteRefused(reason)
    if change["becomes"] == NATIVE:
        old, new = function, functools.reduce(getattr, change["native"].split(".")[1:], _package())
    elif change["becomes"] == UNWRAP:
        old, new = _eager(function), tf.function(function)
    else:
        old, new = sides(_ported(function, change))
    pair = _api.pair_of_functions(old, new, inputs)
    pair = dataclasses.replace(pair, port_islands=bool(change["example"]))
    # A plain call is a graph already, and no shape is promised of it.
    for engine in ("eager",) if change["becomes"] == UNWRAP else _api.USER_ENGINES:
        record = _case.run_case(pair, engine, _case.Plan(examples=examples, shrink_seconds=_SECONDS))
        if record.status != "passed":
            said = record.failure.reason if record.failure else record.note
            return f"in engine {engine}, {' '.join(said.split())[:300]}"
    return ""


def _ported(function: Any, change: dict[str, Any]) -> Ported:
    wrapper = change["wrapper"] or "numpy_function"
    if not change["example"]:
        return port(function, wrapper=wrapper)
    with warnings.catch_warnings():  # it names the islands
        warnings.simplefilter("ignore")
        example = tuple(Filled(*one).array() for one in change["example"])
        return port(function, islands=True, example=example, wrapper=wrapper)


def _dtypes(inputs: str, name: str) -> tuple[str, ...]:
    """Return the dtypes that an input may have; none where it is no tensor."""
    return tuple(getattr(_mini_language.parse(inputs).get(name), "dtypes", ()))


def _package() -> Any:
    return importlib.import_module("pipeport")


def _eager(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def old(*args: Any, **named: Any) -> Any:
        tensors = [tf.convert_to_tensor(one) for one in args]
        results = function(*tensors, **{name: tf.convert_to_tensor(one) for name, one in named.items()})
        return tf.nest.map_structure(lambda one: one.numpy(), results)

    return old


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
