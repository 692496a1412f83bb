"""The recipe for Keras' Sequence: the same batches, the same training, and every bug."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import boundaries, collected, photographs, program
from tests.recipes.test_port_a_body import functions

cv2 = pytest.importorskip("cv2")
before, after = program("keras-sequence", "before"), program("keras-sequence", "after")
pitfalls = program("keras-sequence", "pitfalls")

COUNT = 11  # a batch, and a smaller one


@pytest.fixture(scope="module")
def paths(tmp_path_factory) -> list[str]:
    """Files in folders by class, of which two have the same size."""
    folder = tmp_path_factory.mktemp("classes")
    found = []
    for index, name in enumerate(before.CLASSES):
        (folder / name).mkdir()
        found.append(str(folder / name / f"{index}.jpg"))
        cv2.imwrite(found[-1], photographs()[index][: 30 + 9 * (index > 0)])
    return [found[index % len(found)] for index in range(COUNT)]


@pytest.fixture(scope="module")
def ported(paths) -> tf.data.Dataset:
    return after.build_dataset(paths)


def test_before_and_after_agree(paths, ported):
    old, new = collected(before.build_dataset(paths)), collected(ported)
    assert [len(labels) for _, labels in new] == [8, 3]
    for (images, labels), (others, numbers) in zip(old, new, strict=True):
        assert others.dtype == images.dtype == np.float32
        assert numbers.dtype == labels.dtype == np.int64
        assert np.abs(others - images).max() < 1.01 / 255
        np.testing.assert_array_equal(numbers, labels)
    assert set(new[0][1]) == {0, 1, 2}


def _losses(data) -> list[float]:
    """Return the losses of three epochs of a model that begins at zero."""
    pooled = tf.keras.layers.AveragePooling2D(56)
    last = tf.keras.layers.Dense(3, kernel_initializer="zeros")
    model = tf.keras.Sequential([pooled, tf.keras.layers.Flatten(), last])
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(loss=loss, optimizer=tf.keras.optimizers.SGD(0.1))
    return model.fit(data, epochs=3, shuffle=False, verbose=0).history["loss"]


def test_a_training_from_each(paths, ported):
    sequence = before.Photographs([path.encode() for path in paths], workers=2)
    old, new = _losses(sequence), _losses(ported)
    np.testing.assert_allclose(new, old, rtol=1e-3)
    assert old[0] != pytest.approx(old[2], rel=1e-2), "nothing is learned"


def test_the_body_is_the_same():
    old, new = (functions("keras-sequence", file) for file in ("before.py", "after.py"))
    assert old["load"] == new["load"]


def test_boundaries(paths, ported):
    assert boundaries(ported) == set()
    assert boundaries(before.build_dataset(paths)) == {"PyFunc"}


def test_static_shapes(ported):
    images, labels = ported.element_spec
    assert images.shape.as_list() == [None, 224, 224, 3]
    assert labels.shape.as_list() == [None]


def test_batch_as_a_whole():
    message, shape = pitfalls.batch_as_a_whole()
    assert "got dtype string" in message
    assert shape == [None]


def test_shuffled_by_fit():
    assert pitfalls.shuffled_by_fit() == (True, 0)


def test_order_of_an_epoch():
    assert pitfalls.order_of_an_epoch() == (False, True)


def test_last_batch():
    assert pitfalls.last_batch() == [[4, 4], [4, 4, 2]]


def test_weights_of_samples():
    without, weighted = pitfalls.weights_of_samples()
    assert (without, weighted) == (pytest.approx(3.5), pytest.approx(0.25))
