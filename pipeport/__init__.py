"""Native TensorFlow equivalents of NumPy-based preprocessing, proved and measured."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

from pipeport._tensorflow_private import leave_unconverted, start_alone

if TYPE_CHECKING:  # what the tables below name, for type checkers and editors
    from pipeport import catalog as catalog
    from pipeport import config as config
    from pipeport import errors as errors
    from pipeport import seeds as seeds
    from pipeport import trace as trace
    from pipeport import verify as verify
    from pipeport._batched import batched as batched
    from pipeport.acceleration import install as install
    from pipeport.acceleration import installed as installed
    from pipeport.acceleration import numpy_function as numpy_function
    from pipeport.acceleration import py_function as py_function
    from pipeport.acceleration import uninstall as uninstall
    from pipeport.inspection import inspect as inspect
    from pipeport.porting import port as port

__version__ = "0.3.0.dev0"

# Resolved on first use: importing pipeport loads neither TensorFlow nor NumPy.
_VERBS = {
    "batched": "pipeport._batched",
    "inspect": "pipeport.inspection",
    "install": "pipeport.acceleration",
    "installed": "pipeport.acceleration",
    "numpy_function": "pipeport.acceleration",
    "port": "pipeport.porting",
    "py_function": "pipeport.acceleration",
    "uninstall": "pipeport.acceleration",
}
_MODULES = ("catalog", "config", "errors", "seeds", "trace", "verify")
# Not in `__all__`: what `from pipeport import *` brings must not hide NumPy itself.
_MIRRORS = (
    "PIL",
    "albumentations",
    "cv2",
    "idioms",
    "keras",
    "numpy",
    "random",
    "scipy",
    "skimage",
    "tensorflow_addons",
)

__all__ = ["__version__", *_VERBS, *_MODULES]  # noqa: PLE0604 - names from the two tables


leave_unconverted(__name__)
if os.environ.get("PIPEPORT_FAST_START"):
    start_alone(lambda: bool(importlib.import_module("pipeport.config").fast_start()))


def __getattr__(name: str) -> Any:
    if name in _VERBS:
        return getattr(importlib.import_module(_VERBS[name]), name)
    if name in _MODULES or name in _MIRRORS:
        return importlib.import_module(f"pipeport.{name}")
    advice = "" if name.startswith("_") else f": find natives by their name: pipeport catalog {name}"
    raise AttributeError(f"module 'pipeport' has no attribute {name!r}{advice}")


def load_ipython_extension(ipython: Any) -> None:  # noqa: ARG001 - the protocol of `%load_ext`
    """Install the acceleration of boundaries in a notebook: `%load_ext pipeport`."""
    importlib.import_module("pipeport.acceleration").install()


def unload_ipython_extension(ipython: Any) -> None:  # noqa: ARG001
    """Give TensorFlow its own functions back: `%unload_ext pipeport`."""
    importlib.import_module("pipeport.acceleration").uninstall()


def __dir__() -> list[str]:
    return sorted((*__all__, *_MIRRORS))
