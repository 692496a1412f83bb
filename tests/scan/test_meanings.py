"""What a name means in text is what `port` makes of the object of that name."""

from __future__ import annotations

import builtins
import importlib
import math
import pathlib

import numpy as np
import pytest

from pipeport import catalog, meanings
from pipeport.arrays import ndarray
from pipeport.porting.control import _builtins
from pipeport.porting.frontend import _math, _strided, _writers
from pipeport.porting.frontend._meaning import meaning as of_object
from pipeport.verify._require import resolve

# Kinds of text, by what `port` says of the object: what is never replaced or needs a change is refused.
SAME = {
    meanings.NATIVE: {"native"},
    meanings.DRAW: {"draw"},
    meanings.BUILT_IN: {"built-in"},
    meanings.PYTHON: {"Python"},
    meanings.LOG: {"built-in", "refused"},
    meanings.REFUSED: {"refused"},
    meanings.NEVER: {"refused"},
    meanings.CHANGE: {"refused"},
}


def functions_of(module, prefix):
    return [
        f"{prefix}.{name}"
        for name in dir(module)
        if not name.startswith("_")
        and callable(getattr(module, name))
        and not isinstance(getattr(module, name), type)
    ]


NUMPY = [name for name in functions_of(np, "numpy") if name not in ("numpy.test", "numpy.info")]


def test_names_of_numpy():
    """Every function of NumPy."""
    wrong = {}
    for name in NUMPY:
        text, found = meanings.meaning(name), of_object(resolve(name))
        if found.kind not in SAME[text.kind]:
            wrong[name] = (text.kind, found.kind)
    assert len(NUMPY) > 350
    assert not wrong


@pytest.mark.parametrize(
    "module", ["numpy.random", "random", "math", "numpy.linalg", "numpy.fft", "time", "itertools"]
)
def test_names_of_a_module(module):
    names = functions_of(importlib.import_module(module), module)
    names = [
        name
        for name in names
        if not name.startswith(("numpy.random.test", "numpy.linalg.test", "numpy.fft.test"))
    ]
    wrong = {}
    for name in names:
        text, found = meanings.meaning(name), of_object(resolve(name))
        if found.kind not in SAME[text.kind]:
            wrong[name] = (text.kind, found.kind)
    assert names
    assert not wrong


@pytest.mark.parametrize("clock", [True, False])
def test_dates_are_pythons_but_for_the_clock(clock):
    names = ("datetime.now", "datetime.utcnow", "datetime.today", "date.today")
    others = ("datetime.strptime", "datetime.fromisoformat", "date.fromordinal", "datetime", "timedelta")
    for name in names if clock else others:
        text, found = meanings.meaning(f"datetime.{name}"), of_object(resolve(f"datetime.{name}"))
        assert text.kind == (meanings.CHANGE if clock else meanings.PYTHON), name
        assert found.kind in SAME[text.kind], name


@pytest.mark.parametrize("module", ["cv2", "scipy.ndimage", "skimage.transform"])
def test_names_of_a_reference(module):
    names = functions_of(pytest.importorskip(module), module)
    wrong = {}
    for name in names:
        text, found = meanings.meaning(name), of_object(resolve(name))
        if found.kind not in SAME[text.kind]:
            wrong[name] = (text.kind, found.kind)
    assert len(names) > 20
    assert not wrong


@pytest.mark.filterwarnings("ignore:In the future:FutureWarning")
def test_every_built_in_function():
    wrong = {}
    for name in dir(builtins):
        value = getattr(builtins, name)
        if (
            name.startswith("_")
            or not callable(value)
            or name in ("copyright", "credits", "exit", "license", "quit", "help")
        ):
            continue
        text, found = meanings.meaning(f"builtins.{name}"), of_object(value)
        if found.kind not in SAME[text.kind]:
            wrong[name] = (text.kind, found.kind)
    assert not wrong


def test_the_tables_are_those_of_port():
    served = {of_object(one).name for one in (*_builtins.FUNCTIONS, *_builtins.AS_THEY_ARE)}
    served = {name.replace("_functools", "functools").replace("_operator", "operator") for name in served}
    named = {f"builtins.{name}" if "." not in name else name for name in meanings.BUILT_INS}
    for name in named:
        assert meanings.meaning(name).kind in (meanings.BUILT_IN, meanings.LOG), name
    assert {one.__name__ for one in _math.FUNCTIONS} == meanings.MATH
    assert len(named) >= len(served) - 20


def test_functions_that_write():
    for function in _writers.FUNCTIONS:
        owner = getattr(function, "__self__", None)
        name = f"numpy.{function.__name__}" if owner is None else f"numpy.{owner.__name__}.at"
        assert meanings.meaning(name).kind == meanings.BUILT_IN, name


def test_functions_that_read_memory_in_steps():
    for function in _strided.FUNCTIONS:
        name = f"numpy.lib.stride_tricks.{function.__name__}"
        assert resolve(name) is function
        assert meanings.meaning(name).kind == meanings.BUILT_IN


def test_methods_of_arrays():
    """Those that arrays of ours have, and those of NumPy's that they have not."""
    own = {name for name in dir(ndarray) if not name.startswith("_") and hasattr(np.ndarray, name)}
    methods = {name for name in own if callable(getattr(np.ndarray, name))}
    assert methods - {"tobytes"} == meanings.ARRAY_METHODS & methods
    missing = {
        name for name in dir(np.ndarray) if not name.startswith("_") and callable(getattr(np.ndarray, name))
    }
    missing -= methods | meanings.PYTHON_METHODS
    assert missing <= set(meanings.ARRAY_METHODS_REFUSED) | {"resize"}


def test_every_reference_of_the_catalog_has_a_meaning():
    for contract in catalog.pairs().values():
        top = contract.reference.partition(".")[0]
        if top in ("pipeport", "tensorflow_addons"):
            continue
        found = meanings.meaning(contract.reference)
        assert found.kind in (meanings.NATIVE, meanings.DRAW), contract.reference
        assert found.native


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("nibabel.load", meanings.BUILT_IN),
        ("nibabel.save", meanings.NEVER),
        ("pickle.loads", meanings.NEVER),
        ("sklearn.metrics.roc_auc_score", meanings.ELSEWHERE),
        ("sklearn.preprocessing.scale", meanings.REFUSED),
        ("scipy.ndimage.interpolation.rotate", meanings.NATIVE),
        ("scipy.io.loadmat", meanings.NEVER),
        ("tensorflow.train.Example", meanings.ELSEWHERE),
        ("tensorflow.image.resize", meanings.TENSORFLOW),
        ("tensorflow.io.gfile.GFile", meanings.NEVER),
        ("os.path.join", meanings.PYTHON),
        ("os.path.exists", meanings.BUILT_IN),
        ("os.path.isfile", meanings.CHANGE),
        ("os.listdir", meanings.CHANGE),
        ("somebody.knows", meanings.UNKNOWN),
        ("random.Random", meanings.NATIVE),
        ("numpy.random.Generator.integers", meanings.DRAW),
        ("numpy.random.Generator.multinomial", meanings.REFUSED),
        ("albumentations.Compose", meanings.DRAW),
        ("albumentations.ThinPlateSpline", meanings.REFUSED),
    ],
)
def test_what_a_name_means(name, kind):
    assert meanings.meaning(name).kind == kind


def test_math_stays_python():
    assert meanings.meaning("math.gcd").kind == of_object(math.gcd).kind == "Python"


def test_functions_of_python_have_the_names_people_import_them_by():
    """Python 3.12 has `open` in `_io`, 3.13 `Path` in `pathlib._local`."""
    assert of_object(open).name == "io.open"
    kinds = {pathlib.Path: meanings.BUILT_IN, pathlib.PurePath("a.png").with_suffix: meanings.PYTHON}
    for one, kind in kinds.items():
        assert of_object(one).kind == kind
        assert of_object(one).name == f"pathlib.{one.__qualname__}"
