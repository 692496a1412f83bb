"""`pipeport rewrite --verify` runs what it changes, in a child process, and leaves what differs."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from pipeport.cli import main
from pipeport.errors import RewriteRefused
from pipeport.rewrite import differences, rewrite
from tests.rewrite.test_programs import answered_here

pytestmark = pytest.mark.newest_only

PROGRAM = """\
import functools

import numpy as np
import tensorflow as tf

print("what the program prints is no answer")


def mirrored(image):
    return np.fliplr(image)


def moody(image):
    SEEN.append(1)
    return image[::-1] if len(SEEN) % 2 else image


SEEN = []


def gray(image):
    wide = tf.cast(image, tf.float32)
    if tf.reduce_mean(wide) > 100:
        wide = wide[:1]
    return tf.reduce_mean(wide, axis=-1)


class Augmenter:
    def shifted(self, image, by):
        return np.roll(image, by) + np.random.randint(0, 3)


def prepare(image):
    image = tf.numpy_function(mirrored, [image], tf.uint8)
    image = tf.numpy_function(moody, [tf.ensure_shape(image, [4, 4, 3])], tf.uint8)
    image = tf.ensure_shape(image, [4, 4, 3])
    mean = tf.py_function(gray, [image], tf.float32)
    image = tf.numpy_function(np.flipud, [image], tf.uint8)
    image = tf.ensure_shape(image, [4, 4, 3])
    return mean, tf.numpy_function(functools.partial(Augmenter().shifted, by=2), [image], tf.int64)


def make():
    return tf.data.Dataset.from_tensor_slices(np.zeros([2, 4, 4, 3], np.uint8)).map(prepare)
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "train_verified.py"
    path.write_text(PROGRAM)
    return path


def run(*arguments):
    return CliRunner().invoke(main, ["rewrite", *map(str, arguments)], env={"COLUMNS": "300"})


def stay(output):
    return dict(re.findall(r" of (\S+) stays\. (.*)", output))


def test_inputs_are_given_by_name(file):
    result = run(file.name, "--write", "--verify", "--input", "image: uint8[H,W,3]", "--examples", "5")
    assert result.exit_code == 0, result.output
    reasons = stay(result.output)
    assert set(reasons) == {"moody", "numpy.flipud", "Augmenter.shifted"}
    assert reasons["numpy.flipud"].startswith("Not vouched for: nothing says what m is: add --input")
    text = file.read_text()
    assert "pipeport.port(mirrored)(image)" in text
    assert "tf.cast(gray(image), tf.float32)" in text
    assert text.count("tf.numpy_function(") == 3


def test_a_dataset_says_what_is_handed_over(file, monkeypatch):
    answered_here(monkeypatch, file.parent)
    result = run(file.name, "--unsafe", "--verify", "--dataset", "train_verified:make", "--examples", "5")
    assert result.exit_code == 0, result.output
    assert set(stay(result.output)) == {"moody"}
    assert "seeded_map(prepare, seed=42)" in result.output


# What each function is given, and why it stays.
ROTATED = {
    "bytes": ("uint8[4,W,3]", None),
    "floats": ("float32[4,W,3]", "concerns floats alone"),
    "either": ("uint8|float64[4,W]", "floats alone"),
}


def test_a_difference_of_floats_does_not_count_for_integers(file, monkeypatch):
    answered_here(monkeypatch, file.parent)
    file.write_text(
        "import tensorflow as tf\nfrom skimage import transform\n"
        + "".join(
            f"\n\ndef small_{name}({name}):\n    return transform.rotate({name}, 30.0, order=0) * 2\n"
            f"\n\ndef prepare_{name}({name}):\n"
            f"    return tf.numpy_function(small_{name}, [{name}], tf.float64)\n"
            for name in ROTATED
        )
    )
    given = [word for name, (spec, _) in ROTATED.items() for word in ("--input", f"{name}: {spec}")]
    result = run(file.name, "--verify", *given, "--examples", "5")
    assert result.exit_code == 0, result.output
    reasons = stay(result.output)
    for name, (_, reason) in ROTATED.items():
        assert (f"pipeport.port(small_{name})({name})" in result.output) == (reason is None)
        assert (f"small_{name}" in reasons) == (reason is not None)
        assert reason is None or reason in reasons[f"small_{name}"]
    assert ".." not in result.output


def test_a_program_that_cannot_run(file):
    file.write_text("raise SystemExit('not today')\n" + PROGRAM)
    [one] = rewrite([str(file)]).files
    with pytest.raises(RewriteRefused, match="ended with not today"):
        differences(one.changes, ["image: uint8[H,W,3]"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--verify", "--write", "--unverified"], "add --verify, which compares first, or --unverified"),
        (["--input", "x: uint8[3]"], "belong to --verify"),
        (["--verify", "--dataset", "train"], "my_module:augment"),
    ],
)
def test_a_mistake_in_the_call(file, options, said):
    result = run(file.name, *options)
    assert result.exit_code == 2
    assert said in result.output
    assert file.read_text() == PROGRAM
