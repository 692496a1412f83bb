"""Functions that draw outside of the seed: `scan` knows them by text, `port` by object, from one table."""

from __future__ import annotations

import inspect

import pytest
import tensorflow as tf

from pipeport import meanings
from pipeport._unseeded import draws_unseeded

MODULES = {
    "tensorflow": tf,
    "tensorflow.image": tf.image,
    "tensorflow.nn": tf.nn,
    "tensorflow.random": tf.random,
    "tensorflow.random.experimental": tf.random.experimental,
    "tensorflow.keras.layers": tf.keras.layers,
    "tensorflow.keras.utils": tf.keras.utils,
}
DRAW = [
    "tensorflow.random.truncated_normal", "tensorflow.random.categorical", "tensorflow.nn.dropout",
    "tensorflow.image.sample_distorted_bounding_box", "tensorflow.keras.layers.RandomRotation",
    "keras.layers.Dropout", "keras.random.normal", "tensorflow.random.Generator.from_seed",
]  # fmt: skip
DO_NOT = [
    "tensorflow.random.stateless_uniform", "tensorflow.image.stateless_random_crop",
    "tensorflow.nn.compute_accidental_hits",
    "tensorflow.image.flip_left_right", "tensorflow.split", "tensorflow.keras.layers.Rescaling",
]  # fmt: skip


@pytest.mark.parametrize("name", DRAW)
def test_drawing_functions_are_known_by_name(name):
    found = meanings.meaning(name)
    assert found.kind == meanings.CHANGE
    assert "np.random" in found.advice


@pytest.mark.parametrize(
    "name",
    ["tensorflow.random.set_seed", "tensorflow.compat.v1.set_random_seed", "keras.utils.set_random_seed"],
)
def test_functions_that_set_the_seed_are_to_be_left_out(name):
    found = meanings.meaning(name)
    assert found.kind == meanings.CHANGE
    assert "leave it out" in found.advice


@pytest.mark.parametrize("name", DO_NOT)
def test_others_are_tensorflow(name):
    assert meanings.meaning(name).kind == meanings.TENSORFLOW


@pytest.mark.parametrize("module", MODULES)
def test_text_and_object_agree(module):
    told = {}
    for name, one in vars(MODULES[module]).items():
        if callable(one) and not name.startswith("_") and not inspect.ismodule(one):
            told[name] = draws_unseeded(str(one.__module__), one.__name__)
    assert {name: draws_unseeded(module, name) for name in told} == told
