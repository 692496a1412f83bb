"""Mirrored modules are there without an import of their own, and answer for names they do not have."""

from __future__ import annotations

import copy
import importlib
import inspect
import pkgutil
import sys
from types import ModuleType

import pytest

import pipeport
from pipeport import _mirror, catalog
from tests.house import overlay

pytestmark = pytest.mark.newest_only


def mirrored() -> list[str]:
    """Return every public module of every façade."""
    found = []
    for name in catalog.FACADES:
        if importlib.util.find_spec(f"pipeport.{name}") is None:
            continue
        package = importlib.import_module(f"pipeport.{name}")
        below = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        found += [package.__name__, *(module.name for module in below)]
    return [name for name in found if not any(part.startswith("_") for part in name.split("."))]


MODULES = mirrored()
PAIRS_OF_CV2 = sorted(name.rpartition(".")[2] for name in catalog.pairs() if name.startswith("pipeport.cv2."))
MODULES_OF_SKIMAGE = sorted(name.split(".")[2] for name in MODULES if name.startswith("pipeport.skimage."))


def test_there_are_modules_to_look_at() -> None:
    assert {"pipeport.cv2", "pipeport.PIL.Image", "pipeport.tensorflow_addons.image.translate_ops"} <= set(
        MODULES
    )


@pytest.mark.parametrize("name", MODULES)
def test_no_mirrored_module_is_forgotten(name: str) -> None:
    module = importlib.import_module(name)
    with pytest.raises(
        AttributeError, match=rf"{name!r} has no attribute 'not_there': not ported\. "
    ) as caught:
        module.not_there  # noqa: B018 - asking is the test
    assert f"pipeport catalog {name.removeprefix('pipeport.')}" in str(caught.value)
    assert not hasattr(module, "not_there")
    assert catalog.matching(name.removeprefix("pipeport.")), "what the message says works"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("cv2.resizee", "Nearest: pipeport.cv2.resize."),
        ("cv2.xyzzy", f"pipeport.cv2 has {', '.join(PAIRS_OF_CV2[:3])}, "),
        ("cv2.INTER_AERA", "Nearest: pipeport.cv2.INTER_AREA, "),
        ("skimage.rotate", "Nearest: pipeport.skimage.transform.rotate."),
        ("skimage.no_such_module", f"pipeport.skimage has {', '.join(MODULES_OF_SKIMAGE)}."),
        ("numpy.flipr", "Nearest: pipeport.numpy.fliplr, "),
    ],
)
def test_what_is_near_is_named(name: str, near: str) -> None:
    module, _, asked = name.rpartition(".")
    with pytest.raises(AttributeError) as caught:
        getattr(importlib.import_module(f"pipeport.{module}"), asked)
    assert near in str(caught.value)
    # `from module import name` hides what an AttributeError says, so it is told in an ImportError.
    with pytest.raises(ImportError) as refused:
        exec(f"from pipeport.{module} import {asked}")
    assert near in str(refused.value)


@pytest.mark.parametrize("asked", ["__wrapped__", "__path_to_nowhere__", "_repr_html_"])
def test_names_that_tools_ask_for_are_answered_at_once(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> object:
        raise AssertionError(f"{name} was imported")

    monkeypatch.setattr(_mirror.importlib, "import_module", refuse)
    with pytest.raises(AttributeError, match=rf"^module 'pipeport\.cv2' has no attribute '{asked}'$"):
        getattr(pipeport.cv2, asked)


def test_tools_that_look_modules_over_still_work() -> None:
    for name in MODULES:
        module = importlib.import_module(name)
        assert dict(inspect.getmembers(module))["__name__"] == name
        assert inspect.unwrap(module) is module
        with pytest.raises(TypeError, match="cannot pickle"):
            copy.copy(module)


def test_an_unknown_name_of_the_package_leads_to_the_catalog() -> None:
    with pytest.raises(
        AttributeError, match=r"'pipeport' has no attribute 'rotate'.* pipeport catalog rotate$"
    ):
        pipeport.rotate  # noqa: B018 - asking is the test


def test_a_star_import_does_not_hide_numpy() -> None:
    brought: dict[str, object] = {}
    exec("from pipeport import *", brought)
    assert isinstance(brought["seeds"], ModuleType)
    assert not set(brought) & set(catalog.FACADES)
    assert {"cv2", "numpy", "skimage"} <= set(dir(pipeport))


REACHED = (
    "PIL.Image.rotate",
    "PIL.ImageOps.flip",
    "albumentations.D4",
    "cv2.resize",
    "idioms.letterbox",
    "keras.utils.to_categorical",
    "numpy.random.uniform",
    "numpy.rot90",
    "random.uniform",
    "scipy.interpolate.interp1d",
    "scipy.ndimage.rotate",
    "scipy.signal.lfilter",
    "scipy.stats.zscore",
    "skimage.transform.rotate",
    "skimage.util.crop",
    "tensorflow_addons.image.rotate",
    "tensorflow_addons.image.transform_ops.shear_x",
)


def test_every_mirror_is_there_after_import_pipeport_and_loads_no_tensorflow() -> None:
    facades = {name for name in catalog.FACADES if f"pipeport.{name}" in MODULES}
    assert {name.partition(".")[0] for name in REACHED} == facades
    lines = [
        "import pipeport, sys",
        "assert 'numpy' not in sys.modules and 'pipeport.cv2' not in sys.modules",
        *(f"assert callable(pipeport.{name})" for name in REACHED),
        "try:\n    pipeport.cv2.xyzzy\nexcept AttributeError:\n    pass",
        "assert not {'tensorflow', 'keras', 'cv2', 'skimage', 'scipy'} & set(sys.modules)",
        "print(pipeport.numpy.flip.__name__)",
    ]
    done = overlay.run("-c", "\n".join(lines))
    assert (done.returncode, done.stdout) == (0, "flip\n"), done.stderr
    assert "pipeport.cv2" in sys.modules
