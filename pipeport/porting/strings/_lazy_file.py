"""`numpy.load`, of `.npy` files and `.npz` archives known only at run time.

A graph must know the dtype of an array before it computes with it. One that is cast first may have any. Where
one is used otherwise, the function is traced again with the dtype that an `example` showed or `Tout` states,
and the graph stops at a file of another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, Self

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import fresh
from pipeport.errors import PortRefused, UnsupportedArgument, WrongType, explain
from pipeport.kernels.decode._npy import CODES, MOST, array_cast, array_in, end_of, seen_in
from pipeport.kernels.decode._source import python_path
from pipeport.kernels.decode._zip import member
from pipeport.porting._protocol import StandIn
from pipeport.porting._values import is_of_images, is_text, weak, without_text
from pipeport.porting.strings._opened import File
from pipeport.porting.strings._seen import note

_WAYS = "Give `port` an example or `Tout`, which tells it; or cast first: `{}.astype(np.float32)`."
# What concerns pickles alone, which a graph refuses when it meets one; and what a copy in memory is read for.
_READ_AS_WITHOUT: dict[str, tuple[Any, ...]] = {
    "mmap_mode": (None, "r", "c", "r+"),
    "allow_pickle": (False, True),
    "fix_imports": (True, False),
    "encoding": ("ASCII", "latin1", "bytes"),
}


class UnstatedDtype(PortRefused):
    """An array is used whose dtype only its file knows.

    `notes`: those of the place where it is read. `called`: what reads it. `ways`: how to tell the dtype.
    """

    def __init__(self, notes: dict[Any, Any], called: str = "numpy.load", ways: str = _WAYS) -> None:
        given = "an array whose dtype only the file knows"
        ways = ways.format(notes.get("text", "np.load(path)"))
        super().__init__(explain(called, given, "a dtype known while tracing", ways))
        self._notes = notes

    def settle(self, dtypes: Sequence[Any]) -> bool:
        """Find the dtype for another trace: as it was seen, else from those of the results.

        `dtypes`: of all results. One of them is taken if all are alike, or if it is the one float among them.
        Returns: whether there is one, and was none before.
        """
        kinds = set(dtypes)
        floats = {kind for kind in kinds if kind.kind == "f"}
        found = kinds if len(kinds) == 1 else floats
        dtype = self._notes.get("dtype") or (found.pop() if len(found) == 1 else None)
        if dtype is None or "used" in self._notes:
            return False
        self._notes["used"] = dtype
        return True


class LazyFile(StandIn, stands_for=(np.ndarray,)):
    """What `numpy.load` gives of a file known only at run time: an array, or an archive of arrays.

    `data`: gives the bytes. `notes`: what was seen at the place of the call. `known`: gives the bytes while
    tracing, where that can be.
    """

    def __init__(
        self, data: Callable[[], Any], notes: dict[Any, Any], known: Callable[[], Any] | None = None
    ) -> None:
        self._data, self._notes, self._known = data, notes, known

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        return None

    def close(self) -> None:
        """Do nothing: the file is read at once."""

    def array_if_known(self) -> Any:
        """Return the array where its dtype is known and needed, else the object itself."""
        if self._known is not None:
            with tf.init_scope():
                dtype, shape = seen_in(self._known())
            if tf.executing_eagerly():
                note(self._notes, "dtype", np.dtype(dtype))
                note(self._notes, "rank", len(shape))
                note(self._notes, "channels", shape[-1] if is_of_images(shape) else None)
            return self.array(dtype, shape)
        if "used" not in self._notes:
            return self
        return self.array(self._notes["used"], self._shape())

    def _shape(self) -> tuple[int | None, ...] | None:
        """Return what arrays of this place have in common: the number of axes, and channels of images."""
        rank, channels = (self._notes.get(name) for name in ("rank", "channels"))
        return None if rank is None else (*(None,) * (rank - 1), channels)[:rank]

    def array(self, dtype: Any, shape: Any = None) -> Any:
        """Return the array, of a dtype that the file must have."""
        name = np.dtype(dtype).name
        if name not in CODES:
            raise UnsupportedArgument(explain("dtype", name, ", ".join(CODES), "Load numbers."))
        return fresh(array_in(self._data(), name, shape, "file", MOST))

    def astype(self, dtype: Any, **options: Any) -> Any:
        """Return the array in another dtype."""
        if dtype is None:
            self.refuse("astype")
        options.pop("copy", None)
        if options:
            raise UnsupportedArgument(explain("astype", ", ".join(options), "a dtype", "Leave them out."))
        if np.dtype(dtype).kind not in "biufc":
            raise UnsupportedArgument(explain("dtype", f"{np.dtype(dtype)}", "numbers", "Cast to numbers."))
        return self._cast(np.dtype(dtype))

    def _cast(self, dtype: Any) -> Any:
        """Return the array in a dtype, whichever the file has."""
        found = array_cast(self._data(), dtype.name, "file", MOST)
        return fresh(tf.ensure_shape(found, self._shape()))

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, (str, bytes)) and not is_text(key):
            self.refuse("element")
        notes = self._notes.setdefault(("member", None if is_text(key) else key), {})
        name = without_text(key)
        names = tf.stack([name, tf.strings.join([name, ".npy"])])

        def part(data: Callable[[], Any]) -> Callable[[], Any]:
            return lambda: member(data(), names, "file")

        return LazyFile(
            part(self._data), notes, None if self._known is None else part(self._known)
        ).array_if_known()

    def refusal(self) -> UnstatedDtype:
        """Return the error for a use that needs the dtype."""
        return UnstatedDtype(self._notes)

    def refuse(self, what: str) -> NoReturn:
        """Refuse what needs the dtype."""
        del what
        raise self.refusal()

    def miss(self, name: str) -> NoReturn:
        """Refuse an attribute, which an array or an archive has."""
        if name.startswith("_"):
            super().miss(name)
        raise self.refusal()


def load(
    run: Callable[..., Any],
    notes: dict[Any, Any],
    file: Any,
    mmap_mode: Any = None,
    allow_pickle: Any = False,
    fix_imports: Any = True,
    encoding: Any = "ASCII",
    **options: Any,
) -> Any:
    """Load an array or an archive; what it holds is noted where it is seen.

    Parameters
    ----------
    run : callable
        The native.
    notes : dict
        Those of the place of the call.
    file : object
        The path, or an open file.
    mmap_mode, allow_pickle, fix_imports, encoding : object
        Read as without: the graph stops at a pickle.
    **options
        Further arguments of `numpy.load`.

    Returns
    -------
    ndarray or LazyFile
        The array; what is known only at run time.
    """
    given = {"mmap_mode": mmap_mode, "allow_pickle": allow_pickle, "fix_imports": fix_imports,
             "encoding": encoding}  # fmt: skip
    options |= {name: one for name, one in given.items() if one not in _READ_AS_WITHOUT[name]}
    if isinstance(file, File):
        if not options:
            return _next_in(file, notes)
        file.use("numpy.load")
        file = file.path
    path, known = without_text(file), python_path(file)
    if options or (known is None and not tf.is_tensor(path)):
        return run(path, **options)

    def data() -> Any:
        return tf.io.read_file(path if known is None else tf.constant(known))

    if not tf.executing_eagerly() and known is None:
        return LazyFile(data, notes).array_if_known()
    with tf.init_scope():
        is_archive = data().numpy()[:2] == b"PK"
    stored = LazyFile(data, notes, data)
    return stored if is_archive else stored.array_if_known()


def _next_in(file: File, notes: dict[Any, Any]) -> Any:
    """Load the array or archive at the position of an open file, which moves behind the array."""
    rest = file.bytes("numpy.load")

    def data() -> Any:
        return rest.tensor

    file.move(lambda: rest[weak(tf.ensure_shape(end_of(rest.tensor, "file", MOST), [])) :])
    if not tf.executing_eagerly():
        return LazyFile(data, notes).array_if_known()
    stored = LazyFile(data, notes, data)
    return stored if data().numpy()[:2] == b"PK" else stored.array_if_known()


def dtypes_of(stated: Any) -> tuple[Any, ...] | None:
    """Return the dtypes that `Tout` states, those of strings as that of objects.

    `stated`: as of `tf.numpy_function`. Returns: None where nothing is stated.
    """
    if stated is None:
        return None
    row = stated if isinstance(stated, (list, tuple)) else [stated]
    return tuple(np.dtype(tf.as_dtype(one).as_numpy_dtype) for one in row)


def given_back(found: Any, dtypes: tuple[Any, ...] | None) -> Any:
    """Return results with arrays in the place of files, of the dtypes that are stated for them."""
    if isinstance(found, LazyFile):
        if dtypes is None or len(dtypes) != 1:
            raise found.refusal()
        return found.array(dtypes[0])
    if type(found) not in (list, tuple):
        return found
    kinds = dtypes if dtypes is not None and len(dtypes) == len(found) else (None,) * len(found)
    parts = []
    for one, kind in zip(found, kinds, strict=True):
        if isinstance(one, LazyFile) and kind is None:
            raise one.refusal()
        parts.append(one.array(kind) if isinstance(one, LazyFile) else one)
    return type(found)(parts)


def check_dtypes(found: Any, dtypes: tuple[Any, ...] | None) -> None:
    """Refuse results of other dtypes than `Tout` states, as `tf.numpy_function` does.

    Raises WrongType: there are more or fewer results, or one has another dtype.
    """
    if dtypes is None:
        return
    results = tf.nest.flatten(found)
    if len(results) != len(dtypes):
        advice = "State one dtype for each result."
        raise WrongType(explain("Tout", f"{len(dtypes)} dtypes", f"{len(results)}, as results", advice))
    for place, (one, stated) in enumerate(zip(results, dtypes, strict=True)):
        kind = np.dtype(tf.convert_to_tensor(one).dtype.as_numpy_dtype)
        if kind != stated:
            advice = "Cast the result with `astype`, or state its dtype."
            raise WrongType(explain("Tout", f"{stated} for result {place}", f"{kind}, as it is", advice))
