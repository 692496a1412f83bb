"""Borders whose sides are drawn: images of known and unknown sizes, compiled by XLA or not."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport import albumentations as A

TRANSFORMS = {
    "PadIfNeeded": A.PadIfNeeded(min_height=9, min_width=5, position="random", p=1.0),
    "reflected": A.PadIfNeeded(min_height=9, min_width=5, position="random", border_mode=4, p=1.0),
    "CenterCrop": A.CenterCrop(6, 6, pad_if_needed=True, pad_position="random", p=1.0),
    "RandomCrop": A.RandomCrop(6, 6, pad_if_needed=True, pad_position="random", p=1.0),
}


@pytest.mark.parametrize("name", TRANSFORMS)
@pytest.mark.parametrize("shape", [(4, 5), (4, 8, 3), (12, 7, 3)])
def test_they_are_the_same_in_each_graph(name, shape):
    image = np.arange(np.prod(shape), dtype=np.uint8).reshape(shape)

    def run(image, seed):
        return TRANSFORMS[name](image=image, seed=seed)["image"]

    for seed in ([0, 1], [2, 3]):
        want = run(tf.constant(image), tf.constant(seed))
        for sizes in (shape, (None, None, *shape[2:])):
            given = [tf.TensorSpec(sizes, tf.uint8), tf.TensorSpec([2], tf.int32)]
            for compiles in (False, True):
                graph = tf.function(run, input_signature=given, jit_compile=compiles, autograph=False)
                np.testing.assert_array_equal(graph(image, seed), want)
