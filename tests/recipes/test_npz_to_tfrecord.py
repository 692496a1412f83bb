"""The conversion recipe: what is read after is what was read before, and every bug it names."""

from __future__ import annotations

import numpy as np
import pytest

from tests.recipes.recipe_tools import boundaries, collected, photographs, program

before, after = program("npz-to-tfrecord", "before"), program("npz-to-tfrecord", "after")
pitfalls = program("npz-to-tfrecord", "pitfalls")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("archives")
    for index, image in enumerate(photographs()):
        np.savez_compressed(path / f"{index}.npz", image=(image / 255).astype(np.float32), label=index % 3)
    pitfalls.convert_once(path)
    return str(path)


def test_before_and_after_agree(folder):
    old, new = (collected(side.build_dataset(folder)) for side in (before, after))
    assert len(old) == len(new) == len(photographs())
    for (expected, label), (image, number) in zip(old, new, strict=True):
        np.testing.assert_array_equal(image, expected)
        assert image.dtype == expected.dtype
        assert number == label
    assert not np.array_equal(old[0][0], old[1][0])


def test_boundaries(folder):
    assert boundaries(after.build_dataset(folder)) == set()
    assert boundaries(before.build_dataset(folder)) == {"PyFunc"}


def test_static_shapes(folder):
    image, label = after.build_dataset(folder).element_spec
    assert image.shape.as_list() == [None, None, 3]
    assert label.shape == ()
    assert all(spec.shape.rank is None for spec in before.build_dataset(folder).element_spec)


def test_archive_in_a_graph():
    message = pitfalls.archive_in_a_graph()
    assert ".npz archive" in message
    assert "npz-to-tfrecord" in message


def test_dictionary_in_an_array():
    message = pitfalls.dictionary_in_an_array()
    assert "pickle" in message
    assert "npz-to-tfrecord" in message


def test_parse_tensor_forgets_the_shape():
    parsed, ensured = pitfalls.parse_tensor_forgets_the_shape()
    assert parsed.rank is None
    assert ensured.as_list() == [None, None, 3]
