"""What a port does before anything runs: it looks only where the answer can be."""

import inspect
import subprocess
import sys
import types

import cv2
import numpy as np
import pytest
import scipy.ndimage
from skimage import transform

import pipeport
from pipeport import catalog
from pipeport.porting.frontend import _meaning


def _references():
    for contract in catalog.pairs().values():
        for name in (contract.reference, *contract.aliases):
            if name.startswith("pipeport."):
                continue  # the reference of an idiom, which nobody calls
            reference = _meaning._resolved(name)
            if reference is not None:
                yield contract, reference


def test_every_native_is_found_in_the_facade_of_its_library():
    found = 0
    for contract, reference in _references():
        assert contract.native.split(".")[1] in _meaning._facades_of(reference), contract.native
        meant = _meaning.mirrored(reference)
        assert getattr(meant, "function", None) is contract.function, contract.native
        found += 1
    assert found > 100


@pytest.mark.parametrize("function", [cv2.resize, scipy.ndimage.rotate, transform.resize, np.clip])
def test_only_the_facade_of_a_function_is_looked_through(function):
    _meaning._natives_among.cache_clear()
    assert _meaning.meaning(function).kind == _meaning.NATIVE
    assert _meaning._natives_among.cache_info().misses == 1


def test_no_facade_is_looked_through_for_the_users_own():
    _meaning._natives_among.cache_clear()
    assert _meaning.meaning(_references).kind == _meaning.OWN
    assert _meaning._natives_among.cache_info().misses == 0


PROGRAM = """
import scipy.ndimage, sys, numpy as np, pipeport
def turned(x): return scipy.ndimage.rotate(x, 9)
def filtered(x): return scipy.signal.medfilt(x, 3)
pipeport.port(turned)
assert not {"scipy.signal", "scipy.stats"} & set(sys.modules)
assert pipeport.port(filtered)(np.array([1.0, 9.0, 2.0])).numpy().tolist() == [1, 2, 2]
"""


def test_packages_that_a_body_does_not_name_are_not_imported(tmp_path):
    """SciPy imports a package where it is named: 410 modules, half of the time of a first port."""
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    subprocess.run([sys.executable, str(path)], check=True)


def test_modules_are_not_searched_for_a_source(monkeypatch):
    """For code, `inspect` compares the files of every module that is loaded: thousands beside TensorFlow."""
    asked, getmodule = [], inspect.getmodule

    def noted(object, _filename=None):
        asked.append(object)
        return getmodule(object, _filename)

    monkeypatch.setattr(inspect, "getmodule", noted)
    ported = pipeport.port(lambda image: cv2.flip(image, 1))
    assert ported(np.array([[1, 2]], np.uint8)).numpy().tolist() == [[2, 1]]
    assert asked
    assert not any(isinstance(one, types.CodeType) for one in asked)
