"""Functions of the user's as objects: what a dataset hands to a boundary, what a module has."""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pipeport._lazy import tf
from pipeport._target import import_function
from pipeport.errors import PipeportError
from pipeport.porting.frontend._meaning import dotted
from pipeport.porting.frontend._source import plain, read
from pipeport.verify import _mini_language


class Recorder:
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
            if func is not None and inp is not None:
                self.calls.append((func, [tf.convert_to_tensor(one) for one in inp]))
                return original(func, inp, Tout, **others)

            def decorate(function: Any) -> Any:
                @functools.wraps(function)
                def decorated(*args: Any) -> Any:
                    return wrapper(function, args, Tout, **others)

                return decorated

            return decorate

        return tf.autograph.experimental.do_not_convert(wrapper)


def make(dataset: str) -> None:
    """Call the function that makes a dataset, 'module:function', as found from the working directory."""
    sys.path.insert(0, str(Path.cwd()))
    import_function(dataset, "--dataset")()


def named_inputs(text: str) -> Iterator[tuple[str, str]]:
    """Yield each input of a text by its name."""
    _mini_language.parse(text)  # tells what is wrong in it
    for part in text.split(";"):
        name, _, spec = part.partition(":")
        yield name.strip(), spec.strip()


def is_function(function: Any, change: dict[str, Any]) -> bool:
    """Whether an object is the function that a finding names."""
    if change["body"] is None:
        return bool(dotted(function) == change["function"])
    try:
        source = read(plain(inspect.unwrap(function))[0])
    except PipeportError:
        return False
    file, line = change["body"]
    return source.tree.lineno == line and Path(source.file).resolve() == Path(file).resolve()


def module_of(path: str) -> types.ModuleType:
    """Import a file under its name, as a part of its packages."""
    file = Path(path).resolve()
    parts = [file.stem] if file.stem != "__init__" else []
    folder = file.parent
    while (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    if str(folder) not in sys.path[:1]:
        sys.path.insert(0, str(folder))
    return importlib.import_module(".".join(parts))
