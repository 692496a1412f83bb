"""Resolve calls by the called object, not by its name."""

from __future__ import annotations

import functools
import importlib
import math
import random
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pipeport import catalog, meanings
from pipeport._nearest import NEAREST
from pipeport._own import is_own as is_own
from pipeport._tensorflow_private import as_written, body_of
from pipeport._unseeded import ADVICE, SEEDING, draws_unseeded, sets_seed
from pipeport.contract import SameDistribution, contract_of
from pipeport.errors import PipeportError
from pipeport.meanings import KINDS, NO_NATIVE, NOT_PURE, PURE, WHY
from pipeport.porting.control import _builtins, _matches
from pipeport.porting.frontend import _generator, _math, _strided, _ufuncs, _writers
from pipeport.porting.frontend._augmentation import LEFT, Augmentation
from pipeport.porting.frontend._seeded import seeded
from pipeport.porting.frontend._source import is_cached
from pipeport.porting.strings import _files, _paths, _patterns, _pictures

NATIVE, DRAW, BUILT_IN, OWN, TENSORFLOW, PYTHON, ISLAND, REFUSED = KINDS
_OBJECT = "an object of "
# Classes whose methods may be called through them, and the methods that write.
_OF_VALUES = (np.ndarray, str, bytes)
_WRITING = frozenset(
    {
        "fill",
        "itemset",
        "partition",
        "put",
        "resize",
        "setfield",
        "setflags",
        "sort",
        "byteswap",
        "dump",
        "tofile",
    }
)
_MODULES_OF_OS = {"posix": "os", "nt": "os", "genericpath": "os.path"}
_RANDOM = ("pipeport.random", "pipeport.numpy.random")
_MAKERS = ("default_rng", "RandomState", "Generator", "Random")
# Natives that give what their reference leaves in its first argument.
_DRAWS_ON = frozenset(
    f"pipeport.cv2.{name}"
    for name in ("circle", "ellipse", "fillConvexPoly", "fillPoly", "line", "polylines", "rectangle")
)
_WITH_NATIVES = frozenset({*catalog.FACADES, "keras", "pipeport", "tensorflow"})
_DTYPES = (
    "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
    "float64", "complex64", "complex128",
)  # fmt: skip


@dataclass(frozen=True)
class Meaning:
    """The replacement of a call.

    `kind`: one of the kinds above. `name`: what is called, in words. `function`: what is called in the ported
    function; None of the user's own, which are ported in turn. Of what is refused: what Python calls where
    all that it is given is known while tracing. `advice`: why it is refused, and the nearest way.
    """

    kind: str
    name: str
    function: Callable[..., Any] | None = None
    advice: str = ""

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Call what stands for it."""
        if self.function is None:
            raise LookupError(self.name)
        return self.function(*args, **kwargs)


def _public(module: str) -> str:
    """Return the module that a part of Python is imported from: `open` is of `_io` since 3.12."""
    known = {"_io": "io", "_pickle": "pickle", "pathlib._abc": "pathlib", "pathlib._local": "pathlib"}
    return known.get(module, module)


def dotted(function: Any) -> str:
    """Return the name of a function as people write it."""
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None)
    if name is None:
        return f"{_OBJECT}{type(function).__module__}.{type(function).__qualname__}"
    name, module = as_written(name), _public(getattr(function, "__module__", None) or "")
    if owner is not None and not isinstance(owner, types.ModuleType) and not module:
        module = _module_of(owner)
    return f"{module}.{name}" if module not in ("", "builtins") else name


def _module_of(owner: Any) -> str:
    """Return the module of what a method belongs to, a class or an object."""
    return (owner if isinstance(owner, type) else type(owner)).__module__


def writes(function: Any) -> bool:
    """Say whether a function of NumPy writes to its argument `out`, and the port serves that."""
    return isinstance(function, np.ufunc) or function is np.clip


def draws_on(found: Meaning) -> bool:
    """Say whether a native's reference writes to its first argument, and returns that."""
    return found.kind == NATIVE and found.name in _DRAWS_ON


def meaning(function: Any) -> Meaning:
    """Return the meaning of a call of an object.

    `function`: what is called. Returns: a refusal among them; nothing is raised.
    """
    if isinstance(function, functools.partial):
        inner = meaning(function.func)
        if inner.function is None:
            return inner
        return replace(inner, function=functools.partial(inner.function, *function.args, **function.keywords))
    for look in (
        _augmentation,
        _image_generator,
        _of_pipeport,
        _equaliser,
        _drawn,
        _of_outside,
        _unbound,
        _built_in,
        _of_ufunc,
        mirrored,
        _in_function,
        _of_tensorflow,
        _own,
        _pure,
    ):
        found: Meaning | None = look(function)
        if found is not None:
            return found
    refused = _refused(function)
    is_bound = not isinstance(getattr(function, "__self__", None), (types.ModuleType, types.NoneType))
    return refused if is_bound or not meanings.computes(refused.name) else replace(refused, function=function)


def is_of_library(function: Any) -> bool:
    """Say whether a function is one of a library that has natives, or of TensorFlow, and not the user's."""
    while isinstance(function, functools.partial):
        function = function.func
    if hasattr(function, "python_function"):  # the user's, in a tf.function
        return False
    found = meaning(function)
    if found.kind == REFUSED:
        known = found.name.partition(".")[0] in (*catalog.FACADES, "tensorflow", "keras")
        return known or not is_own(_file_of(function))
    return found.kind != OWN


def _file_of(function: Any) -> str:
    """Return the file in which a function, or the class of an object, is written; compiled ones have none."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is not None:
        return str(code.co_filename)
    kind = function if isinstance(function, type) else type(function)
    return getattr(sys.modules.get(kind.__module__), "__file__", None) or "<frozen>"


def _augmentation(function: Any) -> Meaning | None:
    """Find a transform or composition of albumentations, the library's or ours."""
    module = type(function).__module__
    if module.startswith("pipeport.albumentations.") and hasattr(function, "plan"):
        name = f"albumentations.{type(function).__name__}"
        return Meaning(DRAW, name, Augmentation(name, function))
    if "albumentations" not in sys.modules:
        return None
    if isinstance(function, type) and function.__module__.partition(".")[0] == "albumentations":
        name = function.__name__
        native = _mirror("pipeport.albumentations", name)
        advice = "" if native else f"{_near(f'albumentations.{name}')} {LEFT}"
        return Meaning(NATIVE if native else REFUSED, f"albumentations.{name}", native, advice)
    mirror = importlib.import_module("pipeport.albumentations._from_albumentations")
    if isinstance(function, type) or not mirror.is_of_library(function):
        return None
    name = f"albumentations.{type(function).__name__}"
    try:
        return Meaning(DRAW, name, Augmentation(name, mirror.from_albumentations(function)))
    except PipeportError as error:
        return Meaning(REFUSED, name, None, f"{error} {LEFT}")


def _image_generator(function: Any) -> Meaning | None:
    """Find Keras' ImageDataGenerator, and its methods."""
    if _generator.is_class(function):
        return Meaning(PYTHON, meanings.IMAGE_GENERATOR, function)
    if _generator.is_flip(function):
        return Meaning(OWN, dotted(function))
    method = _generator.method_of(function)
    if not method:
        return None
    name = f"{meanings.IMAGE_GENERATOR}.{method}"
    if why := _generator.refusal(function):
        return Meaning(REFUSED, name, None, why)
    drawing = _generator.drawing(function)
    return Meaning(OWN, name) if drawing is None else Meaning(DRAW, name, drawing)


def _of_pipeport(function: Any) -> Meaning | None:
    owner = getattr(function, "__self__", None)
    module = getattr(function, "__module__", None) or ""
    of_ours = module.startswith("pipeport.") or type(owner).__module__.startswith("pipeport.")
    if (
        contract_of(function) is None
        and not of_ours
        and not type(function).__module__.startswith("pipeport.")
    ):
        return None
    draws = (module, type(owner).__module__)
    name = getattr(function, "__name__", "")
    if name not in _MAKERS and any(
        one.startswith(("pipeport.random", "pipeport.numpy.random")) for one in draws
    ):
        # Under the name the original's draw has, so that its draws can be replayed.
        library = "random" if any(one.startswith("pipeport.random") for one in draws) else "numpy.random"
        inside = f"{type(owner).__name__}." if type(owner).__name__ == "Generator" else ""
        return Meaning(DRAW, f"{library}.{inside}{name}", function)
    return Meaning(NATIVE, dotted(function), function)


def _equaliser(function: Any) -> Meaning | None:
    """Find `apply` of what OpenCV's `createCLAHE` made outside of the function."""
    owner: Any = getattr(function, "__self__", None)
    if (type(owner).__module__, type(owner).__name__) != ("cv2", "CLAHE") or function.__name__ != "apply":
        return None
    bits = owner.getBitShift() if hasattr(owner, "getBitShift") else 0
    if bits:
        advice = f"It has {bits} as its bit shift, which is not served: leave setBitShift out."
        return Meaning(REFUSED, "cv2.CLAHE.apply", None, advice)
    mirror = importlib.import_module("pipeport.cv2")
    made = mirror.createCLAHE(owner.getClipLimit(), owner.getTilesGridSize())
    return Meaning(NATIVE, "cv2.CLAHE.apply", made.apply)


def _drawn(function: Any) -> Meaning | None:
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__name__", "")
    if name == "seed" and (
        isinstance(owner, (random.Random, np.random.RandomState)) or function is np.random.seed
    ):
        library = "random" if isinstance(owner, random.Random) else "numpy.random"
        return Meaning(REFUSED, f"{library}.seed", None, SEEDING)
    if isinstance(owner, random.Random):
        return _of_mirror("pipeport.random", f"random.{name}", name)
    if isinstance(owner, np.random.RandomState):
        return _of_mirror("pipeport.numpy.random", f"numpy.random.{name}", name)
    if isinstance(owner, np.random.Generator):
        generator = _mirror("pipeport.numpy.random", "default_rng")
        if generator is None:
            return None
        method = getattr(generator(), name, None)
        if method is None:
            return Meaning(REFUSED, f"numpy.random.Generator.{name}", None, _near(f"numpy.random.{name}"))
        return Meaning(DRAW, f"numpy.random.Generator.{name}", method)
    if name and getattr(np.random, name, None) is function and not isinstance(function, type):
        return _of_mirror("pipeport.numpy.random", f"numpy.random.{name}", name)
    made = (np.random.RandomState, np.random.Generator, random.Random)
    if any(function is one for one in made):
        module = "pipeport.random" if function is random.Random else "pipeport.numpy.random"
        return _of_mirror(module, dotted(function), name)
    return None


def _mirror(module: str, name: str) -> Any:
    try:
        return getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None


def _of_mirror(module: str, shown: str, name: str) -> Meaning:
    native = _mirror(module, name)
    if native is None:
        return Meaning(REFUSED, shown, None, _near(shown))
    return Meaning(NATIVE if name in _MAKERS else DRAW, shown, native)


def _near(name: str) -> str:
    """Return why a function of a library that has natives is refused, and what to write instead."""
    module = name.rpartition(".")[0]
    listed = module.partition(".")[0] if _mirror(f"pipeport.{module}", "__name__") is None else module
    return f"{NO_NATIVE} {NEAREST.get(name) or f'`pipeport catalog {listed}` lists what has.'}"


def is_unbound(function: Any) -> bool:
    """Say whether a function is a method of arrays or strings that writes nothing, as their class has it."""
    if not isinstance(function, types.MethodDescriptorType):
        return False
    return function.__objclass__ in _OF_VALUES and function.__name__ not in _WRITING


def is_of_outside(function: Any) -> bool:
    """Say whether a function is a method of an array of NumPy's that writes nothing."""
    owner = getattr(function, "__self__", None)
    return isinstance(owner, (np.ndarray, np.generic)) and function.__name__ not in _WRITING


def _of_outside(function: Any) -> Meaning | None:
    """Find `MEAN.astype` of an array from outside of the function, and its like."""
    if not is_of_outside(function):
        return None
    return Meaning(BUILT_IN, f"numpy.ndarray.{function.__name__}", function)


def own_method(owner: Any, name: str) -> Any:
    """Return a special method of an object of the user's class, bound to it; else None.

    What extends a container of Python's, and may call that by `super`, stays Python's.
    """
    function = getattr(type(owner), name, None)
    if not isinstance(function, types.FunctionType) or function.__module__.startswith("pipeport."):
        return None
    if isinstance(owner, (dict, frozenset, list, set, str, tuple)):
        return None
    return types.MethodType(function, owner) if is_own(function.__code__.co_filename) else None


def _unbound(function: Any) -> Meaning | None:
    """Find `np.ndarray.astype(x, dtype)` and its like."""
    if not is_unbound(function):
        return None
    owner = function.__objclass__
    return Meaning(BUILT_IN, f"{owner.__name__}.{function.__name__}", function)


def _of_ufunc(function: Any) -> Meaning | None:
    """Find `np.maximum.accumulate` and its like."""
    owner = getattr(function, "__self__", None)
    if not isinstance(owner, np.ufunc):
        return None
    served = _ufuncs.method(owner, function.__name__)
    name = f"numpy.{owner.__name__}.{function.__name__}"
    return None if served is None else Meaning(NATIVE, name, served)


def _built_in(function: Any) -> Meaning | None:
    try:
        hash(function)
    except TypeError:
        return None
    for table in (
        _builtins.FUNCTIONS,
        _math.FUNCTIONS,
        _writers.FUNCTIONS,
        _strided.FUNCTIONS,
        _paths.FUNCTIONS,
        _matches.FUNCTIONS,
        _files.FUNCTIONS,
    ):
        if function in table:
            return Meaning(BUILT_IN, dotted(function), table[function])
    if (method := _patterns.method_of(function, _matches.FUNCTIONS)) is not None:
        return Meaning(BUILT_IN, f"re.Pattern.{function.__name__}", method)
    if isinstance(function, types.FunctionType):
        for named in (_files.BY_NAME, _pictures.BY_NAME):
            if dotted(function) in named:
                return Meaning(BUILT_IN, dotted(function), named[dotted(function)])
    if function in _builtins.AS_THEY_ARE:
        return Meaning(BUILT_IN, dotted(function), function)
    if function in _math.OF_PYTHON:
        return Meaning(PYTHON, dotted(function), function)
    if isinstance(function, type) and issubclass(function, BaseException):
        return Meaning(BUILT_IN, dotted(function), function)
    return None


@functools.cache
def _packages(facade: str) -> frozenset[str]:
    """Return the modules that what a façade replaces may be in."""
    found: set[str] = set()
    for contract in catalog.of_facade(facade).values():
        for name in (contract.reference, *contract.aliases):
            parts = name.split(".")
            found.update(".".join(parts[:count]) for count in range(1, len(parts)))
    return frozenset(found)


def _natives(facade: str) -> dict[int, tuple[Any, Callable[..., Any], str]]:
    """Return a façade's natives by the identity of what they replace, of the libraries that are loaded."""
    return _natives_among(facade, frozenset(filter(sys.modules.__contains__, _packages(facade))))


@functools.lru_cache(maxsize=64)
def _natives_among(facade: str, _loaded: frozenset[str]) -> dict[int, tuple[Any, Callable[..., Any], str]]:
    found: dict[int, tuple[Any, Callable[..., Any], str]] = {}
    for contract in catalog.of_facade(facade).values():
        for name in (contract.reference, *contract.aliases):
            reference = _resolved(name)
            if reference is not None:
                found[id(reference)] = (reference, contract.function, contract.native)
    if facade == "numpy":
        mirror = importlib.import_module("pipeport.numpy")
        for name in _DTYPES:
            native = getattr(mirror, name, None)
            if native is not None:
                found[id(getattr(np, name))] = (getattr(np, name), native, f"pipeport.numpy.{name}")
    return found


def _facades_of(function: Any) -> tuple[str, ...]:
    """Return the façades that may have a native of a function: its library's, all where that is unknown."""
    module = getattr(function, "__module__", None) or type(function).__module__
    top = str(module).partition(".")[0]
    if top == "builtins":
        top = _in_library(function).partition(".")[0]
    if top in catalog.FACADES:
        return (top,)
    return () if isinstance(function, types.FunctionType) else catalog.FACADES


def _resolved(name: str) -> Any:
    """Return the object of a dotted name, of loaded packages: SciPy imports what it is asked for."""
    parts = name.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        module = sys.modules.get(".".join(parts[:cut]))
        if module is None:
            continue
        if cut < len(parts) - 1 and parts[cut] not in vars(module):
            return None
        value: Any = module
        try:
            for part in parts[cut:]:
                value = getattr(value, part)
        except AttributeError:
            return None
        return value
    return None


def mirrored(function: Any) -> Meaning | None:
    """Find the native of a function that a façade replaces."""
    for facade in _facades_of(function):
        found = _natives(facade).get(id(function))
        if found is not None and found[0] is function:
            contract = contract_of(found[1])
            draws = contract is not None and isinstance(contract.agreement, SameDistribution)
            return Meaning(DRAW if draws else NATIVE, found[2], found[1])
    return _same_name(function)


def _same_name(function: Any) -> Meaning | None:
    """Find an export of a façade without a pair, such as `numpy.abs`."""
    module, name = getattr(function, "__module__", None), getattr(function, "__name__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return None
    top = module.partition(".")[0]
    if isinstance(function, np.ufunc):
        top, module = "numpy", "numpy"
    if top not in catalog.FACADES:
        return None
    public = sys.modules.get(module)
    if getattr(public, name, None) is not function and getattr(np, name, None) is not function:
        return None
    mirror = "pipeport.numpy" if getattr(np, name, None) is function else f"pipeport.{module}"
    native = _mirror(mirror, name)
    if native is None or isinstance(native, types.ModuleType):
        return None
    return Meaning(NATIVE, f"{mirror}.{name}", native)


def _in_function(function: Any) -> Meaning | None:
    """Find what the user put into a `tf.function`."""
    if not hasattr(function, "python_function"):
        return None
    found = meaning(body_of(function))
    return None if found.kind == TENSORFLOW else found


def _of_tensorflow(function: Any) -> Meaning | None:
    named = function if hasattr(function, "__name__") else type(function)
    written = getattr(function, "__module__", None) or type(function).__module__
    if str(written).partition(".")[0] == "tensorflow" and (ours := seeded(function)) is not None:
        return Meaning(DRAW, ours.name, ours)
    if sets_seed(str(written), str(named.__name__)):
        return Meaning(REFUSED, dotted(named), None, SEEDING)
    if draws_unseeded(str(written), str(named.__name__)):
        return Meaning(REFUSED, dotted(named), None, ADVICE)
    owner = getattr(function, "__self__", None)
    module = getattr(function, "__module__", None) or type(owner).__module__
    if str(module).partition(".")[0] in ("tensorflow", "keras"):
        return Meaning(TENSORFLOW, dotted(function), function)
    if type(function).__module__.partition(".")[0] in ("tensorflow", "keras"):
        return Meaning(TENSORFLOW, dotted(function), function)
    return None


def package_of(value: Any) -> str:
    """Return the installed package without natives that an object, or a frame of a call, is of; else ""."""
    if isinstance(value, types.FrameType):
        return _package(str(value.f_globals.get("__name__", "")), value.f_code.co_filename)
    module = type(value).__module__
    return _package(module, getattr(sys.modules.get(module), "__file__", None) or "")


def _package(module: str, file: str) -> str:
    top = module.partition(".")[0]
    if not file or top in _WITH_NATIVES or top in sys.stdlib_module_names or is_own(file):
        return ""
    return top


def _own(function: Any) -> Meaning | None:
    if isinstance(function, types.MethodType):
        return _own(function.__func__)
    if isinstance(function, types.FunctionType):
        return Meaning(OWN, dotted(function)) if is_own(function.__code__.co_filename) else None
    if is_cached(function):
        return _own(function.__wrapped__)
    if isinstance(function, type):
        return _own_class(function)
    call = getattr(type(function), "__call__", None)  # noqa: B004 - that of its objects
    if isinstance(call, types.FunctionType) and is_own(call.__code__.co_filename):
        return Meaning(OWN, dotted(function))
    return None


def _own_class(cls: type) -> Meaning | None:
    import dataclasses

    if dataclasses.is_dataclass(cls) or (issubclass(cls, tuple) and hasattr(cls, "_fields")):
        return Meaning(BUILT_IN, dotted(cls), cls)
    return None


def _pure(function: Any) -> Meaning | None:
    owner = getattr(function, "__self__", None)
    module = _public(getattr(function, "__module__", None) or _module_of(owner))
    name = getattr(function, "__name__", "")
    if owner is not None and type(owner) in (
        str,
        bytes,
        list,
        tuple,
        dict,
        set,
        int,
        float,
        complex,
        bool,
        slice,
    ):
        return Meaning(PYTHON, f"{type(owner).__name__}.{name}", function)
    if module in PURE and name not in NOT_PURE:
        return Meaning(PYTHON, dotted(function), function)
    if any(function == one for one in (math.prod, types.SimpleNamespace, str.maketrans, bytes.maketrans)):
        return Meaning(PYTHON, dotted(function), function)
    return None


def _in_library(function: Any) -> str:
    """Return the name people call a function of a library by; compiled ones do not know their module."""
    last = getattr(function, "__name__", None)
    for top in catalog.FACADES:
        if last is not None and getattr(sys.modules.get(top), last, None) is function:
            return f"{top}.{last}"
    name = dotted(function)
    for module, public in _MODULES_OF_OS.items():
        if name.startswith(f"{module}."):
            return public + name[len(module) :]
    return _public_name(function, name)


def _public_name(function: Any, name: str) -> str:
    """Return the shortest of the names that a function has in the modules around the one that defines it."""
    parts = name.split(".")
    sought = getattr(function, "__func__", function)
    for cut in range(1, len(parts) - 1):
        module = sys.modules.get(".".join(parts[:cut]))
        for rest in (parts[-1:], parts[-2:]):
            found: Any = module
            try:
                for part in rest:
                    found = getattr(found, part)
            except Exception:  # a module that loads others when it is asked
                continue
            if getattr(found, "__func__", found) is sought:
                return ".".join([*parts[:cut], *rest])
    return name


def _refused(function: Any) -> Meaning:
    name = _in_library(function)
    top = name.partition(".")[0]
    for known in (name, top):
        if known in WHY:
            return Meaning(REFUSED, name, None, WHY[known])
    if top in catalog.FACADES:
        return Meaning(REFUSED, name, None, _near(name))
    known_by_name = meanings.meaning(name.removeprefix(_OBJECT) if "." in name else f"builtins.{name}")
    if known_by_name.kind == meanings.CHANGE:
        return Meaning(REFUSED, name, None, known_by_name.advice)
    advice = "Do it outside, or leave it in a tf.numpy_function of its own."
    if known_by_name.kind in (meanings.ELSEWHERE, meanings.NEVER, meanings.LOG):
        advice = known_by_name.advice
    return Meaning(REFUSED, name, None, f"{NO_NATIVE} {advice}")
