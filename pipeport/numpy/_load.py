"""load."""

from __future__ import annotations

import io
import operator
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import ArrayFile, CannotServe, Difference, Exact, Integer, OneOf, replaces
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.kernels.decode._facts import witness_file
from pipeport.kernels.decode._npy import CODES, MAGIC, RECIPE, array_in, seen_in
from pipeport.kernels.decode._source import path_of, python_path
from pipeport.kernels.inputs.dtypes import dtype_of
from pipeport.kernels.inputs.integers import whole_number

_DTYPES = ", ".join(CODES)
_REFUSED = {
    "mmap_mode": "a tensor is memory of its own; read the file, or cut it into smaller ones",
    "allow_pickle": "a graph cannot run pickles; arrays of numbers need no pickle",
    "fix_imports": "it concerns pickles alone, which a graph cannot run",
    "encoding": "it concerns pickles alone, which a graph cannot run",
}
_DEFAULTS = {"mmap_mode": None, "allow_pickle": False, "fix_imports": True, "encoding": "ASCII"}


def _dtype_name(dtype: Any) -> str:
    return str(dtype_of(dtype, "dtype", tuple(CODES), RECIPE).name)


def _sizes(shape: Any) -> tuple[int | None, ...]:
    sizes = shape.as_list() if isinstance(shape, tf.TensorShape) else shape
    allowed = "a tuple with a size or None per axis"
    try:
        return tuple(None if size is None else operator.index(size) for size in sizes)
    except TypeError as error:
        raise WrongType(explain("shape", repr(shape), allowed, "State what the files hold.")) from error


def _at_most(value: Any) -> int:
    """Return the length of the longest header to read, in bytes."""
    return whole_number(value, "max_header_size", 0, 2**31 - 1)


def _bytes(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def _saved(array: Any, name: str) -> str:
    return witness_file(_bytes(array), f"-{name}.npy")


def _zipped() -> dict[str, Any]:
    stream = io.BytesIO()
    np.savez(stream, a=np.arange(3))
    return {"file": witness_file(stream.getvalue(), ".npz"), "dtype": "int64"}


def _starts(arguments: Mapping[str, Any], mark: bytes) -> bool:
    file = arguments["file"]
    return isinstance(file, str) and Path(file).is_file() and Path(file).read_bytes().startswith(mark)


def _of_text(arguments: Mapping[str, Any]) -> bool:
    file = arguments["file"]
    return _starts(arguments, MAGIC) and np.load(file, mmap_mode="r").dtype.name not in CODES


@replaces(
    "numpy.load",
    domain={"file": ArrayFile(dtypes=("float32",), ranks=(3,)), "max_header_size": Integer(1000, 20000)},
    agreement=Exact(),
    kind="reader",
    # Stated for every file that is drawn, as a graph needs it where the path is a tensor.
    extra={
        "dtype": OneOf("float32", typical="float32"),
        "shape": OneOf((None, None, None), typical=(None, None, None)),
    },
    refused=_REFUSED,
    valid=lambda arguments: None not in (arguments.get("dtype"), arguments.get("shape")),
    differences=(
        Difference(
            "An `.npz` archive is refused; NumPy gives a mapping of its arrays.",
            witness=_zipped,
            applies=lambda arguments: _starts(arguments, b"PK"),
        ),
        Difference(
            "Arrays of text, dates, records and extended precision are refused.",
            witness=lambda: {"file": _saved(np.array(["a", "bc"]), "text"), "dtype": "float32"},
            applies=_of_text,
        ),
        Difference(
            "An open file is refused; give its path.",
            witness=lambda: {"file": io.BytesIO(_bytes(np.zeros(3))), "dtype": "float64"},
            applies=lambda arguments: hasattr(arguments["file"], "read"),
        ),
    ),
    cannot_serve=(
        CannotServe(
            "xla",
            "reading has no XLA kernel",
            witness=lambda: {
                "file": _saved(np.zeros(3, np.float32), "three"),
                "dtype": "float32",
                "shape": (None,),
            },
        ),
    ),
)
def load(
    file: Any,
    mmap_mode: Any = None,
    allow_pickle: Any = False,
    fix_imports: Any = True,
    encoding: Any = "ASCII",
    *,
    max_header_size: Any = 10000,
    dtype: Any = None,
    shape: Any = None,
) -> Any:
    """Load an array from an `.npy` file.

    Parameters
    ----------
    file : str, bytes, os.PathLike or scalar string tensor
        An `.npy` file of format version 1, 2 or 3, with bool or any number in either byte order,
        by row or by column.
    mmap_mode : None
        Refused: a tensor is memory of its own.
    allow_pickle : bool, default False
        True is refused: a graph cannot run pickles.
    fix_imports : bool, default True
        False is refused: it concerns pickles alone.
    encoding : str, default 'ASCII'
        Others are refused: it concerns pickles alone.
    max_header_size : int, default 10000
        A longer header is refused.
    dtype : dtype or None, default None
        Keyword-only and ours: the dtype the files have. It states, and does not cast. Required
        in a graph where `file` is a tensor; else the file is looked into while tracing.
    shape : tuple or None, default None
        Keyword-only and ours: the sizes the files have, None for any size. It becomes the static
        shape; without it the rank of a file that cannot be looked into is unknown.

    Returns
    -------
    tf.Tensor, dtype as stated or found
        The array, in the machine's own byte order.

    Raises
    ------
    UnsupportedArgument
        `dtype` is missing where it is needed or is not a number, or a refused argument is given.
    WrongType
        `file` is not a path, or `dtype`, `shape` or `max_header_size` are of a wrong type.
    OutsideDomain
        `file` is a tensor that is not a scalar, or `max_header_size` is negative or above 2**31 - 1.
    tf.errors.NotFoundError
        There is no such file.
    tf.errors.InvalidArgumentError
        The file is an `.npz` archive, a pickle, damaged, or not what `dtype` and `shape` state.

    Notes
    -----
    The recipe `npz-to-tfrecord` converts archives and pickles once.

    Agreement: bit for bit.
    Graph: no Python at run time. The header is read and checked in the graph on every call; the
    numbers are copied once. XLA has no kernel for reading.
    Source: the format's description in `numpy.lib.format`.

    Examples
    --------
    >>> import tempfile, numpy as np, tensorflow as tf
    >>> from pathlib import Path
    >>> from pipeport.numpy import load
    >>> path = Path(tempfile.mkdtemp(), "volume.npy")
    >>> np.save(path, np.zeros((4, 5), np.float32))
    >>> load(path).shape
    TensorShape([4, 5])
    >>> files = tf.data.Dataset.from_tensors(str(path))
    >>> files.map(lambda p: load(p, dtype="float32", shape=(None, 5))).element_spec.shape
    TensorShape([None, 5])
    """
    given = {
        "mmap_mode": mmap_mode,
        "allow_pickle": allow_pickle,
        "fix_imports": fix_imports,
        "encoding": encoding,
    }
    for name, value in given.items():
        if value is not _DEFAULTS[name] and (tf.is_tensor(value) or value != _DEFAULTS[name]):
            advice = f"Leave it out: {_REFUSED[name]}. {RECIPE}"
            raise UnsupportedArgument(explain(name, repr(value), repr(_DEFAULTS[name]), advice))
    most = _at_most(max_header_size)
    path = path_of(file, "file")
    stated = None if shape is None else _sizes(shape)
    if dtype is None:
        name, stated = _from_file(file, path, stated)
    else:
        name = _dtype_name(dtype)
    return array_in(tf.io.read_file(path), name, stated, "file", most)


def _from_file(file: Any, path: Any, stated: Any) -> tuple[str, Any]:
    if python_path(file) is None and not tf.executing_eagerly():
        advice = "State the dtype of the files, and the known part of their shape."
        given = "None for a path that is a tensor"
        raise UnsupportedArgument(explain("dtype", given, _DTYPES, advice))
    known = python_path(file)
    with tf.init_scope():  # the file is looked into now; its numbers are read when the graph runs
        name, found = seen_in(tf.io.read_file(path if known is None else tf.constant(known)))
    return name, found if stated is None else stated
