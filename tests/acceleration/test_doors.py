"""TensorFlow's functions are replaced where people find them, and given back."""

from __future__ import annotations

import sys
import types

import pytest
import tensorflow as tf

import pipeport
from pipeport.errors import NotPorted, OutsideDomain, UnsupportedArgument, WrongType


def held():
    """Return what everybody finds."""
    v1 = tf.compat.v1
    return (
        tf.numpy_function, tf.py_function, v1.py_func, v1.numpy_function, v1.py_function,
        tf.compat.v2.numpy_function, tf.data.Dataset.map, v1.data.Dataset.map,
    )  # fmt: skip


def test_everything_is_given_back():
    before = held()
    with pipeport.install() as report:
        assert all(one is not other for one, other in zip(held(), before, strict=True))
        assert [one.__name__ for one in held()] == [one.__name__ for one in before]
        assert pipeport.installed().report is report
    assert all(one is other for one, other in zip(held(), before, strict=True))
    assert pipeport.installed() is None
    pipeport.uninstall()


def test_after_an_error_too():
    before = held()
    with pytest.raises(KeyError), pipeport.install():
        raise KeyError
    assert all(one is other for one, other in zip(held(), before, strict=True))


def test_names_that_modules_of_the_user_hold(monkeypatch, tmp_path):
    user = types.ModuleType("user_of_boundaries")
    user.__file__ = str(tmp_path / "user_of_boundaries.py")
    user.wrap, user.own = tf.numpy_function, print
    monkeypatch.setitem(sys.modules, user.__name__, user)
    before = user.wrap
    with pipeport.install():
        assert user.wrap is tf.numpy_function
        assert user.wrap is not before
        assert user.own is print
    assert user.wrap is before


def test_only_one_at_a_time():
    with pipeport.install(), pytest.raises(UnsupportedArgument, match=r"uninstall\(\)"):
        pipeport.install()


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"limit": -1}, OutsideDomain),
        ({"exact": 1}, WrongType),
        ({"only": "train.py"}, WrongType),
        ({"keep": "cv2.blur"}, WrongType),
        ({"keep": ("cv2.blur",), "exact": True}, OutsideDomain),
        ({"keep": ("cv2.blur",), "islands": False}, OutsideDomain),
    ],
)
def test_settings_are_checked(settings, error):
    with pytest.raises(error, match=next(iter(settings))):
        pipeport.install(**settings)
    assert pipeport.installed() is None


def test_a_name_to_keep_is_that_of_a_native():
    with pytest.raises(NotPorted, match=r"cv2\.smear"):
        pipeport.install(keep=("cv2.smear",))
    assert pipeport.installed() is None


def test_as_an_extension_of_a_notebook():
    pipeport.load_ipython_extension(None)
    assert pipeport.installed() is not None
    pipeport.unload_ipython_extension(None)
    assert pipeport.installed() is None
