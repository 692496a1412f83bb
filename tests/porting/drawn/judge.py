"""Run a drawn program by NumPy and by its port, in every mode, and compare."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
import tensorflow as tf

from pipeport import seeds
from pipeport.errors import PipeportError
from pipeport.porting import port
from pipeport.porting._replay import recorded
from tests.porting import replay
from tests.porting.drawn.programs import ERROR, INVALID, MODES, REFUSED, RIGHT, WRONG, Outcome, promoting

_WORST = (ERROR, WRONG, REFUSED, RIGHT)
# What XLA says of operations it has no kernel for, or of sizes that are computed.
_NO_KERNEL = re.compile(
    r"unsupported operations|compile-time constant|not compilable|bounded dynamic"
    r"|expected array argument for operand of slice",  # a part of drawn size, inside XLA
    re.IGNORECASE,
)


def _in_function(step, arguments, *, sized=True, compiled=False):
    return tf.function(step, input_signature=_specs(arguments, sized), jit_compile=compiled, autograph=False)


def _in_map(step, arguments, *, sized=True):
    def run(*given):
        specs = _specs(arguments, sized)
        data = tf.data.Dataset.from_generator(lambda: iter([given]), output_signature=specs)
        return next(iter(data.map(step)))

    return run


def _specs(arguments, sized):
    seed, *others = arguments
    tensors = map(tf.convert_to_tensor, others)
    rows = [tf.TensorSpec(one.shape if sized else [None] * len(one.shape), one.dtype) for one in tensors]
    return (tf.TensorSpec(seed.shape, seed.dtype), *rows)


_RUNS = {
    "eager": lambda step, arguments: step,
    "function": _in_function,
    "function, unknown sizes": lambda step, arguments: _in_function(step, arguments, sized=False),
    "map": _in_map,
    "map, unknown sizes": lambda step, arguments: _in_map(step, arguments, sized=False),
    "compiled": lambda step, arguments: _in_function(step, arguments, compiled=True),
}


def judge(program, modes=MODES):
    """Return what becomes of a program.

    Parameters
    ----------
    program : Program
        What is run, twice in each mode.
    modes : iterable of str
        Which of `MODES`; "eager" is always run, since it tells what was drawn.

    Returns
    -------
    Outcome
        The worst of all modes.
    """
    modes = [mode for mode in modes if program.compiles or mode != "compiled"]
    with promoting(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            calls = _original(program)
        except _Refused as refused:
            return refused.outcome
        found = [_outcome(program, mode, calls) for mode in modes]
    worst = min(found, key=lambda one: _WORST.index(one.kind))
    same = [one.modes for one in found if one.kind == worst.kind]
    return Outcome(worst.kind, worst.why, () if worst.kind == RIGHT else sum(same, ()))


class _Refused(Exception):
    def __init__(self, outcome):
        super().__init__(outcome)
        self.outcome = outcome


def _original(program):
    """Return the port's step, and seed, arguments and NumPy's result of both calls."""
    function = program.function()
    try:
        ported = port(function)
    except Exception as error:
        raise _Refused(_failed("port", error)) from error

    def step(seed, *arguments):
        with seeds.ambient(seed):
            return ported(*arguments)

    calls = []
    for number in (0, 1):
        seed = np.array([7, number], np.int64)
        arguments = program.called_with(number)
        try:
            with recorded() as tape:
                step(seed, *_copied(arguments))
        except Exception as error:
            failed = error
        else:
            failed = None
        try:
            with pytest.MonkeyPatch.context() as patch, replay.patched(patch, function, tape):
                right = function(*_copied(arguments))
        except AssertionError as error:
            if failed is None:
                raise _Refused(Outcome(WRONG, f"draws: {error}", ("eager",))) from error
        except Exception as error:
            raise _Refused(Outcome(INVALID, f"{type(error).__name__}: {error}")) from error
        if failed is not None:
            raise _Refused(_failed("eager", failed)) from failed
        calls.append(((seed, *arguments), right))
    return step, calls


def _copied(arguments):
    return tuple(one if isinstance(one, bytes) else one.copy() for one in arguments)


def _outcome(program, mode, made):
    step, calls = made
    try:
        run = _RUNS[mode](step, calls[0][0])
        for arguments, right in calls:
            found = run(*_copied(arguments))
            if (why := difference(program, found, right)) is not None:
                return Outcome(WRONG, why, (mode,))
    except Exception as error:
        return _failed(mode, error)
    return Outcome(RIGHT)


def _failed(mode, error):
    told = f"{type(error).__name__}: {error}"
    if isinstance(error, PipeportError) or "; allowed: " in told:
        return Outcome(REFUSED, _general(told), (mode,))
    if mode == "compiled" and _NO_KERNEL.search(told):
        return Outcome(REFUSED, "XLA has no kernel for it", (mode,))
    return Outcome(ERROR, _general(told), (mode,))


def _general(told):
    """Return the start of a message without what belongs to one program."""
    told = re.sub(r"<drawn body \d+>|\{\{[^}]*\}\}|'[^']*'|`[^`]*`|\b(u?int|float|bool)\d*|\d+", "_", told)
    return " ".join(told.split())[:160]


def difference(program, found, right):
    """Return in which way a result differs from NumPy's, or None."""
    found = list(found) if isinstance(found, (tuple, list)) else [found]
    names = re.findall(r"\w+", program.source.rpartition("return")[2])
    right = list(right) if isinstance(right, tuple) else [right]
    if len(found) != len(right):
        return "number of results"
    for place, (ours, theirs) in enumerate(zip(found, right, strict=True)):
        ours, theirs = _compared(ours), _compared(theirs)
        if ours.dtype != theirs.dtype and (ours.dtype.kind, theirs.dtype.kind) != ("S", "S"):
            return f"dtype {ours.dtype}, NumPy {theirs.dtype}"
        if ours.shape != theirs.shape:
            return "shape"
        slack = program.slack.get(names[place], 0.0) if len(names) == len(right) else 0.0
        if not _same(ours, theirs, slack * program.scale):
            return f"values of {theirs.dtype}"
    return None


def _compared(value):
    """Return a result as an array, of strings as bytes."""
    array = np.asarray(value)
    if array.dtype.kind == "U":
        return np.char.encode(array)
    return array.astype(bytes) if array.dtype.kind == "O" else array


def _same(ours, theirs, most):
    if theirs.dtype.kind != "f":
        return np.array_equal(ours, theirs)
    if not most:
        return np.array_equal(ours, theirs, equal_nan=True)
    return np.allclose(ours, theirs, rtol=0, atol=most, equal_nan=True)
