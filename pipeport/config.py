"""Settings of the process: from the environment, from code, or for one `with` block."""

from __future__ import annotations

import contextlib
import functools
import os
import warnings
from collections.abc import Iterator
from contextvars import ContextVar

from pipeport._followed import KERAS, OPENCV, SCIPY, Library, Version
from pipeport._tensorflow_private import start_alone
from pipeport.errors import PipeportWarning, UnsupportedArgument, explain

JIT_POLICIES = ("auto", "always", "never")
_SWITCHES = {"0": False, "false": False, "1": True, "true": True}
_ARRAY_LIMIT = 64
_BIT_EQUAL_ADVICE = "True asks for the bits of OpenCV and Pillow where they cost speed, too."
_FAST_START_ADVICE = "True lets iterators over datasets start faster."

_jit: str | None = None
_versions: dict[Library, Version] = {}
_bit_equal: bool | None = None
_fast_start: bool | None = None
_fast_start_here: ContextVar[bool | None] = ContextVar("fast_start_here", default=None)
_array_limit: int | None = None


def _checked(value: str, source: str) -> str:
    if value not in JIT_POLICIES:
        raise UnsupportedArgument(
            explain(
                source,
                repr(value),
                ", ".join(map(repr, JIT_POLICIES)),
                "Use 'auto' unless you measure.",
            )
        )
    return value


def jit() -> str:
    """Return the XLA policy in force.

    Returns
    -------
    str
        'auto' compiles where that was measured to gain, 'always' wherever XLA can,
        'never' leaves plain graph ops. Set by `set_jit`, else by the environment
        variable ``PIPEPORT_JIT``, else 'auto'. It is read while a function is traced.
    """
    if _jit is not None:
        return _jit
    return _checked(os.environ.get("PIPEPORT_JIT", "auto"), "PIPEPORT_JIT")


def set_jit(policy: str | None) -> None:
    """Set the XLA policy of the process; None returns to the environment's.

    Parameters
    ----------
    policy : {'auto', 'always', 'never'} or None
        See `jit`.

    Raises
    ------
    UnsupportedArgument
        The policy has another name.
    """
    global _jit  # noqa: PLW0603 - one process-wide setting, read at trace time
    _jit = None if policy is None else _checked(policy, "policy")


@contextlib.contextmanager
def use_jit(policy: str) -> Iterator[None]:
    """Use an XLA policy for everything that is traced inside the `with` block.

    Parameters
    ----------
    policy : {'auto', 'always', 'never'}
        See `jit`.

    Yields
    ------
    None
        Nothing; the earlier policy returns afterwards.
    """
    before = _jit
    set_jit(policy)
    try:
        yield
    finally:
        set_jit(before)


def _checked_version(library: Library, value: object, source: str) -> Version:
    for version in library.versions.values():
        # An environment variable gives it as text.
        if (type(value) is type(version) and value == version) or value == str(version):
            return version
    raise UnsupportedArgument(
        explain(
            source,
            repr(value),
            library.allowed,
            "Give the version whose results your model was trained on.",
        )
    )


def _resolved(library: Library) -> tuple[Version, str, bool]:
    """Return the version in force, why, and whether to warn."""
    if library in _versions:
        return _versions[library], "pipeport.config says so", False
    value = os.environ.get(library.variable)
    if value is not None:
        return _checked_version(library, value, library.variable), f"{library.variable} says so", False
    return library.followed


@functools.cache
def _warn_once(library: Library, version: Version, reason: str) -> None:
    message = f"pipeport gives the results of {library.name} {version}: {reason}. {library.advice}"
    warnings.warn(message, PipeportWarning, stacklevel=4)


def _version(library: Library) -> Version:
    version, reason, warn = _resolved(library)
    if warn:
        _warn_once(library, version, reason)
    return version


def _set_version(library: Library, version: object) -> None:
    if version is None:
        _versions.pop(library, None)
    else:
        _versions[library] = _checked_version(library, version, "version")


@contextlib.contextmanager
def _use_version(library: Library, version: Version) -> Iterator[None]:
    before = _versions.get(library)
    _set_version(library, version)
    try:
        yield
    finally:
        _set_version(library, before)


def version_and_reason(library: Library) -> tuple[Version, str]:
    """Return the version whose results the natives of a library give, and why, without a warning.

    Parameters
    ----------
    library : Library
        One of `pipeport._followed.LIBRARIES`.

    Returns
    -------
    (int or str, str)
        (4, 'opencv-python 4.11.0.86 is installed'), or ('1.18', 'PIPEPORT_SCIPY says so').
    """
    return _resolved(library)[:2]


def opencv() -> int:
    """Return the major version of OpenCV whose results the natives of `pipeport.cv2` give.

    Returns
    -------
    {4, 5}
        4 quantises the coordinates of its warps to 1/32 pixel, 5 computes them in float32.
        Set by `set_opencv`, else by the environment variable ``PIPEPORT_OPENCV``, else the
        OpenCV that is installed, as its package metadata says (`cv2` is not imported), else 5.
        It is read while a function is traced.

    Warns
    -----
    PipeportWarning
        Once per process, where nothing is set and what is followed is not simply an installed
        OpenCV 5: another major version, several that differ, or none.
    """
    return int(_version(OPENCV))


def set_opencv(version: int | None) -> None:
    """Set OpenCV's major version for the process; None returns to the environment's.

    Parameters
    ----------
    version : {4, 5} or None
        See `opencv`.

    Raises
    ------
    UnsupportedArgument
        There is no such behaviour.
    """
    _set_version(OPENCV, version)


def use_opencv(version: int) -> contextlib.AbstractContextManager[None]:
    """Use a major version of OpenCV for everything that is traced inside the `with` block.

    Parameters
    ----------
    version : {4, 5}
        See `opencv`.

    Returns
    -------
    context manager
        The earlier version returns afterwards.
    """
    return _use_version(OPENCV, version)


def scipy() -> str:
    """Return the version of SciPy whose results the natives that sample with splines give.

    Returns
    -------
    {'1.17', '1.18'}
        '1.18' filters short axes as exactly as long ones. '1.17' and older do not, in mode 'reflect'
        ('symmetric' of scikit-image) at orders 2 to 5: for values from 0 to 1 an axis of three, such
        as that of RGB, is off by 5e-3 at order 5 and 1e-4 at order 3, one of twelve by 1e-9 and less.
        Set by `set_scipy`, else by the environment variable ``PIPEPORT_SCIPY``, else the SciPy
        that is installed, as its package metadata says (it is not imported), else '1.18'.
        It is read while a function is traced that depends on it.

    Warns
    -----
    PipeportWarning
        Once per process, where nothing is set and no SciPy is installed, or several that differ.
    """
    return str(_version(SCIPY))


def set_scipy(version: str | None) -> None:
    """Set SciPy's version for the process; None returns to the environment's.

    Parameters
    ----------
    version : {'1.17', '1.18'} or None
        See `scipy`.

    Raises
    ------
    UnsupportedArgument
        There is no such behaviour.
    """
    _set_version(SCIPY, version)


def use_scipy(version: str) -> contextlib.AbstractContextManager[None]:
    """Use a version of SciPy for everything that is traced inside the `with` block.

    Parameters
    ----------
    version : {'1.17', '1.18'}
        See `scipy`.

    Returns
    -------
    context manager
        The earlier version returns afterwards.
    """
    return _use_version(SCIPY, version)


def keras() -> int:
    """Return the major version of Keras whose results the natives of `pipeport.keras` give.

    Returns
    -------
    {2, 3}
        `to_categorical` of 2 gives float32, of 3 float64. Set by `set_keras`, else by the environment
        variable ``PIPEPORT_KERAS``, else the Keras that is installed, as its package metadata says (it is
        not imported), else 3. It is read while a function is traced that depends on it.

    Warns
    -----
    PipeportWarning
        Once per process, where nothing is set and no Keras is installed.
    """
    return int(_version(KERAS))


def set_keras(version: int | None) -> None:
    """Set Keras' major version for the process; None returns to the environment's.

    Parameters
    ----------
    version : {2, 3} or None
        See `keras`.

    Raises
    ------
    UnsupportedArgument
        There is no such behaviour.
    """
    _set_version(KERAS, version)


def use_keras(version: int) -> contextlib.AbstractContextManager[None]:
    """Use a major version of Keras for everything that is traced inside the `with` block.

    Parameters
    ----------
    version : {2, 3}
        See `keras`.

    Returns
    -------
    context manager
        The earlier version returns afterwards.
    """
    return _use_version(KERAS, version)


def _switch_of_environment(variable: str, advice: str) -> bool:
    value = os.environ.get(variable, "0")
    if value.lower() not in _SWITCHES:
        allowed = ", ".join(map(repr, _SWITCHES))
        raise UnsupportedArgument(explain(variable, repr(value), allowed, advice))
    return _SWITCHES[value.lower()]


def _checked_switch(wanted: object, advice: str) -> bool | None:
    if wanted is not None and not isinstance(wanted, bool):
        raise UnsupportedArgument(explain("wanted", repr(wanted), "True, False, None", advice))
    return wanted


def bit_equal() -> bool:
    """Say whether uint8 images are interpolated to the bit, also where that costs speed.

    Returns
    -------
    bool
        False: natives that interpolate uint8 images as OpenCV and Pillow do may be off by one
        grey level where equal bits cost speed; the docstring of a native states its agreement.
        True: they give every bit of the reference. Nearest neighbours, floats, and all of
        NumPy, SciPy and scikit-image are the same either way. Set by `set_bit_equal`, else by
        the environment variable ``PIPEPORT_BIT_EQUAL``, else False. It is read while a
        function is traced.
    """
    if _bit_equal is not None:
        return _bit_equal
    return _switch_of_environment("PIPEPORT_BIT_EQUAL", _BIT_EQUAL_ADVICE)


def set_bit_equal(wanted: bool | None) -> None:
    """Ask for equal bits in the whole process; None returns to the environment's setting.

    Parameters
    ----------
    wanted : bool or None
        See `bit_equal`.

    Raises
    ------
    UnsupportedArgument
        It is neither True nor False.
    """
    global _bit_equal  # noqa: PLW0603 - one process-wide setting, read at trace time
    _bit_equal = _checked_switch(wanted, _BIT_EQUAL_ADVICE)


@contextlib.contextmanager
def use_bit_equal(wanted: bool) -> Iterator[None]:
    """Ask for equal bits, or not, for everything that is traced inside the `with` block.

    Parameters
    ----------
    wanted : bool
        See `bit_equal`.

    Yields
    ------
    None
        Nothing; the earlier setting returns afterwards.
    """
    before = _bit_equal
    set_bit_equal(wanted)
    try:
        yield
    finally:
        set_bit_equal(before)


def fast_start() -> bool:
    """Say whether iterators over datasets that are made now start faster.

    Returns
    -------
    bool
        True: `map`, `filter`, `flat_map`, `interleave`, `scan` and `take_while` of `tf.data.Dataset` keep
        their function as it was traced. False: TensorFlow optimises it anew for each iterator. Set by
        `set_fast_start`, else by the environment variable ``PIPEPORT_FAST_START``, else False. It is
        read when the dataset is made.
    """
    if (here := _fast_start_here.get()) is not None:
        return here
    if _fast_start is not None:
        return _fast_start
    return _switch_of_environment("PIPEPORT_FAST_START", _FAST_START_ADVICE)


def states_fast_start() -> bool:
    """Say whether anybody asked for fast starts, or against them.

    Returns
    -------
    bool
        False: neither `set_fast_start` nor the environment says anything. `pipeport run` then measures for
        which datasets they pay.
    """
    stated = os.environ.get("PIPEPORT_FAST_START") is not None
    return stated or _fast_start is not None or _fast_start_here.get() is not None


def set_fast_start(wanted: bool | None) -> None:
    """Let iterators of the whole process start faster, or not; None returns to the environment's setting.

    Parameters
    ----------
    wanted : bool or None
        See `fast_start`.

    Raises
    ------
    UnsupportedArgument
        It is neither True nor False.

    Notes
    -----
    Elements are those of eager mode: without TensorFlow's optimisers no constants are joined, so that floats
    may be rounded otherwise. It rests on an attribute of functions that TensorFlow does not document.
    Datasets stay as TensorFlow makes them where a GPU, a TPU or another machine is visible; in graphs; in
    tf.data's debug mode, with `tf.config.run_functions_eagerly` and `enable_op_determinism`; where the
    function calls `tf.parallel_stack`, which an optimiser replaces, or uses a variable or a table that is not
    on the first CPU; and in a TensorFlow newer than 2.21.
    """
    global _fast_start  # noqa: PLW0603 - one process-wide setting, read when a dataset is made
    _fast_start = _checked_switch(wanted, _FAST_START_ADVICE)
    if wanted:
        start_alone(fast_start)


@contextlib.contextmanager
def use_fast_start(wanted: bool) -> Iterator[None]:
    """Let iterators over datasets that are made inside the `with` block start faster, or not.

    Parameters
    ----------
    wanted : bool
        See `fast_start`.

    Yields
    ------
    None
        Nothing; the earlier setting returns afterwards. Other threads keep theirs.

    Raises
    ------
    UnsupportedArgument
        It is neither True nor False.
    """
    before = _fast_start_here.set(_checked_switch(wanted, _FAST_START_ADVICE))
    if wanted:
        start_alone(fast_start)
    try:
        yield
    finally:
        _fast_start_here.reset(before)


def _checked_limit(value: object, source: str) -> int:
    if type(value) is int and value >= 0:
        return value
    advice = "Say how large an array may be that enters a graph."
    raise UnsupportedArgument(explain(source, repr(value), "a whole number of megabytes, from 0", advice))


def array_limit() -> int:
    """Return the size up to which an array from outside of a ported function enters its graph.

    Returns
    -------
    int
        In megabytes of 2**20 bytes. A larger array that the function indexes with values of the graph is
        refused, or stays Python where islands are allowed. Set by `set_array_limit`, else by the
        environment variable ``PIPEPORT_ARRAY_LIMIT``, else 64. It is read while a function is traced.
    """
    if _array_limit is not None:
        return _array_limit
    value = os.environ.get("PIPEPORT_ARRAY_LIMIT", str(_ARRAY_LIMIT))
    return _checked_limit(int(value) if value.isdecimal() else value, "PIPEPORT_ARRAY_LIMIT")


def set_array_limit(megabytes: int | None) -> None:
    """Set the size of arrays from outside for the process; None returns to the environment's.

    Parameters
    ----------
    megabytes : int or None
        See `array_limit`.

    Raises
    ------
    UnsupportedArgument
        It is not a whole number, or negative.
    """
    global _array_limit  # noqa: PLW0603 - one process-wide setting, read at trace time
    _array_limit = None if megabytes is None else _checked_limit(megabytes, "megabytes")


@contextlib.contextmanager
def use_array_limit(megabytes: int) -> Iterator[None]:
    """Use a size of arrays from outside for everything that is traced inside the `with` block.

    Parameters
    ----------
    megabytes : int
        See `array_limit`.

    Yields
    ------
    None
        Nothing; the earlier size returns afterwards.
    """
    before = _array_limit
    set_array_limit(megabytes)
    try:
        yield
    finally:
        set_array_limit(before)
