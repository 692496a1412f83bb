"""Calls without a native stay Python, as islands, where `--unsafe` and `--input` say what they are handed."""

from __future__ import annotations

import pytest

from pipeport.errors import RewriteRefused
from pipeport.rewrite import differences, rewrite
from tests.rewrite.test_programs import answered_here, compare, loaded

pytestmark = pytest.mark.newest_only

PROGRAM = """\
import numpy as np
import tensorflow as tf
from scipy import ndimage

images = np.arange(96, dtype=np.uint8).reshape(2, 4, 4, 3)


def blurred(image, by):
    return np.clip(ndimage.morphological_laplace(image, 3), 0, 9) + by


@tf.numpy_function(Tout=tf.uint8)
def turned(image):
    return ndimage.morphological_laplace(np.fliplr(image), 3)


def wrapped(image):
    return tf.numpy_function(blurred, [image, tf.constant(2, tf.uint8)], tf.uint8), turned(image)


def run():
    return list(tf.data.Dataset.from_tensor_slices(images).map(wrapped))
"""
AFTER = (
    PROGRAM.replace(
        "tf.numpy_function(blurred, [image, tf.constant(2, tf.uint8)], tf.uint8)",
        "pipeport.port(blurred, islands=True, example=(np.ones([4, 8, 3], np.uint8), "
        "np.full([], 4, np.uint8),))(image, tf.constant(2, tf.uint8))",
    )
    .replace(
        "@tf.numpy_function(Tout=tf.uint8)",
        "@functools.partial(pipeport.port, islands=True, example=(np.ones([4, 8, 3], np.uint8),))",
    )
    .replace(
        "import numpy as np\nimport t", "import functools\n\nimport numpy as np\nimport pipeport\nimport t"
    )
)
INPUTS = ("image: uint8[4,W,3]", "by: uint8[] in [3,5]")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "keeps_islands.py"
    path.write_text(PROGRAM)
    return path


@pytest.mark.filterwarnings("ignore::pipeport.errors.PipeportWarning")
def test_islands_do_the_same(file, tmp_path, monkeypatch):
    answered_here(monkeypatch, tmp_path)
    [new] = rewrite([str(file)], unsafe=True, inputs=INPUTS).files
    assert not new.refusals
    assert new.new.decode() == AFTER
    compare(loaded(tmp_path, PROGRAM).run(), loaded(tmp_path, AFTER).run())
    assert not differences([one for one in new.changes if one.function == "blurred"], INPUTS, examples=4)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"unsafe": True}, 'add --input "image: uint8[H,W,3]"'),
        ({"unsafe": True, "inputs": INPUTS[1:]}, 'add --input "image: uint8[H,W,3]"'),
        ({"inputs": INPUTS}, "islands=True"),
    ],
)
def test_without_an_example_they_stay(file, options, reason):
    [one] = rewrite([str(file)], **options).files
    assert not one.changes
    assert all(reason in refusal.reason for refusal in one.refusals)
    assert len(one.refusals) == 2


@pytest.mark.parametrize("spec", ["image: uint8|float32[H,W,3]", "image: uint8[...,3]", "image: int"])
def test_what_is_no_example(file, spec):
    with pytest.raises(RewriteRefused, match="which is no example for islands"):
        rewrite([str(file)], unsafe=True, inputs=[spec, "by: uint8[]"])
