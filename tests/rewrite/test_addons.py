"""Imports of TensorFlow Addons become the mirror's, where it has all that a file uses."""

from __future__ import annotations

import pytest

from pipeport.rewrite import rewrite

pytestmark = pytest.mark.newest_only


def rewritten(tmp_path, text):
    path = tmp_path / "a.py"
    path.write_text(text)
    files = rewrite([str(path)]).files
    return files[0] if files else None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "import tensorflow_addons as tfa\n\nf = tfa.image.rotate\n",
            "import pipeport.tensorflow_addons as tfa\n\nf = tfa.image.rotate\n",
        ),
        (
            "import tensorflow_addons, os  # both\n\ng = tensorflow_addons.image.shear_x\n",
            "import pipeport.tensorflow_addons as tensorflow_addons, os  # both\n\n"
            "g = tensorflow_addons.image.shear_x\n",
        ),
        (
            "def f(x):\n    from tensorflow_addons.image import rotate as t\n    t(x, 1)\n",
            "def f(x):\n    from pipeport.tensorflow_addons.image import rotate as t\n    t(x, 1)\n",
        ),
        (
            "from tensorflow_addons import image\n\nh = image.dense_image_warp\n",
            "from pipeport.tensorflow_addons import image\n\nh = image.dense_image_warp\n",
        ),
        (
            "import tensorflow as tf\n\ntf.contrib.image.rotate(x, 0.1, 'BILINEAR')\n",
            "import pipeport\nimport tensorflow as tf\n\n"
            "pipeport.tensorflow_addons.image.rotate(x, 0.1, 'BILINEAR')\n",
        ),
    ],
)
def test_what_becomes_of_it(tmp_path, before, after):
    file = rewritten(tmp_path, before)
    assert file.new.decode() == after
    assert [one.becomes for one in file.changes] == ["import"]
    assert rewritten(tmp_path, after) is None, "it is a fixed point"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import tensorflow_addons as tfa\n\nf = tfa.optimizers.AdamW\n", "does not have all that is used"),
        ("import tensorflow_addons as tfa\n\nf = tfa.image.rotate, tfa\n", "does not have all that is used"),
        ("import tensorflow_addons as tfa\n", "Nothing that it imports is used"),
        ("from tensorflow_addons.image import *\n", "all names"),
        (
            "try:\n    import tensorflow_addons as tfa\nexcept ImportError:\n    tfa = None\n",
            "goes on where it cannot",
        ),
        (
            "import tensorflow as tf\n\ntf.contrib.image.rotate(x, 1.0, 'NEAREST', 'name')\n",
            "in another order",
        ),
        (
            "import tensorflow as tf\n\nwith tf.Session():\n    tf.contrib.image.rotate(x, 1.0)\n",
            "in sessions",
        ),
    ],
)
def test_what_stays(tmp_path, text, reason):
    file = rewritten(tmp_path, text)
    assert file.new == file.old
    [one] = file.refusals
    assert reason in one.reason


def test_declared_differences_are_told(tmp_path):
    text = "import tensorflow_addons as tfa\n\nf = tfa.image.rotate\n"
    [one] = rewritten(tmp_path, text).changes
    assert "tensorflow_addons.image.rotate differs where it is declared to" in one.why
    text = "import tensorflow_addons as tfa\n\nf = tfa.image.dense_image_warp\n"
    [one] = rewritten(tmp_path, text).changes
    assert not one.why
