"""In a TensorFlow that nobody has tested natives work, and one warning says what is off."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import tensorflow as tf

from pipeport import config
from pipeport import numpy as native
from pipeport._tensorflow_private import _releases
from pipeport.errors import PipeportWarning
from pipeport.kernels.xla import _single_threaded

pytestmark = pytest.mark.both


def test_natives_work_and_one_warning_says_what_is_off(monkeypatch):
    monkeypatch.setattr(_releases, "release", lambda: (2, 99))
    monkeypatch.setattr(_single_threaded, "_RELEASES", ("2.21.",) if tf.__version__ < "2.21" else ("none",))
    _releases._warn.cache_clear()
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    with pytest.warns(PipeportWarning, match=r"newer than 2.21.*watch is refused"), config.use_jit("always"):
        found = tf.function(lambda x: native.tile(x, (1, 2, 1)))(x)
    np.testing.assert_array_equal(found, np.tile(x, (1, 2, 1)))
    with warnings.catch_warnings(), config.use_jit("always"):
        warnings.simplefilter("error")
        tf.function(lambda x: native.tile(x, (2, 1, 1)))(x)
    _releases._warn.cache_clear()


def test_the_installed_release_is_known():
    assert _releases.FIRST <= _releases.release() <= _releases.LAST
